"""The workbook of a par sheet is opened again, and its formulas are calculated independently."""

from dataclasses import replace
from fractions import Fraction

import pytest

from openfelt.cli.par_sheets.draw_sheet import draw_sheet
from openfelt.cli.par_sheets.formats.workbook import LITERAL_MAX, workbook
from openfelt.cli.par_sheets.holdem_sheet import holdem_sheet
from openfelt.cli.par_sheets.sheet import (
    AwardTable,
    Covariances,
    ParSheet,
    Section,
    award_section,
    return_bands,
)
from openfelt.maths import HouseFigures
from openfelt.maths.draw.draw_figures import DrawFigures
from tests.kit.maths.spreadsheet import Spreadsheet


def test_formulas_equal_the_fractions(online: HouseFigures) -> None:
    sheet = holdem_sheet(online)
    content = workbook(sheet)
    assert workbook(sheet) == content, "the same sheet gives the same file"
    solution = online.solution
    game = Spreadsheet(content, "Results of a round, in Antes")
    total = game.row_of("Total")
    assert game.value(total, 2) == solution.deals
    assert game.value(total, 5) == solution.ev_per_ante
    assert game.value(total, 6) == 1 + solution.ev_per_ante
    assert game.value(game.row_of("Variance"), 2) == solution.variance
    for name, words in (
        ("per_ante", "House advantage per Ante"),
        ("per_three_units", "House advantage per three units"),
        ("per_unit_staked", "House advantage per unit staked (element of risk)"),
    ):
        row = game.row_of(words)
        assert game.value(row, 2) == 1 - solution.returns[name]
        assert Fraction(game.raw(row, 5)) == 1 - solution.returns[name]
        assert abs(float(game.value(row, 4))) < 1e-15
    index = game.value(game.row_of("Volatility index at 90%, one Ante in one round"), 2)
    assert index == pytest.approx(solution.volatility)


def test_every_award_of_every_table_is_checked(online: HouseFigures) -> None:
    sheet = holdem_sheet(online)
    content = workbook(sheet)
    for table in sheet.award_tables:
        check_awards(Spreadsheet(content, table.title), table)
    page = Spreadsheet(content, "Covariance matrix")
    exact = online.joint.variance({"game": 1, "trips": 1})
    row = page.row_of("Variance")
    assert float(page.value(row, 2)) == pytest.approx(float(exact), rel=1e-12)
    assert Fraction(page.raw(row, 5)) == exact


def test_the_workbook_of_ultimate_draw_has_every_count_exactly(draw: DrawFigures) -> None:
    whole = draw_sheet(draw)
    # Pictures take the most time, and are opened for hold'em.
    sheet = replace(whole, sections=tuple(replace(part, charts=()) for part in whole.sections))
    content = workbook(sheet)
    assert Spreadsheet.names(content)[1:-1] == [
        "Round, house way",
        "Round, held best",
        "Round, basic strategy",
        "Bonus UDP-01, best holds",
        "Bonus UDP-01, house way",
        "Covariance matrix",
    ]
    for table in sheet.award_tables:
        page = Spreadsheet(content, table.short_title)
        assert page.raw(1, 1) == table.title
        first = page.row_of("result") + 1
        rows = range(first, first + len(table.awards))
        if table.deals >= LITERAL_MAX:
            counts = [int(page.raw(row, 7).replace(",", "")) for row in rows]
            assert counts == [deals for _, deals, _ in table.awards]
            assert page.raw(page.row_of("Total"), 7) == f"{table.deals:,}"
        mean = page.value(page.row_of("Expected result"), 2)
        assert float(mean) == pytest.approx(float(table.mean), abs=1e-14)
        assert Fraction(page.raw(page.row_of("Variance"), 5)) == table.variance
    assert sheet.award_tables[0].deals >= LITERAL_MAX


def check_awards(page: Spreadsheet, table: AwardTable) -> None:
    first = page.row_of("result") + 1
    for row, (label, deals, net) in enumerate(table.awards, first):
        assert page.raw(row, 1) == label
        assert (page.value(row, 2), page.value(row, 4)) == (deals, net)
        assert str(page.raw(row, 5)).startswith("="), "a contribution is a formula"
        assert page.value(row, 5) == deals * net / Fraction(table.deals)
        assert page.value(row, 6) == deals * (1 + net) / Fraction(table.deals)
    assert page.value(page.row_of("Hit frequency"), 2) == table.hit_frequency
    net, deals = max((net, deals) for _, deals, net in table.awards)
    assert page.value(page.row_of(f"Largest award, in {table.unit}s"), 2) == net
    assert page.value(page.row_of("Largest award, one in"), 2) == Fraction(table.deals, deals)
    bands = page.row_of("Return by rounds, normal approximation")
    low, high = (float(page.value(bands + 1, column)) for column in (2, 3))
    assert (low + high) / 2 == pytest.approx(1 + float(table.mean))
    deviation = float(table.variance) ** 0.5
    assert high - low == pytest.approx(2 * 1.6448536269514722 * deviation / 1000**0.5)
    exact = page.row_of("Return by rounds, as on the sheet")
    for column, value in ((2, 0), (3, 1)):
        found = float(page.value(exact + 1, column))
        assert found == return_bands(table, 1000).ends[0][value]


def test_a_text_never_becomes_a_formula_and_long_titles_stay_apart() -> None:
    table = AwardTable(
        "A very long title of a table: of awards / one",
        "unit",
        (("=1+1", 3, Fraction(7, 3)), ("+2", 5, Fraction(-1))),
        (("per unit", Fraction(1)),),
    )
    sheet = ParSheet(
        "=cmd()",
        (Section("=A1", ("=HYPERLINK(1)",)), award_section(table), award_section(table)),
        Covariances(("game",), ("Game",), {("game", "game"): Fraction(1)}),
    )
    content = workbook(sheet)
    names = Spreadsheet.names(content)
    assert names[1:3] == ["A very long title of a table of", "A very long title of a tabl (2)"]
    page = Spreadsheet(content, names[2])
    assert page.page.cell(4, 1).data_type == "s"
    assert page.value(page.row_of("Expected result"), 2) == Fraction(2, 8)
    front = Spreadsheet(content, "Par sheet").page
    assert {cell.data_type for row in front.iter_rows() for cell in row} <= {"s", "n"}
