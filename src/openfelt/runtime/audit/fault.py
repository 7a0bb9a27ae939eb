"""A fault of one event of a table's record."""

from typing import NamedTuple


class Fault(NamedTuple):
    """What is wrong with an event of a round."""

    sentence: str
    expected: str
    found: str
