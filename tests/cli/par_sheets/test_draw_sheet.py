"""Every exact cell of a sheet of draw is the library's fraction, and none is left unchecked."""

from fractions import Fraction

import pytest

from openfelt.cli.figures.draw_edge_report import BASIC, PLAYED, known_plays
from openfelt.cli.par_sheets.draw_sheet import draw_sheet
from openfelt.cli.par_sheets.run_plans import house_plan
from openfelt.maths.draw.best_play import (
    best_play_limits,
    bonus_nets,
    known_best,
    known_best_play,
    known_house_way,
)
from openfelt.maths.draw.bonus import DrawPlay
from openfelt.maths.draw.draw_figures import DrawFigures, draw_terms_of, price_draw_house
from openfelt.maths.draw.strategy_counts import StrategyCounts, usual_counts
from tests.kit.cli.exact_cells import VARIANCE, Cells, cells_of, ends, signed_nets, titled
from tests.kit.maths.kept_draws import keep, whole_counts
from tests.kit.own_houses import own_house


def test_every_exact_cell_of_ultimate_draw_is_the_librarys(draw: DrawFigures) -> None:
    assert cells_of(draw_sheet(draw)) == {**antes(draw), **bonuses(draw)}


def antes(figures: DrawFigures) -> Cells:
    ante, terms, counts = figures.ante, figures.terms, usual_counts()
    basic, best = counts.strategies[BASIC], known_best_play(figures)
    held_best = known_best(figures)
    assert best is not None
    assert held_best is not None
    fair, best_fair = figures.fair_share, figures.fair_share_with(best.value)
    assert fair is not None
    assert best_fair is not None
    rows = {
        "The Ante, held the house way": {
            **worth(figures.expected),
            "Lost to a qualified dealer": ante.lost_to_dealer,
            "Paid by an unqualified dealer": terms.unqualified_pays * ante.unqualified,
            "Ante Bonus": ante.bonus(terms.ante_bonus),
            "Dealer does not qualify": ante.unqualified,
            "Neither hand has a pair": ante.both_unqualified,
            "Fair if an unqualified dealer paid": fair,
            **final_hands(counts.house_way),
            **ends(nets_of(figures, counts.house_way)),
        },
        "The Ante, held best": {
            **worth(held_best.value(terms)),
            "More than by the house way": best.value - figures.expected,
            "The house way is not the best": held_best.differs,
            "Fair if an unqualified dealer paid": best_fair,
            **final_hands(held_best),
            **ends(nets_of(figures, held_best)),
        },
        "The basic strategy": {
            **worth(basic.value(terms)),
            "More than by the house way": basic.value(terms) - figures.expected,
            "Less than held best": best.value - basic.value(terms),
            "Hands that the house way holds differently": basic.differs,
            **final_hands(basic),
            **ends(nets_of(figures, basic)),
        },
    }
    cells: Cells = {}
    for title, named in rows.items():
        cells |= titled(title, named)
    for kept in (counts.house_way, held_best, basic):
        title = f"Results of a round in Antes, h{kept.title[1:]}"
        cells |= titled(title, signed_nets(nets_of(figures, kept)))
        assert kept.spread is not None
        cells[f"{title}: spread", VARIANCE] = kept.spread.variance(terms)
    return cells


def final_hands(kept: StrategyCounts) -> dict[str, Fraction]:
    return {f"Final hand: {c.words}": share for c, share in kept.final.items()}


def test_final_hands_stand_side_by_side(draw: DrawFigures) -> None:
    """The Bonus pays by the final hand, so its awards have the shares of the house way."""
    part = next(one for one in draw_sheet(draw).sections if one.title == "Final hands")
    assert part.columns == (
        "hand",
        "Held the house way",
        "Held best for the Ante alone",
        "Held by the basic strategy",
    )
    rows = {row[0]: row[1:] for row in part.rows}
    bonus = draw.bonuses[DrawPlay.HOUSE_WAY]
    for award in bonus.awards:
        hand = award.label.lower()
        if hand in rows:
            assert rows[hand][0] == f"{award.deals / bonus.deals:.8%}"
    assert len([award for award in bonus.awards if award.label.lower() in rows]) > 5
    assert rows["Total"] == ("100.00000000%",) * 3
    for place in range(3):
        shares = [float(cells[place].removesuffix("%")) for cells in rows.values()]
        assert sum(shares[:-1]) == pytest.approx(100, abs=1e-6)


def worth(value: Fraction) -> dict[str, Fraction]:
    return {"Expected result per Ante": value, "House advantage per Ante": -value}


def nets_of(figures: DrawFigures, kept: StrategyCounts) -> dict[Fraction, Fraction]:
    assert kept.spread is not None
    return kept.spread.nets(figures.terms)


