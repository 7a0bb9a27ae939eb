"""The limits of a player: their events, and the limits after each of them.

A tighter limit is in force immediately. One that is looser, or none, waits for 24 hours from the
time of its event. Limits set by the player and by the house apply together, and the tightest one
counts: neither side can loosen what the other has set. An exclusion only ever becomes longer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

_DAY_MS: Final = 86_400_000
LOOSER_AFTER_MS: Final = _DAY_MS
"""How long a looser limit waits."""


class LimitSide(StrEnum):
    """Who has set a limit, and alone may loosen it."""

    OWN = "own"
    """The player."""
    HOUSE = "house"
    """A supervisor."""


class LimitKind(StrEnum):
    """The subject of a limit."""

    DEPOSIT = "deposit"
    """Money that comes in, in cents."""
    LOSS = "loss"
    """The losses of wagers less their winnings, in cents."""
    TIME = "time"
    """The time of play, in minutes."""


class LimitPeriod(StrEnum):
    """For how long the use of a limit is added up, in days of the house, today included."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    @property
    def days(self) -> int:
        """How many days are added up.

        >>> [period.days for period in LimitPeriod]
        [1, 7, 30]
        """
        return {"day": 1, "week": 7, "month": 30}[self.value]


class ExclusionTerm(StrEnum):
    """For how long a player is excluded."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    HALF_YEAR = "half_year"
    YEAR = "year"
    FIVE_YEARS = "five_years"
    FOR_GOOD = "for_good"

    @property
    def ms(self) -> int | None:
        """The length of the term, None without an end."""
        days = {"day": 1, "week": 7, "month": 30, "half_year": 183, "year": 365, "five_years": 1826}
        return days[self.value] * _DAY_MS if self.value in days else None


# Events --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSet:
    """A limit of a player was set, changed or removed."""

    player: str
    side: LimitSide
    kind: LimitKind
    period: LimitPeriod
    before: int | None
    """The limit in force until then, None for none; in cents, or in minutes of play."""
    after: int | None
    waits: bool
    """Whether it is in force 24 hours later only, because it is looser."""
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerExcluded:
    """A player takes part in no game for a term."""

    player: str
    term: ExclusionTerm
    by: str
    """The player, or the supervisor who wrote down the player's wish."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlayReserved:
    """A player with limits has wagered; this is the most that the round can cost the player."""

    table: str
    round: int
    cents: int


@dataclass(frozen=True, slots=True)
class DepositCounted:
    """A player with a limit on deposits has paid in."""

    cents: int


LimitEvent = LimitSet | PlayerExcluded | PlayReserved | DepositCounted


# State ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit, and the looser one that waits."""

    most: int | None
    next_most: int | None = None
    next_ms: int | None = None
    """When the looser limit is in force, None if none waits."""

    def at(self, now_ms: int) -> int | None:
        """The limit in force, None for none."""
        is_due = self.next_ms is not None and now_ms >= self.next_ms
        return self.next_most if is_due else self.most

    def waiting(self, now_ms: int) -> bool:
        """Whether a looser limit waits."""
        return self.next_ms is not None and now_ms < self.next_ms


@dataclass(frozen=True, slots=True)
class Reserve:
    """The most that a round at a table can cost."""

    round: int
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayLimits:
    """The limits of one player."""

    player: str
    limits: Mapping[str, Limit] = field(default_factory=dict)
    """By side, kind and period, such as ``own/loss/day``."""
    excluded_until_ms: int | None = None
    excluded_for_good: bool = False
    reserves: Mapping[str, Reserve] = field(default_factory=dict)
    """By table; that of a round that is over means nothing."""

    def limit(self, side: LimitSide, kind: LimitKind, period: LimitPeriod) -> Limit:
        """One limit as it was set."""
        return self.limits.get(limit_key(side, kind, period), Limit(None))

    def most(self, kind: LimitKind, period: LimitPeriod, now_ms: int) -> int | None:
        """The tightest limit in force, None for none."""
        set_by = (self.limit(side, kind, period).at(now_ms) for side in LimitSide)
        return min((most for most in set_by if most is not None), default=None)

    def in_force(self, kind: LimitKind, now_ms: int) -> Iterator[tuple[LimitPeriod, int]]:
        """The limits of a kind that are in force."""
        for period in LimitPeriod:
            most = self.most(kind, period, now_ms)
            if most is not None:
                yield period, most

    def excluded(self, now_ms: int) -> bool:
        """Whether the player is excluded."""
        until_ms = self.excluded_until_ms
        return self.excluded_for_good or (until_ms is not None and now_ms < until_ms)

    def limits_play(self, now_ms: int) -> bool:
        """Whether wagers have to be checked."""
        kinds = (LimitKind.LOSS, LimitKind.TIME)
        return self.excluded(now_ms) or any(any(self.in_force(kind, now_ms)) for kind in kinds)


def limit_key(side: LimitSide, kind: LimitKind, period: LimitPeriod) -> str:
    """The key of a limit.

    >>> limit_key(LimitSide.OWN, LimitKind.LOSS, LimitPeriod.DAY)
    'own/loss/day'
    """
    return f"{side.value}/{kind.value}/{period.value}"


def is_looser(before: int | None, after: int | None) -> bool:
    """Whether a limit allows more than the one before.

    >>> is_looser(500, 600), is_looser(500, None), is_looser(None, 600), is_looser(500, 400)
    (True, True, False, False)
    """
    return before is not None and (after is None or after > before)


def limits_after(limits: PlayLimits, event: LimitEvent, at_ms: int) -> PlayLimits:
    """The limits of a player after an event."""
    match event:
        case LimitSet():
            key = limit_key(event.side, event.kind, event.period)
            stands = limits.limit(event.side, event.kind, event.period).at(at_ms)
            limit = Limit(event.after)
            if event.waits:
                limit = Limit(stands, event.after, at_ms + LOOSER_AFTER_MS)
            return replace(limits, limits={**limits.limits, key: limit})
        case PlayerExcluded():
            term_ms = event.term.ms
            if term_ms is None:
                return replace(limits, excluded_for_good=True)
            until_ms = max(at_ms + term_ms, limits.excluded_until_ms or 0)
            return replace(limits, excluded_until_ms=until_ms)
        case PlayReserved(table, number, cents):
            return replace(limits, reserves={**limits.reserves, table: Reserve(number, cents)})
        case DepositCounted():
            return limits
