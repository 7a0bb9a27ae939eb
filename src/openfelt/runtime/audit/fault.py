"""A fault of one event of a table's record."""

from typing import NamedTuple


class Fault(NamedTuple):
    """A fault in an event of a round."""

    sentence: str
    expected: str
    found: str
