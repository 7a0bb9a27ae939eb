"""The commands that a table takes, and the persons who give them.

The actions of a round (``openfelt.rules.referee``) are commands too: a table takes them from a
player, dealer or supervisor and passes them to its round.
"""

from dataclasses import dataclass
from enum import StrEnum

from openfelt.rules.house import ClockRule, DealerMode, House
from openfelt.rules.referee import Action, SetWagers


class Role(StrEnum):
    """On whose behalf a command comes."""

    PLAYER = "player"
    DEALER = "dealer"
    FLOOR = "floor"
    """A supervisor of the floor."""
    SYSTEM = "system"
    """The clock, the sweeper and the virtual dealer."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who gives a command."""

    role: Role
    name: str

    def __str__(self) -> str:
        return f"{self.role}:{self.name}"


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


@dataclass(frozen=True, slots=True)
class ChangeLink:
    """Join another progressive link, or none, between two rounds."""

    link: str | None


@dataclass(frozen=True, slots=True)
class ChangeDealer:
    """Let another dealer take over; None when the dealer leaves the table."""

    dealer: str | None


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close the table, once its round is over."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReopenTable:
    """Take wagers again."""


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
    """Its number, so that a round that has begun meanwhile is not cancelled."""
    days: int
    """How long nothing has happened in it."""


TableCommand = (
    ChangeRules
    | ChangeLink
    | ChangeDealer
    | CloseTable
    | ReopenTable
    | TakeSeat
    | LeaveSeat
    | BuyIn
    | Collect
    | OpenBets
    | SeededWagers
    | RevealSeed
    | TakeBank
    | DeclineBank
    | EndTime
    | ResumeClock
    | ExpireRound
    | Action
)
