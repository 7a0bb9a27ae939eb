"""The shipper: appends what is new in a database to a copy, as one more signed segment.

Play may continue during it. A segment ends at the heads of all streams at one moment, so the books
of a copy balance after each of its segments. The shipper signs nothing that was appended without a
key of the house, and nothing that does not continue what it has shipped before.
"""

import logging
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.record_events.shipment_events import SegmentShipped
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.notary.checkpoints import CheckpointError, read_statement
from openfelt.runtime.notary.keys import public_key_of
from openfelt.runtime.notary.notary import heads_to_sign
from openfelt.runtime.rounds.kept_round import kept_round
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.rounds.record_search import opened_number
from openfelt.runtime.shipment.segment_file import (
    SegmentError,
    SegmentManifest,
    ShippedHead,
    SignedManifest,
    check_content,
    read_manifest,
    remove_unfinished,
    segment_files,
    signed_manifest,
    write_segment,
)
from openfelt.runtime.shipment.segment_records import (
    SegmentRecord,
    ShippedRound,
    shipped_checkpoint,
    shipped_event,
    shipped_rules,
)
from openfelt.runtime.shuffle.deck_secrets import kept_body
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.streams import StreamKind, kind_of, name_of, shipment_stream, table_stream
from openfelt.storage.balances.balance_door import StoredTransfer
from openfelt.storage.chain import stored_hash
from openfelt.storage.codec import Codec, CodecError
from openfelt.storage.door import (
    FIRST_HASH,
    Append,
    Checkpoint,
    Commit,
    Forged,
    Head,
    Irrecoverable,
    Store,
)
from openfelt.storage.event_forms import ROUND_ENDS, EventCodec
from openfelt.storage.rulebook import Rulebook

Progress = Callable[[int, int], object]
PROGRESS_EVERY: Final = 200

logger = logging.getLogger(__name__)


class ShipmentError(Exception):
    """Nothing is shipped, because the copy and the database do not fit together."""


@dataclass(slots=True)
class ShippedRecords:
    """The records that a copy already has."""

    copy: str
    number: int = 0
    """The number of the last segment."""
    hash: str = FIRST_HASH
    checkpoint: int = 0
    heads: dict[str, ShippedHead] = field(default_factory=dict)
    rule_sets: set[str] = field(default_factory=set)
    hashes: list[str] = field(default_factory=list)
    """The hashes of all segments."""

    def add(self, signed: SignedManifest) -> None:
        """Take the next segment."""
        manifest = signed.manifest
        self.copy, self.number, self.hash = manifest.copy, manifest.number, signed.hash
        self.checkpoint = manifest.checkpoint
        self.heads.update(manifest.heads)
        self.rule_sets.update(manifest.rule_sets)
        self.hashes.append(signed.hash)


def shipped_in(folder: Path) -> ShippedRecords:
    """The content of a copy according to the segments of a folder; raises SegmentError.

    The content of the last segment is read again. ``openfelt audit`` checks them all.
    """
    shipped = ShippedRecords(secrets.token_hex(8))
    last: tuple[Path, SignedManifest] | None = None
    for number, path in segment_files(folder).items():
        signed = read_manifest(path)
        manifest = signed.manifest
        if not signed.signature_holds:
            raise SegmentError(f"{path.name} is not signed by the key that it names.")
        named = (manifest.number, manifest.previous, manifest.copy)
        copy = shipped.copy if shipped.number else manifest.copy
        if number != manifest.number or named != (shipped.number + 1, shipped.hash, copy):
            raise SegmentError(f"{path.name} does not follow the segment before it.")
        shipped.add(signed)
        last = path, signed
    if last is not None:
        check_content(*last)
    return shipped


