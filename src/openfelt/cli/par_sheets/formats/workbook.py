"""A par sheet as a workbook, with live formulas where a laboratory would check a figure.

The first worksheet has everything that the other formats have. Each table of awards then has its
own worksheet: only deals and net results are numbers there, and everything that follows from them
is a formula beside the exact figure.
"""

from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from io import BytesIO
from math import sqrt
from statistics import NormalDist
from typing import Any, Final

import xlsxwriter
from xlsxwriter.utility import xl_rowcol_to_cell

from openfelt.cli.par_sheets.formats.vega_charts import as_png
from openfelt.cli.par_sheets.sheet import (
    ROUNDS,
    AwardTable,
    Covariances,
    ParSheet,
    Section,
    return_bands,
)

NAME_MAX: Final = 31
"""The longest name of a worksheet."""
LITERAL_MAX: Final = 10**15
"""Spreadsheets keep 15 digits, so longer numerators and denominators are written as decimals."""
TAILS: Final = {"90%": Fraction(95, 100), "95%": Fraction(975, 1000), "99%": Fraction(995, 1000)}
"""By confidence, the share below the upper end of a two-sided interval."""
CHART_ROWS: Final = 22
_WRITTEN: Final = datetime(2000, 1, 1)  # noqa: DTZ001 - files have no time zone
"""Replaces the time of writing, so that the same sheet always gives the same file."""


def workbook(sheet: ParSheet) -> bytes:
    """The sheet as an XLSX file."""
    return _Book(sheet).written()


@dataclass
class _Grid:
    """One worksheet, and the row where the next line goes."""

    page: Any
    row: int = 0
    bold: Any = None

    def skip(self) -> None:
        self.row += 1

    def heads(self, *words: str) -> None:
        for column, text in enumerate(words):
            self.page.write_string(self.row, column, text, self.bold)
        self.row += 1

    def text(self, column: int, words: str) -> None:
        # Never `write`: a text that begins with = must not become a formula.
        self.page.write_string(self.row, column, words)

    def number(self, column: int, value: Fraction | int) -> None:
        """A number; a fraction is a formula, so that no digit is lost."""
        exact = Fraction(value)
        if exact.denominator == 1 and abs(exact) < LITERAL_MAX:
            self.page.write_number(self.row, column, int(exact))
        elif max(abs(exact.numerator), exact.denominator) < LITERAL_MAX:
            self.formula(column, f"{exact.numerator}/{exact.denominator}", float(exact))
        else:
            self.page.write_number(self.row, column, float(exact))

    def formula(self, column: int, text: str, value: float) -> None:
        """A formula with its value, for programs that do not calculate."""
        self.page.write_formula(self.row, column, f"={text}", None, value)

    def cell(self, column: int, *, row: int | None = None) -> str:
        return str(xl_rowcol_to_cell(self.row if row is None else row, column, True, True))


