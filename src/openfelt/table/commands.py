"""The commands that a table takes, and the persons who give them.

The actions of a round (``openfelt.rules.referee``) are commands too: a table takes them from a
player, dealer or supervisor and passes them to its round.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from openfelt.cards import Card
from openfelt.rules.house import ClockRule, DealerMode, House
from openfelt.rules.irregularity_rules import About, Irregularity
from openfelt.rules.round_actions import Action, SetWagers
from openfelt.rules.wagers import Spot
from openfelt.table.incidents import Resolution


class Role(StrEnum):
    """On whose behalf a command comes."""

    PLAYER = "player"
    DEALER = "dealer"
    FLOOR = "floor"
    """A supervisor of the floor."""
    AUDITOR = "auditor"
    """Sees what a supervisor sees, and gives no command."""
    READER = "reader"
    """A shuffler or card reader, which sends the cards of one table and does nothing else."""
    SYSTEM = "system"
    """The clock, the sweeper and the virtual dealer."""


@dataclass(frozen=True, slots=True)
class Person:
    """The giver of a command."""

    role: Role
    name: str

    def __str__(self) -> str:
        return f"{self.role}:{self.name}"


class Actor(NamedTuple):
    """The text of a person, as events keep it, in its parts.

    Some actors are no persons of a table, such as ``operator:ann`` or ``visitor``.
    """

    role: str
    name: str

    @classmethod
    def parse(cls, text: str) -> "Actor":
        """The parts of a text; what has no name has an empty one.

        >>> Actor.parse("floor:ann")
        Actor(role='floor', name='ann')
        """
        role, _, name = text.partition(":")
        return cls(role, name)

    @property
    def player(self) -> str | None:
        """The name of a player, None for any other actor."""
        return self.name if self.role == Role.PLAYER else None


SYSTEM = Person(Role.SYSTEM, "openfelt")
"""Openfelt itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """Put a table on the floor."""

    table: str
    house: House
    dealer_mode: DealerMode | None = None
    """Required if the house allows either."""
    clock: ClockRule | None = None
    """A clock in place of the house's."""
    private_to: str | None = None
    link: str | None = None
    reveal_ms: int = 0
    """How much longer clocks run, so that they begin when the choices can be seen."""


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Play by other rules or limits from the next round on."""

    house: House
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChangeLink:
    """Join another progressive link, or none, from the next round on."""

    link: str | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChangeClock:
    """Give players another time from the next round on; None for no clock."""

    clock: ClockRule | None
    reason: str


@dataclass(frozen=True, slots=True)
class ChangeDealer:
    """Let another dealer take over; None when the dealer leaves the table."""

    dealer: str | None


@dataclass(frozen=True, slots=True)
class HandOver:
    """The dealer of the table hands it over to another dealer, who has signed on beside them."""

    dealer: str


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close the table, once its round is over."""

    reason: str


@dataclass(frozen=True, slots=True)
class PauseTable:
    """Open no more rounds for a while, once the round is over; players keep their seats."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReopenTable:
    """Take wagers again, after the table was closed or paused."""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down, at the first free seat if none is named."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Collect and stand up; a supervisor may do this for a player who has left."""

    seat: int


@dataclass(frozen=True, slots=True)
class BuyIn:
    """Bring money from the wallet to the seat."""

    seat: int
    cents: int


@dataclass(frozen=True, slots=True)
class Collect:
    """Take the seat's whole credit back to the wallet."""

    seat: int


@dataclass(frozen=True, slots=True)
class OpenBets:
    """Begin a round: a live dealer takes wagers from now on."""


@dataclass(frozen=True, slots=True)
class ReopenBets:
    """Take wagers again in a round whose bets are closed and of which no card has been dealt."""


@dataclass(frozen=True, slots=True)
class SeededWagers:
    """Set the wagers on a spot, and bind the seat to a seed if it is not bound yet."""

    wagers: SetWagers
    seed_commitment: str
    """As ``openfelt.table.seeds.seed_commitment`` computes it."""


