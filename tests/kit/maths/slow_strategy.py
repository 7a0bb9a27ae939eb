"""A strategy played the slow way: every deal, every decision looked at with its own cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from openfelt.cards import Card
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.starting_hands import cell_name, cell_of
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.kernels.hand_reader import cards_key, cards_mask, read_five, read_with_two
from openfelt.maths.kernels.strategy_features import (
    FLOP_FEATURES,
    RIVER_FEATURES,
    flop_features,
    river_features,
)
from openfelt.maths.strategy.charts import actions_of
from openfelt.maths.strategy.strategies import HoldemStrategy, RiverPlay, StrategyLine
from tests.kit.maths.slow_holdem import (
    Cards,
    Showdowns,
    best_hand,
    hands_on_boards,
    in_antes,
    mean,
    showdowns,
    with_play,
)

Seen = dict[str, int]


@dataclass
class SlowPrice:
    """What the fast pricing must find too."""

    decisions: Counter[str] = field(default_factory=Counter)
    distribution: Counter[Fraction] = field(default_factory=Counter)


@cache
def seen_on_flop(hole: Cards, flop: Cards) -> Seen:
    """What a player sees on the flop."""
    out = np.zeros(len(FLOP_FEATURES), dtype=np.int64)
    flop_features(_numbers(hole), _numbers(flop), reading_tables(), out)
    return dict(zip(FLOP_FEATURES, out.tolist(), strict=True))


@cache
def seen_on_river(hole: Cards, board: Cards, deck: Cards) -> Seen:
    """What a player sees on the river; the dealer's outs are counted with the plain evaluator."""
    reading, cards, numbers = reading_tables(), _numbers(hole), _numbers(board)
    key, mask = cards_key(numbers, 5, reading.keys), cards_mask(numbers, 5, reading.masks)
    strength = read_with_two(key, mask, cards[0], cards[1], reading)
    out = np.zeros(len(RIVER_FEATURES), dtype=np.int64)
    river_features(
        cards, numbers, key, mask, read_five(numbers, reading), strength, False, reading, out
    )
    player = best_hand(frozenset(hole + board))
    rest = [card for card in deck if card not in hole + board]
    outs = sum(best_hand(frozenset((*board, card))) > player for card in rest)
    return dict(zip(RIVER_FEATURES, out.tolist(), strict=True)) | {"outs": outs}


def fits(lines: Sequence[StrategyLine], seen: Seen) -> bool:
    """Whether any line fits."""
    boxes = (limits for line in lines for limits in line.boxes)
    return any(all(low <= seen[name] <= high for name, low, high in limits) for limits in boxes)


def play_slowly(strategy: HoldemStrategy, terms: HoldemTerms, deck: Cards) -> SlowPrice:
    """Play every deal of a small deck."""
    found = SlowPrice()
    fold = -2 * terms.scale
    first_actions = actions_of(strategy.before_flop)
    total: Counter[int] = Counter()
    for board, hands in hands_on_boards(deck).items():
        for hole in hands:
            results = showdowns(terms, hands, hole)
            first = first_actions.get(cell_name(cell_of(hole)))
            for action, nets in _decide(strategy, deck, hole, board, results, fold, first):
                found.decisions[action] += nets.total()
                for net, count in nets.items():
                    total[net] += count
    found.distribution = in_antes(total, terms)
    return found


def _decide(  # noqa: PLR0917
    strategy: HoldemStrategy,
    deck: Cards,
    hole: Cards,
    board: Cards,
    results: Showdowns,
    fold: int,
    first: str | None,
) -> Iterator[tuple[str, Counter[int]]]:
    """The final decision and its results for each of the ten flops of a board."""
    flops = list(combinations(board, 3))
    if first is not None:
        bet = with_play(results, int(first[4]))
        yield from ((first, bet) for _ in flops)
        return
    bet = with_play(results, strategy.river_multiple)
    flop_bet = with_play(results, strategy.flop_multiple)
    if strategy.river is RiverPlay.PERFECT:
        bets_river = mean(bet) > fold
    else:
        bets_river = fits(strategy.on_river, seen_on_river(hole, board, deck))
    for flop in flops:
        if fits(strategy.on_flop, seen_on_flop(hole, flop)):
            yield f"bet_{strategy.flop_multiple}x", flop_bet
        else:
            folded = "fold", Counter({fold: results.total()})
            yield (f"bet_{strategy.river_multiple}x", bet) if bets_river else folded


def _numbers(cards: Sequence[Card]) -> NDArray[np.int64]:
    return np.array([card.number for card in cards])
