"""One round: its state, and the state after each event.

Applying an event never refuses. Whether an action may happen is decided in
``openfelt.rules.referee``; by the time there is an event, it has happened.
"""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from openfelt.cards import Card
from openfelt.rules.dealing import (
    COMMON_CARDS,
    Deal,
    Decide,
    Lies,
    Place,
    Plan,
    Step,
    Street,
    Turn,
    dealing_plan,
    first_hand_turned,
)
from openfelt.rules.decisions import Bet, Decided, Hold
from openfelt.rules.house import GameName, House, Procedure
from openfelt.rules.irregularity_rules import Effect
from openfelt.rules.lines import Line, Outcome, Settlement, line_of
from openfelt.rules.persistent_map import set_of, with_item, without_item, without_member
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.quick_replace import copier, maker, quickly_made, quickly_replaced, replace
from openfelt.rules.round_events import (
    AntesReturned,
    BetsClosed,
    CardCorrected,
    CardDealt,
    CardsTurned,
    DecisionMade,
    Event,
    IrregularityDeclared,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from openfelt.rules.shown_hands import depends_on_dealer, stays_face_down
from openfelt.rules.wagers import Spot, Wager, WagerKind, stake_cents, with_play


class Phase(StrEnum):
    """How far a round has progressed."""

    WAGERING = "wagering"
    PLAYING = "playing"
    READY = "ready"
    """Everything is dealt, decided and turned; the round is waiting to be confirmed."""
    SETTLED = "settled"
    VOIDED = "voided"


# Looking a member up in an enumeration takes as long as a call, so the members that every card and
# decision is compared with are kept as constants.
_PLAYING: Final = Phase.PLAYING
_READY: Final = Phase.READY
_SETTLED: Final = Phase.SETTLED
_VOIDED: Final = Phase.VOIDED
_HAND: Final = Lies.HAND
_DEALER: Final = Lies.DEALER
_COMMON: Final = Lies.COMMON
_ANTE: Final = WagerKind.ANTE
_ULTIMATE_DRAW: Final = GameName.ULTIMATE_DRAW
_DRAW_FROM_FIVE: Final = Procedure.DRAW_FROM_FIVE
_VOID_HAND: Final = Effect.VOID_HAND
_LOSE_HAND: Final = Effect.LOSE_HAND
_NO_SPOTS: Final[frozenset[Spot]] = frozenset()


@quickly_replaced
@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The state of one round. It is a frozen value: every event gives a new one."""

    house: House
    opened: RoundOpened
    phase: Phase = Phase.WAGERING
    hands: Mapping[Spot, PlayerHand] = field(default_factory=dict)
    """The hands in play, in dealing order once bets are closed."""
    plan: Plan = ()
    step: int = 0
    """The position in the plan; meaningful while the phase is ``PLAYING``."""
    pending: AbstractSet[Spot] = frozenset()
    """The hands that still have to decide on this street."""
    dealer: tuple[Card, ...] = ()
    dealer_face_up: bool = False
    common: tuple[Card, ...] = ()
    """The board, or the draw cards 1 to 5."""
    common_face_up: int = 0
    antes_returned: tuple[Spot, ...] = ()
    """The hands whose Antes went back before any hand was turned."""
    settlement: Settlement | None = None
    void_reason: str | None = None
    void_code: str | None = None
    irregularities: tuple[IrregularityDeclared, ...] = ()
    corrections: int = 0
    """How many cards have been corrected, the same one perhaps more than once."""

    @property
    def void_hands(self) -> frozenset[Spot]:
        """The hands that were declared void: their wagers go back, and they decide nothing."""
        return self._declared(_VOID_HAND) if self.irregularities else _NO_SPOTS

    @property
    def fouled_hands(self) -> frozenset[Spot]:
        """The hands that lose all of their wagers, and decide nothing (R.41)."""
        return self._declared(_LOSE_HAND) if self.irregularities else _NO_SPOTS

    @property
    def dead_hands(self) -> frozenset[Spot]:
        """The hands that are out of play: void or fouled."""
        return self._declared(_VOID_HAND, _LOSE_HAND) if self.irregularities else _NO_SPOTS

    def _declared(self, *effects: Effect) -> frozenset[Spot]:
        return frozenset(
            irregularity.spot
            for irregularity in self.irregularities
            if irregularity.effect in effects and irregularity.spot is not None
        )

    @property
    def burned(self) -> tuple[Card, ...]:
        """The cards of the table's deck that are out of play for this round."""
        return tuple(declared.card for declared in self.irregularities if declared.card is not None)

    @property
    def current_step(self) -> Step | None:
        """The next step of the plan: a card, a turn, or decisions."""
        return self.plan[self.step] if self.phase is _PLAYING else None

    @property
    def street(self) -> Street | None:
        """The street on which hands decide now; None if no decision is due."""
        step = self.current_step
        return step.street if isinstance(step, Decide) else None

    def clause(self, key: str) -> str:
        """The clause of an outcome such as ``ante.win`` under this procedure."""
        clauses = self.house.clauses
        return clauses.get(f"{self.opened.procedure._value_}:{key}") or clauses[key]

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        phase = self.phase
        return phase is _SETTLED or phase is _VOIDED

    def hands_of(self, seat: int) -> tuple[PlayerHand, ...]:
        """The hands of one seat, looked up without scanning all hands."""
        hands, most = self.hands, self.house.hands_per_seat
        at_spots = [hands.get(spot) for spot in _spots_of(seat, most)]
        return tuple([hand for hand in at_spots if hand is not None])

    def banked_by(self, seat: int) -> bool:
        """Whether the player of a seat banks the round."""
        return self.opened.banker is not None and self.opened.banker.seat == seat

    def net_cents(self, seat: int) -> int:
        """The net result of a seat, as a player or as the bank; 0 until the round is settled."""
        if self.settlement is None:
            return 0
        banker = self.opened.banker
        return self.settlement.net_for(seat, banker_seat=banker.seat if banker else None)


@lru_cache(maxsize=1 << 13)
def _spots_of(seat: int, most: int) -> tuple[Spot, ...]:
    """The spots of a seat, kept because every command and every view asks for them."""
    return tuple(Spot(seat, number) for number in range(1, most + 1))


def begin(house: House, opened: RoundOpened) -> Round:
    """The state of a round that has just opened.

    The rules must be exactly those that the event names; otherwise an old round would
    be settled under new rules.
    """
    if opened.fingerprint != house.fingerprint:
        raise ValueError(
            f"round {opened.number} was opened under rules {opened.fingerprint[:12]} "
            f"of {opened.house}, not under {house.fingerprint[:12]}"
        )
    return _round(house=house, opened=opened)


def replay(house: House, events: Iterable[Event]) -> Round:
    """The state after a whole record of events, starting with ``RoundOpened``."""
    record = iter(events)
    opened = next(record, None)
    if not isinstance(opened, RoundOpened):
        raise ValueError("the record of a round begins with its opening")
    state = begin(house, opened)
    for event in record:
        state = apply(state, event)
    return state


def apply(state: Round, event: Event) -> Round:
    """The state after an event. It never refuses."""
    return TRANSITIONS[type(event)](state, event)


def _wagers_set(state: Round, event: WagersSet) -> Round:
    if event.wagers:
        hand = _player_hand(event.spot, event.wagers)
        return _with_hands(state, with_item(state.hands, event.spot, hand))
    return _with_hands(state, without_item(state.hands, event.spot))


def _round_settled(state: Round, event: RoundSettled) -> Round:
    return _with_settlement(state, _SETTLED, event.settlement)


def _round_voided(state: Round, event: RoundVoided) -> Round:
    return replace(
        state,
        phase=_VOIDED,
        settlement=event.settlement,
        void_reason=event.reason,
        void_code=event.code,
        pending=frozenset(),
    )


def _antes_returned(state: Round, event: AntesReturned) -> Round:
    return replace(state, antes_returned=event.spots)


def _opened_again(_state: Round, _event: RoundOpened) -> Round:
    raise ValueError("a round opens once, by begin()")


def _bets_closed(state: Round, _event: BetsClosed) -> Round:
    spots = tuple(sorted(state.hands))
    hands = {spot: state.hands[spot] for spot in spots}
    return _arrive(_with_plan(state, _PLAYING, hands, plan_of(state, spots), 0), 0)


def reopened(state: Round) -> Round:
    """A round whose bets are closed and of which no card has been dealt, with open bets again."""
    return replace(state, phase=Phase.WAGERING, plan=(), step=0)


def plan_of(state: Round, spots: tuple[Spot, ...]) -> Plan:
    """The dealing plan of a round with these hands in play."""
    opened = state.opened
    banker_seat = opened.banker.seat if opened.banker else None
    return dealing_plan(state.house, opened.procedure, spots, banker_seat=banker_seat)


def _card_dealt(state: Round, event: CardDealt) -> Round:
    step, (lies, spot, position) = state.step + 1, event.place
    if lies is _HAND:
        assert spot is not None
        hand = state.hands[spot]
        hand = _with_card(hand, (*hand.cards, event.card), event.face_up)
        state = _with_step_and_hands(state, step, with_item(state.hands, spot, hand))
    elif lies is _DEALER:
        state = _with_step_and_dealer(state, step, (*state.dealer, event.card))
    else:
        common, at = state.common, position - 1
        if state.opened.procedure is _DRAW_FROM_FIVE:
            at -= max(0, _not_dealt_before(state) - 1)
        before, after = (common, ()) if at >= len(common) else (common[:at], common[at:])
        common = (*before, event.card, *after)
        face_up = state.common_face_up + 1 if event.face_up else state.common_face_up
        state = _with_step_and_common(state, step, common, face_up)
    return state if type(state.plan[step]) is Deal else _arrive(state, step)


_round: Final = maker(Round)
_player_hand: Final = maker(PlayerHand)
_decided: Final = maker(Decided)
_with_plan: Final = copier(Round, "phase", "hands", "plan", "step")
_with_card: Final = copier(PlayerHand, "cards", "face_up")
_with_face_up: Final = copier(PlayerHand, "face_up")
_with_hands: Final = copier(Round, "hands")
_with_dealer_face_up: Final = copier(Round, "dealer_face_up")
_with_common_face_up: Final = copier(Round, "common_face_up")
_with_step_and_phase: Final = copier(Round, "step", "phase")
_with_step: Final = copier(Round, "step")
_with_step_and_hands: Final = copier(Round, "step", "hands")
_with_step_and_dealer: Final = copier(Round, "step", "dealer")
_with_step_and_common: Final = copier(Round, "step", "common", "common_face_up")
_with_pending: Final = copier(Round, "step", "pending")
_with_settlement: Final = copier(Round, "phase", "settlement")
_with_decision: Final = copier(PlayerHand, "decisions", "wagers")
_with_decided: Final = copier(Round, "hands", "pending")


def _card_corrected(state: Round, event: CardCorrected) -> Round:
    """Replace one card; what is shown at the end follows from the right one."""
    return _shown_again(_with_right_card(state, event))


def _with_right_card(state: Round, event: CardCorrected) -> Round:
    """A hold that named the wrong card then names the right one."""
    place, state = event.place, replace(state, corrections=state.corrections + 1)
    if place.lies is _DEALER:
        return replace(state, dealer=_exchanged(state.dealer, place.position, event.card))
    if place.lies is _COMMON:
        position = place.position - _not_dealt_before(state)
        return replace(state, common=_exchanged(state.common, position, event.card))
    assert place.spot is not None
    hand = state.hands[place.spot]
    wrong = hand.cards[place.position - 1]
    decisions = tuple(
        replace(decided, decision=Hold(_renamed(decided.decision.cards, wrong, event.card)))
        if isinstance(decided.decision, Hold)
        else decided
        for decided in hand.decisions
    )
    cards = _exchanged(hand.cards, place.position, event.card)
    return _with_hands(
        state, with_item(state.hands, hand.spot, replace(hand, cards=cards, decisions=decisions))
    )


def _exchanged(cards: tuple[Card, ...], position: int, card: Card) -> tuple[Card, ...]:
    return (*cards[: position - 1], card, *cards[position:])


def _renamed(cards: tuple[Card, ...], wrong: Card, right: Card) -> tuple[Card, ...]:
    return tuple(right if card == wrong else card for card in cards)


def card_at(state: Round, place: Place) -> Card | None:
    """The card at a place, None until it is dealt."""
    position = place.position
    if place.lies is _HAND:
        hand = state.hands.get(place.spot) if place.spot else None
        cards = hand.cards if hand else ()
    elif place.lies is _DEALER:
        cards = state.dealer
    else:
        cards, position = state.common, position - _not_dealt_before(state)
    return cards[position - 1] if 1 <= position <= len(cards) else None


def _not_dealt_before(state: Round) -> int:
    """How many spots before the first common card are empty, where spot 5 comes first (D.4b)."""
    from_five = state.opened.procedure is _DRAW_FROM_FIVE
    return COMMON_CARDS - len(state.common) if from_five else 0


def _cards_turned(state: Round, event: CardsTurned) -> Round:
    return _arrive(_face_up(state, event), state.step + 1)


def _face_up(state: Round, event: CardsTurned) -> Round:
    if event.lies is _DEALER:
        return _with_dealer_face_up(state, dealer_face_up=True)
    if event.lies is _COMMON:
        return _with_common_face_up(state, event.up_to)
    hands = dict(state.hands)
    for spot in event.spots:
        hands[spot] = _with_face_up(hands[spot], face_up=True)
    return _with_hands(state, hands)


def _decision_made(state: Round, event: DecisionMade) -> Round:
    spot, decision, street = event.spot, event.decision, state.street
    assert street is not None
    hand = state.hands[spot]
    wagers = hand.wagers
    if isinstance(decision, Bet):
        wagers = with_play(wagers, decision.multiple)
    hand = _with_decision(hand, (*hand.decisions, _decided(street, decision, event.by)), wagers)
    pending = without_member(state.pending, spot)
    state = _with_decided(state, with_item(state.hands, spot, hand), pending)
    return state if pending else _arrive(state, state.step + 1)


def _irregularity_declared(state: Round, event: IrregularityDeclared) -> Round:
    """Keep what happened; a hand that is out of play is not waited for, and is not turned."""
    state = replace(state, irregularities=(*state.irregularities, event))
    dead = event.effect in (_VOID_HAND, _LOSE_HAND)
    if not dead or state.phase is not _PLAYING:
        return state
    if state.street is None:
        return _arrive(state, state.step)
    pending = state.pending - state.dead_hands
    state = replace(state, pending=pending)
    return state if pending else _arrive(state, state.step + 1)


def _arrive(state: Round, at: int) -> Round:
    """Skip the steps from one on that need no action, and stop at the next one that does."""
    plan = state.plan
    for number in range(at, len(plan)):
        step = plan[number]
        kind = type(step)
        if kind is Decide:
            if pending := _hands_due(state):
                return _with_pending(state, number, pending)
        elif kind is Deal or (isinstance(step, Turn) and _turned(state, step)):
            return state if number == state.step else _with_step(state, number)
        # Antes go back with the event that turns the dealer's hand, so their step is skipped.
    return _with_step_and_phase(state, len(plan), _READY)


def _shown_again(state: Round) -> Round:
    """A round at its end after a correction: a folded hand may win now, and then it is shown."""
    if not state.house.folds_face_down or state.phase not in (_PLAYING, _READY):
        return state
    if state.step < (first := first_hand_turned(state.plan)):
        return state
    return _arrive(_with_step_and_phase(state, state.step, _PLAYING), first)


def _turned(state: Round, step: Turn) -> bool:
    """Whether cards are turned at this step, or may all stay face down."""
    if step.lies is _DEALER:
        return dealer_matters(state)
    return step.lies is _COMMON or bool(hands_to_turn(state, step.spot))


def _hands_due(state: Round) -> AbstractSet[Spot]:
    """The hands that still have to decide: they have an Ante or draw, and are not final yet."""
    draws, dead = state.house.game is _ULTIMATE_DRAW, state.dead_hands
    return set_of(
        [
            spot
            for spot, hand in state.hands.items()
            if (not hand.decisions or hand.final_decision is None)
            and (draws or stake_cents(hand.wagers, _ANTE))
            and spot not in dead
        ]
    )


def settled_line(state: Round, spot: Spot, wager: Wager, outcome: Outcome) -> Line:
    """An outcome as a line of this round, with its clause and the house's rounding."""
    clause, unit_cents = state.clause(outcome.key), state.house.rounding_unit_cents
    return line_of(spot, wager, outcome, clause=clause, unit_cents=unit_cents)


def dealer_matters(state: Round) -> bool:
    """Whether any wager still depends on the dealer's cards; otherwise they stay hidden."""
    if state.house.game is _ULTIMATE_DRAW:
        return True
    dead, house = state.dead_hands, state.house
    return any(
        depends_on_dealer(house, hand) for spot, hand in state.hands.items() if spot not in dead
    )


def is_face_down(state: Round, hand: PlayerHand) -> bool:
    """Whether a folded hand has nothing to be shown for, where the house leaves it face down."""
    return stays_face_down(state.house, hand, common=state.common, dealer=state.dealer)


def hands_to_turn(state: Round, only: Spot | None = None) -> tuple[Spot, ...]:
    """The hands shown at the end, or one of them: not those folded with no wager in action.

    Under ``folds_face_down`` a folded hand is shown only if a wager in action wins (C.6, C.17).
    """
    dead = state.dead_hands
    if only is not None:
        hands = [(only, state.hands[only])] if only in state.hands else []
    else:
        hands = list(state.hands.items())
    return tuple(
        [
            spot
            for spot, hand in hands
            if not hand.face_up
            and spot not in dead
            and (not hand.folded or (hand.has_side_bets() and not is_face_down(state, hand)))
        ]
    )


TRANSITIONS: Final[dict[type, Callable[[Round, Any], Round]]] = {
    CardDealt: _card_dealt,
    DecisionMade: _decision_made,
    WagersSet: _wagers_set,
    CardsTurned: _cards_turned,
    BetsClosed: _bets_closed,
    CardCorrected: _card_corrected,
    AntesReturned: _antes_returned,
    IrregularityDeclared: _irregularity_declared,
    RoundSettled: _round_settled,
    RoundVoided: _round_voided,
    RoundOpened: _opened_again,
}
"""The function that applies an event, by the event's class."""
