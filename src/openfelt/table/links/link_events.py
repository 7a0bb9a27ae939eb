"""The events of a progressive link, its rates, and what a table feeds to its link.

A link is one meter that serves many tables and both games. Its record is a stream of these
events, separate from the streams of its tables. The confirmed rounds of a table are in a feed, a
stream that only the table writes; the link counts them a moment later.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """How a link's meter grows, and where it begins again."""

    contribution: Fraction
    """The part of each wager that goes to the meter."""
    seed_cents: int
    """The smallest amount that the meter shows after it has been won."""
    ceiling_cents: int | None = None
    """The highest amount that the meter grows to, None without such a limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkOpened:
    """A link has been opened, and the house has put in its seed."""

    link: str
    contribution: Fraction
    seed_cents: int
    ceiling_cents: int | None = None
    reason: str = ""
    """Why it was opened, as a supervisor wrote."""

    @property
    def rates(self) -> Rates:
        """The rates that apply from the first round on."""
        return _rates(self)


@dataclass(frozen=True, slots=True)
class TableJoined:
    """A table's progressive wagers go to this link from now on."""

    table: str


@dataclass(frozen=True, slots=True)
class TableLeft:
    """The table no longer feeds this link."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFed:
    """A round of a table is confirmed, and this is what the link has to count of it."""

    round: int
    wagered_cents: int
    awarded_cents: int
    """Shares of the meter and fixed awards together."""
    envied_cents: int
    from_meter_cents: int = 0
    """The part of the awards that is shares of the meter; the link counts such a round immediately.
    """

    @property
    def net_cents(self) -> int:
        """The round's effect on the table's account at the link; it may be negative."""
        return self.wagered_cents - self.awarded_cents - self.envied_cents


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCounted:
    """A confirmed round is counted: its wagers have been added, and its awards paid."""

    table: str
    round: int
    wagered_cents: int
    awarded_cents: int
    """Shares of the meter and fixed awards together."""
    envied_cents: int
    from_meter_cents: int
    """The part of the awards that is shares of the meter."""
    fed: int = 0
    """The version of the round in the table's feed. It is 0 in records of earlier versions, which
    had no feeds and counted every round in the commit that confirmed it."""

    @property
    def won(self) -> bool:
        """Whether a share of the meter was won, for which new rates wait."""
        return self.from_meter_cents > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesChanged:
    """These rates will apply once a share of the meter has been won."""

    contribution: Fraction
    seed_cents: int
    ceiling_cents: int | None = None
    reason: str = ""

    @property
    def rates(self) -> Rates:
        """The rates that wait."""
        return _rates(self)


@dataclass(frozen=True, slots=True)
class LinkPaused:
    """No progressive wagers are taken until the link is resumed."""

    reason: str


@dataclass(frozen=True, slots=True)
class LinkResumed:
    """Progressive wagers are taken again."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRetired:
    """The link has ended, and what was left has gone to the house or to another link.

    The house pays what a reserve owes it no more: a debt does not go to another link.
    """

    into: str | None = None
    """The link that has received the meter and the reserve; None if the house has."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkReceived:
    """Another link was retired into this one: its meter and reserve have been added."""

    link: str
    """The link that was retired."""
    meter: Fraction
    """Its meter in cents, with the fraction of a cent that no display shows."""
    reserve: Fraction
    """Its reserve in cents; together with the meter they are whole cents."""


LinkEvent = (
    LinkOpened
    | TableJoined
    | TableLeft
    | RoundCounted
    | RatesChanged
    | LinkPaused
    | LinkResumed
    | LinkRetired
    | LinkReceived
)


def _rates(event: LinkOpened | RatesChanged) -> Rates:
    return Rates(
        contribution=event.contribution,
        seed_cents=event.seed_cents,
        ceiling_cents=event.ceiling_cents,
    )
