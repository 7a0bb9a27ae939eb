"""The exact figures of a house, laid out."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from openfelt.catalog import load_catalog, load_house
from openfelt.cli.complaint import Complaint
from openfelt.cli.figures.edge import _stakes
from openfelt.cli.figures.edge_report import BASES, claims_of, figures_facts, figures_report
from openfelt.cli.figures.number_format import percent
from openfelt.cli.terminal import make_console
from openfelt.maths.wagers.house_figures import HouseFigures
from openfelt.maths.wagers.side_bet_figures import price_trips
from openfelt.rules.house import SeveralWinners
from openfelt.rules.paytable import HandPaytable
from tests.kit.maths.solution import price_once
from tests.kit.repository import ROOT


@cache
def washington() -> HouseFigures:
    return price_once(load_house("washington"), meter_units=Fraction(20_000))


def printed(figures: HouseFigures) -> str:
    console = make_console(width=160)
    with console.capture() as shown:
        console.print(figures_report(figures, {"game": 1}))
    return shown.get()


def test_a_house_with_every_side_bet_fits_eighty_columns(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stakes = _stakes(load_house("washington"), [])
    make_console(width=80).print(figures_report(washington(), stakes))
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
    for words in (
        "Bad Beat",
        "Ultimate Pairs",
        "Progressive",
        "Alone in it",
        "Volatility index",
    ):
        assert words in shown


def test_the_progressive_follows_its_meter() -> None:
    found = figures_facts(washington(), {"game": 1})["progressive"]
    assert found["meter_cents"] == 2_000_000
    alone, full = found["by_hands"]["1"], found["by_hands"]["6"]
    assert alone["break_even_meter_units"] == pytest.approx(160_530.526, abs=1e-3)
    assert full["expected"] > alone["expected"]
    assert "/" in full["expected_fraction"]


def test_the_fair_meter_is_not_rounded_down() -> None:
    """With 160,530.526 units the wager is fair; a cent less than the next is not enough."""
    assert "from $160,530.53" in printed(washington())


@pytest.mark.clause("R.24")
def test_several_winners_are_told_as_the_house_pays_them() -> None:
    figures = washington()
    assert "Winners of one share in one round divide it (R.24)." in printed(figures)
    link = figures.house.progressive
    assert link is not None
    in_order = replace(link, several_winners=SeveralWinners.IN_ORDER)
    figures = replace(figures, house=replace(figures.house, progressive=in_order))
    assert "Winners of one share in one round are paid one after another (R.24)." in printed(
        figures
    )


@pytest.mark.clause("R.16")
def test_trips_agrees_and_the_whole_game_does_not() -> None:
    claims = {claim.words: claim.agrees for claim in claims_of(washington())}
    assert claims == {"Trips UTH-01": True, "Whole game, basis not stated": False}


def test_stakes_are_units_of_the_ante() -> None:
    house = load_house("washington")
    assert _stakes(house, ["bad beat=1/4"]) == {"game": 1, "bad_beat": Fraction(1, 4)}
    for wrong in ("play=1", "trips=x", "trips=-1", "trips=1/0", "trips=1e400"):
        with pytest.raises(Complaint):
            _stakes(house, [wrong])
    with pytest.raises(Complaint, match="twice"):
        _stakes(house, ["trips=1", "trips=2"])


@pytest.mark.clause("R.16")
def test_the_page_of_claims_says_what_is_counted() -> None:
    page = (ROOT / "docs/why/claims.md").read_text(encoding="utf-8")
    for name in ("UTH-01", "UTH-02", "UTH-03", "UTH-04"):
        table = load_catalog().paytables["trips", name]
        assert isinstance(table, HandPaytable)
        counted = percent(price_trips(table).house_advantage)
        claimed = f"| W | Trips with {name}: {table.claimed_advantage} | {counted} | yes |"
        assert claimed in page
    solution = washington().solution
    assert f"exactly {-solution.ev_per_ante} of an Ante" in page
    for basis, returned in solution.returns.items():
        assert f"{BASES[basis].split(' (')[0]}" in page
        assert f"| {percent(1 - returned)} |" in page
