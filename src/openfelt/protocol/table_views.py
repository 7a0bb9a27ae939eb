"""The views of a terminal: the table as every viewer sees it, and each viewer's own part.

Amounts are whole cents, cards are two letters such as ``As``, a face-down card is null, and a
hand is named by its seat and number: ``3.1``.
"""

import msgspec

Spot = str
"""A hand's name: its seat, a point and its number, such as ``3.1``."""
CardText = str
"""A card in two letters, such as ``As`` or ``Td``."""


class Message(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A message from the server. Fields may be added; clients ignore those they do not know.

    A nullable field may also be missing, because a merge patch does not distinguish the two.

    A frozen message holds no reference back to itself, so Python's collector need not look at the
    tens of thousands that a stadium's viewers have.
    """


class WagerView(Message, frozen=True, kw_only=True):
    """The wager on a circle."""

    kind: str
    cents: int
    for_dealer: bool


class WhyView(Message, frozen=True, omit_defaults=True):
    """The reason for a wager's result: the values of ``openfelt.rules.lines.Why``, in its order."""

    hand: str | None = None
    dealer_hand: str | None = None
    award: str | None = None
    pays: str | None = None
    meter_cents: int | None = None
    winners: int | None = None
    seat: int | None = None
    covered_cents: int | None = None
    aggregate_cents: int | None = None


class LineView(Message, frozen=True, kw_only=True):
    """The result of one wager."""

    wager: str
    for_dealer: bool
    stake_cents: int
    returned_cents: int
    payout_cents: int
    result: str
    outcome: str
    """The wager and how it ended, such as ``blind.push``."""
    why: WhyView
    clause: str
    because: str
    """The same as ``outcome`` and ``why``, as a sentence in English."""


class DecisionView(Message, frozen=True, kw_only=True):
    """A decision that was made, and by whom: the player, the clock or the floor."""

    street: str
    decision: str
    """The decision in one word or two: ``check``, ``bet 4x``, ``hold Ks Kd``."""
    kind: str
    multiple: int | None = None
    cards: list[CardText] | None = None
    """The cards that were held, where cards were."""
    by: str


class HandView(Message, frozen=True, kw_only=True):
    """A hand as every viewer sees it."""

    seat: int
    hand: int
    wagers: list[WagerView]
    cards: list[CardText | None]
    made: str | None = None
    decisions: list[DecisionView]
    held_count: int | None = None
    due: bool
    """Whether the round waits for this hand."""
    ante_returned: bool = False
    """Whether the Ante went back before any hand was turned: the dealer does not qualify."""
    void: bool = False
    """Whether the hand was declared void: its wagers go back when the round is settled."""
    fouled: bool = False
    """Whether the hand was fouled: its wagers lose when the round is settled."""
    lines: list[LineView]
    net_cents: int | None = None
    """The net result of the hand's player; winnings of wagers for the dealer are the dealer's
    (R.12)."""
    bank_net_cents: int | None = None
    """The net result of the player who banks on this hand, negative if the bank pays; null where
    the house banks."""


class IrregularityView(Message, frozen=True, kw_only=True):
    """Something that went wrong in the deal, and what followed from it."""

    irregularity: str
    """One of ``openfelt.rules.irregularity_rules.Irregularity``, such as ``card_face_up``."""
    about: str
    """Which cards or chips: ``deck``, ``hand``, ``dealer``, ``common`` or ``chips``."""
    effect: str
    """``note_only``, ``replace_card``, ``burn_card``, ``lose_hand``, ``void_hand`` or
    ``void_round``."""
    clause: str
    spot: Spot | None = None
    card: CardText | None = None
    """The card that is out of play for the round."""
    cents: int | None = None
    """The chips that it is about, if staff have counted them."""


class FlashedView(Message, frozen=True, kw_only=True):
    """The advantage of a player who saw cards, such as ``dealer_card``, before deciding."""

    seen: str
    percent: str
    """The advantage in per cent of the Ante, as a decimal number."""
    ante_cents: int
    """The Antes on the felt, of all hands in play."""
    cents: int
    """The advantage if the players of all these hands saw the cards, rounded up."""


class RulingView(Message, frozen=True, kw_only=True):
    """An irregularity that staff may declare now, and what follows from it."""

    irregularity: str
    about: str
    effect: str
    clause: str
    supervisor: bool
    """Whether only a supervisor may declare it."""
    flashed: list[FlashedView] = []
    """For an exposed card of the dealer or the board, what it is worth, where that is kept."""


class AdjustmentView(Message, frozen=True, kw_only=True):
    """An adjustment of a wrong payout that waits for a supervisor."""

    number: int
    round: int
    seat: int
    cents: int
    """The amount that the player receives; negative if the player pays back."""
    reason: str
    by: str


class PlayedView(Message, frozen=True, kw_only=True):
    """A confirmed round whose payouts can still be adjusted."""

    number: int
    seats: list[int]


class PreviewView(Message, frozen=True, kw_only=True):
    """The settlement if the round were confirmed: for a dealer, once all cards are turned."""

    order: list[Spot]
    """The hands in the order in which the house settles; none at a stadium."""
    lines: dict[Spot, list[LineView]]
    taken_cents: int
    """The total that the bank takes."""
    paid_cents: int
    """The total that the bank pays, without stakes."""
    returned_cents: int
    """The stakes that go back in all."""
    progressive_paid_cents: int
    cover_left_cents: int | None = None
    """The rest of a bank wager; null where the house banks."""


class StubView(Message, frozen=True, kw_only=True):
    """The rest of the deck, as it was counted after the last round."""

    count: int
    expected: int
    missing: list[CardText]
    """The cards that are neither dealt nor in the stub, if it was scanned."""
    extra: list[CardText]
    """The cards that are there more than once, if it was scanned."""
    whole: bool


class HoldView(Message, frozen=True, kw_only=True):
    """The floor has been called: the table is on hold, and its clock is stopped."""

    gives_time_for: str | None = None
    """The purpose of the clock, null where none ran."""
    left_ms: int
    """The time left on it once the table goes on."""


class SpotCountView(Message, frozen=True, kw_only=True):
    """A spot whose chips were not its wagers."""

    spot: Spot
    counted_cents: int
    booked_cents: int


class FeltView(Message, frozen=True, kw_only=True):
    """The chips that were counted on the felt before the first card."""

    counted_cents: int
    booked_cents: int
    matches: bool
    spots: list[SpotCountView]
    """The spots that differed, if the chips were counted spot by spot."""


class MispaymentView(Message, frozen=True, kw_only=True):
    """Chips that were paid wrongly, of which the floor has not noted the end."""

    number: int
    round: int
    seat: int
    cents: int
    """The amount that the player got too much; negative if it was too little."""
    reason: str
    by: str


class CoverView(Message, frozen=True, kw_only=True):
    """How much of a bank wager one line uses up, and what is left after it."""

    spot: Spot
    wager: str
    used_cents: int
    left_cents: int


class BankView(Message, frozen=True, kw_only=True):
    """The bank of a table whose players bank, as its dealer follows it."""

    seat: int | None = None
    """The seat that banks the round in progress, or banked the last one."""
    wager_cents: int | None = None
    rounds: int
    """How many rounds in a row its player has banked."""
    rounds_max: int
    offered_to: int | None = None
    """Between rounds, the seat that may take the bank now."""
    next_seat: int | None = None
    """The seat to which the bank goes next; null if no player is left to ask."""
    declined: list[int]
    """The seats whose players have passed on the next bank."""
    order: list[Spot]
    """The hands from the left of the bank, in the order of action and settlement."""
    collection: dict[int, int]
    """The collection that each seat paid before the deal."""
    cover: list[CoverView]
    """The lines that use up the bank wager, in order, once all cards are turned."""


class RoundView(Message, frozen=True, kw_only=True):
    """The round as every viewer sees it."""

    number: int
    id: str
    phase: str
    street: str | None = None
    step: str | None = None
    """The step that the table waits for: ``card``, ``turn``, ``decisions`` or ``confirm``."""
    step_place: str | None = None
    """For a live dealer: where the next card goes, or which cards are turned next."""
    step_up_to: int | None = None
    """How many cards of that place are face up after the turn."""
    procedure: str | None = None
    """The order of dealing. Where it is ``draw_from_five``, the first draw card lies on spot 5 and
    the last one on spot 1 (D.4b); otherwise the cards of ``common`` lie from spot 1 on."""
    common: list[CardText | None]
    """The common cards that were dealt, by their spots from left to right."""
    common_made: str | None = None
    dealer: list[CardText | None]
    dealer_made: str | None = None
    dealer_held: list[CardText] | None = None
    dealer_qualified: bool | None = None
    """Whether the dealer's hand qualifies, null until it is shown."""
    hands: dict[Spot, HandView]
    """All hands at a felt table; none at a stadium, where players see only their own hands."""
    hands_in_play: int
    hands_waited_for: int
    void_reason: str | None = None
    """Why the round is void, in the words of the staff or of the table."""
    void_code: str | None = None
    """The code of a standard reason, null if staff wrote their own."""
    banker_seat: int | None = None
    cover_cents: int | None = None
    cover_left_cents: int | None = None
    irregularities: list[IrregularityView] = []
    """Irregularities of the round, in order."""


class ClockView(Message, frozen=True, kw_only=True):
    """A running clock."""

    number: int
    gives_time_for: str
    """``wagers``, ``decisions``, ``seeds``, ``bank`` for the seat to which the bank is offered,
    or ``floor`` while the table is on hold."""
    total_ms: int
    """The time that it gives. ``clock_left_ms`` may be more: the clock of a choice begins when
    terminals have had time to show the cards before it."""


class ChangeView(Message, frozen=True, kw_only=True):
    """A change by staff at a table, until the first round with it is over."""

    round: int
    """The first round to which it applies."""
    kinds: list[str]
    """Of ``rules``, ``clock`` and ``link``, what has changed."""
    reason: str


class ClockRuleView(Message, frozen=True, kw_only=True):
    """How long bets and decisions are open at a table."""

    wager_seconds: int
    decision_seconds: int


class ResultView(Message, frozen=True, kw_only=True):
    """One of the last games."""

    number: int
    dealer_hand: str | None = None
    void: bool
    wins: dict[str, int]
    stand_offs: dict[str, int]


class SeedsView(Message, frozen=True, kw_only=True):
    """The seeds of the round in progress or of the last one, by which its decks are dealt."""

    committed: int
    """How many seats are bound to a seed."""
    digest: str | None = None
    """The hash of all commitments, from the moment when the seeds are called."""
    fixed: bool
    """Whether the dealing order is decided."""
    withheld: int
    """How many seats did not reveal their seeds in time."""


class FairnessView(Message, frozen=True, kw_only=True):
    """Counts from the table's first round on that no proof of a single round can show."""

    rounds: int
    """Rounds settled."""
    rounds_voided: int
    """Rounds declared void after bets closed."""
    rounds_withdrawn: int
    """Rounds that ended void before bets closed."""
    seeds: int
    """Seeds revealed in time."""
    seeds_withheld: int


class PublicView(Message, frozen=True, kw_only=True):
    """The table as every viewer sees it."""

    table: str
    house: str
    fingerprint: str
    phase: str
    dealer_mode: str
    dealer: str | None = None
    private: bool
    clock: ClockView | None = None
    hold: HoldView | None = None
    """Set while the floor has been called, and nothing is bet, decided or dealt."""
    clock_rule: ClockRuleView | None = None
    """The times of this table, which may differ from those of its house; null if players take as
    long as they like."""
    change: ChangeView | None = None
    link: str | None = None
    meter_cents: int | None = None
    seats_taken: list[int]
    """The taken seats around a felt; none at a stadium, which has too many to list."""
    players: int
    """How many seats are taken."""
    computer_seats: list[int]
    """Of the taken seats around a felt, those of computer players."""
    bank_offered_to: int | None = None
    """The seat that may take the bank now."""
    banks_next: int | None = None
    """The seat to which the bank of the next round will go, during a round as well."""
    commitments: dict[str, str]
    """The roots of the decks of the round in progress or, between rounds, of the next one."""
    deck_round: int
    """The number of that round."""
    seeds: SeedsView | None = None
    """Null where cards are real, and in rounds of an earlier version of the server."""
    fairness: FairnessView
    round: RoundView | None = None
    results: list[ResultView]
    stopped: str | None = None
    """Why the table is out of service, as a sentence."""
    stopped_code: str | None = None
    """The code with which it refuses every command until then."""


class ChoiceView(Message, frozen=True, kw_only=True):
    """One decision that is open to a hand, with what it costs."""

    kind: str
    multiple: int | None = None
    cost_cents: int


class OwnHandView(Message, frozen=True, kw_only=True):
    """A hand of the viewer: everything that its player may see of it."""

    seat: int
    hand: int
    wagers: list[WagerView]
    cards: list[CardText | None]
    made: str | None = None
    decisions: list[DecisionView]
    held: list[CardText] | None = None
    due: bool
    choices: list[ChoiceView]
    may_hold: bool
    clock_decides: str | None = None
    """The decision for the hand if its time ends."""
    lines: list[LineView]
    net_cents: int | None = None
    void: bool = False
    """Whether the hand was declared void: its wagers go back when the round is settled."""
    fouled: bool = False
    """Whether the hand was fouled: its wagers lose when the round is settled."""


class DealerBetsView(Message, frozen=True, kw_only=True):
    """The wagers for the dealer in a live round, as its dealer and supervisors see them (S.5)."""

    wagers: int
    cents: int
    won_cents: int | None = None
    """Their winnings for the dealer; null until the round is settled."""


class PrivateView(Message, frozen=True, kw_only=True):
    """The part that only this viewer may see."""

    name: str | None = None
    seat: int | None = None
    credit_cents: int
    wallet_cents: int
    bet_cents: int
    """The viewer's stake: the wagers of the hands, or the bank wager."""
    win_cents: int
    """The win of the last round: its net result, 0 for a loss or a void round."""
    net_cents: int
    """The net result of the last round."""
    collection_cents: int
    """The collection that the seat paid before the deal; it is not part of the net."""
    deck_root: str | None = None
    """The fingerprint of the terminal's own deck, if it has one."""
    deck_round: int
    """The number of the round that this deck is for."""
    deck_sealed: bool
    """Whether the decks from which the seat's next wager is dealt are committed to."""
    seed_commitment: str | None = None
    """The commitment to which the seat is bound in the round in progress, or was in the last."""
    seed_revealed: bool
    """Whether the seat's seed has been revealed."""
    hands: dict[Spot, OwnHandView]
    dealer_bets: DealerBetsView | None = None
    """For the dealer of a live table and supervisors, while a round has wagers for the dealer."""
    may: list[str]
    """The kinds of commands that are open to the viewer now."""
    rulings: list[RulingView] = []
    """For staff: the irregularities that may be declared now."""
    adjustments: list[AdjustmentView] = []
    """For staff: the adjustments that wait for a supervisor."""
    played: list[PlayedView] = []
    """For staff: the rounds whose payouts can be adjusted, the newest first."""
    felt: FeltView | None = None
    """For staff: the chips of the round as they were counted before the first card."""
    mispayments: list[MispaymentView] = []
    """For staff: chips paid wrongly by hand, of which the floor has not noted the end."""
    stub: StubView | None = None
    """For staff: the rest of the deck, if it was counted after the last round."""
    bank: BankView | None = None
    """For staff of a table whose players bank."""
    preview: PreviewView | None = None
    """For staff of a live table: the settlement, as confirming the round would make it now."""
