"""The wager of each transfer of a settled round.

A settlement is booked line by line, in the order of its lines: what goes back, what is taken, and
what is paid. So its transfers in the order of their numbers are its lines again.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from openfelt.ledger import Reason
from openfelt.rules.round_events import RoundSettled
from openfelt.storage.balances.balance_door import StoredTransfer
from openfelt.storage.balances.transfer_terms import TransferRange, TransferSearch, TransferTerm
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Store
from openfelt.storage.event_forms import ROUND_SETTLED, EventCodec

ROUNDS_KEPT: Final = 50
"""How many settlements are cached; the transfers of a round are requested together."""
_EVERY: Final = (TransferTerm(reasons=tuple(Reason)),)


class SettledWagers:
    """The wagers of one list's transfers. All calls block."""

    def __init__(self, store: Store, codec: EventCodec) -> None:
        self._store = store
        self._codec = codec
        self._of_event = lru_cache(maxsize=ROUNDS_KEPT)(self._read)

    def wager_of(self, stored: StoredTransfer) -> str | None:
        """The wager of a transfer, None if no line of a settlement has caused it."""
        return self._of_event(stored.stream, stored.version).get(stored.number)

    def _read(self, stream: str, version: int) -> dict[int, str]:
        event = next(iter(self._store.events(stream, after=version - 1, up_to=version)), None)
        if event is None or event.name != ROUND_SETTLED:
            return {}
        settled: RoundSettled = self._codec.decode(event)
        part = TransferRange(
            stream=stream, after_version=version - 1, up_to_version=version, terms=_EVERY
        )
        moved = list(self._store.list_transfers(part, TransferSearch()))[::-1]
        wagers: dict[int, str] = {}
        for stored, (wager, cents) in zip(moved, _booked(settled), strict=False):
            if stored.transfer.cents != cents:
                raise CodecError(f"The transfers of event {version} of {stream} are not its own.")
            wagers[stored.number] = wager
        return wagers


def _booked(settled: RoundSettled) -> Iterator[tuple[str, int]]:
    """The wager and the amount of every transfer of a settlement."""
    for line in settled.settlement.lines:
        for cents in (line.returned_cents, line.taken_cents, line.payout_cents):
            if cents:
                yield line.wager, cents
