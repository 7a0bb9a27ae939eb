"""An audit walks along one stream: its chain of hashes, and the transfers of each event."""

from collections.abc import Iterator
from typing import NamedTuple

from openfelt.ledger import Transfer
from openfelt.money import format_cents
from openfelt.runtime.audit.report import Finding, Pad
from openfelt.storage.chain import event_hash
from openfelt.storage.door import FIRST_HASH, Head, NewEvent, Store, StoredEvent, StoredTransfer


class Booked(NamedTuple):
    """An event as it lies in the store, with the transfers that lie there for it."""

    stored: StoredEvent
    transfers: tuple[Transfer, ...]


def walk(store: Store, stream: str, head: Head, pad: Pad) -> Iterator[Booked]:
    """The events of a stream up to its head, each of them checked in its place in the chain.

    Later events are left alone: somebody may be writing them just now.
    """
    chain = _Chain(stream, pad)
    transfers = _Transfers(store, stream, pad)
    for stored in store.events(stream, up_to=head.version):
        chain.take(stored)
        yield Booked(stored, transfers.of(stored))
    chain.finish(head)
    _check_nothing_behind(store, stream, head, pad)


class _Chain:
    """The chain of one stream, checked event by event."""

    def __init__(self, stream: str, pad: Pad) -> None:
        self._stream = stream
        self._pad = pad
        self._version = 0
        self._hash = FIRST_HASH
        self._at_ms = 0

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
        own = _hash_of(stored)
        if own != stored.hash:
            self._find(
                stored.version,
                "What it says does not have its hash: it has been changed.",
                expected=stored.hash,
                found=own,
            )
        if stored.at_ms < self._at_ms:
            self._find(
                stored.version,
                "Its time is before that of the event before it.",
                expected=f"{self._at_ms} or later",
                found=str(stored.at_ms),
            )
        # One changed event is one finding: the next is held against what is stored.
        self._version, self._hash, self._at_ms = stored.version, stored.hash, stored.at_ms

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
                "The stream's head is not its last event.",
                expected=f"{self._hash} at {self._at_ms}",
                found=f"{head.hash} at {head.at_ms}",
            )

    def _find(self, version: int, sentence: str, *, expected: str, found: str) -> None:
        self._pad.find(
            Finding(
                where=self._stream,
                version=version,
                sentence=sentence,
                expected=expected,
                found=found,
            )
        )


def _hash_of(stored: StoredEvent) -> str:
    return event_hash(
        stored.previous,
        stream=stored.stream,
        version=stored.version,
        at_ms=stored.at_ms,
        event=NewEvent(name=stored.name, schema=stored.schema, body=stored.body),
    )


def _check_nothing_behind(store: Store, stream: str, head: Head, pad: Pad) -> None:
    """Events behind a head that has not moved have been put there by somebody else."""
    behind = next(store.events(stream, after=head.version, up_to=head.version + 1), None)
    if behind is not None and store.head(stream).version <= head.version:
        pad.find(
            Finding(
                where=stream,
                version=behind.version,
                sentence="It lies behind the stream's head.",
                expected=f"events up to {head.version}",
                found=f"event {behind.version}",
            )
        )


class _Transfers:
    """The transfers of one stream, given out event by event."""

    def __init__(self, store: Store, stream: str, pad: Pad) -> None:
        self._left = store.transfers(stream=stream)
        self._next: StoredTransfer | None = next(self._left, None)
        self._pad = pad

    def of(self, stored: StoredEvent) -> tuple[Transfer, ...]:
        """The transfers of an event, in the order in which they were written."""
        found: list[Transfer] = []
        while (one := self._next) is not None and one.version <= stored.version:
            if one.version < stored.version:
                self._out_of_place(one)
            else:
                self._check_time(one, stored)
                found.append(one.transfer)
            self._next = next(self._left, None)
        return tuple(found)

    def _out_of_place(self, one: StoredTransfer) -> None:
        self._pad.find(
            Finding(
                where="transfers",
                version=one.number,
                sentence=f"It was added to event {one.version} of {one.stream} later on, "
                "or out of order.",
                expected="no such transfer",
                found=transfer_words(one.transfer),
            )
        )

    def _check_time(self, one: StoredTransfer, stored: StoredEvent) -> None:
        if one.at_ms != stored.at_ms:
            self._pad.find(
                Finding(
                    where="transfers",
                    version=one.number,
                    sentence=f"Its time is not that of event {one.version} of {one.stream}.",
                    expected=str(stored.at_ms),
                    found=str(one.at_ms),
                )
            )


# Transfers -------------------------------------------------------------------


def check_transfers(
    stored: StoredEvent, expected: tuple[Transfer, ...], found: tuple[Transfer, ...], pad: Pad
) -> None:
    """Compare the transfers of an event with those that it causes, one by one and in order."""
    pad.counts.transfers += len(found)
    if expected == found:
        return
    for at in range(max(len(expected), len(found))):
        wanted = expected[at] if at < len(expected) else None
        booked = found[at] if at < len(found) else None
        if wanted != booked:
            pad.find(
                Finding(
                    where=stored.stream,
                    version=stored.version,
                    sentence=f"Its transfer {at + 1} is not the one that it causes.",
                    expected=transfer_words(wanted),
                    found=transfer_words(booked),
                )
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
    extra = [one for one in (transfer.round, transfer.clause, transfer.note) if one]
    return f"{words} ({', '.join(extra)})" if extra else words
