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
from openfelt.maths.holdem_terms import HoldemTerms

Cards = tuple[Card, ...]


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


def settle(terms: HoldemTerms, player: Hand, dealer: Hand, multiple: int) -> Fraction:
    """Ante, Blind and Play of one showdown, written down from the rules."""
    if player == dealer:
        return Fraction(0)
    ante = 1 if terms.qualifying.met_by(dealer) else 0
    if player > dealer:
        return ante + terms.blind[player.category] + multiple
    return Fraction(-ante - 1 - multiple)


def showdowns(terms: HoldemTerms, deck: Sequence[Card], hole: Cards, board: Cards,
              multiple: int) -> Counter[Fraction]:  # fmt: skip
    """Every net result against every hand the dealer may hold."""
    player = best_hand(frozenset(hole + board))
    rest = [card for card in deck if card not in hole + board]
    return Counter(
        settle(terms, player, best_hand(frozenset(dealer + board)), multiple)
        for dealer in combinations(rest, 2)
    )


def mean(results: Counter[Fraction]) -> Fraction:
    """The average of counted results."""
    return sum((net * count for net, count in results.items()), Fraction(0)) / results.total()


def best_river(terms: HoldemTerms, deck: Sequence[Card], hole: Cards, board: Cards) -> tuple[
    str, Counter[Fraction]
]:  # fmt: skip
    """Bet one where that loses less than folding."""
    bet = showdowns(terms, deck, hole, board, 1)
    if mean(bet) > -2:
        return "bet_1x", bet
    return "fold", Counter({Fraction(-2): bet.total()})


def solve_slowly(terms: HoldemTerms, deck: Sequence[Card]) -> SlowSolution:
    """Try every action of every hand at every stage."""
    found = SlowSolution()
    for hole in combinations(deck, 2):
        _solve_hole(found, terms, deck, hole)
    return found


def _solve_hole(found: SlowSolution, terms: HoldemTerms, deck: Sequence[Card], hole: Cards) -> None:
    rest = [card for card in deck if card not in hole]
    boards = list(combinations(rest, 5))
    twos = {board: showdowns(terms, deck, hole, board, 2) for board in boards}
    rivers = {board: best_river(terms, deck, hole, board) for board in boards}
    checked: list[tuple[str, Counter[Fraction]]] = []
    for flop in combinations(rest, 3):
        runouts = [board for board in boards if set(flop) <= set(board)]
        bet: Counter[Fraction] = Counter()
        later: Counter[Fraction] = Counter()
        for board in runouts:
            bet.update(twos[board])
            later.update(rivers[board][1])
        values = {"bet_2x": mean(bet), "check": mean(later)}
        found.flop_values[hole, flop] = values
        if values["bet_2x"] > values["check"]:
            checked.append(("bet_2x", bet))
        else:
            checked.extend(rivers[board] for board in runouts)
    whole: Counter[Fraction] = Counter()
    for _, results in checked:
        whole.update(results)
    first = {"check": mean(whole)}
    at_once: dict[str, Counter[Fraction]] = {}
    for multiple in sorted(terms.first_multiples, reverse=True):
        action = f"bet_{multiple}x"
        at_once[action] = Counter()
        for board in boards:
            at_once[action].update(showdowns(terms, deck, hole, board, multiple))
        first[action] = mean(at_once[action])
    found.first_values[hole] = first
    best = max(first, key=first.__getitem__)
    if best != "check":
        # Each board comes with each of its ten flops.
        checked = [(best, at_once[best])] * 10
    for action, results in checked:
        found.decisions[action] += results.total()
        found.distribution.update(results)