@dataclass(frozen=True, slots=True)
class RevealSeed:
    """Reveal the seed to which the seat is bound, once seeds are called."""

    seat: int
    seed: str
    """32 bytes in hexadecimal."""


@dataclass(frozen=True, slots=True)
class TakeBank:
    """Bank the next round with this bank wager, which opens it."""

    seat: int
    cover_cents: int
    seed_commitment: str | None = None
    """Binds the seat to a seed, as with wagers."""


@dataclass(frozen=True, slots=True)
class DeclineBank:
    """Pass the bank on to the next player."""

    seat: int


@dataclass(frozen=True, slots=True)
class DeclareIrregularity:
    """Say what has gone wrong in a deal by hand; the rulings say what follows (R.37)."""

    irregularity: Irregularity
    about: About
    spot: Spot | None = None
    """The hand that it is about, or the spot on which late chips lie."""
    card: Card | None = None
    """The card that is taken out of play."""
    cents: int | None = None
    """The chips that it is about, if staff have counted them."""
    note: str = ""
    round: int | None = None
    """The round that it is meant for."""


@dataclass(frozen=True, slots=True)
class ProposeAdjustment:
    """Propose to put a wrong payout of a confirmed round right (R.38)."""

    round: int
    seat: int
    cents: int
    """The amount that the player receives; negative if the player pays back."""
    reason: str


@dataclass(frozen=True, slots=True)
class ApproveAdjustment:
    """Approve a proposed adjustment, which moves the money."""

    number: int


@dataclass(frozen=True, slots=True)
class RejectAdjustment:
    """Reject a proposed adjustment."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class CountStub:
    """Count what is left of a real deck after a round, or scan its cards (R.39)."""

    count: int | None = None
    cards: tuple[Card, ...] | None = None
    round: int | None = None
    """The round after which it is counted."""


@dataclass(frozen=True, slots=True)
class CountFelt:
    """Count the chips on the felt before the first card, in sum or spot by spot (R.40)."""

    cents: int | None = None
    spots: tuple[tuple[Spot, int], ...] | None = None
    """The chips on every spot that has a hand, and on others where chips lie."""
    round: int | None = None


@dataclass(frozen=True, slots=True)
class CallFloor:
    """Put the table on hold until a supervisor has come: its clock is stopped (R.42)."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class ResumePlay:
    """Continue where the table was put on hold."""


@dataclass(frozen=True, slots=True)
class ReportMispayment:
    """Report chips that were paid wrongly by hand, although the book is right (R.43)."""

    round: int
    seat: int
    cents: int
    """The amount that the player got too much; negative if it was too little."""
    reason: str


@dataclass(frozen=True, slots=True)
class ResolveMispayment:
    """Note how a mispayment ended."""

    number: int
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class EndTime:
    """The clock of this number has run out."""

    clock: int


@dataclass(frozen=True, slots=True)
class ResumeClock:
    """After an outage, continue the clock with what was left of it."""

    ms: int


@dataclass(frozen=True, slots=True)
class ExpireRound:
    """Cancel a round that has waited too long for its player."""

    round: int
    """Its number, so that a round that has begun in the meantime is not cancelled."""
    days: int
    """How long nothing has happened in it."""


TableCommand = (
    ChangeRules
    | ChangeLink
    | ChangeClock
    | ChangeDealer
    | HandOver
    | CloseTable
    | PauseTable
    | ReopenTable
    | TakeSeat
    | LeaveSeat
    | BuyIn
    | Collect
    | OpenBets
    | ReopenBets
    | SeededWagers
    | RevealSeed
    | TakeBank
    | DeclineBank
    | DeclareIrregularity
    | ProposeAdjustment
    | ApproveAdjustment
    | RejectAdjustment
    | CountStub
    | CountFelt
    | CallFloor
    | ResumePlay
    | ReportMispayment
    | ResolveMispayment
    | EndTime
    | ResumeClock
    | ExpireRound
    | Action
)
