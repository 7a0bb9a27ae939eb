"""Why a round is void: the reasons that every table knows, and the code of each.

The record keeps a reason as a sentence. Staff write what they like; a table's own reasons and
the usual words of the floor have a code, by which a screen says them in its player's language.
"""

from enum import StrEnum
from typing import Final

from openfelt.rules.house import House

WITHDRAWN: Final = "Every wager was taken back before the table closed."


class VoidCode(StrEnum):
    """A reason that has its own words in every language."""

    MALFUNCTION = "malfunction"
    MISDEAL = "misdeal"
    UNFINISHED = "unfinished"
    """Its player has not come back for so long that the house cancels it (O.unfinished)."""
    WITHDRAWN = "withdrawn"
    """A table that closes had an open round without wagers."""


_FLOOR_WORDS: Final = {code.value: code for code in (VoidCode.MALFUNCTION, VoidCode.MISDEAL)}
"""What staff usually write, small and without a full stop."""


def unfinished(days: int) -> str:
    """The reason for which a round that waited so long is cancelled."""
    return f"Not finished within {days} days."


def void_code(reason: str, house: House) -> VoidCode | None:
    """The code of a reason, None where somebody has put it in words of their own.

    >>> from openfelt.catalog import load_house
    >>> void_code("Malfunction.", load_house("online")).value
    'malfunction'
    >>> void_code("The cat is on the table.", load_house("online"))
    """
    if reason == WITHDRAWN:
        return VoidCode.WITHDRAWN
    if house.unfinished_days is not None and reason == unfinished(house.unfinished_days):
        return VoidCode.UNFINISHED
    return _FLOOR_WORDS.get(reason.rstrip(".").lower())
