"""The audit of one stream's chain of hashes, and of the transfers of each of its events."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from openfelt.ledger import Transfer
from openfelt.money import format_cents
from openfelt.runtime.audit.report import ReportDraft
from openfelt.storage.chain import event_hash
from openfelt.storage.door import FIRST_HASH, Head, NewEvent, Store, StoredEvent, StoredTransfer


class BookedEvent(NamedTuple):
    """An event as it is in the store, with the transfers that are stored for it."""

    stored: StoredEvent
    transfers: tuple[Transfer, ...]


def booked_events(
    store: Store, stream: str, head: Head, report: ReportDraft
) -> Iterator[BookedEvent]:
    """The events of a stream up to its head, each checked against the one before it.

    Later events are left alone: a table may be writing them at this moment.
    """
    chain = _Chain(stream, report)
    transfers = _Transfers(store, stream, report)
    for stored in store.events(stream, up_to=head.version):
        chain.take(stored)
        yield BookedEvent(stored, transfers.of(stored))
    chain.finish(head)
    _check_nothing_beyond(store, stream, head, report)


class _Chain:
    """The chain of one stream, checked event by event."""

    def __init__(self, stream: str, report: ReportDraft) -> None:
        self._stream = stream
        self._report = report
        self._version = 0
        self._hash = FIRST_HASH
        self._at_ms = 0
        self._caused = False
        """Whether an event has named its cause."""

    def take(self, stored: StoredEvent) -> None:
        """Check the next event against those before it."""
        if stored.version != self._version + 1:
            self._find(
                self._version + 1,
                "Events are missing.",
                expected=f"event {self._version + 1}",
                found=f"event {stored.version}",
            )
        elif stored.previous != self._hash:
            self._find(
                stored.version,
                "It does not follow the event before it.",
                expected=self._hash,
                found=stored.previous,
            )
        own_hash = _hash_of(stored)
        if own_hash != stored.hash:
            self._find(
                stored.version,
                "Its content does not match its hash: it has been changed.",
                expected=stored.hash,
                found=own_hash,
            )
        if stored.at_ms < self._at_ms:
            self._find(
                stored.version,
                "Its time is earlier than that of the event before it.",
                expected=f"{self._at_ms} or later",
                found=str(stored.at_ms),
            )
        self._check_cause(stored)
        # One changed event is one finding: the next is compared with what is stored.
        self._version, self._hash, self._at_ms = stored.version, stored.hash, stored.at_ms

    def _check_cause(self, stored: StoredEvent) -> None:
        """Events of versions before causes name none; later ones all name one."""
        if self._caused and not stored.cause.actor:
            self._find(
                stored.version,
                "It names no actor, although events before it do.",
                expected="an actor",
                found="none",
            )
        self._caused = self._caused or bool(stored.cause.actor)

    def finish(self, head: Head) -> None:
        """Check that the stream ends where its head says."""
        if self._version != head.version:
            self._find(
                self._version + 1,
                "The end of the stream is missing.",
                expected=f"events up to {head.version}",
                found=f"events up to {self._version}",
            )
        elif (self._hash, self._at_ms) != (head.hash, head.at_ms):
            self._find(
                head.version,
                "The head of the stream does not match its last event.",
                expected=f"{self._hash} at {self._at_ms}",
                found=f"{head.hash} at {head.at_ms}",
            )

    def _find(self, version: int, sentence: str, *, expected: str, found: str) -> None:
        self._report.find(self._stream, sentence, version=version, expected=expected, found=found)


def _hash_of(stored: StoredEvent) -> str:
    return event_hash(
        stored.previous,
        stream=stored.stream,
        version=stored.version,
        at_ms=stored.at_ms,
        event=NewEvent(
            name=stored.name, schema=stored.schema, body=stored.body, cause=stored.cause
        ),
    )


def _check_nothing_beyond(store: Store, stream: str, head: Head, report: ReportDraft) -> None:
    """Report events beyond a head that has not moved: Openfelt did not write them."""
    beyond = next(store.events(stream, after=head.version, up_to=head.version + 1), None)
    if beyond is not None and store.head(stream).version <= head.version:
        report.find(
            stream,
            "It lies beyond the head of the stream.",
            version=beyond.version,
            expected=f"events up to {head.version}",
            found=f"event {beyond.version}",
        )


class _Transfers:
    """The transfers of one stream, handed out event by event."""

    def __init__(self, store: Store, stream: str, report: ReportDraft) -> None:
        self._left = store.transfers(stream=stream)
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
            self._next = next(self._left, None)
        return tuple(transfers)

    def _find_late(self, booked: StoredTransfer) -> None:
        self._report.find(
            "transfers",
            f"It was added to event {booked.version} of {booked.stream} later, or out of order.",
            version=booked.number,
            expected="no such transfer",
            found=transfer_words(booked.transfer),
        )

    def _check_time(self, booked: StoredTransfer, stored: StoredEvent) -> None:
        if booked.at_ms != stored.at_ms:
            self._report.find(
                "transfers",
                f"Its time is not that of event {booked.version} of {booked.stream}.",
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
    for number, (wanted, found) in enumerate(zip_longest(expected, actual), start=1):
        if wanted != found:
            report.find(
                stored.stream,
                f"Its transfer {number} is not the one that it causes.",
                version=stored.version,
                expected=transfer_words(wanted),
                found=transfer_words(found),
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
        f"from {transfer.debit} to {transfer.credit}"
    )
    details = [text for text in (transfer.round, transfer.clause, transfer.note) if text]
    return f"{words} ({', '.join(details)})" if details else words
