"""Ultimate Draw with another qualifying hand: how it is read, and what follows from the counts."""

from fractions import Fraction

import pytest

from openfelt.cards import Category, Rank, parse_cards
from openfelt.catalog import load_house
from openfelt.maths.draw.best_play import best_play_limits, known_best_play, known_house_way
from openfelt.maths.draw.draw_figures import DrawFigures, draw_terms_of, price_draw_house
from openfelt.maths.draw.hold_advice import advise_draw
from openfelt.maths.draw.qualifying_hands import (
    ALWAYS,
    QUALIFYING,
    RUNG_HANDS,
    USUAL,
    AnteResult,
    RungResult,
    counted_minimum,
    parse_minimum,
    with_minimum,
)
from openfelt.maths.draw.strategy_counts import usual_counts
from openfelt.rules.paytable import HandMinimum
from tests.kit.own_houses import own_house

TERMS = draw_terms_of(load_house("draw"))
TENS = HandMinimum(Category.PAIR, Rank.TEN)
TWO_PAIR = HandMinimum(Category.TWO_PAIR)


def figures(least: HandMinimum) -> DrawFigures:
    house = load_house("draw")
    return price_draw_house(house, TERMS.requiring(least), ante=known_house_way(least))


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("pair", USUAL),
        ("Pair of tens", TENS),
        ("pair of tens or better", TENS),
        (" two_pair ", TWO_PAIR),
        ("three of a kind or better", HandMinimum(Category.THREE_OF_A_KIND)),
        ("high card", ALWAYS),
        ("flush", HandMinimum(Category.FLUSH)),
    ],
)
def test_a_qualifying_hand_is_read(text: str, least: HandMinimum) -> None:
    assert parse_minimum(text) == least


@pytest.mark.parametrize("text", ["", "pear", "pair of elevens", "1/2", "pair of"])
def test_what_is_no_hand_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a hand with which a dealer qualifies"):
        parse_minimum(text)


@pytest.mark.parametrize("least", QUALIFYING)
def test_every_counted_hand_is_read_as_it_is_printed(least: HandMinimum) -> None:
    assert counted_minimum(parse_minimum(least.or_better)) == least


@pytest.mark.parametrize("category", [c for c in Category if c > Category.STRAIGHT])
def test_a_better_hand_than_a_straight_is_refused(category: Category) -> None:
    with pytest.raises(ValueError, match=f"qualifies with {category.words} or better"):
        TERMS.requiring(HandMinimum(category))
    house = own_house("draw", {"dealer_qualifies": {"hand": category.words}})
    with pytest.raises(ValueError, match=f"{house.id}: a dealer who qualifies with"):
        draw_terms_of(house)


def test_a_rung_moves_from_wins_and_losses_to_unqualified_dealers() -> None:
    rungs = tuple(
        RungResult(Fraction(1, 100 + rung), Fraction(-1, 200 + rung)) for rung in range(15)
    )
    usual = AnteResult(Fraction(1, 4), Fraction(-1, 5))
    threes = with_minimum(usual, rungs, HandMinimum(Category.PAIR, Rank.THREE))
    assert threes == (Fraction(1, 4) + Fraction(1, 100), Fraction(-1, 5) + Fraction(1, 200))
    assert with_minimum(usual, rungs, USUAL) == usual
    two_pair = with_minimum(usual, rungs, TWO_PAIR)
    assert two_pair.unqualified == Fraction(1, 4) + sum(rung.often for rung in rungs[:13])
    straight = with_minimum(usual, rungs, HandMinimum(Category.STRAIGHT))
    assert straight.win_less_lose == Fraction(-1, 5) - sum(r.win_less_lose for r in rungs)


def test_the_house_way_loses_to_each_rung_what_it_wins_with_it() -> None:
    """The full deck by the symmetry: the distribution of a round counts the player's hands."""
    kept = usual_counts().house_way
    assert kept.rungs is not None
    assert kept.spread is not None
    lost = {
        category: some.lose - some.win - some.unqualified
        for category, some in kept.spread.told_apart.items()
    }
    nets = [rung.win_less_lose for rung in kept.rungs]
    assert nets[13] == lost[Category.TWO_PAIR]
    assert nets[14] == lost[Category.THREE_OF_A_KIND]
    assert sum(nets[:13]) == kept.win_less_lose - sum(lost.values())
    often = [rung.often for rung in kept.rungs]
    assert sum(often[:13]) == kept.final[Category.PAIR]
    assert often[13:] == [kept.final[Category.TWO_PAIR], kept.final[Category.THREE_OF_A_KIND]]


@pytest.mark.parametrize("name", usual_counts().strategies)
def test_kept_rungs_are_possible(name: str) -> None:
    strategy = usual_counts().strategies[name]
    assert strategy.rungs is not None
    assert len(strategy.rungs) == len(RUNG_HANDS)
    for rung in strategy.rungs:
        assert abs(rung.win_less_lose) < rung.often
    pairs = [rung.win_less_lose / rung.often for rung in strategy.rungs[:13]]
    # The better the dealer's pair, the more is lost.
    assert pairs == sorted(pairs, reverse=True)
    for least in QUALIFYING[1:]:
        unqualified, nets = strategy.against(least)
        assert abs(nets) <= 1 - unqualified


def test_the_house_way_follows_from_the_symmetry_for_every_hand() -> None:
    for least in QUALIFYING:
        priced = figures(least)
        both = priced.ante.both_unqualified
        assert 0 <= both <= priced.ante.unqualified
        assert priced.expected == usual_counts().house_way.value(priced.terms)
    assert figures(ALWAYS).expected == usual_counts().house_way.paid(TERMS.ante_bonus)
    assert figures(ALWAYS).fair_share is None


def test_best_play_has_a_lower_bound_alone() -> None:
    priced = figures(TENS)
    assert known_best_play(priced) is None
    least, most = best_play_limits(priced)
    assert most is None
    values = [kept.value(priced.terms) for kept in usual_counts().strategies.values()]
    assert least == max(values)


def test_what_is_not_counted_is_refused() -> None:
    house = load_house("draw")
    basic = usual_counts().strategies["basic"]
    assert not basic.prices(TERMS.requiring(ALWAYS))
    with pytest.raises(ValueError, match="not counted against a dealer who always qualifies"):
        basic.value(TERMS.requiring(ALWAYS))
    with pytest.raises(ValueError, match="only for a dealer who qualifies with a pair"):
        price_draw_house(house, TERMS.requiring(TENS))
    with pytest.raises(ValueError, match="for another qualifying hand"):
        price_draw_house(house, TERMS.requiring(TENS), ante=known_house_way())
    with pytest.raises(ValueError, match="not with pair of tens or better"):
        advise_draw(parse_cards("2c 3c 4c 5c 7d"), TERMS.requiring(TENS))
    assert basic.spread is not None
    assert not basic.spread.prices(TERMS.requiring(TENS))
    with pytest.raises(ValueError, match="not with pair of tens or better"):
        basic.spread.nets(TERMS.requiring(TENS))
