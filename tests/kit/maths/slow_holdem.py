"""Ultimate Texas Hold'em the slow way: deal everything, settle everything, compare.

Nothing here is clever. It uses the plain evaluator and the rule that a hand takes the
action with the highest value, and can only be used with a dozen cards or so.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations

from openfelt.cards import Card, Hand, evaluate
from openfelt.maths.holdem.terms import HoldemTerms

Cards = tuple[Card, ...]
Showdowns = Counter[tuple[int, int]]
"""How often Ante and Blind together give an amount and Play wins, ties or loses, in units
of which `HoldemTerms.scale` make an Ante: whole numbers are quicker to count with."""


@dataclass
class SlowSolution:
    """What the fast solver must find too."""

    first_values: dict[Cards, dict[str, Fraction]] = field(default_factory=dict)
    flop_values: dict[tuple[Cards, Cards], dict[str, Fraction]] = field(default_factory=dict)
    decisions: Counter[str] = field(default_factory=Counter)
    distribution: Counter[Fraction] = field(default_factory=Counter)


@cache
def best_hand(cards: frozenset[Card]) -> Hand:
    """The plain evaluator, remembering what it said."""
    return evaluate(sorted(cards))


@cache
def hands_on_boards(deck: Cards) -> dict[Cards, dict[Cards, Hand]]:
    """Every hand of two cards on every board of a deck."""
    return {
        board: {
            pair: best_hand(frozenset(pair + board))
            for pair in combinations([card for card in deck if card not in board], 2)
        }
        for board in combinations(deck, 5)
    }


def settle(terms: HoldemTerms, player: Hand, dealer: Hand, multiple: int) -> Fraction:
    """Ante, Blind and Play of one showdown, written down from the rules."""
    base, play = settle_apart(terms, player, dealer)
    return base + multiple * play


def settle_apart(terms: HoldemTerms, player: Hand, dealer: Hand) -> tuple[Fraction, int]:
    """Ante and Blind of one showdown, and whether a Play wager wins, ties or loses."""
    if player == dealer:
        return Fraction(0), 0
    ante = 1 if terms.qualifying.met_by(dealer) else 0
    if player > dealer:
        return ante + terms.blind[player.category], 1
    return Fraction(-ante - 1), -1


def showdowns(terms: HoldemTerms, hands: dict[Cards, Hand], hole: Cards) -> Showdowns:
    """Every result against every hand the dealer may hold; `hands` are all on this board."""
    player = hands[hole]
    first, second = hole
    # Settling is the same for hands of the same strength, so do it once for each.
    met: Counter[int] = Counter()
    by_strength: dict[int, Hand] = {}
    for (one, other), dealer in hands.items():
        if first is not one and first is not other and second is not one and second is not other:
            met[dealer.strength] += 1
            by_strength[dealer.strength] = dealer
    results: Showdowns = Counter()
    scale = terms.scale
    for strength, count in met.items():
        base, play = settle_apart(terms, player, by_strength[strength])
        results[int(base * scale), play * scale] += count
    return results


def with_play(results: Showdowns, multiple: int) -> Counter[int]:
    """The net results with a Play wager."""
    nets: Counter[int] = Counter()
    for (base, play), count in results.items():
        nets[base + multiple * play] += count
    return nets


def mean(results: Counter[int]) -> Fraction:
    """The average of counted results, in units."""
    return Fraction(sum(net * count for net, count in results.items()), results.total())


def best_river(terms: HoldemTerms, results: Showdowns, fold: int) -> tuple[str, Counter[int]]:
    """Try a fold and every bet; among equal values, the one that stakes less."""
    best = "fold", Counter({fold: results.total()})
    for multiple in sorted(terms.river_multiples):
        bet = with_play(results, multiple)
        if mean(bet) > mean(best[1]):
            best = f"bet_{multiple}x", bet
    return best


def in_antes(nets: Counter[int], terms: HoldemTerms) -> Counter[Fraction]:
    """Counted results in Antes instead of units."""
    scale = terms.scale
    return Counter({Fraction(net, scale): count for net, count in nets.items()})


def solve_slowly(terms: HoldemTerms, deck: Sequence[Card]) -> SlowSolution:
    """Try every action of every hand at every stage."""
    found = SlowSolution()
    boards = hands_on_boards(tuple(deck))
    for hole in combinations(deck, 2):
        dealt = {
            board: showdowns(terms, hands, hole)
            for board, hands in boards.items()
            if not set(hole) & set(board)
        }
        _solve_hole(found, terms, [card for card in deck if card not in hole], hole, dealt)
    return found


def _solve_flops(
    found: SlowSolution,
    terms: HoldemTerms,
    rest: Sequence[Card],
    hole: Cards,
    dealt: dict[Cards, Showdowns],
) -> list[tuple[str, Counter[int]]]:
    """Decide every flop after a check, and every river after another."""
    scale = terms.scale
    bets = {
        multiple: {board: with_play(results, multiple) for board, results in dealt.items()}
        for multiple in sorted(terms.flop_multiples)
    }
    rivers = {board: best_river(terms, results, -2 * scale) for board, results in dealt.items()}
    checked: list[tuple[str, Counter[int]]] = []
    for flop in combinations(rest, 3):
        others = [card for card in rest if card not in flop]
        runouts = [tuple(sorted(flop + pair)) for pair in combinations(others, 2)]
        later: Counter[int] = Counter()
        for board in runouts:
            later.update(rivers[board][1])
        values = {"check": mean(later) / scale}
        results = {"check": later}
        for multiple, on_boards in bets.items():
            action = f"bet_{multiple}x"
            results[action] = Counter()
            for board in runouts:
                results[action].update(on_boards[board])
            values[action] = mean(results[action]) / scale
        found.flop_values[hole, flop] = values
        # The first of equal values is the one that stakes less.
        best = max(values, key=values.__getitem__)
        if best == "check":
            checked.extend(rivers[board] for board in runouts)
        else:
            checked.append((best, results[best]))
    return checked


def _solve_hole(
    found: SlowSolution,
    terms: HoldemTerms,
    rest: Sequence[Card],
    hole: Cards,
    dealt: dict[Cards, Showdowns],
) -> None:
    checked = _solve_flops(found, terms, rest, hole, dealt)
    whole: Counter[int] = Counter()
    for _, results in checked:
        whole.update(results)
    first = {"check": mean(whole) / terms.scale}
    at_once: dict[str, Counter[int]] = {}
    for multiple in sorted(terms.first_multiples, reverse=True):
        action = f"bet_{multiple}x"
        at_once[action] = Counter()
        for results_on_board in dealt.values():
            at_once[action].update(with_play(results_on_board, multiple))
        first[action] = mean(at_once[action]) / terms.scale
    found.first_values[hole] = first
    best = max(first, key=first.__getitem__)
    if best != "check":
        # Each board comes with each of its ten flops.
        checked = [(best, at_once[best])] * 10
    nets: Counter[int] = Counter()
    for action, results in checked:
        found.decisions[action] += results.total()
        for net, count in results.items():
            nets[net] += count
    found.distribution.update(in_antes(nets, terms))
