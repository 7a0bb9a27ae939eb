"""Deals many random rounds of a house to one player with a simple strategy.

It prints the player's mean result per Ante with its standard error. The result is an estimate;
a seed makes a run repeatable.

Run it with: .venv/bin/python examples/deal_many.py --house online --rounds 10000
"""

import argparse
from collections.abc import Iterator, Sequence
from datetime import date
from random import Random
from statistics import fmean, stdev

from openfelt.cards import FULL_DECK, Card, Category, Rank, evaluate
from openfelt.catalog import load_house
from openfelt.rules import (
    Banker,
    Bet,
    Check,
    CloseBets,
    Confirm,
    Deal,
    DealCard,
    Decide,
    Fold,
    House,
    MakeDecision,
    Phase,
    Round,
    SetWagers,
    Spot,
    Street,
    Turn,
    TurnCards,
    Wager,
    WagerKind,
    act,
    begin,
    clock_decision,
    open_round,
)
from openfelt.rules.decisions import Decision
from openfelt.rules.house import BankKind
from openfelt.rules.round_actions import Action
from openfelt.table import cards_for_round

ROUNDS_MAX = 1_000_000
ANTE_CENTS = 1000
DAY = date(2026, 1, 1)


def choose(state: Round, spot: Spot) -> Decision:
    """A strategy that is easy to remember and costs little compared with the best one.

    Bet four times the Ante with a strong start; twice on the flop with a hand that uses a hole
    card; once on the river with such a hand, or if few cards help the dealer. Draw is played the
    house way.
    """
    hole = state.hands[spot].cards
    match state.street:
        case Street.BEFORE_FLOP:
            return Bet(4) if starts_strong(hole) else Check()
        case Street.ON_FLOP:
            own = has_own_hand(hole, state.common) or nearly_a_flush(hole, state.common)
            return Bet(2) if own else Check()
        case Street.ON_RIVER:
            own = has_own_hand(hole, state.common)
            return Bet(1) if own or dealer_outs(hole, state.common) < 21 else Fold()
        case _:
            return clock_decision(state, spot)


def starts_strong(hole: Sequence[Card]) -> bool:
    """Any ace, a pair of threes or better, and the better kings, queens and jacks."""
    low, high = sorted(card.rank for card in hole)
    suited = hole[0].suit is hole[1].suit
    if low == high:
        return low > Rank.TWO
    least = {Rank.ACE: (2, 2), Rank.KING: (2, 5), Rank.QUEEN: (6, 8), Rank.JACK: (8, 10)}
    return high in least and low >= least[high][0 if suited else 1]


def has_own_hand(hole: Sequence[Card], board: Sequence[Card]) -> bool:
    """A pair or better that uses a hole card; a pair of deuces does not count."""
    hand = evaluate((*hole, *board))
    paired = {card.rank for card in hand.cards if hand.ranks.count(card.rank) > 1}
    if hand.category >= Category.STRAIGHT:
        return any(card in hand.cards for card in hole)
    return any(card.rank in paired and card.rank > Rank.TWO for card in hole)


def nearly_a_flush(hole: Sequence[Card], board: Sequence[Card]) -> bool:
    """Four cards of one suit, including a hole card of ten or higher."""
    suits = [card.suit for card in (*hole, *board)]
    return any(suits.count(card.suit) == 4 and card.rank >= Rank.TEN for card in hole)


def dealer_outs(hole: Sequence[Card], board: Sequence[Card]) -> int:
    """The number of single cards that would give the dealer a better hand than the player's."""
    mine = evaluate((*hole, *board))
    unseen = set(FULL_DECK).difference(hole, board)
    return sum(evaluate((card, *board)) > mine for card in unseen)


def play(house: House, number: int, dice: Random) -> int:
    """Play one round with an Ante of $10.00; returns the player's net result in cents."""
    by_player = house.bank.kind is BankKind.PLAYER_DEALER
    banker = Banker(seat=2, cover_cents=1_000_000) if by_player else None
    state = begin(house, open_round(house, number=number, day=DAY, banker=banker))
    spot = Spot(seat=1, hand=1)
    state = act(state, SetWagers(spot, (Wager(WagerKind.ANTE, ANTE_CENTS),)), CloseBets())
    cards = iter(cards_for_round(state, dice.randrange))
    while state.phase is Phase.PLAYING:
        state = act(state, next_action(state, spot, cards))
    state = act(state, Confirm())
    assert state.settlement is not None
    return state.settlement.net_cents(spot.seat)


def next_action(state: Round, spot: Spot, cards: Iterator[Card]) -> Action:
    """The action for the next step of the plan: a card, a turn, or a decision."""
    match state.current_step:
        case Deal():
            return DealCard(next(cards))
        case Turn():
            return TurnCards()
        case Decide():
            return MakeDecision(spot, choose(state, spot))
        case _:
            raise ValueError("the round is not being played")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--house", default="online", help="the id of a house")
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args(arguments)
    if not 2 <= options.rounds <= ROUNDS_MAX:
        parser.error(f"--rounds must be a number from 2 to {ROUNDS_MAX:,}")
    house, dice = load_house(options.house), Random(options.seed)
    units = [play(house, n + 1, dice) / ANTE_CENTS for n in range(options.rounds)]
    error = stdev(units) / len(units) ** 0.5
    print(f"{house.name}: {len(units):,} rounds, {fmean(units):+.4f} of an Ante each ± {error:.4f}")


if __name__ == "__main__":
    main()
