"""What a strategy of Ultimate Draw comes to, in counts from which any terms are priced.

Counts do not depend on what is paid. Those of the house way, of the best holds and of the basic
strategy are kept in a file with a hash of its own, so that prices are available at once.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from openfelt.cards import Category
from openfelt.maths.draw.draw_figures import DrawTerms
from openfelt.maths.draw.draw_solution import DrawSolution
from openfelt.maths.draw.draw_spread import DrawSpread, Outcomes, count_spread
from openfelt.maths.draw.holds import Holds
from openfelt.maths.parallel import Progress

USUAL_FILE: Final = "usual_draw_counts.json"
HOUSE_WAY: Final = "house_way"
Pays = Mapping[Category, Fraction]


@dataclass(frozen=True, slots=True)
class StrategyCounts:
    """What becomes of the Ante, and of the final hands, with one strategy."""

    name: str
    title: str
    unqualified: Fraction
    """How often the dealer does not qualify, which is the same for every strategy."""
    win_less_lose: Fraction
    """Wins less losses against qualified dealers, on average."""
    final: Pays
    """How often the player's hand ends in each category."""
    differs: Fraction
    """How often the house way would hold otherwise."""
    best_for: Pays | None = None
    """What each final hand pays, beside the Ante itself, where these holds are the best."""
    spread: DrawSpread | None = None
    """The distribution of a round, where it was counted."""

    def value(self, terms: DrawTerms, bonus: Pays | None = None) -> Fraction:
        """The expected result in Antes, with what a Bonus nets by category."""
        value = self.win_less_lose + terms.unqualified_pays * self.unqualified
        for pays in (terms.ante_bonus, bonus or {}):
            value += sum((pays[c] * self.final[c] for c in pays), Fraction(0))
        return value

    def is_best_for(self, terms: DrawTerms, bonus: Pays | None = None) -> bool:
        """Whether these are the best holds for some terms, and what a Bonus nets.

        What an unqualified dealer pays changes no best hold.
        """
        return self.best_for is not None and self.best_for == final_pays(terms, bonus)

    def as_json(self) -> dict[str, Any]:
        """The counts as the file keeps them: fractions as text."""
        kept: dict[str, Any] = {
            "title": self.title,
            "unqualified": str(self.unqualified),
            "win_less_lose": str(self.win_less_lose),
            "final": _written(self.final),
            "differs": str(self.differs),
        }
        if self.best_for is not None:
            kept["best_for"] = _written(self.best_for)
        if self.spread is not None:
            kept["below_a_flush"] = _outcomes_written(self.spread.below)
            kept["strong"] = {
                category.name: _outcomes_written(some)
                for category, some in self.spread.strong.items()
            }
        return kept

    @classmethod
    def of_json(cls, name: str, kept: Mapping[str, Any]) -> "StrategyCounts":
        """The counts that `as_json` wrote."""
        spread = None
        if "strong" in kept:
            strong = {Category[c]: _outcomes_read(some) for c, some in kept["strong"].items()}
            spread = DrawSpread(_outcomes_read(kept["below_a_flush"]), strong)
        return cls(
            name=name,
            title=kept["title"],
            unqualified=Fraction(kept["unqualified"]),
            win_less_lose=Fraction(kept["win_less_lose"]),
            final=_read(kept["final"]),
            differs=Fraction(kept["differs"]),
            best_for=_read(kept["best_for"]) if "best_for" in kept else None,
            spread=spread,
        )


def final_pays(terms: DrawTerms, bonus: Pays | None = None) -> dict[Category, Fraction]:
    """What each final hand pays beside the Ante itself: the Ante Bonus, and the Bonus's net."""
    nothing = Fraction(0)
    return {c: terms.ante_bonus.get(c, nothing) + (bonus or {}).get(c, nothing) for c in Category}


def count_strategy(
    solution: DrawSolution,
    holds: Holds,
    *,
    name: str,
    title: str,
    best_for: Pays | None = None,
    spread: bool = False,
    progress: Progress | None = None,
) -> StrategyCounts:
    """Count what a player with these holds comes to, with the distribution of a round if asked."""
    nothing = DrawTerms(Fraction(0), {})
    final, draws = solution.holds.categories(holds), solution.holds.draws
    counts = solution.holds.classes.boards.counts
    other = int(counts[holds != solution.holds.house_way].sum())
    gain = solution.gain(holds, nothing, progress=progress)
    return StrategyCounts(
        name=name,
        title=title,
        unqualified=solution.house_way_ante.unqualified,
        win_less_lose=solution.house_way_value(nothing) + gain,
        final={category: Fraction(final[category], draws) for category in Category},
        differs=Fraction(other, int(np.sum(counts))),
        best_for=best_for,
        spread=count_spread(solution, holds, progress=progress) if spread else None,
    )


@cache
def usual_counts() -> Mapping[str, StrategyCounts]:
    """The counts of the full deck that are kept, by name of the strategy.

    Raises ValueError if the file was altered: it has a hash of its counts.

    >>> f"{float(usual_counts()['house_way'].unqualified):.6f}"
    '0.260658'
    """
    text = files("openfelt.maths.draw").joinpath(USUAL_FILE).read_text(encoding="utf-8")
    return read_counts(text)


def read_counts(text: str) -> dict[str, StrategyCounts]:
    """Read a file of counts; raises ValueError if its hash is another one."""
    kept = json.loads(text)
    if kept["sha256"] != _hash(kept["strategies"]):
        raise ValueError(f"{USUAL_FILE} does not have the hash of its counts: it was altered")
    return {name: StrategyCounts.of_json(name, one) for name, one in kept["strategies"].items()}


def write_counts(what: str, strategies: Mapping[str, StrategyCounts]) -> str:
    """The text of a file of counts, with a hash of them."""
    kept = {name: one.as_json() for name, one in strategies.items()}
    whole = {"what": what, "sha256": _hash(kept), "strategies": kept}
    return json.dumps(whole, indent=1) + "\n"


def _hash(strategies: Mapping[str, Any]) -> str:
    text = json.dumps(strategies, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _written(pays: Pays) -> dict[str, str]:
    return {category.name: str(pays[category]) for category in pays}


def _read(pays: Mapping[str, str]) -> dict[Category, Fraction]:
    return {Category[name]: Fraction(text) for name, text in pays.items()}


def _outcomes_written(some: Outcomes) -> list[str]:
    return [str(share) for share in (some.win, some.lose, some.tie, some.unqualified)]


def _outcomes_read(shares: list[str]) -> Outcomes:
    win, lose, tie, unqualified = map(Fraction, shares)
    return Outcomes(win, lose, tie, unqualified)