class Shipper:
    """Ships the log of one database to one folder. All calls block."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        key: Ed25519PrivateKey,
        clock: Clock,
        *,
        progress: Progress | None = None,
    ) -> None:
        rulebook = Rulebook(store)
        self._store = store
        self._folder = folder
        self._key = key
        self._clock = clock
        self._progress = progress
        self._codec = EventCodec(rulebook.codec)
        self._reader = RoundReader(store, rulebook)
        self._events = self._rounds = 0

    def ship(self) -> SignedManifest | None:
        """Append one segment with what is new; None if there is nothing new.

        No other process may ship to the same folder at the same time. Raises ShipmentError,
        SegmentError, StoreError or OSError.
        """
        remove_unfinished(self._folder)
        shipped = shipped_in(self._folder)
        self._compare(shipped)
        # Checkpoints are read first: all events that they name are there when heads are read.
        checkpoints = list(self._store.checkpoints(after=shipped.checkpoint))
        heads = heads_to_sign(self._store)
        changed = self._changed(shipped, heads)
        if not any(map(_is_news, changed)) and not any(map(_signs_news, checkpoints)):
            return None
        rules = sorted(set(self._store.rule_set_names()) - shipped.rule_sets)
        ends: dict[str, ShippedHead] = {}
        self._events = self._rounds = 0

        def sign(size: int, sha256: str) -> SignedManifest:
            manifest = SegmentManifest(
                copy=shipped.copy,
                number=shipped.number + 1,
                previous=shipped.hash,
                at_ms=self._clock.wall_ms(),
                software=version_of("openfelt"),
                heads=ends,
                checkpoint=checkpoints[-1].number if checkpoints else shipped.checkpoint,
                rule_sets=rules,
                events=self._events,
                rounds=self._rounds,
                size=size,
                sha256=sha256,
            )
            return signed_manifest(manifest, self._key)

        records = self._records(shipped, changed, rules, checkpoints, ends)
        signed = write_segment(self._folder, shipped.number + 1, records, sign)
        self._record(signed)
        return signed

    # The copy and the database ---------------------------------------------------------

    def _compare(self, shipped: ShippedRecords) -> None:
        """Refuse a copy that lacks a segment which the record says was shipped to it."""
        recorded: SegmentShipped | None = None
        for stored in self._store.record(shipment_stream(shipped.copy)):
            recorded = _codec().decode(stored)
            assert isinstance(recorded, SegmentShipped)
            hashes = shipped.hashes[recorded.number - 1 : recorded.number]
            if hashes != [recorded.hash]:
                raise ShipmentError(
                    f"Segment {recorded.number} was shipped to this folder, as the record says, "
                    "and is missing or is another one. Put it back, or ship to a new folder."
                )
        last = recorded.number if recorded is not None else 0
        for number in range(last + 1, shipped.number + 1):
            # The process ended after a segment was written and before that was recorded.
            signed = read_manifest(segment_files(self._folder)[number])
            if signed.key != public_key_of(self._key):
                # Otherwise those who hold the copy could write a segment, and what it leaves out
                # would never be shipped.
                raise ShipmentError(
                    f"Segment {number} of this folder is not in the record, and is signed with "
                    f"another key, {signed.key}. Remove it, or ship to a new folder."
                )
            self._compare_heads(signed.manifest.heads)
            self._record(signed)

    def _compare_heads(self, heads: Mapping[str, ShippedHead]) -> None:
        for stream, head in heads.items():
            self._check_continued(stream, head, self._store.head(stream))

    def _changed(self, shipped: ShippedRecords, heads: Mapping[str, Head]) -> dict[str, Head]:
        """The streams with new events; each must continue what was shipped of it."""
        for stream, shipped_head in shipped.heads.items():
            head = heads.get(stream)
            if head is None or head.version < shipped_head.version:
                raise _not_continued(stream, shipped_head)
        changed = {
            stream: head
            for stream, head in heads.items()
            if stream not in shipped.heads or shipped.heads[stream].hash != head.hash
        }
        for stream, head in changed.items():
            if stream in shipped.heads:
                self._check_continued(stream, shipped.heads[stream], head)
            try:
                self._store.check_head(stream, head)
            except Forged as error:
                raise ShipmentError(f"{error} Run an audit before anything is shipped.") from error
        return changed

    def _check_continued(self, stream: str, shipped_head: ShippedHead, head: Head) -> None:
        if (head.version, head.hash) == (shipped_head.version, shipped_head.hash):
            return
        if head.version > shipped_head.version:
            events = self._store.events(
                stream, after=shipped_head.version - 1, up_to=shipped_head.version
            )
            event = next(events, None)
            if event is None or event.hash == shipped_head.hash:
                # An event that is in an archive is compared with the one after it.
                return
        raise _not_continued(stream, shipped_head)

    def _record(self, signed: SignedManifest) -> None:
        """Write into the record what was shipped, and by whom."""
        manifest = signed.manifest
        event = SegmentShipped(manifest.copy, manifest.number, signed.hash, manifest.events)
        stream = shipment_stream(manifest.copy)
        append = Append(
            stream=stream,
            expected_version=manifest.number - 1,
            events=(_codec().encode(event, cause=acting()),),
        )
        self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))

    # Records ---------------------------------------------------------------------------

    def _records(
        self,
        shipped: ShippedRecords,
        changed: Mapping[str, Head],
        rules: list[str],
        checkpoints: list[Checkpoint],
        ends: dict[str, ShippedHead],
    ) -> Iterator[SegmentRecord]:
        """Everything that is new; ``ends`` receives the ends of the streams."""
        for fingerprint in rules:
            rule_set = self._store.rule_set(fingerprint)
            if rule_set is not None:
                yield shipped_rules(rule_set)
        first = {name: head.version for name, head in shipped.heads.items()}
        total = sum(head.version - first.get(name, 0) for name, head in changed.items())
        for stream, head in sorted(changed.items()):
            end = shipped.heads.get(stream)
            for record in self._stream(stream, end, head, ends):
                yield record
                if self._progress is not None and self._events % PROGRESS_EVERY == 0:
                    self._progress(self._events, total)
        for checkpoint in checkpoints:
            yield shipped_checkpoint(checkpoint)

    def _stream(
        self, stream: str, before: ShippedHead | None, head: Head, ends: dict[str, ShippedHead]
    ) -> Iterator[SegmentRecord]:
        """The new events of a stream with their transfers, each checked against the one before."""
        version, last = (before.version, before.hash) if before else (0, FIRST_HASH)
        transfers = _Transfers(self._store, stream, before.transfer if before else 0)
        for stored in self._store.events(stream, after=version, up_to=head.version):
            if stored.version != version + 1:
                raise ShipmentError(
                    f"Events {version + 1} to {stored.version - 1} of {stream} have been archived "
                    "and were not shipped before. Name the archives with --archive."
                )
            if stored.previous != last or stored_hash(stored) != stored.hash:
                raise _not_continued(stream, ShippedHead(stored.version, last, 0))
            version, last = stored.version, stored.hash
            self._events += 1
            yield shipped_event(stored, transfers.of(stored.version))
            if stored.name in ROUND_ENDS and kind_of(stream) is StreamKind.TABLE:
                yield from self._round(name_of(stream), stored.version)
        if (version, last) != (head.version, head.hash):
            raise _not_continued(stream, ShippedHead(head.version, head.hash, 0))
        ends[stream] = ShippedHead(version, last, transfers.last)

    def _round(self, table: str, ended: int) -> Iterator[ShippedRound]:
        """The shown part of the round that ended at a version."""
        first = self._reader.opening_before(table, ended)
        opened, number = first.version, opened_number(first)
        try:
            kept = kept_body(self._store, table, number)
            if kept is None:
                recorded = self._reader.read(table, number, version=opened, up_to=ended)
                events = self._store.events(table_stream(table), after=opened, up_to=ended)
                secret = kept_round(self._reader, self._codec, recorded, events)
                kept = secret.body if secret is not None else None
        except (CodecError, Irrecoverable, ProofError) as error:
            # The log is shipped all the same; the audit of the copy names the round.
            logger.error("the cards of round %s/%d are not shipped: %s", table, number, error)
            return
        self._rounds += 1
        if kept is not None:
            yield ShippedRound(table, number, kept)


class _Transfers:
    """The transfers of one stream after a number, handed out event by event."""

    def __init__(self, store: Store, stream: str, after: int) -> None:
        self.last = after
        self._left = store.transfers(stream=stream, after=after)
        self._next: StoredTransfer | None = next(self._left, None)

    def of(self, version: int) -> list[StoredTransfer]:
        """The transfers of an event."""
        transfers: list[StoredTransfer] = []
        while self._next is not None and self._next.version <= version:
            transfers.append(self._next)
            self.last = self._next.number
            self._next = next(self._left, None)
        return transfers


def _is_news(stream: str) -> bool:
    """Whether new events of a stream are worth a segment: those about shipments are not."""
    return kind_of(stream) is not StreamKind.SHIPMENT


def _signs_news(checkpoint: Checkpoint) -> bool:
    try:
        return any(map(_is_news, read_statement(checkpoint).heads))
    except CheckpointError:
        return True


def _not_continued(stream: str, shipped_head: ShippedHead) -> ShipmentError:
    return ShipmentError(
        f"The database does not continue what was shipped of {stream} up to event "
        f"{shipped_head.version}. Run an audit. If an older state was restored on purpose, ship to "
        "a new folder, and keep the old one."
    )


def _codec() -> EventCodec:
    return EventCodec(Codec(lambda _: None))
