"""The audit of one stream's chain of hashes, and of the transfers of each of its events."""

import re
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Final, NamedTuple

from openfelt.ledger import Transfer
from openfelt.money import format_cents
from openfelt.runtime.audit.context import AuditContext
from openfelt.runtime.audit.progress.progress_state import ChainPosition
from openfelt.runtime.audit.report import ReportDraft
from openfelt.runtime.streams import StreamKind, kind_of
from openfelt.storage.balances.balance_door import StoredTransfer
from openfelt.storage.chain import stored_hash
from openfelt.storage.door import UNKNOWN_CAUSE, Damaged, Head, KeyMissing, Store, StoredEvent
from openfelt.storage.shown_names import HIDDEN_NAME, shown, shown_hash
from openfelt.storage.streams.time_corrections import StreamEnd, corrections_in, may_go_back

_DETAIL: Final = re.compile(r"[A-Za-z0-9 ._/-]{1,80}")
"""The round, the clause and the note of a transfer, as rounds write them."""


class BookedEvent(NamedTuple):
    """An event as it is in the store, with the transfers that are stored for it."""

    stored: StoredEvent
    transfers: tuple[Transfer, ...]


def booked_events(
    context: AuditContext, stream: str, head: Head, position: ChainPosition
) -> Iterator[BookedEvent]:
    """The events of a stream from a position to its head, each checked against the one before.

    The position moves along. Later events are left alone: a table may be writing them at this
    moment.
    """
    store, report, damage = context.store, context.report, context.damage(stream)
    chain = _Chain(store, stream, report, position)
    transfers = _Transfers(store, stream, report, position)
    for stored in store.events(stream, after=position.version, up_to=head.version, damage=damage):
        chain.take(stored)
        yield BookedEvent(stored, transfers.of(stored))
    chain.finish(head)
    transfers.finish(head)


def check_kept(
    context: AuditContext,
    stream: str,
    position: ChainPosition,
    each: Callable[[StoredEvent], None] = lambda _: None,
) -> None:
    """Check the hashes of archived events that are still here as well.

    ``each`` is called with every such event. Only tables and links lose events to an archive, and
    only from their beginning.
    """
    moved = kind_of(stream) in (StreamKind.TABLE, StreamKind.LINK)
    last: StoredEvent | None = None
    damage = context.damage(stream)
    for stored in context.store.events(stream, up_to=position.version, damage=damage):
        follows = (
            (moved or stored.version == 1)
            if last is None
            else (stored.version, stored.previous) == (last.version + 1, last.hash)
        )
        if not follows or stored_hash(stored) != stored.hash:
            context.find(
                stored,
                "It is not the event that was archived.",
                expected="the same event",
                found="another one",
            )
        each(stored)
        last = stored
    if last is None or (last.version, last.hash) != (position.version, position.hash):
        context.report.find(
            stream,
            "The event at which its archive ends is missing or changed.",
            version=position.version,
            expected=shown_hash(position.hash),
            found="none" if last is None else shown_hash(last.hash),
        )


class _Chain:
    """The chain of one stream, checked event by event."""

    def __init__(
        self, store: Store, stream: str, report: ReportDraft, position: ChainPosition
    ) -> None:
        self._store = store
        self._stream = stream
        self._report = report
        self._position = position

    def take(self, stored: StoredEvent) -> None:
        """Check the next event against those before it."""
        if stored.version != self._position.version + 1:
            self._find(
                self._position.version + 1,
                "Events are missing.",
                expected=f"event {self._position.version + 1}",
                found=f"event {stored.version}",
            )
        elif stored.previous != self._position.hash:
            self._find(
                stored.version,
                "It does not follow the event before it.",
                expected=shown_hash(self._position.hash),
                found=shown_hash(stored.previous),
            )
        own_hash = stored_hash(stored)
        if own_hash != stored.hash:
            self._find(
                stored.version,
                "Its content does not match its hash: it has been changed.",
                expected=shown_hash(stored.hash),
                found=own_hash,
            )
        if stored.at_ms < self._position.at_ms and not self._corrected(stored):
            self._find(
                stored.version,
                "Its time is earlier than that of the event before it.",
                expected=f"{self._position.at_ms} or later",
                found=str(stored.at_ms),
            )
        self._check_cause(stored)
        # One changed event is one finding: the next is compared with what is stored.
        position = self._position
        position.version, position.hash, position.at_ms = (
            stored.version,
            stored.hash,
            stored.at_ms,
        )
        position.old_events += not stored.cause.actor

    def _corrected(self, stored: StoredEvent) -> bool:
        """Whether the record itself says that the time of the event before was wrong."""
        position = self._position
        end = StreamEnd(stored.stream, position.version, position.at_ms)
        try:
            return may_go_back(end, stored.at_ms, corrections_in(self._store))
        except (Damaged, KeyMissing):
            # The audit of that record reports it.
            return False

    def _check_cause(self, stored: StoredEvent) -> None:
        """Events of versions before causes name none; later ones all name one."""
        if self._position.caused and not stored.cause.actor:
            self._find(
                stored.version,
                "It names no actor, although events before it do.",
                expected="an actor",
                found="none",
            )
        self._position.caused = self._position.caused or bool(stored.cause.actor)
        if not stored.cause.actor and stored.cause != UNKNOWN_CAUSE:
            self._find(
                stored.version,
                "It names a terminal or a command, but no actor: its hash covers neither.",
                expected="no cause",
                found="an incomplete cause",
            )

    def finish(self, head: Head) -> None:
        """Check that the stream ends where its head says."""
        if self._position.version != head.version:
            self._find(
                self._position.version + 1,
                "The end of the stream is missing.",
                expected=f"events up to {head.version}",
                found=f"events up to {self._position.version}",
            )
        elif (self._position.hash, self._position.at_ms) != (head.hash, head.at_ms):
            self._find(
                head.version,
                "The head of the stream does not match its last event.",
                expected=f"{shown_hash(self._position.hash)} at {self._position.at_ms}",
                found=f"{shown_hash(head.hash)} at {head.at_ms}",
            )

    def _find(self, version: int, sentence: str, *, expected: str, found: str) -> None:
        self._report.find(self._stream, sentence, version=version, expected=expected, found=found)


