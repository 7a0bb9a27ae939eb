"""Rounds of which some cards are no longer known, because they were purged or their key is lost."""

from collections.abc import Iterator
from dataclasses import replace

from openfelt.cards import FULL_DECK, UNKNOWN_CARD, Card
from openfelt.rules.decisions import Hold
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.round import Round


def has_unknown_cards(state: Round) -> bool:
    """Whether a card of the round is unknown."""
    return UNKNOWN_CARD in (*state.dealer, *state.common) or any(
        UNKNOWN_CARD in (*hand.cards, *(hand.held or ())) for hand in state.hands.values()
    )


def settles_without(state: Round) -> bool:
    """Whether a round can be settled again although cards of it are unknown.

    A card that was never shown cannot have mattered. So every card that was shown must be known.
    """
    shown = [*state.common[: state.common_face_up], *(state.dealer if state.dealer_face_up else ())]
    for hand in state.hands.values():
        if hand.face_up:
            shown += (*hand.cards, *(hand.held or ()))
    return UNKNOWN_CARD not in shown


def with_any_cards(state: Round) -> Round:
    """The round with some other card for each unknown one.

    A folded hand that the house left face down stays unknown: it has lost its wagers, which other
    cards might win (C.6).

    >>> from datetime import date
    >>> from openfelt.catalog import load_house
    >>> from openfelt.rules import begin, open_round
    >>> house = load_house("online")
    >>> state = begin(house, open_round(house, number=1, day=date(2026, 1, 1)))
    >>> with_any_cards(replace(state, dealer=(UNKNOWN_CARD,) * 2)).dealer
    (Card('2c'), Card('2d'))
    """
    at_table = {*state.dealer, *state.common}
    unused = (card for card in FULL_DECK if card not in at_table)
    dealer, common = _filled(state.dealer, unused), _filled(state.common, unused)
    at_table = {*dealer, *common}
    hands = {
        spot: hand if _lost_face_down(state, hand) else _filled_hand(hand, at_table)
        for spot, hand in state.hands.items()
    }
    return replace(state, dealer=dealer, common=common, hands=hands)


def _lost_face_down(state: Round, hand: PlayerHand) -> bool:
    return state.house.folds_face_down and hand.folded and not hand.face_up


def _filled_hand(hand: PlayerHand, at_table: set[Card]) -> PlayerHand:
    """A hand that shares no card with the dealer and the board."""
    unused = (card for card in FULL_DECK if card not in at_table and card not in hand.cards)
    cards = _filled(hand.cards, unused)
    decisions = tuple(
        replace(
            decided, decision=Hold(tuple(card for card in decided.decision.cards if card in cards))
        )
        if isinstance(decided.decision, Hold)
        else decided
        for decided in hand.decisions
    )
    return replace(hand, cards=cards, decisions=decisions)


def _filled(cards: tuple[Card, ...], unused: Iterator[Card]) -> tuple[Card, ...]:
    return tuple(next(unused) if card is UNKNOWN_CARD else card for card in cards)
