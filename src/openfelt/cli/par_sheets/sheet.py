"""A par sheet as data: sections of sentences and tables, the same for every format."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, Final

from openfelt.cli.figures.number_format import both, percent, signed
from openfelt.maths.wagers.return_bands import result_quantiles

CONFIDENCES: Final = {"90%": 1.6448536269514722, "95%": 1.959963984540054, "99%": 2.5758293035489}
"""By confidence, the normal quantile of a two-sided interval."""
ROUNDS: Final = tuple(10**power for power in range(3, 9))
"""The numbers of rounds that confidence bands are given for."""
FIGURE: Final = ("figure", "decimal", "exactly")
"""The columns of exact figures."""
_HASH_LENGTH: Final = 64


@dataclass(frozen=True)
class AwardTable:
    """Every result of one wager, or of the whole game, with the number of deals behind it."""

    title: str
    unit: str
    """The unit of the net results: an Ante, or a unit of the side bet."""
    awards: tuple[tuple[str, int, Fraction], ...]
    """The label, the deals and the net result of each."""
    bases: tuple[tuple[str, Fraction], ...]
    """The bases of the house advantage: words, and the units."""
    short_title: str = ""
    """The name of its worksheet, if the title is too long for one."""
    deal: str = ""
    """What one deal is, and a formula for their number, where C(n,k) are combinations."""

    @cached_property
    def deals(self) -> int:
        """All deals."""
        return sum(deals for _, deals, _ in self.awards)

    @cached_property
    def distribution(self) -> Mapping[Fraction, int]:
        """The deals behind each net result."""
        deals: dict[Fraction, int] = {}
        for _, count, net in self.awards:
            deals[net] = deals.get(net, 0) + count
        return deals

    @cached_property
    def mean(self) -> Fraction:
        """The expected net result."""
        return self._mean([(deals, net) for _, deals, net in self.awards])

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net result."""
        return self._mean([(deals, net * net) for _, deals, net in self.awards]) - self.mean**2

    @cached_property
    def hit_frequency(self) -> Fraction:
        """The share of deals with a net win."""
        return Fraction(sum(deals for _, deals, net in self.awards if net > 0), self.deals)

    @cached_property
    def largest(self) -> tuple[Fraction, Fraction]:
        """The best net result that any deal gives, and in how many deals it comes once."""
        best = max(net for _, deals, net in self.awards if deals)
        return best, Fraction(self.deals, sum(n for _, n, net in self.awards if net == best))

    def _mean(self, parts: Sequence[tuple[int, Fraction]]) -> Fraction:
        return sum((deals * value for deals, value in parts), Fraction(0)) / self.deals


@dataclass(frozen=True, slots=True)
class Covariances:
    """The covariances of all wagers, one unit of each."""

    names: tuple[str, ...]
    """The wagers by name, the game first."""
    words: tuple[str, ...]
    cells: Mapping[tuple[str, str], Fraction]

    @property
    def total(self) -> Fraction:
        """The variance of one unit on every wager together."""
        return sum(
            (self.cells[first, second] for first in self.names for second in self.names),
            Fraction(0),
        )


@dataclass(frozen=True, slots=True)
class RunLine:
    """The sums of a seeded run for one wager, beside its exact figures."""

    words: str
    net_cents: int
    """The net result of all rounds."""
    stake_cents: int
    """The stake of one round, the unit of mean and variance."""
    rounds: int
    mean: Fraction
    variance: Fraction

    @property
    def simulated(self) -> float:
        """The mean of the run in units of the stake."""
        return self.net_cents / (self.stake_cents * self.rounds)

    @property
    def error(self) -> float:
        """The standard error of that mean."""
        return sqrt(self.variance / self.rounds)

    @property
    def score(self) -> float:
        """The difference from the exact mean in standard errors."""
        return (self.simulated - float(self.mean)) / self.error


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the sheet: sentences, and a table below them if it has columns."""

    title: str
    sentences: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    awards: AwardTable | None = None
    """Where the table lists awards, the numbers that it is printed from."""
    run: tuple[RunLine, ...] = ()
    """Where the table is a seeded run, the numbers that it is printed from."""
    charts: "tuple[ChartData, ...]" = ()
    """Drawn below the table, in formats that have pictures."""

    @property
    def word_columns(self) -> tuple[bool, ...]:
        """Which columns hold words, which are set to the left; numbers are set to the right."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.columns)
        return tuple(
            place == 0 or any(cell[:1].isalpha() or len(cell) == _HASH_LENGTH for cell in cells)
            for place, cells in enumerate(columns)
        )