def bonuses(figures: DrawFigures) -> Cells:
    cells: Cells = {}
    for play, bet in figures.bonuses.items():
        title = f"Bonus with {bet.paytable}, h{PLAYED[play][1:]}"
        cells |= titled(
            title, {f"{a.label} {a.net}": Fraction(a.deals, bet.deals) for a in bet.awards}
        )
        named = {"House advantage": bet.house_advantage, "Hit frequency": bet.hit_frequency}
        cells |= titled(f"{title}: figures", named)
        cells[f"{title}: spread", VARIANCE] = bet.variance
    cells |= titled("One unit on every wager: covariance and variance", vary_together(figures))
    return {**cells, **titled("The Ante with the Bonus", together(figures))}


def vary_together(figures: DrawFigures) -> dict[str, Fraction]:
    """Covariance and variance of one unit on each wager, by how the player holds."""
    nets, counts = bonus_nets(figures, Fraction(1)), usual_counts()
    assert nets is not None
    named = {"held best for both": known_best(figures, Fraction(1))}
    for kept in (counts.house_way, known_best(figures), counts.strategies[BASIC]):
        assert kept is not None
        named[f"h{kept.title[1:]}"] = kept
    cells = {}
    for held, kept in named.items():
        assert kept is not None
        assert kept.spread is not None
        cells[f"Covariance, {held}"] = kept.spread.covariance(figures.terms, nets)
        cells[f"Variance, {held}"] = kept.spread.variance_with(figures.terms, nets)
    return cells


def test_the_matrix_of_covariances_is_that_of_the_house_way(draw: DrawFigures) -> None:
    spread, nets = usual_counts().house_way.spread, bonus_nets(draw, Fraction(1))
    matrix = draw_sheet(draw).covariances
    assert spread is not None
    assert nets is not None
    assert matrix is not None
    assert matrix.total == spread.variance_with(draw.terms, nets)
    assert matrix.cells["game", "bonus"] == spread.covariance(draw.terms, nets)
    assert matrix.cells["bonus", "bonus"] == draw.bonuses[DrawPlay.HOUSE_WAY].variance


def together(figures: DrawFigures) -> dict[str, Fraction]:
    """With the best holds for both if their counts are kept, otherwise with their limits."""
    unit = Fraction(1)
    alone, best = known_best(figures), known_plays(figures, unit).get(unit)
    basic, nets = usual_counts().strategies[BASIC], bonus_nets(figures, unit)
    assert alone is not None
    values = {
        "Held the house way": figures.together(unit),
        alone.title: alone.value(figures.terms, nets),
        basic.title: basic.value(figures.terms, nets),
    }
    if best is None:
        least, most = best_play_limits(figures, unit)
        assert most is not None
        return values | {"Held best for both, at least": least, "Held best for both, at most": most}
    differs = {"The house way is not the best for both": best.differs}
    return {**values, "Held best for both": best.value, **differs}


@pytest.mark.parametrize(
    "hand", [{"hand": "pair", "at_least": "10"}, {"hand": "two pair"}, {"hand": "high card"}]
)
def test_a_house_with_another_qualifying_hand(hand: dict[str, str]) -> None:
    house = own_house("draw", {"dealer_qualifies": hand})
    least = draw_terms_of(house).qualifying
    figures = price_draw_house(house, ante=known_house_way(least))
    cells, counts = cells_of(draw_sheet(figures)), usual_counts()
    held = "The Ante, held the house way"
    unqualified, nets = counts.house_way.against(least)
    assert cells[held, "Expected result per Ante"] == counts.house_way.value(figures.terms)
    assert cells[held, "Dealer does not qualify"] == unqualified
    assert cells[held, "Neither hand qualifies"] == unqualified + nets
    assert (held, "Neither hand has a pair") not in cells
    assert (held, "Rounds won (hit frequency)") not in cells
    basic, always = counts.strategies[BASIC], not unqualified
    assert ((held, "Fair if an unqualified dealer paid") in cells) is not always
    assert (("The basic strategy", "Expected result per Ante") in cells) is not always
    if not always:
        value = cells["The basic strategy", "Expected result per Ante"]
        assert value == basic.value(figures.terms)
    titles = {title for title, _ in cells}
    assert "The Ante, held best" not in titles
    assert not any(title.startswith("Results of a round") for title in titles)
    assert ("The Ante with the Bonus", "Held best for both, at least") in cells
    assert ("The Ante with the Bonus", "Held best for both, at most") not in cells
    # The seeded run plays the Ante alone.
    assert house_plan(house).exact == {"game": (figures.expected, None)}


def test_every_exact_cell_once_all_counts_are_kept(
    draw: DrawFigures, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = whole_counts()
    keep(monkeypatch, counts)
    monkeypatch.setattr(f"{__name__}.usual_counts", lambda: counts)
    cells = cells_of(draw_sheet(draw))
    assert ("The Ante with the Bonus", "Held best for both") in cells
    assert cells == {**antes(draw), **bonuses(draw)}
