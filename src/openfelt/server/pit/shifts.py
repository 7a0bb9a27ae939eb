"""The shifts of a dealer, from signing on to signing off, with the tips of each from the ledger.

A tip belongs to the dealer who closed the bets (R.31), and is paid when the round is settled. So a
tip that comes after the dealer has signed off counts for the last shift at that table before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from openfelt.ledger import Account, AccountKind, Reason
from openfelt.runtime.streams import dealer_stream, table_stream
from openfelt.storage.door import Store
from openfelt.storage.event_forms import EventCodec
from openfelt.table.dealer_events import DealerSignedOn

SHIFTS_MAX: Final = 100
"""The most shifts that are returned, the newest ones."""


@dataclass(frozen=True, slots=True)
class Shift:
    """The time of one dealer at one table."""

    table: str
    began_ms: int
    ended_ms: int | None = None
    """None while the dealer is signed on."""
    tips_cents: int = 0
    tips: int = 0
    """How many wagers for the dealer have won."""


class Shifts:
    """Reads shifts from the record. All calls block."""

    def __init__(self, store: Store, codec: EventCodec) -> None:
        self._store = store
        self._codec = codec

    def of(self, dealer: str, *, limit: int = SHIFTS_MAX) -> list[Shift]:
        """The newest shifts of a dealer, the last one first."""
        shifts = list(self._without_tips(dealer))[-limit:][::-1]
        oldest_ms = shifts[-1].began_ms if shifts else 0
        for stored in self._store.latest_transfers(Account(AccountKind.TIPS, dealer)):
            if stored.at_ms < oldest_ms:
                break
            if stored.transfer.reason is not Reason.TIP:
                continue
            at = next(
                (
                    number
                    for number, shift in enumerate(shifts)
                    if shift.began_ms <= stored.at_ms and table_stream(shift.table) == stored.stream
                ),
                None,
            )
            if at is not None:
                cents = shifts[at].tips_cents + stored.transfer.cents
                shifts[at] = replace(shifts[at], tips_cents=cents, tips=shifts[at].tips + 1)
        return shifts

    def _without_tips(self, dealer: str) -> Iterator[Shift]:
        stream = dealer_stream(dealer)
        # Two events for each shift, and one for a sign-off whose sign-on is not read.
        after = max(0, self._store.head(stream).version - 2 * SHIFTS_MAX - 1)
        begun: Shift | None = None
        for stored in self._store.events(stream, after=after):
            event = self._codec.decode(stored)
            if isinstance(event, DealerSignedOn):
                begun = Shift(event.table, stored.at_ms)
            elif begun is not None:
                yield replace(begun, ended_ms=stored.at_ms)
                begun = None
        if begun is not None:
            yield begun
