"""The aims for speed, and what this run has measured of them.

A benchmark notes a figure under the name of its row; ``bench/run.py`` prints all rows in the end,
each beside its aim. A row that this run has not measured names the benchmark that does.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Aim:
    """One row: what is measured, by which benchmark, and how much is asked for."""

    words: str
    benchmark: str
    aim: float
    unit: str = ""
    at_least: bool = False

    def line(self, value: float | None) -> str:
        """The row with a measured value, or None."""
        asked = f"{'at least' if self.at_least else 'at most'} {_number(self.aim)} {self.unit}"
        if value is None:
            return f"  {self.words:58} {'not measured':>14}  {asked:24}  ARGS={self.benchmark}"
        reached = value >= self.aim if self.at_least else value <= self.aim
        measured = f"{_number(value)} {self.unit}".rstrip()
        return f"  {self.words:58} {measured:>14}  {asked:24}  {'reached' if reached else 'short'}"


AIMS: Final = {
    "growth_bet": Aim("a changed bet, 2,000 terminals against 100", "commands", 1.3),
    "growth_check": Aim("a decision, 2,000 terminals against 100", "commands", 1.3),
    "settling": Aim("settling 2,000 hands, processor time", "commands", 0.3, "s"),
    "settling_elapsed": Aim(
        "settling 2,000 hands, elapsed, last decision to last view", "commands", 0.3, "s"
    ),
    "rate_sqlite": Aim("commands of 500 terminals, SQLite", "storage", 10_000, "/s", at_least=True),
    "rate_postgresql": Aim(
        "commands of 500 terminals, PostgreSQL", "storage", 8_000, "/s", at_least=True
    ),
    "ratio_sqlite": Aim("times one commit each, SQLite", "storage", 20, at_least=True),
    "ratio_postgresql": Aim("times one commit each, PostgreSQL", "storage", 20, at_least=True),
    "alone_sqlite": Aim("one command alone, in plain commits, SQLite", "storage", 2),
    "alone_postgresql": Aim("one command alone, in plain commits, PostgreSQL", "storage", 3),
    "instant_500": Aim("500 presses in one instant, p99 of the answers", "sockets", 0.2, "s"),
    "instant_2000": Aim("2,000 presses in one instant, p99 of the answers", "sockets", 0.8, "s"),
    "advise": Aim("openfelt advise on a flop, from a cold shell", "solver", 0.5, "s"),
    "help": Aim("openfelt --help, from a cold shell", "solver", 0.15, "s"),
    "what_if": Aim("a changed paytable on What if?, processor time", "what_if", 0.2, "s"),
    "rules": Aim(
        "the rules alone, whole rounds in one thread", "rules", 10_000, "/s", at_least=True
    ),
}

_measured: dict[str, float] = {}


def note(row: str, value: float) -> None:
    """Note a figure of this run."""
    if row in AIMS:
        _measured[row] = value


def table() -> str:
    """All rows, each beside its aim; empty if this run has measured none of them."""
    if not _measured:
        return ""
    lines = [aim.line(_measured.get(row)) for row, aim in AIMS.items()]
    return "\n".join(["The aims for speed", *lines])


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2f}".rstrip("0").rstrip(".")
