"""Ids of scans that were sent again with another card, which no reader does by itself.

The answer to a repeated scan says whether the card is the same. A thief of a reader's token who
knows its ids could so try all 52 cards for one that lies face down. After one wrong card, the id
is therefore refused whatever card comes with it.
"""

from collections import OrderedDict
from typing import Final

IDS_MAX: Final = 10_000
"""How many ids are kept, the newest ones. Each of them has dealt a card."""


class ReusedScans:
    """The ids that are refused, in this process.

    >>> reused = ReusedScans()
    >>> reused.add("reader", "7")
    >>> reused.has("reader", "7"), reused.has("reader", "8")
    (True, False)
    """

    def __init__(self) -> None:
        self._ids: OrderedDict[tuple[str, str], None] = OrderedDict()

    def add(self, reader: str, scan: str) -> None:
        """Refuse an id of a reader from now on."""
        self._ids[reader, scan] = None
        while len(self._ids) > IDS_MAX:
            self._ids.popitem(last=False)

    def has(self, reader: str, scan: str) -> bool:
        """Whether an id of a reader is refused."""
        return (reader, scan) in self._ids
