"""Computer players: they bet modestly, look only at what their seat may see, and play sensibly."""

from dataclasses import dataclass

from openfelt.cards import Card, Category, Hand, Rank, evaluate
from openfelt.rules import Bet, Check, Fold, Hold, House, RoundView, Wager, WagerKind
from openfelt.rules.choices import Choices
from openfelt.rules.dealing import Street
from openfelt.rules.decisions import Decision
from openfelt.rules.house import BankKind
from openfelt.rules.ultimate_draw import house_way
from openfelt.rules.view import HandView
from openfelt.table.collection import bank_wager_min_cents
from openfelt.table.commands import Person, Role
from openfelt.table.deck import DrawBelow

NAMES = ("rosa", "viktor", "amina", "chen", "dolores", "sam", "ingrid", "kofi")
"""The computer players as the table's record names them."""
STACK_CENTS = 100_000
"""The buy-in of a computer player, and its rebuy when the stack runs low."""
LOW_CENTS = 20_000


_LIKED_QUARTERS = {WagerKind.TRIPS: 1, WagerKind.BONUS: 1, WagerKind.PROGRESSIVE: 3}
"""In how many rounds of four a computer player adds the wager."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A computer player in a seat."""

    seat: int
    name: str

    @property
    def person(self) -> Person:
        """Who gives this player's commands."""
        return Person(Role.PLAYER, self.name)

    @property
    def display_name(self) -> str:
        """The name as the screen shows it."""
        return self.name.capitalize()


def default_opponents(house: House) -> int:
    """How many sit down unless the player says: enough to bank in turn, or for company."""
    if house.bank.kind is BankKind.PLAYER_DEALER:
        return min(3, house.seats - 1)
    return min(2, house.seats - 1) if house.progressive else 0


def seat_opponents(house: House, count: int, *, own_seat: int) -> tuple[Opponent, ...]:
    """Computer players in the first seats that are free, as many as have names."""
    seats = [seat for seat in range(1, min(house.seats, count + 1) + 1) if seat != own_seat]
    return tuple(Opponent(seat, name) for seat, name in zip(seats, NAMES, strict=False))


def opening_wagers(house: House, draw_below: DrawBelow) -> tuple[Wager, ...]:
    """A computer player's wagers: an Ante of one to four minimums, and some extras."""
    ante = house.wager(WagerKind.ANTE)
    assert ante is not None
    cents = min(ante.min_cents * (1 + draw_below(4)), ante.max_cents)
    wagers = [Wager(WagerKind.ANTE, cents - cents % ante.multiple_of_cents)]
    for rule in house.wagers:
        quarters = _LIKED_QUARTERS.get(rule.kind, 0)
        if quarters and draw_below(4) < quarters:
            wagers.append(Wager(rule.kind, rule.min_cents))
    return tuple(wagers)


def bank_wager_cents(house: House, draw_below: DrawBelow, stack_cents: int) -> int:
    """A computer player's bank wager: twenty to forty smallest Antes."""
    ante = house.wager(WagerKind.ANTE)
    assert ante is not None
    chosen_cents = min(ante.min_cents * 20 * (1 + draw_below(3)), stack_cents // 2)
    return max(chosen_cents, bank_wager_min_cents(house))


def decision_for(seen: RoundView, hand: HandView, open_choices: Choices) -> Decision:
    """A computer player's decision for a hand, from what its seat may see."""
    own = tuple(card for card in hand.cards if card is not None)
    if open_choices.may_hold:
        return Hold(house_way(own))
    board = tuple(card for card in seen.common if card is not None)
    bets = [choice.decision for choice in open_choices.options if isinstance(choice.decision, Bet)]
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
