"""What seeing cards of the dealer or another hand is worth, the slow way: every deal.

It uses the plain evaluator, and knows nothing of suits that can be renamed, of boards by rank or
of corrections. It can only be used with a dozen cards.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from openfelt.cards import Card
from openfelt.maths.holdem.terms import HoldemTerms
from tests.kit.maths.slow_holdem import Cards, best_hand, settle_apart

Sums = tuple[int, int, int]
"""Ante and Blind, Play of one, and the number of deals. Amounts are in units of which
`HoldemTerms.scale` make an Ante: whole numbers are quicker to count with."""


def board_sums(
    terms: HoldemTerms, hole: Cards, known: Cards, board: Cards, rest: Sequence[Card]
) -> Sums:
    """Every hand that the dealer may hold on a board with these known cards."""
    player = best_hand(frozenset(hole + board))
    left = [card for card in rest if card not in board]
    base, play, deals = Fraction(0), 0, 0
    for other in combinations(left, 2 - len(known)):
        ante_blind, won = settle_apart(terms, player, best_hand(frozenset(known + other + board)))
        base, play, deals = base + ante_blind, play + won, deals + 1
    units = base * terms.scale
    assert units.denominator == 1
    return units.numerator, play * terms.scale, deals


def decided(terms: HoldemTerms, flops: dict[Cards, list[Sums]]) -> int:
    """The best decision before the flop, over the runouts of each flop that may come."""
    later, folded = 0, -2 * terms.scale
    for runouts in flops.values():
        on_flop = [
            sum(base + multiple * play for base, play, _ in runouts)
            for multiple in terms.flop_multiples
        ]
        on_river = [
            max(folded * deals, *(base + many * play for many in terms.river_multiples))
            for base, play, deals in runouts
        ]
        later += max([sum(on_river), *on_flop])
    everything = [sums for runouts in flops.values() for sums in runouts]
    bets = [
        sum(base + multiple * play for base, play, _ in everything)
        for multiple in terms.first_multiples
    ]
    return max([later, *bets])


def slow_value(terms: HoldemTerms, deck: Sequence[Card], known: int, seen_place: str) -> Fraction:
    """Perfect play with known cards of the dealer and one more: of no place, flop or turn."""
    total, deals = 0, 0
    for hole in combinations(deck, 2):
        for dealer in combinations([card for card in deck if card not in hole], known):
            rest = [card for card in deck if card not in hole + dealer]
            sums: dict[Cards, Sums] = {
                board: board_sums(terms, hole, dealer, board, rest)
                for board in combinations(rest, 5)
            }
            for more in [None] if seen_place == "none" else rest:
                flops: dict[Cards, list[Sums]] = {}
                for flop in combinations(rest, 3):
                    left = [card for card in rest if card not in flop]
                    runouts = [
                        sums[tuple(sorted(flop + pair))]
                        for pair in combinations(left, 2)
                        if seen_place != "turn" or more in pair
                    ]
                    if seen_place == "flop" and more not in flop:
                        continue
                    if runouts:
                        flops[flop] = runouts
                total += decided(terms, flops)
                deals += sum(count for runouts in flops.values() for _, _, count in runouts)
    return Fraction(total, deals * terms.scale)


def slow_out_of_play(terms: HoldemTerms, deck: Sequence[Card], count: int) -> Fraction:
    """Perfect play of a hand that has seen so many cards that are out of play."""
    total, deals = 0, 0
    for hole in combinations(deck, 2):
        for seen in combinations([card for card in deck if card not in hole], count):
            rest = [card for card in deck if card not in hole + seen]
            sums: dict[Cards, Sums] = {
                board: board_sums(terms, hole, (), board, rest) for board in combinations(rest, 5)
            }
            flops: dict[Cards, list[Sums]] = {}
            for flop in combinations(rest, 3):
                left = [card for card in rest if card not in flop]
                pairs = combinations(left, 2)
                flops[flop] = [sums[tuple(sorted(flop + pair))] for pair in pairs]
            total += decided(terms, flops)
            deals += sum(count for runouts in flops.values() for _, _, count in runouts)
    return Fraction(total, deals * terms.scale)


def slow_own_decks(terms: HoldemTerms, deck: Sequence[Card], *, same_terminal: bool) -> Fraction:
    """Perfect play of a hand that sees another one, dealt as where terminals have decks (R.11).

    Dealer and board come first. Then each terminal deals from its own copy of all other cards: both
    hands from one copy, or each from its own. A player knows no more than both hands, so what may
    have been dealt is collected for each pair of them.
    """
    known: dict[tuple[Cards, Cards], dict[Cards, Sums]] = {}
    for board in combinations(deck, 5):
        for dealer in combinations([card for card in deck if card not in board], 2):
            copy = [card for card in deck if card not in board + dealer]
            for hole in combinations(copy, 2):
                player, shown = best_hand(frozenset(hole + board)), frozenset(dealer + board)
                ante_blind, won = settle_apart(terms, player, best_hand(shown))
                units = int(ante_blind * terms.scale), won * terms.scale
                for seen in combinations(copy, 2):
                    if same_terminal and not set(hole).isdisjoint(seen):
                        continue
                    boards = known.setdefault((hole, seen), {})
                    base, play, deals = boards.get(board, (0, 0, 0))
                    boards[board] = base + units[0], play + units[1], deals + 1
    total = sum(decided(terms, _by_flop(boards)) for boards in known.values())
    deals = sum(10 * count for boards in known.values() for _, _, count in boards.values())
    return Fraction(total, deals * terms.scale)


def _by_flop(boards: dict[Cards, Sums]) -> dict[Cards, list[Sums]]:
    """The runouts of each flop: every board has ten flops."""
    flops: dict[Cards, list[Sums]] = {}
    for board, sums in boards.items():
        for flop in combinations(board, 3):
            flops.setdefault(flop, []).append(sums)
    return flops