@dataclass
class _Book:
    """The workbook while it is being written."""

    sheet: ParSheet
    names: set[str] = field(default_factory=set)

    def written(self) -> bytes:
        stream = BytesIO()
        self.book = xlsxwriter.Workbook(stream, {"in_memory": True})
        self.book.set_properties({"title": self.sheet.title, "created": _WRITTEN})
        self.bold = self.book.add_format({"bold": True})
        self._all_sections()
        for table in self.sheet.award_tables:
            _AwardPage(self._grid(table.short_title or table.title), table).write()
        if self.sheet.covariances is not None:
            self._covariances(self.sheet.covariances)
        for section in self.sheet.sections:
            if section.run:
                self._run(section)
        self._charts()
        self.book.close()
        return stream.getvalue()

    def _grid(self, title: str) -> _Grid:
        plain = "".join(letter for letter in title if letter not in "[]:*?/\\").strip("'")
        name, number = plain[:NAME_MAX], 2
        while name.lower() in self.names:
            name = f"{plain[: NAME_MAX - 4]} ({number})"
            number += 1
        self.names.add(name.lower())
        page = self.book.add_worksheet(name)
        page.set_column(0, 0, 46)
        page.set_column(1, 8, 24)
        return _Grid(page, bold=self.bold)

    def _all_sections(self) -> None:
        grid = self._grid("Par sheet")
        grid.heads(self.sheet.title)
        for section in self.sheet.sections:
            grid.skip()
            grid.heads(section.title)
            for sentence in section.sentences:
                grid.text(0, sentence)
                grid.skip()
            if section.columns:
                grid.heads(*section.columns)
            for row in section.rows:
                for column, text in enumerate(row):
                    grid.text(column, text)
                grid.skip()

    def _covariances(self, matrix: Covariances) -> None:
        grid = self._grid("Covariance matrix")
        grid.heads("Covariance", *matrix.words)
        first = grid.row
        for wager, words in zip(matrix.names, matrix.words, strict=True):
            grid.text(0, words)
            for column, other_wager in enumerate(matrix.names, 1):
                grid.page.write_number(grid.row, column, float(matrix.cells[wager, other_wager]))
            grid.skip()
        cells = f"{grid.cell(1, row=first)}:{grid.cell(len(matrix.names), row=grid.row - 1)}"
        grid.skip()
        grid.heads("One unit on every wager", "by formula", "counted", "difference", "exactly")
        _check(grid, "Variance", f"SUM({cells})", matrix.total)

    def _run(self, section: Section) -> None:
        """The sums of a seeded run; means, standard errors and z-scores are formulas."""
        grid = self._grid(section.title)
        grid.heads(
            "wager",
            "net result in cents",
            "stake of a round in cents",
            "rounds",
            "exact mean",
            "exact variance",
            "simulated",
            "standard error",
            "z-score",
        )
        for line in section.run:
            grid.text(0, line.words)
            for column, value in enumerate((line.net_cents, line.stake_cents, line.rounds), 1):
                grid.number(column, value)
            grid.number(4, line.mean)
            grid.number(5, line.variance)
            net, stake, rounds, mean, variance, run, error = map(grid.cell, range(1, 8))
            grid.formula(6, f"{net}/({stake}*{rounds})", line.simulated)
            grid.formula(7, f"SQRT({variance}/{rounds})", line.error)
            grid.formula(8, f"({run}-{mean})/{error}", line.score)
            grid.skip()

    def _charts(self) -> None:
        grid = self._grid("Charts")
        for chart in self.sheet.charts:
            picture = BytesIO(as_png(chart))
            options = {"image_data": picture, "description": chart.caption}
            options |= {"x_scale": 0.5, "y_scale": 0.5}
            grid.heads(chart.caption)
            grid.page.insert_image(grid.row, 0, f"{chart.kind}.png", options)
            grid.row += CHART_ROWS


def _check(grid: _Grid, words: str, formula: str, exact: Fraction | float) -> str:
    """One figure by formula, as counted, and the difference; returns the formula's cell."""
    grid.text(0, words)
    grid.formula(1, formula, float(exact))
    grid.page.write_number(grid.row, 2, float(exact))
    grid.formula(3, f"{grid.cell(1)}-{grid.cell(2)}", 0)
    if isinstance(exact, Fraction):
        grid.text(4, str(exact))
    cell = grid.cell(1)
    grid.skip()
    return cell


