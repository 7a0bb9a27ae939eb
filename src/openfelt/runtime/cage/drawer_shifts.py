"""Shifts of drawers, each from an opening to a closing, read from the end of their records."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from openfelt.ledger.counts import counted_cents
from openfelt.ledger.drawers import (
    Drawer,
    DrawerClosed,
    DrawerEvent,
    DrawerOpened,
    DrawerSums,
    drawer_after,
)
from openfelt.runtime.streams import drawer_stream
from openfelt.storage.door import Store
from openfelt.storage.event_forms import EventCodec

EVENTS_MAX: Final = 4_000
"""How many events of a drawer are read, the newest ones: about two weeks at a busy window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawerShift:
    """A shift of a drawer: from its opening to its closing."""

    drawer: str
    cashier: str
    """The cashier who had opened it, also where a supervisor has closed it."""
    opened_ms: int
    closed_ms: int
    sums: DrawerSums
    """What had gone through it before the closing."""
    counted_cents: int
    difference_cents: int
    reason: str
    """Why the count differed."""
    began: int
    ended: int
    """The versions of the record with which it was opened and closed."""


def closed_shifts(store: Store, codec: EventCodec, drawer: str) -> Iterator[DrawerShift]:
    """The shifts of a drawer that are over, the last one last; the call blocks."""
    stream = drawer_stream(drawer)
    after = max(0, store.head(stream).version - EVENTS_MAX)
    state, began = Drawer(id=drawer), 0
    for stored in store.events(stream, after=after):
        event: DrawerEvent = codec.decode(stored)
        if isinstance(event, DrawerOpened):
            began = stored.version
        elif not began:
            # The shift was opened before the part of the record that is read.
            continue
        elif isinstance(event, DrawerClosed) and state.cashier is not None:
            yield DrawerShift(
                drawer=drawer,
                cashier=state.cashier,
                opened_ms=state.opened_ms,
                closed_ms=stored.at_ms,
                sums=state.sums,
                counted_cents=counted_cents(event.count),
                difference_cents=event.difference_cents,
                reason=event.reason,
                began=began,
                ended=stored.version,
            )
        state = drawer_after(state, event, stored.at_ms)
