"""The decisions of computer players: sensible, and from nothing but what their seat may see."""

from openfelt.cards import Card, Category, Hand, Rank, evaluate
from openfelt.rules import Bet, Check, Fold, Hold, MakeDecision, Round, RoundView, view
from openfelt.rules.dealing import Street
from openfelt.rules.decisions import Decision
from openfelt.rules.ultimate_draw import house_way
from openfelt.rules.view import HandView


def due_decisions(state: Round, seat: int, *, credit_cents: int) -> tuple[MakeDecision, ...]:
    """The decisions of a computer player for its hands that are due."""
    seen = view(state, seat=seat, credit_cents=credit_cents)
    return tuple(
        MakeDecision(hand.spot, _decision(seen, hand))
        for hand in seen.hands
        if hand.own and hand.due
    )


def _decision(seen: RoundView, hand: HandView) -> Decision:
    own = tuple(card for card in hand.cards if card is not None)
    if hand.choices.may_hold:
        return Hold(house_way(own))
    board = tuple(card for card in seen.common if card is not None)
    bets = [choice.decision for choice in hand.choices.options if isinstance(choice.decision, Bet)]
    likes_it = {
        Street.BEFORE_FLOP: lambda: plays_before_flop(own),
        Street.ON_FLOP: lambda: plays_on_flop(own, board),
        Street.ON_RIVER: lambda: plays_on_river(own, board),
    }
    if bets and seen.street in likes_it and likes_it[seen.street]():
        return bets[-1]
    passing: Decision = Fold() if seen.street is Street.ON_RIVER else Check()
    return passing


def plays_before_flop(own: tuple[Card, ...]) -> bool:
    """The usual table of hands for 4x: pairs from threes, aces, good kings, queens and jacks."""
    high, low = sorted((card.rank for card in own), reverse=True)
    if high == low:
        return high >= Rank.THREE
    least = {
        Rank.ACE: (2, 2),
        Rank.KING: (2, 5),
        Rank.QUEEN: (6, 8),
        Rank.JACK: (8, 10),
    }.get(high)
    if least is None:
        return False
    return low >= least[own[0].suit is not own[1].suit]


def plays_on_flop(own: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    """Two pair or better, or a pair that a card of the hand makes."""
    hand = evaluate((*own, *board))
    if hand.category >= Category.TWO_PAIR:
        return True
    return hand.category is Category.PAIR and _own_cards_pair(own, hand)


def plays_on_river(own: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    """Anything that a card of the hand made, or a king or an ace to go with the board."""
    hand, on_board = evaluate((*own, *board)), evaluate(board)
    if hand.category > on_board.category:
        return True
    return hand > on_board and max(card.rank for card in own) >= Rank.KING


def _own_cards_pair(own: tuple[Card, ...], hand: Hand) -> bool:
    return any(card in own for card in hand.cards[:2])
