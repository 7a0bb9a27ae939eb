"""The referee: turns an action into events, or refuses it with a reason.

Deciding may refuse, and then nothing has changed. The events that it returns are facts,
which ``openfelt.rules.round.apply`` applies without further checks.
"""

from collections.abc import Callable, Iterable
from datetime import date
from operator import attrgetter
from typing import Any, Final

from openfelt.cards import Card, has_card
from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.action_checks import FORM_CHECKS, check_opening, malformed, not_an_action
from openfelt.rules.choices import choices, clock_decision, first_to_act
from openfelt.rules.dealing import Deal, Lies, Place, Turn, hands_max
from openfelt.rules.decisions import DecidedBy, Decision, Hold
from openfelt.rules.house import BankKind, Deck, GameName, House, Procedure
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.quick_replace import maker
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import TRANSITIONS, Phase, Round, apply, card_at, hands_to_turn
from openfelt.rules.round_actions import (
    Action,
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    MakeDecision,
    SetWagers,
    SwapCards,
    TurnCards,
    VoidRound,
)
from openfelt.rules.round_events import (
    AntesReturned,
    Banker,
    BetsClosed,
    CardCorrected,
    CardDealt,
    CardsTurned,
    DecisionMade,
    Event,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from openfelt.rules.settlement import settle, void_settlement
from openfelt.rules.showdown import antes_to_return
from openfelt.rules.ultimate_holdem import decision_cost_cents, may_decide
from openfelt.rules.wager_rules import check_aggregate, complete_wagers
from openfelt.rules.wagers import Spot, Wager, antes_cents, total_cents

# Looking a member up in an enumeration takes as long as a call, so the members that every card and
# decision is compared with are kept as constants.
_WAGERING: Final = Phase.WAGERING
_PLAYING: Final = Phase.PLAYING
_SETTLED: Final = Phase.SETTLED
_VOIDED: Final = Phase.VOIDED
_SHARED: Final = Deck.SHARED
_PER_TERMINAL: Final = Deck.PER_TERMINAL
_HAND: Final = Lies.HAND
_DEALER: Final = Lies.DEALER
_CLOCK: Final = DecidedBy.CLOCK
_ULTIMATE_DRAW: Final = GameName.ULTIMATE_DRAW


# Opening ---------------------------------------------------------------------


def open_round(
    house: House,
    *,
    number: int,
    day: date,
    procedure: Procedure | None = None,
    banker: Banker | None = None,
) -> RoundOpened:
    """Open a round under a house's rules; ``begin`` makes its state.

    A player-banked house needs a banker with a bank wager; the house never banks such a
    round itself (R.19).
    """
    check_opening(number, day)
    procedure = procedure or house.procedure
    if not isinstance(procedure, Procedure) or procedure not in house.procedures:
        raise Refusal(
            RefusalCode.BAD_OPENING, f"{house.name} does not deal by the {procedure} procedure."
        )
    if (house.bank.kind is BankKind.PLAYER_DEALER) != (banker is not None):
        no_banker, house_banks = (
            "A round cannot be dealt without a player/dealer.",
            "The house banks this game.",
        )
        raise Refusal(RefusalCode.BAD_OPENING, no_banker if banker is None else house_banks)
    if banker is not None:
        _check_banker(house, banker)
    if house.limits and house.limits_on(day) is None:
        raise Refusal(RefusalCode.BAD_OPENING, f"{house.name} has no limits for {day} yet.")
    return _round_opened(
        number=number,
        house=house.id,
        fingerprint=house.fingerprint,
        procedure=procedure,
        day=day,
        banker=banker,
    )


_round_opened: Final = maker(RoundOpened)


def _check_banker(house: House, banker: Banker) -> None:
    if not isinstance(banker, Banker):
        raise Refusal(RefusalCode.BAD_OPENING, "A player/dealer must have a seat and a bank wager.")
    if type(banker.seat) is not int or not 1 <= banker.seat <= house.seats:
        raise Refusal(RefusalCode.BAD_OPENING, f"There is no seat {banker.seat}.")
    if type(banker.cover_cents) is not int or not 0 < banker.cover_cents <= AMOUNT_MAX_CENTS:
        raise Refusal(
            RefusalCode.BAD_OPENING, "The player/dealer's bank wager must be whole cents, above 0."
        )


# Deciding --------------------------------------------------------------------


def decide(state: Round, action: Action, *, credit_cents: int | None = None) -> tuple[Event, ...]:
    """The events that follow from an action; raises Refusal if it is not allowed.

    ``credit_cents`` is the amount that the acting seat can still stake beyond its wagers on
    the table; without it, credit is not checked.
    """
    phase, kind = state.phase, type(action)
    if phase is _SETTLED or phase is _VOIDED:
        raise _round_over(state)
    # This is check_form() written out, because every card of every round comes by here.
    if (check := FORM_CHECKS.get(kind)) is None:
        raise not_an_action()
    check(action)
    return _DECIDERS[kind](state, action, credit_cents)


def follow(state: Round, action: Action, *, credit_cents: int | None = None) -> tuple[Event, ...]:
    """As ``decide``, for an action whose form has been checked by ``check_form``."""
    phase = state.phase
    if phase is _SETTLED or phase is _VOIDED:
        raise _round_over(state)
    return _DECIDERS[type(action)](state, action, credit_cents)


def _round_over(state: Round) -> Refusal:
    return Refusal(RefusalCode.ROUND_OVER, f"Round {state.opened.number} is over.")


def act(state: Round, *actions: Action, credit_cents: int | None = None) -> Round:
    """Decide and apply one action after another, for callers that need no record of events.

    Raises Refusal for the first action that is not allowed.
    """
    for action in actions:
        for event in decide(state, action, credit_cents=credit_cents):
            # This is apply() written out, as decide() is for its checks.
            state = TRANSITIONS[type(event)](state, event)
    return state


_Events = tuple[Event, ...]
_Credit = int | None


def _set_wagers(state: Round, action: SetWagers, credit_cents: _Credit) -> _Events:
    if action.round is not None:
        _check_round(state, action.round)
    if state.phase is not _WAGERING:
        raise Refusal(RefusalCode.WAGERS_CLOSED, "No more bets: this round is being dealt.")
    spot = action.spot
    _check_offered(state, spot)
    limits = state.house.limits_on(state.opened.day)
    wagers = complete_wagers(state.house, limits, action.wagers)
    if wagers and limits is not None and limits.table_aggregate_max_cents is not None:
        others = [w for at, hand in state.hands.items() if at != spot for w in hand.wagers]
        check_aggregate(limits, [*others, *wagers])
    if wagers and credit_cents is not None:
        _check_credit(state, spot, wagers, credit_cents)
    return (_wagers_set(spot, wagers),)


_wagers_set: Final = maker(WagersSet)


def _check_round(state: Round, meant: int) -> None:
    """Refuse an action that was meant for another round."""
    if type(meant) is not int or meant != state.opened.number:
        raise Refusal(
            RefusalCode.TOO_LATE,
            f"That was for another round; this is round {state.opened.number}.",
        )


def _check_offered(state: Round, spot: Spot) -> None:
    """The house has such a hand, and its player does not bank the round."""
    house, banker = state.house, state.opened.banker
    if not (1 <= spot.seat <= house.seats and 1 <= spot.hand <= house.hands_per_seat):
        raise Refusal(RefusalCode.NO_SUCH_SPOT, f"There is no hand {spot} at this table.")
    if banker is not None and spot.seat == banker.seat:
        raise Refusal(
            RefusalCode.BANKER_CANNOT_BET, "The player/dealer banks this round and cannot bet."
        )


def _check_credit(state: Round, spot: Spot, wagers: tuple[Wager, ...], credit_cents: int) -> None:
    """The credit covers the wagers and, with ``reserve_play``, a 1x Play on each hand."""
    before = state.hands.get(spot)
    left_cents = credit_cents + (total_cents(before.wagers) if before else 0) - total_cents(wagers)
    if left_cents < 0:
        raise Refusal(
            RefusalCode.CREDIT_SHORT,
            f"That is {format_cents(-left_cents)} more than your credit.",
        )
    play = state.house.play
    if play is None or not play.reserve_play:
        return
    reserve_cents = antes_cents(wagers)
    for hand in state.hands_of(spot.seat):
        if hand.spot != spot:
            reserve_cents += antes_cents(hand.wagers)
    reserve_cents *= min(play.on_river)
    if left_cents < reserve_cents:
        raise Refusal(
            RefusalCode.CREDIT_SHORT,
            f"Keep {format_cents(reserve_cents)} for the Play wager; "
            f"only {format_cents(left_cents)} would be left.",
        )


def _close_bets(state: Round, action: CloseBets, _credit_cents: _Credit) -> _Events:
    checked_cents = action.checked_cents
    if state.phase is not _WAGERING:
        raise Refusal(RefusalCode.WAGERS_CLOSED, "Bets are already closed.")
    if not state.hands:
        raise Refusal(RefusalCode.NO_WAGERS, "No wager has been made.")
    if state.house.deck is _SHARED and len(state.hands) > hands_max(state.house):
        raise Refusal(
            RefusalCode.TOO_MANY_HANDS,
            f"One deck serves {hands_max(state.house)} hands, not {len(state.hands)}.",
        )
    wagered_cents = sum(total_cents(hand.wagers) for hand in state.hands.values())
    if checked_cents is not None and checked_cents != wagered_cents:
        raise Refusal(
            RefusalCode.FELT_DIFFERS,
            f"The wagers have changed to {format_cents(wagered_cents)}: compare the chips again.",
        )
    return (BetsClosed(checked_cents),)


def _deal_card(state: Round, action: DealCard, _credit_cents: _Credit) -> _Events:
    card = action.card
    step = state.plan[state.step] if state.phase is _PLAYING else None
    if action.round is not None:
        _check_round(state, action.round)
    if not isinstance(step, Deal):
        raise Refusal(RefusalCode.NO_CARD_EXPECTED, "No card is dealt now.")
    place = step.place
    if action.place is not None and action.place != place:
        raise Refusal(
            RefusalCode.TOO_LATE, f"That card was for {action.place}; {place} is due now."
        )
    if _has_left_deck(state, card, place):
        raise _dealt_already(card)
    return (_card_dealt(place, card, step.face_up),)


_card_dealt: Final = maker(CardDealt)


def _correct_card(state: Round, action: CorrectCard, _credit_cents: _Credit) -> _Events:
    place, card = action.place, action.card
    _lying(state, place)
    check_undealt(state, card, place)
    return _with_antes(state, (CardCorrected(place, card),))


def _swap_cards(state: Round, action: SwapCards, _credit_cents: _Credit) -> _Events:
    """Two corrections that are one action: neither card is ever dealt twice in between."""
    place, other_place = action.place, action.other
    if action.round is not None:
        _check_round(state, action.round)
    card, other_card = _lying(state, place), _lying(state, other_place)
    beside = (place.lies, place.spot) == (other_place.lies, other_place.spot)
    if place == other_place or (beside and place.lies is not Lies.COMMON):
        raise malformed("The order of cards within a hand does not matter: name two places.")
    corrected = CardCorrected(place, other_card), CardCorrected(other_place, card)
    return _with_antes(state, corrected)


def _lying(state: Round, place: Place) -> Card:
    card = card_at(state, place)
    if card is None:
        raise Refusal(RefusalCode.NO_SUCH_CARD, f"There is no card at {place}.")
    return card


def check_undealt(state: Round, card: Card, place: Place) -> None:
    """Refuse a card that has left the deck from which this place is dealt."""
    if _has_left_deck(state, card, place):
        raise _dealt_already(card)


def _dealt_already(card: Card) -> Refusal:
    return Refusal(RefusalCode.CARD_ALREADY_DEALT, f"The {card.words} has already been dealt.")


def _has_left_deck(state: Round, card: Card, place: Place) -> bool:
    """Whether a card is among those that have left the same deck (R.11)."""
    # Cards are compared as in has_card(), without a call for each place of a round.
    for dealt in state.dealer:
        if dealt is card:
            return True
    for dealt in state.common:
        if dealt is card:
            return True
    hands: Iterable[PlayerHand]
    if state.house.deck is _PER_TERMINAL and place.lies is _HAND:
        # In a hall of terminals, all hands are only looked at where they share a deck.
        hands = state.hands_of(place.spot.seat) if place.spot is not None else ()
    elif state.irregularities and has_card(state.burned, card):
        return True
    else:
        hands = state.hands.values()
    for hand in hands:
        for dealt in hand.cards:
            if dealt is card:
                return True
    return False


def _turn_cards(state: Round, _action: TurnCards, _credit_cents: _Credit) -> _Events:
    """Turn the next cards; after an unqualified dealer's hand, the Antes go back (W.12)."""
    step = state.current_step
    if not isinstance(step, Turn):
        raise Refusal(RefusalCode.NOTHING_TO_TURN, "No cards are turned over now.")
    spots = hands_to_turn(state, step.spot) if step.lies is _HAND else ()
    turned = _cards_turned(step.lies, step.up_to, spots)
    return _with_antes(state, (turned,)) if step.lies is _DEALER else (turned,)


_cards_turned: Final = maker(CardsTurned)


def _with_antes(state: Round, events: _Events) -> _Events:
    """Events after which the Antes go back, if they show an unqualified dealer (W.12).

    They go back once, and only before any hand is turned. A card of the dealer or of the board may
    be corrected when the dealer's hand lies on the table already.
    """
    if not state.house.refund_antes_first or state.antes_returned:
        return events
    if not state.house.player_cards_face_up and any(hand.face_up for hand in state.hands.values()):
        return events
    for event in events:
        state = apply(state, event)
    antes = antes_to_return(state)
    return (*events, AntesReturned(antes)) if antes else events


def _confirm(state: Round, action: Confirm, _credit_cents: _Credit) -> _Events:
    settled = settle(state, meter_cents=action.meter_cents, seed_cents=action.seed_cents)
    return (RoundSettled(settled),)


def _void_round(state: Round, action: VoidRound, _credit_cents: _Credit) -> _Events:
    return (RoundVoided(action.reason.strip(), void_settlement(state)),)


def _make_decision(state: Round, action: MakeDecision, credit_cents: _Credit) -> _Events:
    spot, decision, street = action.spot, action.decision, state.street
    if action.round is not None:
        _check_round(state, action.round)
    if action.street is not None and street is not None and action.street != street:
        raise Refusal(RefusalCode.TOO_LATE, "That decision came too late: more cards are out.")
    _check_turn(state, spot)
    if action.by is _CLOCK and not alike(decision, clock_decision(state, spot)):
        raise Refusal(
            RefusalCode.NO_SUCH_CHOICE,
            f"When the time runs out, the hand can only {clock_decision(state, spot)}.",
        )
    if state.house.game is _ULTIMATE_DRAW:
        return (DecisionMade(spot, _checked_hold(state, spot, decision), action.by),)
    assert street is not None
    if may_decide(state.house, street, decision):
        cost_cents = decision_cost_cents(state.hands[spot], decision)
        if credit_cents is not None and cost_cents > credit_cents:
            raise Refusal(RefusalCode.CREDIT_SHORT, f"Your credit does not cover a {decision}.")
        return (_decision_made(spot, decision, action.by),)
    open_choices = choices(state, spot, credit_cents=credit_cents)
    offered = ", ".join(str(option.decision) for option in open_choices.options)
    raise Refusal(
        RefusalCode.NO_SUCH_CHOICE,
        f"{str(decision).capitalize()} is not possible {street.words}. Possible: {offered}.",
    )


_decision_made: Final = maker(DecisionMade)


def alike(decision: Decision, other: Decision) -> bool:
    """Whether two decisions are the same; a hold may name its cards in any order.

    >>> from openfelt.cards import parse_cards
    >>> alike(Hold(parse_cards("Ah Ad")), Hold(parse_cards("Ad Ah")))
    True
    """
    if isinstance(decision, Hold) and isinstance(other, Hold):
        return sorted(decision.cards, key=_NUMBER) == sorted(other.cards, key=_NUMBER)
    return decision == other


_NUMBER: Final = attrgetter("number")


def _check_turn(state: Round, spot: Spot) -> None:
    """Refuse a decision if it is not this hand's turn."""
    hand = state.hands.get(spot)
    if hand is None:
        raise Refusal(RefusalCode.NO_SUCH_SPOT, f"There is no hand {spot} in this round.")
    if spot not in state.pending:
        if hand.decisions and (hand.final_decision is not None or state.street is not None):
            raise Refusal(
                RefusalCode.ALREADY_DECIDED,
                f"Hand {spot} has decided: {hand.decisions[-1].decision}.",
            )
        raise Refusal(RefusalCode.NO_DECISION_DUE, f"Hand {spot} has nothing to decide now.")
    if (first := first_to_act(state, spot)) is not spot and first != spot:
        raise Refusal(RefusalCode.OUT_OF_TURN, f"It is the turn of hand {first}.")


def _checked_hold(state: Round, spot: Spot, decision: Decision) -> Hold:
    if not isinstance(decision, Hold):
        raise Refusal(
            RefusalCode.NO_SUCH_CHOICE, "Choose the cards to hold, from none to all five."
        )
    held = tuple([card for card in state.hands[spot].cards if has_card(decision.cards, card)])
    # A card that is named twice, or is not of the hand, is not among those.
    if len(held) != len(decision.cards):
        raise Refusal(
            RefusalCode.NOT_YOUR_CARDS, "Hold only cards of your own hand, each of them once."
        )
    return Hold(held)


_DECIDERS: Final[dict[type, Callable[[Round, Any, _Credit], _Events]]] = {
    SetWagers: _set_wagers,
    CloseBets: _close_bets,
    DealCard: _deal_card,
    CorrectCard: _correct_card,
    SwapCards: _swap_cards,
    TurnCards: _turn_cards,
    MakeDecision: _make_decision,
    Confirm: _confirm,
    VoidRound: _void_round,
}
