"""The common reasons for which a round is void, and the code of each.

The record keeps a reason as a sentence. Staff may write anything; a table's own reasons and
the usual words of the floor have a code, by which a screen translates them.
"""

import re
from enum import StrEnum
from typing import Final

from openfelt.rules.house import House
from openfelt.table.lost_keys import LOST_CARDS

_UNFINISHED: Final = re.compile(r"Not finished within [0-9]{1,9} days\.")
WITHDRAWN: Final = "Every wager was taken back before the table closed."


class VoidCode(StrEnum):
    """A reason that screens can translate."""

    MALFUNCTION = "malfunction"
    MISDEAL = "misdeal"
    UNFINISHED = "unfinished"
    """The house cancels a round whose player has been away too long (O.unfinished)."""
    WITHDRAWN = "withdrawn"
    """A closing table had an open round without wagers."""
    LOST_CARDS = "lost_cards"
    """The key of its cards was declared lost."""


_FLOOR_WORDS: Final = {code.value: code for code in (VoidCode.MALFUNCTION, VoidCode.MISDEAL)}
"""What staff usually write, in lower case and without a full stop."""


def unfinished(days: int) -> str:
    """The reason for cancelling a round after this many days."""
    return f"Not finished within {days} days."


def is_unfinished(reason: str) -> bool:
    """Whether a round was cancelled because its player had been away too long.

    >>> is_unfinished(unfinished(30)), is_unfinished("Misdeal.")
    (True, False)
    """
    return _UNFINISHED.fullmatch(reason) is not None


def void_code(reason: str, house: House) -> VoidCode | None:
    """The code of a reason, None for any other sentence.

    >>> from openfelt.catalog import load_house
    >>> void_code("Malfunction.", load_house("online")).value
    'malfunction'
    >>> void_code("The cat is on the table.", load_house("online"))
    """
    if reason == WITHDRAWN:
        return VoidCode.WITHDRAWN
    if reason == LOST_CARDS:
        return VoidCode.LOST_CARDS
    if house.unfinished_days is not None and reason == unfinished(house.unfinished_days):
        return VoidCode.UNFINISHED
    return _FLOOR_WORDS.get(reason.rstrip(".").lower())
