"""The state of a table. ``openfelt.table.transitions`` gives the state after each event."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from openfelt.ledger import Account, AccountKind
from openfelt.rules.house import BankKind, ClockRule, DealerMode, House
from openfelt.rules.quick_replace import quickly_made, quickly_replaced
from openfelt.rules.round import Phase, Round
from openfelt.table.adjustments import Adjustment, PlayedRound
from openfelt.table.banking import BankTurn, next_banker
from openfelt.table.changes import (
    TableTerms,
)
from openfelt.table.events import (
    StubCounted,
    TableOpened,
)
from openfelt.table.incidents import (
    ClockFor,
    Incidents,
)
from openfelt.table.phases import TablePhase
from openfelt.table.results import GameResult
from openfelt.table.seeds import FairnessCounts, Seeds

# Looking a member up in an enumeration takes as long as a call.
_VIRTUAL: Final = DealerMode.VIRTUAL
_PLAYER_DEALER: Final = BankKind.PLAYER_DEALER
_CREDIT: Final = AccountKind.CREDIT
_SETTLED: Final = Phase.SETTLED
_VOIDED: Final = Phase.VOIDED


@quickly_made
@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table."""

    player: str
    credit_cents: int = 0
    """The money that the player can still stake, without the wagers on the felt."""


@dataclass(frozen=True, slots=True)
class RunningClock:
    """A clock that gives players time."""

    number: int
    """Counts the table's clocks, so that the late end of an old one is recognised."""
    gives_time_for: ClockFor
    ms: int