class _Transfers:
    """The transfers of one stream, handed out event by event."""

    def __init__(
        self, store: Store, stream: str, report: ReportDraft, position: ChainPosition
    ) -> None:
        self._position = position
        # A transfer that cannot be read is reported with the books.
        self._left = store.transfers(stream=stream, after=position.transfer, damage=lambda _: None)
        self._next: StoredTransfer | None = next(self._left, None)
        self._report = report

    def of(self, stored: StoredEvent) -> tuple[Transfer, ...]:
        """The transfers of an event, in the order in which they were written."""
        transfers: list[Transfer] = []
        while (booked := self._next) is not None and booked.version <= stored.version:
            if booked.version < stored.version:
                self._find_late(booked)
            else:
                self._check_time(booked, stored)
                transfers.append(booked.transfer)
            self._position.transfer = booked.number
            self._next = next(self._left, None)
        return tuple(transfers)

    def finish(self, head: Head) -> None:
        """Report transfers that were added to events which have none left to be handed out.

        Even where no event is new: an audit that goes on reads the transfers of every stream.
        """
        while (booked := self._next) is not None:
            if booked.version <= head.version:
                self._find_late(booked)
            self._next = next(self._left, None)

    def _find_late(self, booked: StoredTransfer) -> None:
        self._report.find(
            "transfers",
            f"It was added to event {booked.version} of {shown(booked.stream)} later, or out of "
            "order.",
            version=booked.number,
            expected="no such transfer",
            found=transfer_words(booked.transfer),
        )

    def _check_time(self, booked: StoredTransfer, stored: StoredEvent) -> None:
        if booked.at_ms != stored.at_ms:
            self._report.find(
                "transfers",
                f"Its time is not that of event {booked.version} of {shown(booked.stream)}.",
                version=booked.number,
                expected=str(stored.at_ms),
                found=str(booked.at_ms),
            )


# Transfers -------------------------------------------------------------------


def check_transfers(
    booked: BookedEvent, expected: tuple[Transfer, ...], report: ReportDraft
) -> None:
    """Compare the transfers of an event with those that it causes, one by one and in order."""
    stored, actual = booked.stored, booked.transfers
    report.counts.transfers += len(actual)
    for number, (wanted, posted) in enumerate(zip_longest(expected, actual), start=1):
        if wanted != posted:
            report.find(
                stored.stream,
                f"Its transfer {number} is not the one that it causes.",
                version=stored.version,
                expected=transfer_words(wanted),
                found=transfer_words(posted),
            )
            return


def transfer_words(transfer: Transfer | None) -> str:
    """A transfer in words.

    >>> transfer_words(None)
    'no transfer'
    """
    if transfer is None:
        return "no transfer"
    words = (
        f"{transfer.reason} of {format_cents(transfer.cents)} "
        f"from {shown(transfer.debit)} to {shown(transfer.credit)}"
    )
    details = [
        text if _DETAIL.fullmatch(text) else HIDDEN_NAME
        for text in (transfer.round, transfer.clause, transfer.note)
        if text
    ]
    return f"{words} ({', '.join(details)})" if details else words
