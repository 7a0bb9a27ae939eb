"""Advice on one hand of Ultimate Draw."""

from fractions import Fraction

import numpy as np
import pytest

from openfelt.cards import Category, format_cards, parse_cards
from openfelt.catalog import load_catalog, load_house
from openfelt.maths.draw import hold_advice
from openfelt.maths.draw.ante_results import HOLDS, Results, deals_of
from openfelt.maths.draw.bonus import award_nets
from openfelt.maths.draw.draw_figures import DrawTerms, draw_terms_of
from openfelt.maths.draw.hold_advice import HoldValue, advise_draw
from openfelt.maths.holdem.adviser import ImpossibleQuestionError
from openfelt.maths.wagers.side_bet_figures import LOSS
from openfelt.rules.paytable import HandPaytable


@pytest.fixture
def always_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Ante is lost in three quarters of all deals, and the dealer does not qualify in a fifth.

    Counting a hand of 52 cards takes seconds.
    """

    def results(hand: list[int], *, seen: list[int], **_: object) -> Results:
        deals = deals_of(52 - len(hand) - len(seen))
        return np.array([[0, 3 * deals // 4, deals // 5]] * HOLDS)

    monkeypatch.setattr(hold_advice, "count_hold_results", results)


def udp_01() -> HandPaytable:
    table = load_catalog().paytables["bonus", "UDP-01"]
    assert isinstance(table, HandPaytable)
    return table


def held(values: tuple[HoldValue, ...], text: str) -> HoldValue:
    return next(hold for hold in values if format_cards(hold.held) == text)


def test_a_hold_is_worth_ante_ante_bonus_and_bonus(always_lost: None) -> None:
    table = udp_01()
    values = advise_draw(
        parse_cards("9s 8s 7s 6s 2d"),
        draw_terms_of(load_house("draw")),
        bonus=table,
        bonus_units=Fraction(2),
    )
    four = held(values, "6s 7s 8s 9s")
    assert (four.win, four.lose, four.unqualified, four.tie) == (
        Fraction(0), Fraction(3, 4), Fraction(1, 5), Fraction(1, 20),
    )  # fmt: skip
    assert four.ante == Fraction(1, 10) - Fraction(3, 4)
    # Of 47 cards, two make a straight flush, seven a flush and six a straight.
    assert four.ante_bonus == Fraction(2 * 25 + 7, 47)
    assert four.bonus == 2 * Fraction(2 * 150 + 7 * 7 + 6 * 6 - 32, 47)
    assert values[0] is four
    assert len({hold.held for hold in values}) == HOLDS


def test_seen_cards_cannot_be_drawn(always_lost: None) -> None:
    terms = DrawTerms(Fraction(1, 2), {Category.FLUSH: Fraction(1)})
    hand, seen = parse_cards("Ks Qs 9s 5s 2h"), parse_cards("2s 3s 4s")
    four = held(advise_draw(hand, terms, seen=seen), "5s 9s Qs Ks")
    assert four.categories[Category.FLUSH] == Fraction(6, 44)
    assert four.bonus == 0


def test_standing_hands_draw_nothing(always_lost: None) -> None:
    terms = DrawTerms(Fraction(0), {Category.FULL_HOUSE: Fraction(2)})
    values = advise_draw(parse_cards("3c 3d 3h Kc Kd"), terms)
    assert values[0].held == parse_cards("3c 3d 3h Kc Kd")
    assert values[0].value == 2 - Fraction(3, 4)


@pytest.mark.parametrize(
    ("hand", "seen", "said"),
    [
        ("Ks Kd 9s 5h", "", "a hand has five cards, not 4"),
        ("Ks Kd 9s 5h 2c", "Ks 2c", "2c Ks are given more than once"),
    ],
)
def test_impossible_questions_are_refused(hand: str, seen: str, said: str) -> None:
    terms = DrawTerms(Fraction(1, 2), {})
    with pytest.raises(ImpossibleQuestionError, match=said):
        advise_draw(parse_cards(hand), terms, seen=parse_cards(seen))


@pytest.mark.sweep
def test_the_house_way_is_not_always_best() -> None:
    """Queen, king and ace of different suits are held by the dealer; the queen is worth less."""
    values = advise_draw(parse_cards("7s Ts Qs Kc Ad"), draw_terms_of(load_house("draw")))
    assert format_cards(values[0].held) == "Kc Ad"
    assert values[0].value - held(values, "Qs Kc Ad").value > Fraction(6, 100)


@pytest.mark.sweep
def test_the_bonus_changes_the_best_hold_s_value_as_its_own_count_says() -> None:
    table = udp_01()
    nets = dict.fromkeys(Category, LOSS) | award_nets(table)
    terms = draw_terms_of(load_house("draw"))
    hand = parse_cards("Ks Qs 9s 5s 2h")
    plain = advise_draw(hand, terms)
    both = advise_draw(hand, terms, bonus=table, bonus_units=Fraction(1))
    for hold in plain:
        mean = sum((nets[c] * hold.categories[c] for c in Category), Fraction(0))
        twin = next(other for other in both if other.held == hold.held)
        assert twin.value - hold.value == mean
