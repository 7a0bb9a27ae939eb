"""The events of a table from round to round.

A table's record holds these events and those of its rounds (``openfelt.rules.round``), in one
sequence.
"""

from dataclasses import dataclass

from openfelt.cards import Card
from openfelt.rules.house import ClockRule, DealerMode, House
from openfelt.rules.round_events import Event
from openfelt.table.adjustments import Adjustment
from openfelt.table.changes import ChangeEvent
from openfelt.table.incidents import ClockFor, IncidentEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    """A table has been put on the floor."""

    table: str
    house: House
    dealer_mode: DealerMode
    """Live or virtual."""
    clock: ClockRule | None
    private_to: str | None
    """The one player of a private table."""
    link: str | None
    """The progressive link that the table has joined."""
    reveal_ms: int = 0
    """How long terminals take to show the cards before a choice. A clock for a decision or for an
    offered bank runs so much longer; 0 in records of tables that were opened before."""


@dataclass(frozen=True, slots=True)
class Handover:
    """From whom a dealer takes over, and at which point of the round."""

    outgoing: str
    round: int | None = None
    """The number of the round in progress, None between rounds."""
    phase: str | None = None
    """The phase of that round."""
    cards: int = 0
    """How many of its cards were dealt by then."""


@dataclass(frozen=True, slots=True)
class DealerChanged:
    """Another dealer has taken over, or the dealer has left."""

    dealer: str | None
    tips_stay: bool = True
    """Whether the tips of a round whose bets are closed stay with the dealer who closed them. In
    old records they went to the dealer who had signed on last."""
    handover: Handover | None = None
    """Where another dealer was signed on until then; old records do not say."""


@dataclass(frozen=True, slots=True)
class ActApproved:
    """A supervisor has approved what the dealer is about to do, at the dealer's terminal."""

    supervisor: str
    act: str
    """The kind of the command, such as ``void_round``."""


@dataclass(frozen=True, slots=True)
class AbsenceNoted:
    """The dealer is about to act for a player whose terminals have been gone for this long."""

    seat: int
    gone_ms: int


@dataclass(frozen=True, slots=True)
class BetsReopened:
    """Bets were closed too early: wagers are taken again, before the first card."""


@dataclass(frozen=True, slots=True)
class ClosingAnnounced:
    """The table closes when its round is over."""

    reason: str


@dataclass(frozen=True, slots=True)
class TableClosed:
    """No more rounds are opened; players may collect."""

    reason: str


@dataclass(frozen=True, slots=True)
class PauseAnnounced:
    """The table pauses when its round is over (R.44)."""

    reason: str


@dataclass(frozen=True, slots=True)
class TablePaused:
    """No rounds are opened until the table goes on; players keep their seats (R.44)."""

    reason: str


@dataclass(frozen=True, slots=True)
class TableReopened:
    """The table takes wagers again, after it was closed or paused."""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player has sat down."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """The seat is free again."""

    seat: int


@dataclass(frozen=True, slots=True)
class BoughtIn:
    """Money has come from the player's wallet to the seat."""

    seat: int
    cents: int


@dataclass(frozen=True, slots=True)
class Collected:
    """The seat's whole credit has gone back to the player's wallet."""

    seat: int
    cents: int


@dataclass(frozen=True, slots=True)
class BankDeclined:
    """A player does not want to bank the next round, or has not answered in time."""

    seat: int


@dataclass(frozen=True, slots=True)
class AdjustmentProposed:
    """Staff have proposed to put a wrong payout right (R.38)."""

    number: int
    """Counts the adjustments of the table."""
    adjustment: Adjustment


@dataclass(frozen=True, slots=True)
class AdjustmentMade:
    """A supervisor has approved an adjustment, and the money has moved."""

    number: int


@dataclass(frozen=True, slots=True)
class AdjustmentRejected:
    """A supervisor has rejected an adjustment."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class StubCounted:
    """The rest of a real deck was counted after a round (R.39)."""

    round: int
    count: int
    expected: int
    """How many cards a whole deck would have left."""
    missing: tuple[Card, ...]
    """The cards that are neither dealt nor in the stub, if the stub was scanned."""
    extra: tuple[Card, ...]
    """The cards that are there more than once, if the stub was scanned."""

    @property
    def whole(self) -> bool:
        """Whether the deck is what it should be."""
        return self.count == self.expected and not self.missing and not self.extra


@dataclass(frozen=True, slots=True)
class DeckCommitted:
    """A deck is shuffled, and this root binds the table to its order.

    Between rounds it is a deck of the next round, otherwise one of the round in progress.
    """

    deck: str
    """``table``, or ``seat-17`` where each terminal has its own deck."""
    root: str


@dataclass(frozen=True, slots=True)
class SeedCommitted:
    """A terminal has bound itself to its own seed, which is still its secret."""

    seat: int
    commitment: str


@dataclass(frozen=True, slots=True)
class SeedsCalled:
    """Bets are closed, and the terminals may reveal their seeds."""

    digest: str
    """A hash of all commitments to seeds: none can be added or exchanged any more."""


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """A terminal has revealed the seed to which it was bound."""

    seat: int
    seed: str


@dataclass(frozen=True, slots=True)
class SeedsFixed:
    """The seeds decide in which order the decks are dealt, and the deal begins."""

    withheld: tuple[int, ...] = ()
    """The seats that were bound to a seed and have not revealed it in time."""


@dataclass(frozen=True, slots=True)
class ClockStarted:
    """Players have this much time. After an outage it is what was left."""

    gives_time_for: ClockFor
    ms: int


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """The clock has run out with no effect, because every wager was taken back."""


TableEvent = (
    TableOpened
    | ChangeEvent
    | DealerChanged
    | ActApproved
    | AbsenceNoted
    | BetsReopened
    | ClosingAnnounced
    | TableClosed
    | PauseAnnounced
    | TablePaused
    | TableReopened
    | SeatTaken
    | SeatLeft
    | BoughtIn
    | Collected
    | BankDeclined
    | AdjustmentProposed
    | AdjustmentMade
    | AdjustmentRejected
    | StubCounted
    | DeckCommitted
    | SeedCommitted
    | SeedsCalled
    | SeedRevealed
    | SeedsFixed
    | ClockStarted
    | ClockStopped
    | IncidentEvent
    | Event
)
