"""The long-run return of a progressive, computed from its meter.

Everything that goes into a meter is paid out in the long run: the contributions of the
players, and what the house adds to bring the meter back to its seed. The whole seed follows each
award of the whole meter, which is an exact rate. After a smaller share, the house adds something
only if the meter was still close to its seed; that rate lies between two bounds, which are found
by moving the meter on a grid, rounded down and rounded up.
`docs/internals/exact-holdem.md` has the derivation.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.maths.wagers.progressive_hands import ShareRounds, share_rounds
from openfelt.maths.wagers.side_bet_figures import price_progressive, progressive_at
from openfelt.rules.house import Deck, House, ProgressiveRule
from openfelt.rules.wagers import WagerKind

CELLS: Final = 1 << 15
"""The cells of the grid."""
EXPONENT_MAX: Final = 600
"""The smallest probability on the grid is e to the power of minus this, which a float can
represent."""
CYCLES: Final = 12
"""The grid extends to this many times the meter's growth between two awards of all of it."""
MASS_LEFT: Final = 1e-7
"""The probability at which the rest of a cycle is bounded instead of followed."""
DIGITS: Final = 10**10
"""Bounds are rounded outward to this part of a unit."""
_FLOAT_ERROR: Final = 1e-9
"""An upper limit, relative to the bound, on what double precision loses in these sums."""