class _AwardPage:
    """The worksheet of one table of awards."""

    def __init__(self, grid: _Grid, table: AwardTable) -> None:
        self.grid = grid
        self.table = table
        self.first = 3
        self.total_row = self.first + len(table.awards)
        self.long_counts = table.deals >= LITERAL_MAX

    def write(self) -> None:
        self.grid.heads(self.table.title)
        sentence = "Deals and net results are counted; all other numbers are formulas."
        if self.table.deal:
            sentence += f" One deal: {self.table.deal}."
        if self.long_counts:
            sentence += (
                " A spreadsheet rounds deals to 15 digits; the last column has them exactly."
            )
        self.grid.text(0, sentence)
        self.grid.skip()
        self._awards()
        self.grid.skip()
        self._figures()

    def _cells(self, column: int) -> str:
        last = self.grid.cell(column, row=self.total_row - 1)
        return f"{self.grid.cell(column, row=self.first)}:{last}"

    def _awards(self) -> None:
        grid, total = self.grid, self.grid.cell(1, row=self.total_row)
        net_head = f"net, in {self.table.unit}s"
        heads = ("result", "deals", "chance", net_head, "contribution", "contribution to return")
        grid.heads(*heads, *(("deals, exactly",) if self.long_counts else ()))
        for label, deals, net in self.table.awards:
            share = Fraction(deals, self.table.deals)
            grid.text(0, label)
            grid.number(1, deals)
            grid.formula(2, f"{grid.cell(1)}/{total}", float(share))
            grid.number(3, net)
            grid.formula(4, f"{grid.cell(1)}*{grid.cell(3)}/{total}", float(share * net))
            returned = f"{grid.cell(1)}*(1+{grid.cell(3)})/{total}"
            grid.formula(5, returned, float(share * (1 + net)))
            self._exact_count(deals)
            grid.skip()
        mean = self.table.mean
        grid.text(0, "Total")
        for column, value in ((1, self.table.deals), (2, 1), (4, mean), (5, 1 + mean)):
            grid.formula(column, f"SUM({self._cells(column)})", float(value))
        self._exact_count(self.table.deals)
        grid.skip()

    def _exact_count(self, deals: int) -> None:
        """The deals as a text, where numbers of the table have too many digits for a cell."""
        if self.long_counts:
            self.grid.text(6, f"{deals:,}")

    def _figures(self) -> None:
        grid, table = self.grid, self.table
        total, mean = (grid.cell(column, row=self.total_row) for column in (1, 4))
        deals, nets = self._cells(1), self._cells(3)
        grid.heads("figure", "by formula", "counted", "difference", "exactly")
        _check(grid, "Expected result", mean, table.mean)
        for words, units in table.bases:
            divisor = f"({units.numerator}/{units.denominator})"
            _check(grid, f"House advantage {words}", f"-{mean}/{divisor}", -table.mean / units)
        hits = f'SUMIF({nets},">0",{deals})/{total}'
        _check(grid, "Hit frequency", hits, table.hit_frequency)
        best, often = table.largest
        _check(grid, f"Largest award, in {table.unit}s", f"MAX({nets})", best)
        _check(grid, "Largest award, one in", f"{total}/SUMIF({nets},MAX({nets}),{deals})", often)
        squares = f"SUMPRODUCT({deals},{nets},{nets})/{total}"
        variance = _check(grid, "Variance", f"{squares}-{mean}*{mean}", table.variance)
        deviation = _check(grid, "Standard deviation", f"SQRT({variance})", sqrt(table.variance))
        quantiles = {}
        for name, below in TAILS.items():
            quantile = NormalDist().inv_cdf(float(below))
            quantiles[name] = f"NORMSINV({float(below)})"
            index = quantile * sqrt(table.variance)
            words = f"Volatility index at {name}, one {table.unit} in one round"
            _check(grid, words, f"{deviation}*{quantiles[name]}", index)
        grid.skip()
        self._bands(mean, deviation, quantiles)

    def _bands(self, mean: str, deviation: str, quantiles: dict[str, str]) -> None:
        grid = self.grid
        ends = [f"{name} {end}" for name in quantiles for end in ("from", "to")]
        grid.heads("Return by rounds, normal approximation", *ends)
        exact_mean, exact_deviation = float(self.table.mean), sqrt(self.table.variance)
        least, lowest = f"1+MIN({self._cells(3)})", float(1 + min(self.table.distribution))
        for rounds in ROUNDS:
            grid.number(0, rounds)
            column = 1
            for name, quantile in quantiles.items():
                width = NormalDist().inv_cdf(float(TAILS[name])) * exact_deviation / sqrt(rounds)
                for sign, value in (("-", -width), ("+", width)):
                    # No return is below that of the worst result in every round.
                    text = f"MAX({least},1+{mean}{sign}{quantile}*{deviation}/SQRT({grid.cell(0)}))"
                    grid.formula(column, text, max(lowest, 1 + exact_mean + value))
                    column += 1
            grid.skip()
        grid.skip()
        grid.heads("Return by rounds, as on the sheet", *ends)
        for rounds in ROUNDS:
            grid.number(0, rounds)
            bounds = [end for ends in return_bands(self.table, rounds).ends for end in ends]
            for column, value in enumerate(bounds, 1):
                grid.page.write_number(grid.row, column, value)
            grid.skip()
