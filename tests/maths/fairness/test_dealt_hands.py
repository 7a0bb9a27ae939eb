"""Dealt hands beside their exact probabilities."""

from collections import Counter

from openfelt.cards import Category
from openfelt.maths.fairness.dealt_hands import even, fit, five_card_chances, seven_card_chances


def test_chances_add_up_and_fair_counts_fit() -> None:
    for chances in (five_card_chances(), seven_card_chances()):
        assert abs(sum(chances.values()) - 1) < 1e-12
        fair = {category: round(100_000 * chance) for category, chance in chances.items()}
        found = fit(fair, chances)
        assert found is not None
        assert found > 0.99


def test_a_dealer_who_makes_too_many_flushes_is_found() -> None:
    chances = seven_card_chances()
    found = Counter({category: round(5000 * chance) for category, chance in chances.items()})
    found[Category.FLUSH] += 80
    p_value = fit(found, chances)
    assert p_value is not None
    assert p_value < 0.003


def test_little_says_nothing() -> None:
    assert fit({Category.PAIR: 3}, seven_card_chances()) is None
    assert even(5, 5) is None


def test_wins_and_losses_are_even() -> None:
    fair, unfair = even(500, 510), even(600, 400)
    assert fair is not None
    assert unfair is not None
    assert fair > 0.5
    assert unfair < 0.003
