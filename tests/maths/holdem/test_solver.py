"""The solver against plain enumeration on small decks, and against published figures."""

import tomllib
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from openfelt.cards import Card, Category, Suit, parse_cards
from openfelt.maths import HoldemSolution, HoldemTerms, advise, solve_holdem
from tests.kit.maths.games import (
    EARLY,
    GENEROUS,
    MANY,
    NO_FIRST,
    ODD,
    RIVER_ONLY,
    USUAL,
    small_deck,
)
from tests.kit.maths.slow_holdem import solve_slowly
from tests.kit.repository import KNOWN_VALUES

KNOWN = KNOWN_VALUES / "ultimate_holdem.toml"


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    return tomllib.loads(KNOWN.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranks", "suits", "terms"),
    [
        ("AKQ", 4, USUAL),
        pytest.param("AKQ", 4, ODD, marks=pytest.mark.sweep),
        ("AKQJT", 2, USUAL),
        ("AKQJT", 2, GENEROUS),
        pytest.param("65432A", 2, GENEROUS, marks=pytest.mark.sweep),
        pytest.param("AKQJ", 3, ODD, marks=pytest.mark.sweep),
        pytest.param("2345", 3, USUAL, marks=pytest.mark.sweep),
        pytest.param("9TJQKA", 2, USUAL, marks=pytest.mark.sweep),
        ("579JQK", 2, ODD),
        ("AKQJT", 2, NO_FIRST),
        ("AKQJT", 2, RIVER_ONLY),
        ("AKQ", 4, MANY),
        ("579JQK", 2, EARLY),
        pytest.param("579JQK", 2, MANY, marks=pytest.mark.sweep),
        pytest.param("AKQ", 4, EARLY, marks=pytest.mark.sweep),
        pytest.param("2345", 3, NO_FIRST, marks=pytest.mark.sweep),
        pytest.param("AKQ", 4, RIVER_ONLY, marks=pytest.mark.sweep),
    ],
)
def test_equals_plain_enumeration(ranks: str, suits: int, terms: HoldemTerms) -> None:
    deck = small_deck(ranks, suits)
    slow = solve_slowly(terms, deck)
    fast = solve_holdem(terms, deck=[card.number for card in deck], workers=2)
    for hole, values in slow.first_values.items():
        low, high = hole
        suffix = "" if low.rank is high.rank else "s" if low.suit is high.suit else "o"
        found = fast.starting_hands[high.rank.letter + low.rank.letter + suffix]
        assert dict(found.values) == values
    for (hole, flop), values in slow.flop_values.items():
        found_on_flop = fast.flop_values(hole, flop)
        assert found_on_flop == {action: values[action] for action in found_on_flop}
        # The bets that are left out are never the best.
        assert max(found_on_flop.values()) == max(values.values())
    assert fast.deals == slow.distribution.total()
    assert fast.distribution == dict(slow.distribution)
    assert {action: share * fast.deals for action, share in fast.decisions.items()} == {
        action: slow.decisions[action] for action in fast.actions
    }
    mean = sum(net * count for net, count in slow.distribution.items()) / fast.deals
    assert fast.ev_per_ante == mean


def test_published_figures(usual: HoldemSolution, known: dict[str, Any]) -> None:
    assert f"{float(-usual.ev_per_ante):.5f}" == known["loss_per_ante"]
    assert f"{float(usual.units_staked):.3f}" == known["units_staked"]
    assert f"{float(usual.element_of_risk):.5f}" == known["element_of_risk"]
    assert f"{usual.std_dev:.2f}" == known["standard_deviation"]
    per_three = usual.returns["per_three_units"]
    assert f"{float(per_three):.4f}" == known["online"]["return_per_three_units"]


def spread(pattern: str) -> Iterable[str]:
    """All starting hands that a pattern such as K5o+ means."""
    letters = "23456789TJQKA"
    if not pattern.endswith("+"):
        yield pattern
        return
    high, low, suffix = pattern[0], pattern[1], pattern[2:-1]
    for rank in letters[letters.index(low) :]:
        if high == low:
            yield rank + rank
        elif letters.index(rank) < letters.index(high):
            yield high + rank + suffix


def test_published_chart(usual: HoldemSolution, known: dict[str, Any]) -> None:
    chart = {name for pattern in known["bets_4x"] for name in spread(pattern)}
    best = {hand.name: hand.best for hand in usual.starting_hands.values()}
    assert {name for name, action in best.items() if action == "bet_4x"} == chart
    assert "bet_3x" not in best.values()


def test_the_figures_hang_together(usual: HoldemSolution) -> None:
    assert usual.deals == 27_813_810_024_000
    assert sum(usual.distribution.values()) == usual.deals
    mean = sum(net * count for net, count in usual.distribution.items()) / usual.deals
    assert mean == usual.ev_per_ante == Fraction(-50_643_648_973, 2_317_817_502_000)
    assert sum(usual.decisions.values()) == 1
    assert len(usual.starting_hands) == 169
    assert sum(hand.hands for hand in usual.starting_hands.values()) == 1326


