"""The counts of a strategy of Ultimate Draw, from which it is priced under any terms.

Counts do not depend on the payouts. Those of the house way, the best holds and the basic strategy
are stored in a file with its own hash, so that prices are available immediately.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from openfelt.cards import Category
from openfelt.maths.content_hash import content_hash
from openfelt.maths.draw.draw_figures import DrawTerms
from openfelt.maths.draw.draw_solution import DrawSolution
from openfelt.maths.draw.draw_spread import DrawSpread, Outcomes, count_spread
from openfelt.maths.draw.holds import Holds
from openfelt.maths.draw.kept_rungs import kept_rungs
from openfelt.maths.draw.qualifying_hands import ALWAYS, USUAL, AnteResult, Rungs, with_minimum
from openfelt.maths.parallel import Progress
from openfelt.rules.paytable import HandMinimum

USUAL_FILE: Final = "usual_draw_counts.json"
HOUSE_WAY: Final = "house_way"
Pays = Mapping[Category, Fraction]


@dataclass(frozen=True, slots=True)
class StrategyCounts:
    """The results of the Ante, and the final hands, with one strategy."""

    name: str
    title: str
    unqualified: Fraction
    """How often the dealer has no pair, which is the same for every strategy."""
    win_less_lose: Fraction
    """Wins minus losses against dealers with a pair or better, on average."""
    final: Pays
    """How often the player's hand ends in each category."""
    differs: Fraction
    """How often the house way would hold otherwise."""
    spread: DrawSpread | None = None
    """The distribution of a round, if it was counted."""
    rungs: Rungs | None = field(default=None, compare=False)
    """The results by the dealer's rung, if they were counted; another file stores them."""

    def against(self, least: HandMinimum) -> AnteResult:
        """What becomes of the Ante if the dealer qualifies with some hand.

        If the dealer always does, only the house way is known: both hands follow one rule, so its
        wins and losses cancel. Raises ValueError for what was not counted.
        """
        usual = AnteResult(self.unqualified, self.win_less_lose)
        if least == USUAL:
            return usual
        if least == ALWAYS and self.name == HOUSE_WAY:
            return AnteResult(Fraction(0), Fraction(0))
        if least == ALWAYS or self.rungs is None:
            words = "always qualifies" if least == ALWAYS else f"needs {least.or_better}"
            raise ValueError(
                f"{self.title}: this strategy is not counted against a dealer who {words}"
            )
        return with_minimum(usual, self.rungs, least)

    def prices(self, terms: DrawTerms) -> bool:
        """Whether the strategy is counted for the dealer's qualifying hand."""
        try:
            self.against(terms.qualifying)
        except ValueError:
            return False
        return True

    def value(self, terms: DrawTerms, bonus: Pays | None = None) -> Fraction:
        """The expected result in Antes, with the nets of a Bonus by category.

        Raises ValueError for a qualifying hand for which the strategy was not counted.
        """
        unqualified, win_less_lose = self.against(terms.qualifying)
        value = win_less_lose + terms.unqualified_pays * unqualified
        return value + self.paid(terms.ante_bonus) + self.paid(bonus or {})

    def paid(self, pays: Pays) -> Fraction:
        """The average payout of the final hands, given the payout of each category."""
        return sum((pays[c] * self.final[c] for c in pays), Fraction(0))

    def as_json(self) -> dict[str, Any]:
        """The counts as the file stores them: fractions as text."""
        kept: dict[str, Any] = {
            "title": self.title,
            "unqualified": str(self.unqualified),
            "win_less_lose": str(self.win_less_lose),
            "final": _written(self.final),
            "differs": str(self.differs),
        }
        if self.spread is not None:
            kept["below_two_pairs"] = _outcomes_written(self.spread.below)
            kept["told_apart"] = {
                category.name: _outcomes_written(outcomes)
                for category, outcomes in self.spread.told_apart.items()
            }
        return kept

    @classmethod
    def of_json(cls, name: str, kept: Mapping[str, Any]) -> "StrategyCounts":
        """The counts that `as_json` wrote."""
        spread = None
        if "told_apart" in kept:
            told_apart = {
                Category[c]: _outcomes_read(shares) for c, shares in kept["told_apart"].items()
            }
            spread = DrawSpread(_outcomes_read(kept["below_two_pairs"]), told_apart)
        return cls(
            name=name,
            title=kept["title"],
            unqualified=Fraction(kept["unqualified"]),
            win_less_lose=Fraction(kept["win_less_lose"]),
            final=_read(kept["final"]),
            differs=Fraction(kept["differs"]),
            spread=spread,
        )


