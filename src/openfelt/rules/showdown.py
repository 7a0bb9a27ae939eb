"""The showdown: whether the dealer qualifies, and which Antes go back before hands are turned."""

from openfelt.cards import UNKNOWN_CARD, Card, evaluate, has_card
from openfelt.rules.dealing import COMMON_CARDS, ReturnAntes, settlement_order
from openfelt.rules.house import GameName
from openfelt.rules.round import Round
from openfelt.rules.ultimate_draw import final_cards, house_way
from openfelt.rules.wagers import Spot, WagerKind


def dealer_qualified(state: Round) -> bool | None:
    """Whether the dealer's hand qualifies; None until it lies on the table whole.

    >>> from datetime import date
    >>> from openfelt.catalog import load_house
    >>> from openfelt.rules import begin, open_round
    >>> house = load_house("online")
    >>> dealer_qualified(begin(house, open_round(house, number=1, day=date(2026, 1, 1))))
    """
    cards = (*state.dealer, *state.common)
    if not state.dealer_face_up or state.common_face_up < COMMON_CARDS:
        return None
    if has_card(cards, UNKNOWN_CARD):
        return None
    if state.house.game is GameName.ULTIMATE_DRAW:
        cards = final_cards(house_way(state.dealer), state.common)
    if between_swaps(state, cards):
        return None
    return state.house.dealer_qualifies.met_by(evaluate(cards))


def between_swaps(state: Round, cards: tuple[Card, ...]) -> bool:
    """Whether a card is among these twice, for which a hand has no name.

    Two cards that are swapped are two corrections in the record, and after the first of them the
    same card lies at both places (R.31).
    """
    return state.corrections > 0 and len(set(cards)) < len(cards)


def antes_to_return(state: Round) -> tuple[Spot, ...]:
    """The hands whose Antes go back before any hand is turned, in settlement order (W.12)."""
    if ReturnAntes() not in state.plan or dealer_qualified(state) is not False:
        return ()
    spots = [
        spot
        for spot, hand in state.hands.items()
        if hand.stake_cents(WagerKind.ANTE) and not hand.folded and spot not in state.dead_hands
    ]
    banker = state.opened.banker
    return settlement_order(state.house, spots, banker_seat=banker.seat if banker else None)
