"""Ids of scans that were sent again with another card, which no genuine reader does.

The answer to a repeated scan says whether the card is the same. A thief of a reader's token who
knows its ids could thus try all 52 cards for one that lies face down. After one wrong card, the id
is therefore refused with any card.
"""

from typing import Final

from openfelt.server.store.short_lived_texts import ShortLivedTexts

IDS_MAX: Final = 10_000
"""How many ids are kept in a process, the newest ones. Each of them has dealt a card."""
KEPT_MS: Final = 7 * 24 * 3_600_000
_KIND: Final = "reused scan"


class ReusedScans:
    """The ids that are refused.

    >>> import asyncio
    >>> from openfelt.runtime.clock import SystemClock
    >>> from openfelt.server.store.short_lived_texts import LocalTexts
    >>> reused = ReusedScans(LocalTexts(SystemClock(), most=IDS_MAX))
    >>> asyncio.run(reused.add("reader", "7"))
    >>> asyncio.run(reused.has("reader", "7")), asyncio.run(reused.has("reader", "8"))
    (True, False)
    """

    def __init__(self, notes: ShortLivedTexts) -> None:
        self._notes = notes

    async def add(self, reader: str, scan: str) -> None:
        """Refuse an id of a reader from now on; raises StoreError."""
        await self._notes.put(_KIND, f"{reader} {scan}", "reused", ttl_ms=KEPT_MS)

    async def has(self, reader: str, scan: str) -> bool:
        """Whether an id of a reader is refused; raises StoreError."""
        return await self._notes.get(_KIND, f"{reader} {scan}") is not None
