"""A house: one set of rules as an operator offers it, read from a file of rule data.

These are plain values without logic. The loader in ``openfelt.catalog`` checks and
fills them; the games, the mathematics and the screens all use the same values.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeVar

from openfelt.rules.irregularity_rules import IrregularityRule
from openfelt.rules.paytable import (
    HandMinimum,
    HandPaytable,
    PairsPaytable,
    Paytable,
    ProgressivePaytable,
)
from openfelt.rules.wagers import WagerKind

ADDED_LATER: Final = {"added": "later"}
"""The metadata of a field that was added to these classes after databases existed:
``field(default=..., metadata=ADDED_LATER)``. The fingerprint ignores the field while it has
its default value."""

FELT_SEATS_MAX: Final = 12
"""Up to this many seats, players around a felt see all hands. Larger tables use terminals."""

_Table = TypeVar("_Table", HandPaytable, PairsPaytable, ProgressivePaytable)


class GameName(StrEnum):
    """The two games."""

    ULTIMATE_HOLDEM = "ultimate_holdem"
    ULTIMATE_DRAW = "ultimate_draw"

    @property
    def words(self) -> str:
        """The display name of the game."""
        return "Ultimate Draw Poker" if self is GameName.ULTIMATE_DRAW else "Ultimate Texas Hold'em"


class Procedure(StrEnum):
    """The dealing procedures."""

    HANDHELD = "handheld"
    COMMUNITY_FIRST = "community_first"
    SHOE = "shoe"
    TERMINALS = "terminals"
    """With a deck for each terminal (S.4): the board and the dealer's cards, then the hands."""
    DRAW = "draw"
    """Ultimate Draw, with the draw cards spread from spot 1 (D.4a)."""
    DRAW_FROM_FIVE = "draw_from_five"
    """Ultimate Draw, with the first draw card on spot 5 (D.4b)."""


class Deck(StrEnum):
    """Whether all hands share one deck (R.11)."""

    SHARED = "shared"
    PER_TERMINAL = "per_terminal"


class Turns(StrEnum):
    """Whether hands decide at the same time or one after another."""

    TOGETHER = "together"
    IN_ORDER = "in_order"


class BankKind(StrEnum):
    """The payer of the winners."""

    HOUSE = "house"
    PLAYER_DEALER = "player_dealer"


class Cover(StrEnum):
    """The amounts that use up a player/dealer's bank wager (R.18)."""

    ACTION = "action"
    PAYOUTS = "payouts"


class SettlementOrder(StrEnum):
    """The order in which hands are settled (R.14)."""

    RIGHT_TO_LEFT = "right_to_left"
    LEFT_TO_RIGHT = "left_to_right"
    FROM_BANKERS_LEFT = "from_bankers_left"


class ShowdownOrder(StrEnum):
    """How the players' hands are shown at the end (R.14)."""

    TOGETHER = "together"
    ONE_BY_ONE = "one_by_one"
    """In settlement order, after the dealer's hand and the Antes that go back (W.12, C.9, C.10)."""


class SeveralWinners(StrEnum):
    """How hands that win the same share of a meter in one round are paid (R.24)."""

    SPLIT = "split"
    IN_ORDER = "in_order"


class Unfinished(StrEnum):
    """The end of a round whose player has been away too long (R.32)."""

    REFUND = "refund"
    CLOCK = "clock"
    """It is played on as the clock would decide, and settled."""


class DealerMode(StrEnum):
    """Whether a person or the program deals."""

    LIVE = "live"
    VIRTUAL = "virtual"
    EITHER = "either"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerRule:
    """One wager that the house offers, with its limits."""

    kind: WagerKind
    min_cents: int
    max_cents: int
    multiple_of_cents: int
    requires: tuple[WagerKind, ...]
    """Wagers that must be on the same spot before this one is accepted."""
    paytable: Paytable | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerWagerRule:
    """The limits of wagers that a player makes for the dealer (S.5)."""

    min_cents: int
    max_cents: int
    multiple_of_cents: int