@quickly_replaced
@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table at one moment. It is a value: every event gives a new one."""

    opened: TableOpened
    house: House
    """The rules of the next round; a round in progress keeps its own."""
    link: str | None
    phase: TablePhase = TablePhase.OPEN
    paused_for: str | None = None
    """Why the table pauses, or will after its round, as staff wrote it; None if it does not."""
    dealer: str | None = None
    """The dealer who is signed on."""
    tips_to: str | None = None
    """The dealer who receives the tips of the round in progress: who closed its bets."""
    seats: Mapping[int, Seat] = field(default_factory=dict)
    sitting: Mapping[str, int] = field(default_factory=dict)
    """The seat of each player, for fast lookup among thousands."""
    round: Round | None = None
    """The round in progress, or the last one."""
    rounds: int = 0
    """How many rounds have been opened."""
    commitments: Mapping[str, str] = field(default_factory=dict)
    """The roots of the decks of the round in progress or, between rounds, of the next one."""
    seeds: Seeds | None = None
    """The seeds of the round in progress, or of the last one.

    None where no deck was committed to before the wagers: where a live dealer deals all cards, and
    in rounds that an earlier version of Openfelt opened.
    """
    fairness: FairnessCounts = field(default_factory=FairnessCounts)
    clock: RunningClock | None = None
    clocks: int = 0
    """How many clocks have been started."""
    turn: BankTurn | None = None
    """Which seat banked last, and how many rounds in a row."""
    banked_by: str | None = None
    """The player who banked last; a change of seat earns no third round (C.20)."""
    declined: frozenset[str] = frozenset()
    """The players who have declined to bank the next round, even if they sit down again."""
    dues: Mapping[int, int] = field(default_factory=dict)
    """The collections that the round in progress has paid, by seat."""
    results: tuple[GameResult, ...] = ()
    """The results of recent rounds, newest first."""
    played: tuple[PlayedRound, ...] = ()
    """The last confirmed rounds whose payouts can still be adjusted (R.38)."""
    adjustments: Mapping[int, Adjustment] = field(default_factory=dict)
    """The adjustments that wait for approval, by number."""
    adjustments_proposed: int = 0
    """How many adjustments have been proposed."""
    stub: StubCounted | None = None
    """How the rest of the deck was counted after the last round."""
    incidents: Incidents = field(default_factory=Incidents)
    """Staff's notes besides the deal."""
    vacated: frozenset[int] = frozenset()
    """Seats left since the last round ended; their present players did not play it."""
    changed_terms: TableTerms | None = None
    """The changes by staff; None where there are none."""

    @property
    def id(self) -> str:
        """The table's name."""
        return self.opened.table

    @property
    def virtual(self) -> bool:
        """Whether the program deals."""
        return self.opened.dealer_mode is _VIRTUAL

    @property
    def terms(self) -> TableTerms:
        """The changes by staff, or the unchanged terms."""
        return self.changed_terms or TableTerms(self.opened.clock, self.opened.clock)

    @property
    def clock_rule(self) -> ClockRule | None:
        """How much time players have in the round in progress or, between rounds, in the next."""
        if self.changed_terms is None:
            return self.opened.clock
        terms, state = self.changed_terms, self.playing
        is_older = state is not None and state.opened.number < terms.since
        return terms.clock if is_older else terms.clock_later

    @property
    def link_next(self) -> str | None:
        """The link of the next round."""
        announced = self.terms.link_announced
        return self.link if announced is None else announced.link

    @property
    def playing(self) -> Round | None:
        """The round in progress, None between rounds."""
        state = self.round
        if state is None:
            return None
        phase = state.phase
        return None if phase is _SETTLED or phase is _VOIDED else state

    @property
    def round_id(self) -> str:
        """The name of the round in progress or of the last one, such as ``stadium-1/31``."""
        return f"{self.id}/{self.rounds}"

    @property
    def deck_round(self) -> int:
        """The number of the round whose decks ``commitments`` names."""
        return self.rounds if self.playing is not None else self.rounds + 1

    @property
    def deck_round_id(self) -> str:
        """The name of that round."""
        return f"{self.id}/{self.deck_round}"

    @property
    def player_banked(self) -> bool:
        """Whether the players bank in turn."""
        return self.house.bank.kind is _PLAYER_DEALER

    @property
    def bank_offered_to(self) -> int | None:
        """The seat that may bank the next round now; None if no player is left to ask (R.19)."""
        banked = self.seats.get(self.turn.seat) if self.turn else None
        turn = next_banker(
            self.seats,
            self.turn,
            rounds_in_a_row_max=self.house.bank.rounds_in_a_row_max,
            accepts=lambda seat: not (self.has_declined(seat) or self.has_had_its_turns(seat)),
            has_left=banked is not None and banked.player != self.banked_by,
        )
        return turn.seat if turn else None

    def has_declined(self, seat: int) -> bool:
        """Whether the seat's player has passed on the bank of the next round."""
        return self.seats[seat].player in self.declined

    def has_had_its_turns(self, seat: int) -> bool:
        """Whether the seat's player has banked as often in a row as allowed (C.20)."""
        its_player = self.seats[seat].player == self.banked_by
        rounds_max = self.house.bank.rounds_in_a_row_max
        return its_player and self.turn is not None and self.turn.rounds >= rounds_max

    @property
    def awaited_banker(self) -> int | None:
        """The seat whose answer to the offered bank other players wait for; None if none waits."""
        open_offer = self.player_banked and self.phase is TablePhase.OPEN and self.playing is None
        return self.bank_offered_to if open_offer and len(self.seats) > 1 else None

    def seat_of(self, player: str) -> int | None:
        """Where a player sits."""
        return self.sitting.get(player)

    def credit(self, seat: int) -> Account:
        """The account of a seat's credit."""
        return credit_of(self.id, self.seats[seat].player)

    def wagers_of(self, seat: int) -> bool:
        """Whether the seat has wagers in the round in progress, or banks it."""
        if (state := self.playing) is None:
            return False
        banker = state.opened.banker
        return (banker is not None and banker.seat == seat) or bool(state.hands_of(seat))


@lru_cache(maxsize=1 << 13)
def credit_of(table: str, player: str) -> Account:
    """A player's credit at a table, kept because every bet and every settled line names it."""
    return Account(_CREDIT, f"{table}/{player}")


def open_table(opened: TableOpened) -> Table:
    """The state of a table that has just been opened."""
    return Table(opened=opened, house=opened.house, link=opened.link)
