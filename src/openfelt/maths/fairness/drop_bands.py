"""The band of a table's win to drop, from the days of the year before.

Win to drop is the part of the money spent on chips that the house won. No theory predicts it,
because it depends on how long players stay. So a period is compared with the days before it. The
win of a day differs from the usual share of its drop by chance, with a variance that grows with the
drop. Then the win of all days divided by the drop of all days is the best estimate of the share,
and

    s**2 = sum((win - share * drop)**2 / drop) / (days - 1)

is the variance for each cent of drop. The win to drop of a period with the drop D stays within
share +- z * s * sqrt(1 / D + 1 / D0), where D0 is the drop of the days before.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Final

from openfelt.ledger.takings import Takings

DAYS_MIN: Final = 30
"""A band is computed from at least this many days with a drop."""
_NORMAL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class DropBand:
    """The band of a table's win to drop, from the days before a period."""

    share: Fraction
    """The win of all days divided by the drop of all days."""
    variance: float
    """The variance of the win for each cent of drop, in cents."""
    drop_cents: int
    """The drop of all days."""
    days: int

    def around(self, drop_cents: int, one_in: int) -> tuple[float, float]:
        """The bounds that a period with this drop exceeds by chance once in this many times."""
        spread = sqrt(self.variance * (1 / drop_cents + 1 / self.drop_cents))
        wide = _NORMAL.inv_cdf(1 - 1 / (2 * one_in)) * spread
        return float(self.share) - wide, float(self.share) + wide


def drop_days(days: Iterable[Takings]) -> list[Takings]:
    """The days with a drop; the win of a day without one counts on the next day that has one.

    The reason is that chips bought in the evening may be lost after midnight.

    >>> [day.win_cents for day in drop_days([Takings(win_cents=5), Takings(drop_cents=9)])]
    [5]
    """
    with_drop, carried = [], Takings()
    for day in days:
        carried += day
        if carried.drop_cents:
            with_drop.append(carried)
            carried = Takings()
    return with_drop


def drop_band(days: Iterable[Takings]) -> DropBand | None:
    """The band from the takings of days in order; None if there are too few of them."""
    with_drop = drop_days(days)
    if len(with_drop) < DAYS_MIN:
        return None
    drop_cents = sum(day.drop_cents for day in with_drop)
    share = Fraction(sum(day.win_cents for day in with_drop), drop_cents)
    squares = sum(
        float(day.win_cents - share * day.drop_cents) ** 2 / day.drop_cents for day in with_drop
    )
    return DropBand(share, squares / (len(with_drop) - 1), drop_cents, len(with_drop))