def test_seven_card_categories_over_all_deals(usual: HoldemSolution) -> None:
    # Every seven-card hand is 21 times two and five, and each board has ten flops.
    known = KNOWN.with_name("seven_card_counts.toml").read_text(encoding="utf-8")
    counts = tomllib.loads(known)["counts"]
    by_category = usual.outcomes.sum(axis=(0, 2))
    for category in Category:
        assert by_category[category] == counts[category.words] * 21 * 10 * 990


@pytest.mark.sweep
def test_fewer_first_bets_are_worth_no_more(usual: HoldemSolution) -> None:
    only_three = solve_holdem(HoldemTerms.of(first_multiples=[3]))
    only_four = solve_holdem(HoldemTerms.of(first_multiples=[4]))
    assert only_three.ev_per_ante < only_four.ev_per_ante == usual.ev_per_ante


def test_wide_odds_take_wide_integers(usual: HoldemSolution) -> None:
    # A thirteenth of a percent more on a straight makes values too large for 32 bits.
    finely = solve_holdem(
        HoldemTerms.of(
            {
                Category.STRAIGHT: Fraction(10_007, 10_007),
                Category.FLUSH: Fraction(15_011, 10_007),
                Category.FULL_HOUSE: 3,
                Category.FOUR_OF_A_KIND: 10,
                Category.STRAIGHT_FLUSH: 50,
                Category.ROYAL_FLUSH: 500,
            }
        )
    )
    assert finely.terms.scale == 10_007
    assert abs(finely.ev_per_ante - usual.ev_per_ante) < Fraction(1, 1000)
    with pytest.raises(ValueError, match="too large"):
        solve_holdem(HoldemTerms.of({Category.ROYAL_FLUSH: 10**12}))


def test_progress_runs_to_its_end() -> None:
    steps: list[tuple[int, int]] = []
    deck = [card.number for card in small_deck("AKQJ", 4)]
    solve_holdem(deck=deck, workers=2, progress=lambda done, total: steps.append((done, total)))
    assert [done for done, _ in steps] == list(range(1, len(steps) + 1))
    assert steps[-1] == (steps[-1][1], steps[-1][1])


@pytest.mark.parametrize(
    "deck", [range(5), [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11], [0, 4, 8, 12, 16, 20, 24, 28, 32, 33]]
)
def test_uneven_decks_are_refused(deck: Iterable[int]) -> None:
    with pytest.raises(ValueError, match="deck"):
        solve_holdem(deck=list(deck))


def test_flop_values_refuse_impossible_cards(usual: HoldemSolution) -> None:
    ace, king, queen = Card.parse("As"), Card.parse("Ks"), Card.parse("Qs")
    with pytest.raises(ValueError, match="flop"):
        usual.flop_values([ace, king], [ace, king, queen])
    with pytest.raises(ValueError, match="flop"):
        usual.flop_values([ace], [king, queen, Card.parse("Js")])


def test_flop_values_do_not_depend_on_the_names_of_suits(usual: HoldemSolution) -> None:
    def renamed(text: str, suits: tuple[int, ...]) -> list[Card]:
        cards = [Card.parse(part) for part in text.split()]
        return [Card.of(card.rank, Suit(suits[card.suit])) for card in cards]

    for suits in [(0, 1, 2, 3), (3, 2, 1, 0), (1, 2, 3, 0), (2, 0, 3, 1)]:
        for hole, flop in combinations(["Ah Kd", "7s 8s 9c", "2c 2d 2h"], 2):
            if len(hole.split()) == 2:
                same = usual.flop_values(renamed(hole, (0, 1, 2, 3)), renamed(flop, (0, 1, 2, 3)))
                assert usual.flop_values(renamed(hole, suits), renamed(flop, suits)) == same


@pytest.mark.parametrize(
    ("hole", "board"),
    [("7h 2d", "Ac Kc Qd Jd 9s"), ("Ah 2h", "Kh 9h 4h 4c 2s"), ("8c 8d", "8s 3d 3h 3c Ks")],
)
def test_river_values_are_those_of_the_adviser(
    usual: HoldemSolution, hole: str, board: str
) -> None:
    cards = parse_cards(hole), parse_cards(board)
    assert usual.river_values(*cards) == dict(advise(*cards).values)


def test_a_river_needs_seven_different_cards(usual: HoldemSolution) -> None:
    with pytest.raises(ValueError, match="two hole cards and five others"):
        usual.river_values(parse_cards("7h 7h"), parse_cards("Ac Kc Qd Jd 9s"))
