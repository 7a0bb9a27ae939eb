"""``openfelt compare``."""

from fractions import Fraction

import pytest

from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.parallel import workers_available
from openfelt.maths.wagers import house_figures
from openfelt.maths.wagers.house_figures import HouseFigures
from openfelt.rules import House
from tests.kit.cli.commands import complaint, facts, output
from tests.kit.maths.solution import join_once, solve_once


@pytest.fixture(autouse=True)
def used(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Take the usual game and its side bets from where the other tests have them.

    It is the number of workers that each game would have been solved with.
    """
    used: list[int] = []
    monkeypatch.setattr(house_figures, "join_wagers", join_once)
    price = house_figures.price_house

    def priced(house: House, **options: object) -> HouseFigures:
        del options
        used.append(workers_available())
        return price(house, solution=solve_once(terms_of(house)))

    monkeypatch.setattr(house_figures, "price_house", priced)
    return used


def test_the_number_of_threads_is_chosen(
    used: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    output(capsys, "compare", "online", "washington", "--workers", "5")
    assert used == [5, 5]


def test_two_paytables_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "compare", "trips=UTH-03", "trips=UTH-01", "--house", "online")
    assert found["first"]["house"] == found["second"]["house"] == "online"
    assert found["first"]["fingerprint"] != found["second"]["fingerprint"]
    figures = {figure["figure"]: figure for figure in found["figures"]}
    advantage = figures["Trips: house advantage"]
    assert (advantage["first"], advantage["second"]) == pytest.approx(
        (0.034979, 0.009018), abs=1e-6
    )
    first, second = (Fraction(advantage[f"{side}_fraction"]) for side in ("first", "second"))
    assert Fraction(advantage["difference_fraction"]) == second - first
    assert figures["Expected result per Ante"]["difference"] == 0
    assert {"award": "Trips: Flush", "first": "7 to 1", "second": "7 to 1"} not in found["pays"]
    assert found["pays"][0] == {"award": "Trips: paytable", "first": "UTH-03", "second": "UTH-01"}


def test_a_house_with_wagers_that_the_other_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    printed = output(capsys, "compare", "online", "online")
    assert "What is paid differently" not in printed
    assert "Expected result per Ante" in printed
    figures = facts(capsys, "compare", "washington", "online")["figures"]
    lacking = [figure["figure"] for figure in figures if figure["difference"] is None]
    assert any(name.startswith("Bad Beat") for name in lacking)
    assert not any(name.startswith("Trips") for name in lacking)


def test_ultimate_draw_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "compare", "UDP-01", "UDP-04")
    assert found["within"] == "draw"
    figures = {figure["figure"]: figure for figure in found["figures"]}
    for held in ("held the house way", "held best", "held by the basic strategy"):
        for figure in ("Expected result per Ante", "Rounds won", "Variance per Ante"):
            assert figures[f"{figure}, {held}"]["difference"] == 0
    best = figures["Expected result per Ante, held best"]
    assert best["first_fraction"] == "65446310657744017/4239140334401372400"
    advantage = figures["Bonus (held best for the Bonus alone): house advantage"]
    assert advantage["second_fraction"] == "528720287/9657572925"
    together = figures["One Ante and one unit of the Bonus, held the house way"]
    house_way = figures["Expected result per Ante, held the house way"]
    bonus = figures["Bonus (held the house way): house advantage"]
    assert Fraction(together["first_fraction"]) == Fraction(house_way["first_fraction"]) - Fraction(
        bonus["first_fraction"]
    )


def test_the_house_of_the_paytables_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    printed = output(capsys, "compare", "trips=UTH-03", "online")
    assert "Paytables are compared within the house online." in printed
    assert facts(capsys, "compare", "online", "online")["within"] is None


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("washingon", "online"), "no paytable called 'washingon'. The houses are california, "),
        (("draw", "online"), "different games"),
        (("nothing", "UTH-99"), "There is no house and no paytable called 'nothing'"),
        (("trips=UTH-01", "bonus=UDP-01"), "No house has the wagers"),
    ],
)
def test_what_cannot_be_compared(
    names: tuple[str, str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, code = complaint(capsys, "compare", *names)
    assert said in sentence
    assert code == 2
