"""The value of hands that see each other: a seeded estimate with its interval.

The value of a hand that sees others is an exact sum; only which hands are dealt together is
sampled. Most of what varies from deal to deal is not the gain of playing by what is seen, but that
seen cards make a hand better or worse. What they do to a bet before the flop is exact too, and zero
on average over all that may be seen with a starting hand. So it is taken out: for hands that bet
unseen in whole, and for hands that check in the measure that fits best. That measure is found on
the other half of the deals, so the estimate is not biased.

Every hand decides for itself, and its decision changes nothing for the others. So several hands of
one player are worth so many times the value of one that sees the others.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import FULL_DECK, Card
from openfelt.maths.hands.starting_hands import cell_name, cell_of
from openfelt.maths.holdem.adviser import first_values
from openfelt.maths.holdem.flop_sums import flop_sources, seen_advice
from openfelt.maths.holdem.game_outcomes import CHECK
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.parallel import Progress
from openfelt.maths.stored_counts import StoredCounts
from openfelt.maths.stored_rows import Numbers, RowBlocks, counted_rows

SAMPLES: Final = 2_000
SAMPLES_MIN: Final = 1_000
"""With fewer, gains that are rare and large are missed, and the interval is not that of a normal
distribution."""
SEED: Final = 1
_CHUNK: Final = 8
"""Deals that are priced before progress is reported."""
_BLOCK: Final = 256
"""Deals whose prices are kept in one file."""
KEPT_SAMPLES: Final = 10_000
"""Commands keep an estimate from so many deals in the cache folder."""
INTERVAL_Z: Final = 1.959963984540054
"""Standard errors on each side that hold 95% of a normal distribution."""


class Together(StrEnum):
    """Which hands see each other before the first decision."""

    TWO_HANDS = "two_hands"
    THREE_HANDS = "three_hands"
    SIX_PLAYERS = "six_players"

    @property
    def hands(self) -> int:
        """How many hands see each other."""
        return _HANDS[self]

    @property
    def words(self) -> str:
        """The hands, in words."""
        return _WORDS[self]


_HANDS: Final = {Together.TWO_HANDS: 2, Together.THREE_HANDS: 3, Together.SIX_PLAYERS: 6}
_WORDS: Final = {
    Together.TWO_HANDS: "two hands of one terminal",
    Together.THREE_HANDS: "three hands of one terminal",
    Together.SIX_PLAYERS: "six players at one deck who share what they see",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedValue:
    """The estimated result per Ante of one of the hands."""

    together: Together
    samples: int
    seed: int
    without: Fraction
    """The exact expected result of a hand that sees no other, a lower limit of the value."""
    gain: float
    """The estimate of what seeing the others is worth."""
    gain_deviation: float
    """The standard deviation of the estimate from one deal."""

    @property
    def ev_per_ante(self) -> float:
        """The estimate of the expected result per Ante and hand."""
        return float(self.without) + self.gain

    @property
    def standard_error(self) -> float:
        """The standard error of the estimate."""
        return self.gain_deviation / math.sqrt(self.samples)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the expected result."""
        reach = INTERVAL_Z * self.standard_error
        return self.ev_per_ante - reach, self.ev_per_ante + reach


def estimate_shared(
    together: Together,
    terms: HoldemTerms | None = None,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
    kept: bool = False,
    resumed: Progress | None = None,
) -> SharedValue:
    """Estimate a hand's value that sees the others; some 30 ms of one processor a sample.

    The same seed gives the same deals and the same estimate. An estimate that is `kept` is written
    to the cache folder as it goes on: if it is interrupted it continues there, and `resumed` is
    called with the deals that are kept and all deals. Raises ValueError for too few samples.
    """
    if samples < SAMPLES_MIN:
        raise ValueError(f"an estimate needs at least {SAMPLES_MIN:,} samples")
    terms = terms or HoldemTerms.of()
    alone = first_values(terms)
    chance = random.Random(seed)
    deals = [tuple(chance.sample(FULL_DECK, 2 * together.hands)) for _ in range(samples)]
    pricing = _Pricing(terms, alone)
    rows = counted_rows(
        pricing,
        deals,
        columns=1 + len(terms.first_multiples),
        at_once=_CHUNK,
        blocks=pricing.blocks(deals, resumed) if kept else None,
        progress=progress,
    )
    gains = _adjusted(rows.view(np.float64))
    return SharedValue(
        together=together,
        samples=samples,
        seed=seed,
        without=_mean_alone(alone),
        gain=float(gains.mean()),
        gain_deviation=float(gains.std(ddof=1)),
    )


@dataclass(frozen=True, slots=True)
class _Pricing:
    """Prices deals, here or on a worker of a crew."""

    terms: HoldemTerms
    alone: Mapping[str, Mapping[str, Fraction]]

    def blocks(self, deals: Sequence[tuple[Card, ...]], resumed: Progress | None) -> RowBlocks:
        """Where the prices of these deals are kept."""
        # The last deal depends on the seed and on how all others were drawn.
        question = f"{self.terms} {self.alone} {len(deals)} {deals[-1]}"
        sources = [Path(__file__), *flop_sources()]
        stored = StoredCounts("seen-hands", sources, question, packed=True)
        return RowBlocks(stored=stored, items=_BLOCK, resumed=resumed)

    def __call__(self, deals: Sequence[tuple[Card, ...]]) -> Numbers:
        """What each deal says of the gain of its first hand, and its controls.

        These are floating-point numbers, bit by bit as whole numbers, as which they are kept.
        """
        rows = []
        for hole, seen in ((deal[:2], deal[2:]) for deal in deals):
            values = seen_advice(hole, seen=seen, terms=self.terms).values
            rows.append(_gain_and_controls(values, self.alone[cell_name(cell_of(hole))]))
        return np.array(rows, dtype=np.float64).view(np.int64)


def _gain_and_controls(
    values: Mapping[str, Fraction], alone: Mapping[str, Fraction]
) -> list[float]:
    """One deal's gain, and the effect of the seen cards on each bet; zero if it is all in."""
    best = max(values.values())
    unseen = max(alone, key=alone.__getitem__)
    if unseen != CHECK:
        # The gain over betting as before, which needs no other correction.
        return [float(best - values[unseen]), *[0.0] * (len(alone) - 1)]
    controls = [float(values[bet] - alone[bet]) for bet in alone if bet != CHECK]
    return [float(best - alone[CHECK]), *controls]


def _adjusted(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The gains less their controls, each half with the measure that fits the other half."""
    halves = np.arange(len(rows)) % 2 == 0
    adjusted = np.empty(len(rows))
    for half in (halves, ~halves):
        fitted = rows[~half]
        ones = np.any(fitted[:, 1:] != 0, axis=1).astype(np.float64)[:, None]
        columns = np.hstack([ones, fitted[:, 1:]])
        measure, *_ = np.linalg.lstsq(columns, fitted[:, 0] * ones[:, 0], rcond=None)
        adjusted[half] = rows[half, 0] - rows[half, 1:] @ measure[1:]
    return adjusted


def _mean_alone(alone: Mapping[str, Mapping[str, Fraction]]) -> Fraction:
    """The mean over all starting hands: six pairs, four suited and twelve unsuited hands each."""
    sizes = {"s": 4, "o": 12}
    total = Fraction(0)
    for name, values in alone.items():
        total += sizes.get(name[2:], 6) * max(values.values())
    return total / math.comb(52, 2)
