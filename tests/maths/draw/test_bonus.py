"""The Bonus of Ultimate Draw Poker: advantage, hit frequency and variance over all draws."""

from dataclasses import replace
from fractions import Fraction

import pytest

from openfelt.cards import Rank
from openfelt.catalog import load_catalog
from openfelt.maths.draw.bonus import DrawPlay, price_draw_bonus
from openfelt.rules.paytable import HandPaytable
from tests.kit.repository import ROOT


def bonus(name: str) -> HandPaytable:
    table = load_catalog().paytables["bonus", name]
    assert isinstance(table, HandPaytable)
    return table


@pytest.mark.parametrize(
    ("name", "advantage", "claimed"),
    [
        ("UDP-01", Fraction(73589807, 9657572925), "0.76%"),
        ("UDP-02", Fraction(360282613, 19315145850), "1.87%"),
        ("UDP-03", Fraction(41670841, 1136185050), "3.67%"),
        # The document's last digit is off by one: 5.48%.
        ("UDP-04", Fraction(528720287, 9657572925), "5.47%"),
    ],
)
def test_claims_of_the_document_but_for_the_last_are_exact(
    name: str, advantage: Fraction, claimed: str
) -> None:
    table = bonus(name)
    counted = price_draw_bonus(table)
    assert counted.house_advantage == advantage
    assert f"{float(advantage):.2%}" == claimed
    assert table.claimed_advantage == ("5.48%" if name == "UDP-04" else claimed)
    awards = counted.awards
    assert counted.hit_frequency == 1 - Fraction(awards[-1].deals, counted.deals)
    mean = counted.expected
    spread = sum(award.deals * (award.net - mean) ** 2 for award in awards) / counted.deals
    assert counted.variance == spread


@pytest.mark.parametrize(
    ("name", "hits", "variance"),
    [
        ("UDP-01", Fraction(420825247, 1755922350), "13.5608"),
        ("UDP-02", Fraction(308593381, 1287676390), "13.3729"),
        ("UDP-03", Fraction(2322134, 9647925), "12.9360"),
        ("UDP-04", Fraction(1550190163, 6438381950), "12.6159"),
    ],
)
def test_what_the_document_leaves_blank(name: str, hits: Fraction, variance: str) -> None:
    """The hit frequencies exactly, and the variances to the digits of the page of claims."""
    counted = price_draw_bonus(bonus(name))
    assert counted.hit_frequency == hits
    assert f"{float(counted.variance):.4f}" == variance
    page = (ROOT / "docs/why/claims.md").read_text(encoding="utf-8")
    assert f"{float(hits):.4%}".removesuffix("%") in page
    assert variance in page


def test_the_house_way_never_beats_the_best_holds() -> None:
    table = bonus("UDP-01")
    followed = price_draw_bonus(table, DrawPlay.HOUSE_WAY)
    assert followed.house_advantage > price_draw_bonus(table).house_advantage
    # The dealer's holds do not depend on the table, so neither does what they end in.
    other = price_draw_bonus(bonus("UDP-04"), DrawPlay.HOUSE_WAY)
    assert [award.deals for award in followed.awards] == [award.deals for award in other.awards]


def test_a_table_by_the_rank_of_a_pair_is_refused() -> None:
    table = bonus("UDP-01")
    last = table.rows[-1]
    ranked = replace(last, hand=replace(last.hand, at_least=Rank.JACK))
    with pytest.raises(ValueError, match="rank of a pair"):
        price_draw_bonus(replace(table, rows=(*table.rows[:-1], ranked)))
