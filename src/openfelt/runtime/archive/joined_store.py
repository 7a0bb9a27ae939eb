"""A database read together with its archives, as if nothing had been moved."""

import heapq
from collections.abc import Iterator, Sequence

from openfelt.ledger import Account
from openfelt.storage.balances.balance_door import LAST_NUMBER, StoredTransfer
from openfelt.storage.door import Damage, Store, StoredEvent
from openfelt.storage.wrapped_store import WholeStore


class JoinedStore(WholeStore):
    """A store with its archives, the oldest first. It is only read."""

    def __init__(self, store: Store, archives: Sequence[Store]) -> None:
        super().__init__(store)
        self._parts = (*archives, store)

    def events(
        self,
        stream: str,
        *,
        after: int = 0,
        up_to: int | None = None,
        damage: Damage | None = None,
    ) -> Iterator[StoredEvent]:
        """The events of a stream, from each part what the parts before do not have."""
        for part in self._parts:
            for event in part.events(stream, after=after, up_to=up_to, damage=damage):
                after = event.version
                yield event

    def transfers(
        self,
        *,
        account: Account | None = None,
        stream: str | None = None,
        after: int = 0,
        damage: Damage | None = None,
    ) -> Iterator[StoredTransfer]:
        """Transfers by their numbers."""
        parts = (
            part.transfers(account=account, stream=stream, after=after, damage=damage)
            for part in self._parts
        )
        return _once(heapq.merge(*parts, key=lambda stored: stored.number))

    def transfers_between(self, start_ms: int, end_ms: int) -> Iterator[StoredTransfer]:
        """Transfers by their times."""
        parts = (part.transfers_between(start_ms, end_ms) for part in self._parts)
        return _once(heapq.merge(*parts, key=lambda stored: (stored.at_ms, stored.number)))

    def latest_transfers(
        self, account: Account, *, before: int = LAST_NUMBER
    ) -> Iterator[StoredTransfer]:
        """The transfers of an account, the newest first."""
        parts = (part.latest_transfers(account, before=before) for part in self._parts)
        return _once(heapq.merge(*parts, key=lambda stored: -stored.number))


def _once(transfers: Iterator[StoredTransfer]) -> Iterator[StoredTransfer]:
    """Transfers that two parts have are given once."""
    last: int | None = None
    for stored in transfers:
        if stored.number != last:
            last = stored.number
            yield stored