@dataclass(frozen=True, slots=True)
class ChartData:
    """The data of a chart; `formats/vega_charts.py` draws it."""

    kind: str
    """``wagers``, ``results``, ``session`` or ``bands``."""
    title: str
    caption: str
    values: tuple[Mapping[str, float | str], ...]
    axis: str
    """The words of the axis that the results are read from."""


@dataclass(frozen=True, slots=True)
class ParSheet:
    """The whole document."""

    title: str
    sections: tuple[Section, ...]
    covariances: Covariances | None = None

    @property
    def award_tables(self) -> tuple[AwardTable, ...]:
        """The tables of awards in their order."""
        return tuple(section.awards for section in self.sections if section.awards is not None)

    @property
    def award_facts(self) -> list[dict[str, Any]]:
        """The tables of awards as JSON, each with the deals behind every result."""
        return [
            {
                "title": table.title,
                "unit": table.unit,
                "deals": table.deals,
                "results": [
                    {
                        "result": label,
                        "deals": deals,
                        **both("net", net),
                        **both("share", Fraction(deals, table.deals)),
                    }
                    for label, deals, net in table.awards
                ],
            }
            for table in self.award_tables
        ]

    @property
    def charts(self) -> tuple[ChartData, ...]:
        """The charts in their order."""
        return tuple(chart for section in self.sections for chart in section.charts)


def exact_rows(figures: Sequence[tuple[str, Fraction]]) -> tuple[tuple[str, ...], ...]:
    """Rows of a name, a decimal and the exact fraction."""
    return tuple((name, f"{float(value):.10f}", str(value)) for name, value in figures)


def round_ends(distribution: Mapping[Fraction, int]) -> list[tuple[str, Fraction]]:
    """How often a round ends ahead, even and behind.

    >>> [str(share) for _, share in round_ends({Fraction(-1): 3, Fraction(2): 1})]
    ['1/4', '0', '3/4']
    """
    counts = {1: 0, 0: 0, -1: 0}
    for net, count in distribution.items():
        counts[(net > 0) - (net < 0)] += count
    words = ("Rounds won (hit frequency)", "Rounds even", "Rounds lost")
    deals = sum(counts.values())
    return [(name, Fraction(n, deals)) for name, n in zip(words, counts.values(), strict=True)]


def award_section(table: AwardTable, *, charts: tuple[ChartData, ...] = ()) -> Section:
    """Every result with its deals, chance, net and contributions; a last row adds them up.

    The contributions to the net result add up to the expected result, and those to the return,
    stake included, to the return of one unit. Both are exact; they are rounded only here.
    """
    total = table.deals
    rows = [
        (
            label,
            f"{deals:,}",
            f"{float(Fraction(deals, total)):.10%}",
            str(net),
            signed(net * Fraction(deals, total), 10),
            signed((1 + net) * Fraction(deals, total), 10),
        )
        for label, deals, net in table.awards
    ]
    last = ("Total", f"{total:,}", "100%", "", signed(table.mean, 10), signed(1 + table.mean, 10))
    columns = (
        "result",
        "deals",
        "chance",
        f"net, in {table.unit}s",
        "contribution",
        "contribution to return",
    )
    sentence = (
        "Contribution: deals times net result, divided by all deals. Contribution to return: the "
        f"same with one {table.unit} of stake added to each net result."
    )
    sentences = [sentence]
    if table.deal:
        sentences.insert(0, f"One deal: {table.deal} = {total:,} deals.")
    if any(net < -1 for _, _, net in table.awards):
        sentences.append(
            f"The return is that of one {table.unit}, so only one is added as stake. A result that "
            f"loses more than one {table.unit} makes a negative contribution; all results "
            f"together add up to the return per {table.unit}."
        )
    return Section(
        table.title, tuple(sentences), columns, (*rows, last), awards=table, charts=charts
    )


