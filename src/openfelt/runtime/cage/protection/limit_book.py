"""The limits of all players: read, set, and checked before every deposit and every wager.

Each player with limits has their own stream. Every use of a limit is written to it in the
transaction that moves the money, after the version that was read. So two tables, or a table and a
window, never both use the remaining amount: the second one to write reads again.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from openfelt.ledger.play_limits import (
    DepositCounted,
    ExclusionTerm,
    LimitEvent,
    LimitKind,
    LimitPeriod,
    LimitSet,
    LimitSide,
    PlayerExcluded,
    PlayLimits,
    is_looser,
    limits_after,
)
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules.action_checks import check_reason, malformed
from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.cage_commands import CageCommands
from openfelt.runtime.cage.protection.limit_codes import LimitCode
from openfelt.runtime.cage.protection.limit_refusals import check_deposit, excluded, minutes_max
from openfelt.runtime.cage.protection.player_use import AtRisk, PlayerUse
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import limits_stream
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Append, Cause, Damaged, KeyFailure, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.table.permissions import check_name

CACHE_MS: Final = 1000
"""The cache lifetime of a player's limits at a table; another process may set a limit."""
CACHE_MAX: Final = 50_000
SNAPSHOT_EVERY: Final = 200


@dataclass(frozen=True, slots=True)
class VersionedLimits:
    """The limits of a player at one version of their record."""

    limits: PlayLimits
    version: int = 0
    at_ms: int = 0
    """When the last event was written."""

    def after(self, event: LimitEvent, at_ms: int) -> "VersionedLimits":
        """The limits after one more event."""
        return VersionedLimits(limits_after(self.limits, event, at_ms), self.version + 1, at_ms)


@dataclass(frozen=True, slots=True)
class _SetLimit:
    side: LimitSide
    kind: LimitKind
    period: LimitPeriod
    most: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class _Exclude:
    term: ExclusionTerm
    reason: str


