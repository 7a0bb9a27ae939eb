"""The event of a day's takings: the win and the drop of every table."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class Takings:
    """The takings of one table in some period, in cents."""

    drop_cents: int = 0
    """The amount for which players have bought chips or credit."""
    win_cents: int = 0
    """The win of the house's bank, less payouts, including tips."""

    def __add__(self, other: "Takings") -> "Takings":
        """Both together.

        >>> Takings(drop_cents=500, win_cents=100) + Takings(drop_cents=200, win_cents=-50)
        Takings(drop_cents=700, win_cents=50)
        """
        return Takings(
            drop_cents=self.drop_cents + other.drop_cents,
            win_cents=self.win_cents + other.win_cents,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TakingsCounted:
    """A day is over, and the takings of every public table were added up."""

    day: date
    """In UTC."""
    transfer: int
    """The number of the last transfer that was there when they were added up."""
    tables: Mapping[str, Takings]
    """By table; one where nothing was bought and nothing won is left out."""
