"""Facts about people for tables: who is absent, the limits, and where dealers are signed on.

A dealer is signed on at one table at a time, although tables run in several threads and perhaps in
several processes. The dealer's own record says which, and no table owns a dealer: each writer names
the version of the record that it has read, in the transaction that signs the dealer on, and reads
again if another table was faster.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.protection.limit_book import LimitBook
from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.runtime.streams import dealer_stream
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Append, Cause, Damaged, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.shown_names import shown
from openfelt.table.commands import SYSTEM, ChangeDealer
from openfelt.table.dealer_events import DealerEvent, DealerSignedOff, DealerSignedOn, table_after
from openfelt.table.permissions import Outside
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table

logger = logging.getLogger(__name__)

Handle = Callable[[list[Request]], list[Answer]]
"""Has a table decide requests."""


class CausedDealerEvent(NamedTuple):
    """An event of a dealer, and its cause."""

    event: DealerEvent
    cause: Cause


@dataclass(frozen=True, slots=True)
class VersionedDealer:
    """A dealer at one version of the record."""

    table: str | None
    """Where the dealer is signed on."""
    version: int


@dataclass(frozen=True, slots=True)
class DraftedDealer:
    """A dealer with the events that a draft adds to the record."""

    before: VersionedDealer
    """The dealer as read."""
    table: str | None
    events: tuple[CausedDealerEvent, ...] = ()

    @classmethod
    def of(cls, before: VersionedDealer) -> "DraftedDealer":
        """A dealer to whom nothing has happened yet."""
        return cls(before, before.table)

    def signed_on(self, table: str, cause: Cause) -> "DraftedDealer":
        """The dealer after signing on; raises Refusal for a dealer of another table."""
        if self.table == table:
            return self
        if self.table is not None:
            raise Refusal(
                TableCode.SIGNED_ON_ELSEWHERE,
                "This dealer is signed on at another table: sign off there.",
            )
        return self._after(DealerSignedOn(table), cause)

    def signed_off(self, table: str, cause: Cause) -> "DraftedDealer":
        """The dealer after signing off from a table."""
        return self._after(DealerSignedOff(table), cause) if self.table == table else self

    def _after(self, event: DealerEvent, cause: Cause) -> "DraftedDealer":
        """The id of the cause's command belongs to the table, so no digest of it is taken."""
        caused = CausedDealerEvent(event, replace(cause, digest=""))
        return DraftedDealer(self.before, table_after(event), (*self.events, caused))

    @property
    def written(self) -> VersionedDealer:
        """The dealer once the draft has been written."""
        return VersionedDealer(self.table, self.before.version + len(self.events))


class Dealers:
    """The dealers of the tables of this process."""

    def __init__(self, store: Store, codec: EventCodec) -> None:
        self._store = store
        self._codec = codec
        self._dealers: dict[str, VersionedDealer] = {}

    def get(self, dealer: str) -> VersionedDealer:
        """A dealer as this process last saw the record."""
        return self._dealers.get(dealer) or self.reload(dealer)

    def reload(self, dealer: str) -> VersionedDealer:
        """A dealer by the current record: its last event is enough. Raises Damaged, CodecError."""
        stream = dealer_stream(dealer)
        current = VersionedDealer(None, 0)
        try:
            head = self._store.head(stream)
            for stored in self._store.record(stream, after=max(0, head.version - 1), head=head):
                current = VersionedDealer(table_after(self._codec.decode(stored)), stored.version)
        except (Damaged, CodecError) as error:
            # Only the log gets the reason, which names rows.
            logger.error("the dealer %s cannot be read: %s", shown(dealer), error)
            self._dealers.pop(dealer, None)
            raise
        self._dealers[dealer] = current
        return current

    def check_readable(self, dealer: str) -> None:
        """Read a dealer who is to sign on; raises Refusal if the record cannot be opened."""
        try:
            self.reload(dealer)
        except (Damaged, CodecError) as error:
            raise Refusal(
                RuntimeCode.FAILED, "The record of this dealer cannot be opened now."
            ) from error

    def refresh(self) -> None:
        """Read what other processes have done, so that screens offer what is possible."""
        for dealer in tuple(self._dealers):
            # One record that cannot be read must not hide the others.
            with suppress(Damaged, CodecError):
                self.reload(dealer)

    def keep(self, dealer: str, current: VersionedDealer) -> None:
        """Keep a dealer as after a commit of this process."""
        self._dealers[dealer] = current

    def confirm(self, table: Table, handle: Handle) -> None:
        """Have a table that is taken up write down its dealer, where an old record did not.

        If two tables have the same dealer, the second one signs the dealer off. If the dealer's
        record cannot be opened, the table's own record is trusted.
        """
        dealer = table.dealer
        if dealer is None:
            return
        for claimed in (dealer, None):
            try:
                at = self.reload(dealer).table
            except (Damaged, CodecError):
                return
            if at == table.id:
                return
            (answer,) = handle([Request(by=SYSTEM, command=ChangeDealer(claimed))])
            if answer.accepted:
                return

    @property
    def signed_on_at(self) -> dict[str, str]:
        """The table of each dealer who is signed on, as far as this process knows."""
        dealers = self._dealers.copy()
        return {name: dealer.table for name, dealer in dealers.items() if dealer.table is not None}

    def append(self, dealer: str, drafted: DraftedDealer) -> Append:
        """The append of a commit to a dealer's stream, after the version that was read."""
        return Append(
            stream=dealer_stream(dealer),
            expected_version=drafted.before.version,
            events=tuple(self._codec.encode(event, cause=cause) for event, cause in drafted.events),
        )


Absent = Callable[[str], Mapping[str, int]]
"""By the name of a table: for how many milliseconds its absent players have been gone."""


def none_absent(_: str) -> Mapping[str, int]:
    """Without terminals that are watched, no player is known to be absent."""
    return {}


class People:
    """Facts about people that all tables of one process share."""

    def __init__(self, dealers: Dealers, limits: LimitBook, absent: Absent = none_absent) -> None:
        self.dealers = dealers
        self.limits = limits
        self._absent = absent

    def ask_absent(self, absent: Absent) -> None:
        """Learn from this function which players are absent."""
        self._absent = absent

    def absent_at(self, table: str) -> Mapping[str, int]:
        """How long each absent person of a table has been gone; called in any thread."""
        return self._absent(table)

    def told(self, outside: Outside, table: str) -> Outside:
        """The outside facts for a table, including those about its people."""
        return replace(
            outside, absent_ms=self._absent(table), signed_on_at=self.dealers.signed_on_at
        )