Floats = npt.NDArray[np.float64]
Shares = Mapping[Fraction, Fraction]
"""The chance of each share of the meter in one round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongRun:
    """What a progressive returns in the long run, per unit wagered."""

    hands: int
    """The hands in each round, one unit each, of different seats."""
    fixed_return: Fraction
    contribution: Fraction
    """The part of each wager that goes to the meter, and from there to winners."""
    whole_seeds: Fraction
    """What the house adds after awards of the whole meter."""
    part_seeds: tuple[Fraction, Fraction]
    """What the house adds after smaller shares: at least, and at most."""
    envy_return: Fraction

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """The return, at least and at most."""
        exact = self.fixed_return + self.contribution + self.whole_seeds + self.envy_return
        least, most = self.part_seeds
        return exact + least, exact + most


def long_run(house: House, *, hands: int = 1) -> LongRun | None:
    """The long-run return of a house's progressive with this many hands in each round.

    None without a progressive, and for several hands if their shares cannot be counted.
    """
    wager, link = house.wager(WagerKind.PROGRESSIVE), house.progressive
    if wager is None or link is None:
        return None
    won = _share_rounds(house, link, hands)
    if won is None:
        return None
    figures = price_progressive(house.progressive_table())
    seed = Fraction(link.seed_cents, wager.min_cents)
    whole = won.chances.get(Fraction(1), Fraction(0)) + won.of_seed
    least, most = part_seeds(won.chances, contribution=hands * link.contribution, seed=seed)
    return LongRun(
        hands=hands,
        fixed_return=figures.fixed_return,
        contribution=link.contribution,
        whole_seeds=whole * seed / hands,
        part_seeds=(least / hands, most / hands),
        envy_return=(hands - 1) * figures.envy_per_other_hand,
    )


def _share_rounds(house: House, link: ProgressiveRule, hands: int) -> ShareRounds | None:
    """How much of the meter is won in a round; None if it cannot be counted."""
    table = house.progressive_table()
    if hands == 1:
        # The meter is zero, because only the deals of each award are used.
        awards = progressive_at(table, meter_units=Fraction(0))
        chances: dict[Fraction, Fraction] = {}
        for row, award in zip(table.rows, awards.awards, strict=False):
            if row.share:
                chance = Fraction(award.deals, awards.deals)
                chances[row.share] = chances.get(row.share, Fraction(0)) + chance
        return ShareRounds(chances, Fraction(0))
    if house.deck is not Deck.SHARED:
        return None
    try:
        return share_rounds(table, hands=hands, several_winners=link.several_winners)
    except ValueError:
        return None


def part_seeds(
    shares: Shares, *, contribution: Fraction, seed: Fraction
) -> tuple[Fraction, Fraction]:
    """What the house adds in a round, on average, after shares that leave less than the seed.

    A lower and an upper bound, in units. A round first adds its contribution to the meter and then
    pays its award, as a link does. Without an award of the whole meter, or without contributions,
    only the simple bounds are given: never, and after every share as if the meter were at its seed.

    >>> part_seeds({Fraction(1): Fraction(1, 9)}, contribution=Fraction(1, 4), seed=Fraction(50))
    (Fraction(0, 1), Fraction(0, 1))
    """
    whole = shares.get(Fraction(1), Fraction(0))
    parts = {share: chance for share, chance in shares.items() if share != 1 and chance}
    first = seed + contribution
    simple = sum(
        (chance * max(seed - (1 - share) * first, Fraction(0)) for share, chance in parts.items()),
        Fraction(0),
    )
    if not simple or not whole or not contribution:
        return Fraction(0), simple
    frozen = tuple(sorted(parts.items()))
    most, least = (_added(frozen, whole, contribution, seed, rounded_up=up) for up in (False, True))
    lower = math.floor(least * (1 - _FLOAT_ERROR) * DIGITS)
    upper = math.ceil(most * (1 + _FLOAT_ERROR) * DIGITS)
    return Fraction(lower, DIGITS), min(simple, Fraction(upper, DIGITS))


@lru_cache(maxsize=16)
def _added(
    parts: tuple[tuple[Fraction, Fraction], ...],
    whole: Fraction,
    contribution: Fraction,
    seed: Fraction,
    *,
    rounded_up: bool,
) -> float:
    """The amount that is added in a round, on a grid of meters from the seed up.

    A cycle runs from one award of the whole meter to the next. Wins of smaller shares within it
    move the meter. After a meter that is rounded up, less is added; after one that is rounded down,
    more.
    """
    wins = whole + sum(chance for _, chance in parts)
    grid = _Grid(float(seed), float(contribution), float(whole), float(wins))
    total, mass = 0.0, np.zeros(CELLS)
    mass[0] = 1
    won = grid.meters[1:] if rounded_up else grid.meters[:-1]
    added = np.zeros(CELLS)
    for share, chance in parts:
        added += float(chance / wins) * np.maximum(float(seed) - won * float(1 - share), 0)
    while mass.sum() > MASS_LEFT:
        before = grid.grown_up(mass) if rounded_up else grid.grown_down(mass)
        total += float(before @ added)
        mass = np.zeros(CELLS)
        for share, chance in parts:
            grid.pay(mass, float(chance / wins) * before, float(1 - share), rounded_up=rounded_up)
    if not rounded_up:
        total += MASS_LEFT * float(wins / whole) * float(added.max())
    return float(whole) * total


class _Grid:
    """Meters in equal ratios from the seed up, so that a share moves all of them equally."""

    def __init__(self, seed: float, contribution: float, whole: float, wins: float) -> None:
        no_win = -math.log1p(-wins)
        reach = contribution * min(CYCLES / whole, EXPONENT_MAX / no_win)
        self.ratio = math.log1p(reach / seed) / CELLS
        self.meters = seed * np.exp(self.ratio * np.arange(CELLS + 1))
        self.stays = np.exp(-no_win * (self.meters - seed) / contribution)
        """The chance that no share is won while the meter grows from the seed to here."""
        grown = np.searchsorted(self.meters, self.meters[:-1] + contribution)
        self.after_one = np.minimum(grown, CELLS)
        """The cell above the meter after one contribution."""

    def grown_down(self, mass: Floats) -> Floats:
        """The meter at the next win, rounded down; beyond the grid it is the last cell."""
        before: Floats = np.cumsum(mass / self.stays[:-1]) * -np.diff(self.stays)
        before[-1] += max(0.0, mass.sum() - before.sum())
        return before

    def grown_up(self, mass: Floats) -> Floats:
        """The meter at the next win, rounded up to the upper ends of cells.

        One contribution is certain. Beyond the grid, nothing more is counted.
        """
        first = np.bincount(self.after_one, mass, minlength=CELLS + 1)[:CELLS]
        before: Floats = np.cumsum(first / self.stays[:-1]) * -np.diff(self.stays)
        return before

    def pay(self, mass: Floats, before: Floats, left: float, *, rounded_up: bool) -> None:
        """Add to `mass` the meters after a share that leaves this part, but at least the seed."""
        cells = -math.log(left) / self.ratio
        # A tiny margin, on the safe side, allows for the rounding of floats.
        down = math.floor(cells - 1e-6) - 1 if rounded_up else math.ceil(cells + 1e-6)
        if down < 0:
            mass[1:] += before[:-1]
            return
        down = min(down, CELLS)
        mass[0] += before[:down].sum()
        mass[: CELLS - down] += before[down:]