class LimitBook:
    """The limits of all players. Threads may share it, and all calls block."""

    def __init__(
        self, store: Store, codec: EventCodec, clock: Clock, at_risk: AtRisk = lambda *_: 0
    ) -> None:
        """``at_risk`` asks a table; a window of the cage, which takes no wagers, needs none."""
        self._store = store
        self.at_risk = at_risk
        self._codec = codec
        self._clock = clock
        self._commands = CageCommands(store, codec, clock)
        self._cache: OrderedDict[str, tuple[VersionedLimits, int]] = OrderedDict()
        """The limits of players, and when they were read."""
        self._limited: tuple[frozenset[str], int | None] = frozenset(), None
        """The records of all players with limits, and when their names were read."""
        self._uses: OrderedDict[str, PlayerUse] = OrderedDict()
        self._lock = threading.Lock()

    # Reading ---------------------------------------------------------------------------

    def limits_of(self, player: str) -> VersionedLimits:
        """The limits of a player as they were read a moment ago; raises Refusal."""
        now_ms = self._clock.monotonic_ms()
        with self._lock:
            cached = self._cache.get(player)
        if cached is not None and now_ms - cached[1] < CACHE_MS:
            return cached[0]
        return self.reload(player) if self._may_be_limited(player, now_ms) else _none(player)

    def _may_be_limited(self, player: str, now_ms: int) -> bool:
        """Whether a player had a record of limits a moment ago.

        Most players have none, and when a hall bets, one query for all names replaces thousands.
        """
        # Both values are read at once, because they are one tuple.
        names, read_ms = self._limited
        if read_ms is None or now_ms - read_ms >= CACHE_MS:
            names = frozenset(self._store.streams(limits_stream("")))
            with self._lock:
                self._limited = names, now_ms
        return limits_stream(player) in names

    def reload(self, player: str) -> VersionedLimits:
        """The limits of a player as they are now; raises Refusal if they cannot be read."""
        stream = limits_stream(player)
        read_ms = self._clock.monotonic_ms()
        try:
            head = self._store.head(stream)
            with self._lock:
                cached = self._cache.get(player)
            current = cached[0] if cached else None
            if current is None or current.version > head.version:
                current = self._snapshot(player) if head.version else _none(player)
            if head.version > current.version:
                for stored in self._store.record(stream, after=current.version, head=head):
                    event: LimitEvent = self._codec.decode(stored)
                    current = current.after(event, stored.at_ms)
        except (Damaged, KeyFailure, CodecError) as error:
            with self._lock:
                self._cache.pop(player, None)
            raise Refusal(
                RuntimeCode.FAILED, "The limits of this player cannot be read now."
            ) from error
        self.keep(current, read_ms)
        return current

    def keep(self, current: VersionedLimits, read_ms: int | None = None) -> None:
        """Keep the limits of a player as after a commit of this process."""
        read_ms = self._clock.monotonic_ms() if read_ms is None else read_ms
        with self._lock:
            player = current.limits.player
            before = self._cache.pop(player, None)
            if before is not None and before[0].version > current.version:
                current = before[0]
            self._cache[player] = (current, read_ms)
            while len(self._cache) > CACHE_MAX:
                self._cache.popitem(last=False)

    def now_ms(self, current: VersionedLimits) -> int:
        """The time by which a player's limits are judged: never before their last event."""
        return max(self._clock.wall_ms(), current.at_ms)

    def use(self, player: str, now_ms: int) -> PlayerUse:
        """A player's use of the limits so far, read from the ledger."""
        with self._lock:
            use = self._uses.pop(player, None) or PlayerUse(self._store, player, self.at_risk)
            self._uses[player] = use
            while len(self._uses) > CACHE_MAX // 10:
                self._uses.popitem(last=False)
        use.read(now_ms)
        return use

    def _snapshot(self, player: str) -> VersionedLimits:
        """The limits at their newest snapshot; a snapshot that cannot be read is ignored."""
        snapshot = self._store.snapshot(limits_stream(player))
        if snapshot is not None:
            try:
                limits = self._codec.codec.from_json(PlayLimits, snapshot.body)
                return VersionedLimits(limits, snapshot.version, snapshot.at_ms)
            except CodecError:
                pass
        return _none(player)

    # Deposits --------------------------------------------------------------------------

    def deposit(self, player: str, cents: int, cause: Cause) -> tuple[Append, ...]:
        """The append to the player's own record for a deposit; raises Refusal.

        It goes into the transaction of the deposit.
        """
        current = self.reload(player)
        if not current.version:
            return ()
        now_ms = self.now_ms(current)
        if current.limits.excluded(now_ms):
            raise excluded(current.limits)
        if not cents or not any(current.limits.in_force(LimitKind.DEPOSIT, now_ms)):
            return ()
        check_deposit(current.limits, self.use(player, now_ms), cents, now_ms)
        return (self.append(current, (DepositCounted(cents),), cause),)

    def append(
        self, current: VersionedLimits, events: tuple[LimitEvent, ...], cause: Cause
    ) -> Append:
        """The append of a commit to a player's record, after the version that was read."""
        after = current
        for event in events:
            after = after.after(event, self.now_ms(current))
        due = current.version // SNAPSHOT_EVERY < after.version // SNAPSHOT_EVERY
        is_play = not any(isinstance(event, LimitSet | PlayerExcluded) for event in events)
        return Append(
            stream=limits_stream(current.limits.player),
            expected_version=current.version,
            events=tuple(self._codec.encode(event, cause=cause) for event in events),
            # The times in a snapshot come from earlier events, whose times are known.
            snapshot=self._codec.codec.to_json(PlayLimits, after.limits)
            if due and is_play
            else None,
        )

    # Setting ---------------------------------------------------------------------------

    def set_limit(
        self,
        player: str,
        *,
        side: LimitSide,
        kind: LimitKind,
        period: LimitPeriod,
        most: int | None,
        by: str,
        id: str,  # noqa: A002
        reason: str = "",
    ) -> VersionedLimits:
        """Set, change or remove a limit of one side; a looser one waits. Raises Refusal."""
        check_name(player, "player")
        _check_most(kind, most)
        if reason or side is LimitSide.HOUSE:
            check_reason(reason)

        def decide(cause: Cause) -> tuple[Append, ...]:
            current = self.reload(player)
            limit, now_ms = current.limits.limit(side, kind, period), self.now_ms(current)
            before, waits = limit.at(now_ms), limit.waiting(now_ms)
            if most == (limit.next_most if waits else before):
                raise Refusal(LimitCode.LIMIT_UNCHANGED, "The limit is already set to this.")
            event = LimitSet(
                player=player,
                side=side,
                kind=kind,
                period=period,
                before=before,
                after=most,
                waits=is_looser(before, most),
                by=by,
                reason=reason,
            )
            return (self.append(current, (event,), cause),)

        asked = _SetLimit(side, kind, period, most, reason)
        self._commands.carry_out(limits_stream(player), id, asked, decide)
        return self.reload(player)

    def exclude(
        self,
        player: str,
        term: ExclusionTerm,
        *,
        by: str,
        id: str,  # noqa: A002
        reason: str = "",
    ) -> VersionedLimits:
        """Exclude a player for a term, which nothing shortens; raises Refusal."""
        check_name(player, "player")
        if reason:
            check_reason(reason)

        def decide(cause: Cause) -> tuple[Append, ...]:
            current = self.reload(player)
            event = PlayerExcluded(player=player, term=term, by=by, reason=reason)
            after = limits_after(current.limits, event, self.now_ms(current))
            if current.limits.excluded_for_good or after == current.limits:
                raise Refusal(
                    LimitCode.EXCLUDED_LONGER,
                    "The current exclusion lasts as long as that, or longer.",
                )
            return (self.append(current, (event,), cause),)

        self._commands.carry_out(limits_stream(player), id, _Exclude(term, reason), decide)
        return self.reload(player)


@lru_cache(maxsize=1 << 13)
def _none(player: str) -> VersionedLimits:
    """The limits of a player without any, kept because every bet asks for them."""
    return VersionedLimits(PlayLimits(player=player))


def _check_most(kind: LimitKind, most: object) -> None:
    """Refuse an invalid limit."""
    highest = minutes_max() if kind is LimitKind.TIME else AMOUNT_MAX_CENTS
    if most is not None and (type(most) is not int or not 0 <= most <= highest):
        unit = "minutes" if kind is LimitKind.TIME else "cents"
        raise malformed(f"A limit must be a whole number of {unit}, or none.")


def without_digest(cause: Cause) -> Cause:
    """The cause without the digest of its command, whose answer another stream remembers."""
    return replace(cause, digest="")
