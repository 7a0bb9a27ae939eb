"""How often wagers won in a seeded run, and the variance of its rounds, beside exact figures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any

from openfelt.cli.figures.number_format import both
from openfelt.cli.par_sheets.sheet import Section
from openfelt.maths.simulation.rounds import Simulation
from openfelt.rules import WagerKind

TITLE = "A seeded run: hit frequencies and variance"
_COLUMNS = ("figure", "rounds", "simulated", "exact", "standard error", "z-score")
_LINE_WORDS = {"ante_bonus": "Ante Bonus"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactChances:
    """What a run can be compared with beside its means; empty where nothing is counted."""

    wins: Mapping[str, Fraction] = field(default_factory=dict)
    """How often each wager wins, by its name: the exact hit frequency."""
    nets: Mapping[Fraction, Fraction] = field(default_factory=dict)
    """How often all wagers of a round together net each number of Antes."""
    variance: Fraction | None = None
    """The variance of all wagers of a round together, in Antes squared."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One figure of the run."""

    words: str
    rounds: int | None
    """The rounds that it counts; None for the variance."""
    simulated: float
    exact: Fraction | None
    error: float | None
    """The standard error; None where the exact distribution is not counted."""

    @property
    def score(self) -> float | None:
        """The difference from the exact figure in standard errors."""
        if self.exact is None or not self.error:
            return None
        return (self.simulated - float(self.exact)) / self.error

    def cells(self) -> tuple[str, ...]:
        return (
            self.words,
            "" if self.rounds is None else f"{self.rounds:,}",
            f"{self.simulated:.8f}",
            "" if self.exact is None else f"{float(self.exact):.8f}",
            "" if self.error is None else f"{self.error:.8f}",
            "" if self.score is None else f"{self.score:+.3f}",
        )

    def facts(self) -> dict[str, Any]:
        return {
            "figure": self.words,
            **({} if self.rounds is None else {"rounds": self.rounds}),
            "simulated": self.simulated,
            **({} if self.exact is None else both("exact", self.exact)),
            **({} if self.error is None else {"standard_error": self.error}),
            **({} if self.score is None else {"z_score": self.score}),
        }


def frequency_section(run: Simulation, chances: ExactChances) -> tuple[Section, list[Any]]:
    """The section, and the same for programs."""
    lines = [
        _share(f"{_words(total.wager)} won", total.wins, run.rounds, chances.wins.get(total.wager))
        for total in run.wagers
    ]
    nets = chances.nets
    won = sum((often for net, often in nets.items() if net > 0), Fraction(0)) if nets else None
    even = nets.get(Fraction(0), Fraction(0)) if nets else None
    lines.append(_share("Rounds won, all wagers together", run.rounds_won, run.rounds, won))
    lines.append(_share("Rounds even, all wagers together", run.rounds_even, run.rounds, even))
    lines.append(_variance(run, chances))
    sentences = [
        (
            "The same run: how often each wager, and all of them together, won, with the exact "
            "chance. The standard error of a share p is the root of p(1 - p) divided by the number "
            "of rounds. "
            "The variance is that of a round with all wagers of the run, in Antes squared."
        )
    ]
    if nets:
        sentences.append(
            "Its standard error is the root of the fourth central moment less the variance "
            "squared, divided by the number of rounds, from the exact distribution of a round."
        )
    else:
        sentences.append(
            "How often all wagers together win is not counted, nor is the fourth moment that the "
            "standard error of a variance needs: there is no z-score for them."
        )
    cells = tuple(line.cells() for line in lines)
    section = Section(TITLE, tuple(sentences), _COLUMNS, cells)
    return section, [line.facts() for line in lines]


def _words(name: str) -> str:
    return _LINE_WORDS.get(name) or WagerKind(name).words


def _share(words: str, count: int, rounds: int, exact: Fraction | None) -> _Line:
    error = None if exact is None else sqrt(exact * (1 - exact) / rounds)
    return _Line(words, count, count / rounds, exact, error)


def _variance(run: Simulation, chances: ExactChances) -> _Line:
    simulated = (run.std_dev_cents / run.ante_cents) ** 2
    exact, error = chances.variance, None
    if chances.nets:
        mean = sum((net * often for net, often in chances.nets.items()), Fraction(0))
        second, fourth = (
            sum(((net - mean) ** power * often for net, often in chances.nets.items()), Fraction(0))
            for power in (2, 4)
        )
        exact, error = second, sqrt((fourth - second**2) / run.rounds)
    words = "Variance of a round, all wagers together"
    return _Line(words, None, simulated, exact, error)
