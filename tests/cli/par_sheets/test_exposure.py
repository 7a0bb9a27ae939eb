"""The largest awards of a par sheet, and the most that a round can cost."""

from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from openfelt.catalog import load_house
from openfelt.cli.par_sheets.draw_sheet import draw_sheet
from openfelt.cli.par_sheets.exposure import Exposure, exposure
from openfelt.cli.par_sheets.holdem_sheet import holdem_sheet
from openfelt.cli.par_sheets.sheet import ParSheet, Section
from openfelt.maths import HouseFigures
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.rules import House, WagerKind
from openfelt.rules.house import PayoutAggregate, SeveralWinners

LARGEST = {
    WagerKind.BLIND: Fraction(500),
    WagerKind.TRIPS: Fraction(50),
    WagerKind.BAD_BEAT: Fraction(7500),
    WagerKind.ULTIMATE_PAIRS: Fraction(1000),
    WagerKind.PLAY_THE_BOARD: Fraction(1000),
    WagerKind.PROGRESSIVE: Fraction(9999),
}


def section(sheet: ParSheet, title: str) -> Section:
    return next(part for part in sheet.sections if part.title == title)


def by_words(most: Exposure) -> dict[str, tuple[int, int]]:
    return {words: (hand, table) for words, _, _, hand, table in most.rows}


def limited(house: House, **changes: object) -> House:
    """The house with other values in its latest limits."""
    latest = house.latest_limits
    assert latest is not None
    return replace(house, limits=(replace(latest, **changes),))  # type: ignore[arg-type]


def test_how_often_the_largest_awards_come(online: HouseFigures) -> None:
    rows = {row[0]: row[1:] for row in section(holdem_sheet(online), "Largest awards").rows}
    royals = 4 * comb(47, 2)
    often = f"{comb(52, 7) / royals:,.2f}"
    assert rows["Trips with UTH-03"] == ("Royal flush", "50 units", f"{royals:,}", often)
    assert rows["Results of a round, in Antes"][1] == "505 Antes"
    assert rows["Ante alone, in Antes"][1] == "1 Ante"


@pytest.mark.parametrize("game", ["online", "draw"])
def test_no_row_of_a_table_pays_more_than_its_largest_award(
    game: str, online: HouseFigures, draw: DrawFigures
) -> None:
    """From the printed tables alone: the top row, and deals over deals."""
    sheet = holdem_sheet(online) if game == "online" else draw_sheet(draw)
    largest = {row[0]: row for row in section(sheet, "Largest awards").rows}
    tables = [part for part in sheet.sections if part.awards is not None]
    assert list(largest) == [part.title for part in tables]
    for part in tables:
        *lines, last = part.rows
        top = max(lines, key=lambda row: Fraction(row[3]))
        _, label, net, deals, often = largest[part.title]
        assert (label, deals) == (top[0], top[1])
        assert Fraction(net.split()[0].replace(",", "")) == Fraction(top[3])
        share = int(last[1].replace(",", "")) / int(top[1].replace(",", ""))
        assert often == f"{share:,.2f}"


def test_a_hand_at_the_limits_of_washington() -> None:
    """By hand: 100 dollars on each wager, Play 400, one dollar on the progressive; at most six."""
    most = exposure(load_house("washington"), LARGEST)
    assert by_words(most) == {
        "Ante": (10_000, 60_000),
        "Play": (40_000, 240_000),
        "Blind": (5_000_000, 30_000_000),
        "Trips": (500_000, 3_000_000),
        "Bad Beat": (75_000_000, 450_000_000),
        "Ultimate Pairs": (10_000_000, 60_000_000),
        # Six royal flushes or straight flushes win 110% of 10,000 dollars and bring Envy of 400
        # dollars to five others each.
        "Progressive": (1_000_000 - 100, 1_100_000 + 6 * 5 * 40_000 - 600),
    }
    # The progressive would be the seventh wager; the three side bets cost more.
    assert "Progressive" not in most.carried
    assert most.hand_cents == 10_000 + 40_000 + 5_000_000 + 500_000 + 75_000_000 + 10_000_000
    assert most.table_cents == 6 * most.hand_cents + 2_299_400


def test_a_hand_carries_only_what_the_rules_accept() -> None:
    """Bad Beat needs Trips, so a hand with four wagers cannot have it."""
    most = exposure(limited(load_house("washington"), wagers_per_hand_max=4), LARGEST)
    assert most.carried == ("Ante", "Play", "Blind", "Ultimate Pairs")
    assert most.hand_cents == 5_050_000 + 10_000_000


def test_payout_aggregates_limit_a_hand_and_a_table() -> None:
    house = load_house("washington")
    limit = (PayoutAggregate(WagerKind.BAD_BEAT, 100_000_000),)
    most, full = (
        exposure(limited(house, payout_aggregates=limit), LARGEST),
        exposure(house, LARGEST),
    )
    assert by_words(most)["Bad Beat"] == (75_000_000, 100_000_000)
    assert most.hand_cents == full.hand_cents
    assert full.table_cents - most.table_cents == 450_000_000 - 100_000_000
    small = (PayoutAggregate(WagerKind.BAD_BEAT, 1_000_000),)
    assert by_words(exposure(limited(house, payout_aggregates=small), LARGEST))["Bad Beat"] == (
        1_000_000,
        1_000_000,
    )


def test_winners_that_are_paid_in_order_can_each_win_the_seed() -> None:
    house = load_house("washington")
    assert house.progressive is not None
    link = replace(house.progressive, several_winners=SeveralWinners.IN_ORDER)
    most = exposure(replace(house, progressive=link), LARGEST)
    assert by_words(most)["Progressive"][1] == 6 * (1_000_000 + 5 * 40_000 - 100)


def test_a_player_dealer_banks_for_the_other_seats(draw: DrawFigures) -> None:
    california = exposure(load_house("california"), LARGEST)
    assert california.hands == load_house("california").seats - 1
    assert exposure(load_house("stadium"), LARGEST).hands == 6000
    told = " ".join(section(draw_sheet(draw), "The most that a round can cost").sentences)
    # One Ante of 200 dollars, at even money and 50 to 1.
    assert "51 Antes, or $10,200.00" in told


def test_wagers_for_the_dealer_cost_as_well() -> None:
    stadium = load_house("stadium")
    both, alone = (
        exposure(stadium, LARGEST),
        exposure(replace(stadium, dealer_wagers=None), LARGEST),
    )
    assert both.hand_cents == 2 * alone.hand_cents
