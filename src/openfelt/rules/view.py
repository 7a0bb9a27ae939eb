"""The view of a round for one viewer. It starts empty and adds what the viewer may see."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from openfelt.cards import UNKNOWN_CARD, Card, evaluate, has_card
from openfelt.cards.hand import hand_name, hand_strength
from openfelt.rules.choices import NO_CHOICES, Choices, choices
from openfelt.rules.dealing import Street
from openfelt.rules.decisions import Decided, Hold
from openfelt.rules.house import GameName
from openfelt.rules.lines import Settlement
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.quick_replace import maker, quickly_made
from openfelt.rules.round import Phase, Round
from openfelt.rules.round_events import Banker, IrregularityDeclared
from openfelt.rules.showdown import between_swaps, dealer_qualified
from openfelt.rules.ultimate_draw import final_cards, house_way
from openfelt.rules.wagers import Spot, Wager

_DRAW: Final = GameName.ULTIMATE_DRAW
ShownCards = tuple[Card | None, ...]
"""Cards as a viewer sees them: None is a card that is face down."""


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """One hand as the viewer sees it."""

    spot: Spot
    own: bool
    wagers: tuple[Wager, ...]
    cards: ShownCards
    decisions: tuple[Decided, ...]
    held_count: int | None
    """How many cards the hand holds in Ultimate Draw; None before its decision."""
    due: bool
    """Whether the round is waiting for this hand's decision."""
    choices: Choices
    """The viewer's options for it; always empty for other players' hands."""
    made: str | None
    """The best hand that the viewer can see here, as a dealer would announce it."""
    ante_returned: bool = False
    """Whether its Ante went back before any hand was turned (W.12)."""
    void: bool = False
    """Whether the hand was declared void: its wagers go back with the settlement (R.37)."""
    fouled: bool = False
    """Whether the hand was fouled: its wagers lose with the settlement (R.41)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A round as one viewer sees it."""

    number: int
    house: str
    day: date
    phase: Phase
    street: Street | None
    banker: Banker | None
    hands: tuple[HandView, ...]
    dealer: ShownCards
    dealer_held: tuple[Card, ...] | None
    """The cards that the dealer holds in Ultimate Draw, once they are turned over."""
    dealer_made: str | None
    dealer_qualified: bool | None
    """Whether the dealer's hand qualifies, once it is shown."""
    common: ShownCards
    common_made: str | None
    """The hand that the five community cards make by themselves."""
    settlement: Settlement | None
    void_reason: str | None
    irregularities: tuple[IrregularityDeclared, ...] = ()


def view(
    state: Round,
    *,
    seat: int | None,
    credit_cents: int | None = None,
    own_hands_only: bool = False,
) -> RoundView:
    """The round as seen from one seat, or by a spectator if seat is None.

    ``own_hands_only`` omits other players' hands, as the terminals of a stadium do.

    >>> from datetime import date
    >>> from openfelt.catalog import load_house
    >>> from openfelt.rules import begin, open_round
    >>> house = load_house("online")
    >>> view(begin(house, open_round(house, number=1, day=date(2026, 1, 1))), seat=1).hands
    ()
    """
    return RoundView(
        number=state.opened.number,
        house=state.house.id,
        day=state.opened.day,
        phase=state.phase,
        street=state.street,
        banker=state.opened.banker,
        hands=own_hands(state, seat=seat, credit_cents=credit_cents)
        if own_hands_only
        else tuple(_hand_view(state, hand, seat, credit_cents) for hand in state.hands.values()),
        dealer=_shown(state.dealer, len(state.dealer) if state.dealer_face_up else 0),
        dealer_held=_dealer_held(state),
        dealer_made=_made(state, state.dealer, _dealer_held(state))
        if state.dealer_face_up
        else None,
        dealer_qualified=dealer_qualified(state),
        common=_shown(state.common, state.common_face_up),
        common_made=_board_made(state),
        settlement=state.settlement,
        void_reason=state.void_reason,
        irregularities=state.irregularities,
    )


def own_hands(
    state: Round, *, seat: int | None, credit_cents: int | None = None
) -> tuple[HandView, ...]:
    """The hands of one seat as its player sees them, without visiting all other hands."""
    if seat is None:
        return ()
    return views_of(state, state.hands_of(seat), seat=seat, credit_cents=credit_cents)


def views_of(
    state: Round, hands: Iterable[PlayerHand], *, seat: int, credit_cents: int | None = None
) -> tuple[HandView, ...]:
    """These hands as the player of a seat sees them."""
    return tuple([_hand_view(state, hand, seat, credit_cents) for hand in hands])


def _hand_view(
    state: Round, hand: PlayerHand, seat: int | None, credit_cents: int | None
) -> HandView:
    spot = hand.spot
    own = spot.seat == seat
    seen, held = own or hand.face_up, hand.held
    return _hand_seen(
        spot=spot,
        own=own,
        wagers=hand.wagers,
        cards=_shown(hand.cards, len(hand.cards) if seen else 0),
        decisions=hand.decisions if seen else _without_cards(hand.decisions),
        held_count=None if held is None else len(held),
        due=spot in state.pending,
        choices=choices(state, spot, credit_cents=credit_cents) if own else NO_CHOICES,
        made=_made(state, hand.cards, held) if seen else None,
        ante_returned=_ante_returned(state, spot),
        void=spot in state.void_hands,
        fouled=spot in state.fouled_hands,
    )


_hand_seen: Final = maker(HandView)


def _ante_returned(state: Round, spot: Spot) -> bool:
    """Whether an Ante that went back early is still to go back when the round is settled.

    A card that was corrected since may have given the dealer a pair, and a hand that its player
    has fouled since loses its Ante (R.41).
    """
    if spot not in state.antes_returned or spot in state.fouled_hands:
        return False
    return not dealer_qualified(state)


def _made(state: Round, cards: tuple[Card, ...], held: tuple[Card, ...] | None) -> str | None:
    """The best hand of these cards and the common cards that are face up."""
    common = state.common[: state.common_face_up]
    if state.house.game is _DRAW:
        visible = final_cards(held, common) if held is not None and common else cards
    else:
        visible = (*cards, *common)
    if len(visible) < 5 or not _known(visible) or between_swaps(state, visible):
        return None
    return hand_name(hand_strength(visible))


def _dealer_held(state: Round) -> tuple[Card, ...] | None:
    drawn = state.house.game is GameName.ULTIMATE_DRAW and state.dealer_face_up
    if drawn and _known(state.dealer):
        return house_way(state.dealer)
    return None


def _board_made(state: Round) -> str | None:
    if state.house.game is GameName.ULTIMATE_DRAW or state.common_face_up < 5:
        return None
    if not _known(state.common) or between_swaps(state, state.common):
        return None
    return evaluate(state.common).name


def _without_cards(decisions: tuple[Decided, ...]) -> tuple[Decided, ...]:
    """Decisions without holds, which would reveal the cards of another hand."""
    return tuple(decided for decided in decisions if not isinstance(decided.decision, Hold))


def _shown(cards: tuple[Card, ...], count: int) -> ShownCards:
    if count == len(cards) and _known(cards):
        return cards
    return tuple(
        card if place < count and card is not UNKNOWN_CARD else None
        for place, card in enumerate(cards)
    )


def _known(cards: tuple[Card, ...]) -> bool:
    """Whether all cards are known; in a purged round, those that were never shown are not."""
    return not has_card(cards, UNKNOWN_CARD)