@dataclass(frozen=True, slots=True)
class PayoutAggregate:
    """The most that all wagers of one kind are paid in one round on one table (R.36)."""

    wager: WagerKind
    max_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedLimits:
    """Legal limits from a given day."""

    since: date
    single_wager_max_cents: int | None
    """The maximum of any single wager. Play wagers count, so it also limits the Ante."""
    optional_wager_max_cents: int | None
    """The maximum of any wager other than Ante, Blind and Play."""
    wagers_per_hand_max: int | None
    """The Play wager counts, because it may follow every Ante."""
    table_aggregate_max_cents: int | None
    """All wagers of one round on one table together, before any Play wager."""
    source: str
    payout_aggregates: tuple[PayoutAggregate, ...] = field(default=(), metadata=ADDED_LATER)
    """The payouts that are limited in total, by wager; all others are paid in full."""

    def payout_aggregate_cents(self, wager: str) -> int | None:
        """The most that all wagers of a kind are paid in a round; None without such a limit."""
        limits_cents = (
            aggregate.max_cents for aggregate in self.payout_aggregates if aggregate.wager == wager
        )
        return next(limits_cents, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRule:
    """The Play wager as multiples of the Ante, by street."""

    before_flop: tuple[int, ...]
    on_flop: tuple[int, ...]
    on_river: tuple[int, ...]
    reserve_play: bool
    """Accept an Ante only if the credit also covers the smallest Play wager on the river."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionBand:
    """A flat collection by the size of the Ante (R.20)."""

    ante_up_to_cents: int
    player_cents: int
    banker_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BankRule:
    """The bank of a round, and its limits."""

    kind: BankKind
    cover: Cover
    rounds_in_a_row_max: int
    collection: tuple[CollectionBand, ...]
    folds_first: bool = field(default=False, metadata=ADDED_LATER)
    """Whether what a folded hand loses is collected before any hand is compared (C.6)."""
    wager_min_cents: int | None = field(default=None, metadata=ADDED_LATER)
    """The smallest bank wager; None for the least that R.30 asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveRule:
    """The progressive link of a house."""

    contribution: Fraction
    """The part of each wager that goes to the meter."""
    seed_cents: int
    several_winners: SeveralWinners


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRule:
    """The time limits of a table, in seconds."""

    wager_seconds: int
    decision_seconds: int


@dataclass(frozen=True, slots=True)
class Departure:
    """A limit of its document that a house does not keep, and why."""

    clause: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """One set of rules as an operator offers it."""

    id: str
    version: int
    name: str
    source: str
    document: str
    """The letter of the document it follows: W, O, C, S or D."""
    fingerprint: str
    """A SHA-256 over every rule, so that an old round is replayed under its old rules."""
    game: GameName
    seats: int
    hands_per_seat: int
    procedure: Procedure
    procedures: tuple[Procedure, ...]
    """The procedures that the house may use; ``procedure`` is the default."""
    deck: Deck
    turns: Turns
    player_cards_face_up: bool
    dealer_mode: DealerMode
    remote_play: bool
    """False if players must use an enrolled terminal of the house."""
    settlement_order: SettlementOrder
    refund_antes_first: bool
    """With an unqualified dealer, return every Ante before any hand is read (W.12)."""
    dealer_qualifies: HandMinimum
    rounding_unit_cents: int
    chips_cents: tuple[int, ...]
    wagers: tuple[WagerRule, ...]
    dealer_wagers: DealerWagerRule | None
    ante_bonus: HandPaytable | None
    play: PlayRule | None
    limits: tuple[DatedLimits, ...]
    bank: BankRule
    progressive: ProgressiveRule | None
    clock: ClockRule | None
    unfinished_days: int | None
    """The number of days after which an unfinished round is ended (O)."""
    notices: tuple[str, ...]
    claimed_returns: Mapping[str, str]
    clauses: Mapping[str, str]
    """The clause for each outcome of a wager, such as ``ante.win``.

    If a document has separate clauses for each procedure, the key is prefixed with the
    procedure: ``community_first:ante.win``.
    """
    unfinished: Unfinished = field(default=Unfinished.REFUND, metadata=ADDED_LATER)
    """How a round ends after ``unfinished_days``."""
    showdown: ShowdownOrder = field(default=ShowdownOrder.TOGETHER, metadata=ADDED_LATER)
    """How the players' hands are shown at the end."""
    departures: tuple[Departure, ...] = field(default=(), metadata=ADDED_LATER)
    """Where the house departs from its document. They are shown with its rules."""
    irregularities: tuple[IrregularityRule, ...] = field(default=(), metadata=ADDED_LATER)
    """Rulings on irregularities in place of the standard ones (R.37)."""
    folds_face_down: bool = field(default=False, metadata=ADDED_LATER)
    """Whether a folded hand is shown only if one of its wagers wins (C.6, C.17)."""

    @property
    def shows_all_hands(self) -> bool:
        """Whether all players see all hands; at a stadium each terminal shows only its own."""
        return self.seats <= FELT_SEATS_MAX

    def wager(self, kind: WagerKind) -> WagerRule | None:
        """The rule of one wager, or None if the house does not offer it."""
        for rule in self.wagers:
            if rule.kind is kind:
                return rule
        return None

    def limits_on(self, day: date) -> DatedLimits | None:
        """The limits in effect on a day: the newest that have started."""
        if not self.limits:
            return None
        begun = [limits for limits in self.limits if limits.since <= day]
        return max(begun, key=lambda limits: limits.since, default=None)

    @property
    def latest_limits(self) -> DatedLimits | None:
        """The latest limits, for pages that are about no certain day."""
        return max(self.limits, key=lambda limits: limits.since, default=None)

    @property
    def payout_aggregates(self) -> tuple[PayoutAggregate, ...]:
        """The payout aggregates of the latest limits."""
        latest = self.latest_limits
        return latest.payout_aggregates if latest else ()

    def hand_table(self, kind: WagerKind) -> HandPaytable:
        """The paytable of a wager that pays by poker hand."""
        return _table(self, kind, HandPaytable)

    def pairs_table(self) -> PairsPaytable:
        """The Ultimate Pairs table."""
        return _table(self, WagerKind.ULTIMATE_PAIRS, PairsPaytable)

    def progressive_table(self) -> ProgressivePaytable:
        """The progressive's awards."""
        return _table(self, WagerKind.PROGRESSIVE, ProgressivePaytable)


def _table(house: House, kind: WagerKind, form: type[_Table]) -> _Table:
    rule = house.wager(kind)
    if rule is None or not isinstance(rule.paytable, form):
        raise LookupError(f"{house.id} has no {kind.words} table")
    return rule.paytable