@dataclass(frozen=True, slots=True)
class BestGain:
    """The gain of the best holds over the house way for given payouts of final hands."""

    pays: Pays
    """By category, besides the Ante itself: the Ante Bonus, and the net of a Bonus."""
    gain: Fraction
    """In Antes. The payout for an unqualified dealer does not affect it."""
    differs: Fraction
    """How often the house way would hold otherwise."""
    strategy: str | None = None
    """The name of the best holds among the strategies, if their counts are stored."""

    def as_json(self) -> dict[str, Any]:
        """The gain as the file stores it."""
        return {
            "pays": _written(self.pays),
            "gain": str(self.gain),
            "differs": str(self.differs),
            "strategy": self.strategy,
        }

    @classmethod
    def of_json(cls, kept: Mapping[str, Any]) -> "BestGain":
        """The gain that `as_json` wrote."""
        gain, differs = Fraction(kept["gain"]), Fraction(kept["differs"])
        return cls(_read(kept["pays"]), gain, differs, kept["strategy"])


@dataclass(frozen=True, slots=True)
class DrawCounts:
    """All counts that a file stores."""

    strategies: Mapping[str, StrategyCounts]
    best: tuple[BestGain, ...]

    @property
    def house_way(self) -> StrategyCounts:
        """The strategy of the dealer."""
        return self.strategies[HOUSE_WAY]

    def best_for(self, pays: Pays) -> BestGain | None:
        """The stored counts of the best holds for these payouts of final hands."""
        return next((best for best in self.best if best.pays == pays), None)

    def best_with(self, terms: DrawTerms, bonus: Pays | None = None) -> BestGain | None:
        """The stored counts of the best holds for these terms and the nets of a Bonus.

        They are stored for a dealer who qualifies with a pair.
        """
        return self.best_for(final_pays(terms, bonus)) if terms.needs_a_pair else None


def final_pays(terms: DrawTerms, bonus: Pays | None = None) -> dict[Category, Fraction]:
    """The payout of each final hand besides the Ante: the Ante Bonus plus the Bonus's net."""
    nothing = Fraction(0)
    return {c: terms.ante_bonus.get(c, nothing) + (bonus or {}).get(c, nothing) for c in Category}


def count_strategy(
    solution: DrawSolution,
    holds: Holds,
    *,
    name: str,
    title: str,
    spread: bool = False,
    progress: Progress | None = None,
) -> StrategyCounts:
    """Count the results of these holds, with the distribution of a round if requested."""
    nothing = DrawTerms(Fraction(0), {})
    final, draws = solution.holds.categories(holds), solution.holds.draws
    counts = solution.holds.classes.hands.counts
    differing = int(counts[holds != solution.holds.house_way].sum())
    gain = solution.gain(holds, nothing, progress=progress)
    return StrategyCounts(
        name=name,
        title=title,
        unqualified=solution.house_way_ante.unqualified,
        win_less_lose=solution.house_way_value(nothing) + gain,
        final={category: Fraction(final[category], draws) for category in Category},
        differs=Fraction(differing, int(np.sum(counts))),
        spread=count_spread(solution, holds, progress=progress) if spread else None,
    )


@cache
def usual_counts() -> DrawCounts:
    """The stored counts of the full deck.

    Raises ValueError if the file was altered: it has a hash of its counts.

    >>> f"{float(usual_counts().house_way.unqualified):.6f}"
    '0.260658'
    """
    text = files("openfelt.maths.draw").joinpath(USUAL_FILE).read_text(encoding="utf-8")
    counts, rungs = read_counts(text), kept_rungs()
    strategies = {
        name: replace(strategy, rungs=rungs.get(name))
        for name, strategy in counts.strategies.items()
    }
    return DrawCounts(strategies, counts.best)


def read_counts(text: str) -> DrawCounts:
    """Read a file of counts; raises ValueError if its hash does not match."""
    whole = json.loads(text)
    if whole["sha256"] != content_hash(whole["counts"]):
        raise ValueError(f"{USUAL_FILE} does not have the hash of its counts: it was altered")
    kept = whole["counts"]
    return DrawCounts(
        {
            name: StrategyCounts.of_json(name, strategy)
            for name, strategy in kept["strategies"].items()
        },
        tuple(BestGain.of_json(gain) for gain in kept["best"]),
    )


def write_counts(title: str, counts: DrawCounts) -> str:
    """The text of a file of counts, with a hash of them."""
    kept = {
        "strategies": {name: strategy.as_json() for name, strategy in counts.strategies.items()},
        "best": [best.as_json() for best in counts.best],
    }
    return (
        json.dumps({"what": title, "sha256": content_hash(kept), "counts": kept}, indent=1) + "\n"
    )


def _written(pays: Pays) -> dict[str, str]:
    return {category.name: str(pays[category]) for category in pays}


def _read(pays: Mapping[str, str]) -> dict[Category, Fraction]:
    return {Category[name]: Fraction(text) for name, text in pays.items()}


def _outcomes_written(outcomes: Outcomes) -> list[str]:
    shares = (outcomes.win, outcomes.lose, outcomes.tie, outcomes.unqualified)
    return [str(share) for share in shares]


def _outcomes_read(shares: list[str]) -> Outcomes:
    win, lose, tie, unqualified = map(Fraction, shares)
    return Outcomes(win, lose, tie, unqualified)
