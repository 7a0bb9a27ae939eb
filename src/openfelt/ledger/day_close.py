"""The event that closes a day of the book."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class DayClosed:
    """A day is over; these were the balances at its end."""

    day: date
    """In UTC."""
    transfer: int
    """The number of the last transfer that was there when the day was closed. A later one may
    still belong to the day, if the clock of its process was late."""
    balances: Mapping[str, int]
    """In cents, by the names of accounts, without those at zero."""