def covariance_section(title: str, matrix: Covariances) -> Section:
    """The covariances of all wagers as a table."""
    rows = tuple(
        (words, *(f"{float(matrix.cells[row, column]):.8f}" for column in matrix.names))
        for row, words in zip(matrix.names, matrix.words, strict=True)
    )
    sentence = "One unit of each wager; on the diagonal, the variances."
    return Section(title, (sentence,), ("wager", *matrix.words), rows)


def spread_section(title: str, table: AwardTable, *, charts: tuple[ChartData, ...] = ()) -> Section:
    """Variance, standard deviation, volatility indices, and bands of return by rounds."""
    deviation, unit = sqrt(table.variance), table.unit
    bands = {rounds: return_bands(table, rounds) for rounds in ROUNDS}
    rows = tuple(
        (
            f"{rounds:,}{'' if band.exact else ' *'}",
            *(f"{percent(low)} to {percent(high)}" for low, high in band.ends),
        )
        for rounds, band in bands.items()
    )
    indices = ", ".join(f"{q * deviation:.6f} at {name}" for name, q in CONFIDENCES.items())
    sentences = [
        f"The variance of one {unit} is {float(table.variance):.10f}, exactly {table.variance}.",
        f"The standard deviation is {deviation:.10f}.",
        (
            "The volatility index, the standard deviation times the normal quantile of a two-sided "
            f"interval, is {indices}. Its basis is one {unit} in one round."
        ),
        (
            f"The return for each {unit}, stake included, lies between these bounds. They are "
            "quantiles of the sum of so many independent rounds, from the exact chances of a "
            "round, convolved in double precision; chances are good to one in a million. As much "
            "is left out below each band as above it."
        ),
    ]
    if not all(band.exact for band in bands.values()):
        sentences.append(
            "*: too many different sums; by the normal approximation, cut at the least possible "
            "return."
        )
    return Section(title, tuple(sentences), ("rounds", *CONFIDENCES), rows, charts=charts)


@dataclass(frozen=True, slots=True)
class ReturnBands:
    """The bands of return after so many rounds."""

    ends: tuple[tuple[float, float], ...]
    """By confidence, as in `CONFIDENCES`."""
    exact: bool
    """False if they are a normal approximation."""


def return_bands(table: AwardTable, rounds: int) -> ReturnBands:
    """The bands of return of a table of awards: quantiles of the sum of rounds."""
    tails = [(1 - float(name.removesuffix("%")) / 100) / 2 for name in CONFIDENCES]
    shares = [share for tail in tails for share in (tail, 1 - tail)]
    quantiles = result_quantiles(table.distribution, rounds, shares)
    if quantiles is not None:
        ends = [float(1 + net / rounds) for net in quantiles]
        return ReturnBands(tuple(zip(ends[::2], ends[1::2], strict=True)), exact=True)
    least, mean = float(1 + min(table.distribution)), float(1 + table.mean)
    widths = [q * sqrt(table.variance / rounds) for q in CONFIDENCES.values()]
    normal = tuple((max(least, mean - width), mean + width) for width in widths)
    return ReturnBands(normal, exact=False)


def bands_chart(title: str, table: AwardTable) -> ChartData:
    """The bands of return by rounds as a chart, on a logarithmic scale of rounds."""
    points = [round(10 ** (power / 10)) for power in range(30, 81, 2)]
    bands = {rounds: return_bands(table, rounds).ends for rounds in points}
    names = list(CONFIDENCES)
    values: tuple[Mapping[str, float | str], ...] = tuple(
        {
            "rounds": rounds,
            "confidence": name,
            "low": bands[rounds][names.index(name)][0],
            "high": bands[rounds][names.index(name)][1],
            "mean": float(1 + table.mean),
        }
        for name in reversed(names)
        for rounds in points
    )
    caption = f"Bands of the return for each {table.unit} by the number of rounds."
    return ChartData(
        "bands", title, caption, values, f"return for each {table.unit}, stake included"
    )
