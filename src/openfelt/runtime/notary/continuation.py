"""The notary after an older state was restored: what is lost, and the signed statement about it.

The notary signs only a record that continues what it has signed. A restored backup does not,
because its last events are gone. The operator lets the notary continue with a checkpoint that
follows the last published one and says which signed events are gone, who restored, and why. Nothing
signed is taken back.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.clock import Clock
from openfelt.runtime.notary.checkpoints import (
    CheckpointError,
    LostEvents,
    NamedHead,
    RestoreStatement,
    Statement,
    checkpoint_hash,
    published_checkpoints,
    read_statement,
    signature_holds,
    signed_checkpoint,
)
from openfelt.runtime.notary.keys import public_key_of
from openfelt.runtime.notary.notary import Notary, NotaryError, heads_to_sign, last_checkpoint
from openfelt.storage.door import FIRST_HASH, Checkpoint, Head, Store
from openfelt.storage.shown_names import shown
from openfelt.storage.streams.append_keys import APPENDS_STREAM


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """The part of the signed history that a record lacks."""

    missing: tuple[Checkpoint, ...]
    """Published checkpoints that the database does not have."""
    lost: Mapping[str, LostEvents]
    """By stream, the signed events that are gone."""
    position: int
    """How many events all streams have."""

    @property
    def events(self) -> int:
        """How many signed events are gone."""
        return sum(lost.signed - lost.kept for lost in self.lost.values())

    @property
    def signed_position(self) -> int:
        """How many events there were at least when the last checkpoint was signed."""
        return self.position + self.events

    @property
    def any(self) -> bool:
        """Whether anything is missing."""
        return bool(self.missing or self.lost)

    @property
    def sentence(self) -> str:
        """The missing part, in words."""
        if not self.any:
            return f"Position {self.position:,}: everything that the notary has signed is there."
        return (
            f"Restored up to position {self.position:,}; the notary had signed "
            f"{self.signed_position:,}: {self.events:,} signed events of {len(self.lost):,} "
            f"streams are gone, with {len(self.missing):,} "
            f"checkpoint{'s' if len(self.missing) != 1 else ''}."
        )


def find_gap(store: Store, published: Path | None, *, keys: Iterable[str] = ()) -> Gap:
    """Find what a record lacks of the checkpoints in the database and in the published file.

    Raises NotaryError if the record is not an older state of what was signed but a different one: a
    restore does not explain that.
    """
    heads = heads_to_sign(store)
    own = list(store.checkpoints())
    try:
        missing = tuple(_missing(own, published, set(keys)))
    except CheckpointError as error:
        raise NotaryError(f"{published} cannot be read: {error}") from error
    named = _Named(heads)
    for checkpoint in (*own, *missing):
        named.take(_statement(checkpoint))
    named.check(store)
    position = sum(head.version for head in heads.values())
    return Gap(missing=missing, lost=named.lost(), position=position)


def continue_record(
    store: Store,
    key: Ed25519PrivateKey,
    clock: Clock,
    *,
    published: Path | None,
    actor: str,
    reason: str,
) -> tuple[Gap, Checkpoint | None]:
    """Let the notary continue after an older state was restored; None if nothing is missing.

    The missing checkpoints are put back, and one is signed and published that names what is gone.
    Where the notary has a new key, because the old one is lost, it signs one that says so too. In
    any case a new epoch of codes begins: events that were written after the restored state, or to
    another copy, are not authentic here. Raises NotaryError, StoreError or OSError.
    """
    gap = find_gap(store, published, keys=[public_key_of(key)])
    last = last_checkpoint(store)
    if not gap.any and (last is None or last.key == public_key_of(key)):
        store.begin_epoch(clock.wall_ms(), reason)
        return gap, None
    heads = heads_to_sign(store)
    for stream, head in heads.items():
        # Events that were appended without a key of the house are not signed, even after a restore.
        store.check_head(stream, head)
    store.begin_epoch(clock.wall_ms(), reason)
    heads = heads_to_sign(store)
    for checkpoint in gap.missing:
        store.add_checkpoint(checkpoint)
    before = list(store.checkpoints())[-1]
    restored = RestoreStatement(actor=actor, reason=reason, lost=gap.lost)
    checkpoint = signed_checkpoint(
        key,
        number=before.number + 1,
        at_ms=max(clock.wall_ms(), before.at_ms),
        before=before,
        heads=heads,
        restored=restored,
    )
    store.add_checkpoint(checkpoint)
    # New events since then are signed as usual, and all checkpoints are published.
    Notary(store, key, clock, published=published).sign()
    return gap, checkpoint


class _Named:
    """The heads that checkpoints name, one checkpoint after another."""

    def __init__(self, heads: Mapping[str, Head]) -> None:
        self._heads = heads
        self._within: dict[str, NamedHead] = {}
        """By stream, the last named event within the stream's length."""
        self._own: list[NamedHead] = []
        """All named events of the store's own stream."""
        self._replaced: int | None = None
        """The first event of the store's own stream that differs from the signed one."""
        self._highest: dict[str, int] = {}

    def take(self, statement: Statement) -> None:
        if statement.restored is not None:
            for stream, lost in statement.restored.lost.items():
                self._highest[stream] = lost.kept
                self._within.pop(stream, None)
                if stream == APPENDS_STREAM:
                    self._own = [named for named in self._own if named.version <= lost.kept]
        for stream, named in statement.heads.items():
            self._highest[stream] = max(named.version, self._highest.get(stream, 0))
            if stream == APPENDS_STREAM:
                self._own.append(named)
            elif stream in self._heads and named.version <= self._heads[stream].version:
                self._within[stream] = named

    def check(self, store: Store) -> None:
        """Refuse a record with a different event in place of a signed one.

        The store's own stream may have begun another epoch after an older state was restored.
        """
        for stream, named in self._within.items():
            if not _has(store, stream, named):
                raise _replaced(stream, named.version)
        head = self._heads.get(APPENDS_STREAM)
        for named in sorted(self._own, key=lambda named: named.version):
            if head is not None and named.version <= head.version:
                if _has(store, APPENDS_STREAM, named):
                    continue
                if named.version == 1:
                    raise _replaced(APPENDS_STREAM, 1)
                self._replaced = named.version
                return

    def lost(self) -> dict[str, LostEvents]:
        """The signed events beyond the heads, by stream."""
        lost = {}
        for stream, highest in sorted(self._highest.items()):
            kept = self._heads[stream].version if stream in self._heads else 0
            if stream == APPENDS_STREAM and self._replaced is not None:
                kept = self._replaced - 1
            if kept < highest:
                lost[stream] = LostEvents(kept=kept, signed=highest)
        return lost


def _has(store: Store, stream: str, named: NamedHead) -> bool:
    event = next(store.events(stream, after=named.version - 1, up_to=named.version), None)
    return event is not None and event.hash == named.hash


def _replaced(stream: str, version: int) -> NotaryError:
    return NotaryError(
        f"Event {version} of {shown(stream)} is not the one that was signed: the record is not an "
        "older state but another one. Run an audit."
    )


def _missing(own: list[Checkpoint], published: Path | None, keys: set[str]) -> Iterator[Checkpoint]:
    """The published checkpoints after those of the database, each checked."""
    by_number = {checkpoint.number: checkpoint for checkpoint in own}
    keys |= {checkpoint.key for checkpoint in own}
    before = own[-1] if own else None
    for line in published_checkpoints(published):
        if line.number in by_number:
            if by_number[line.number] != line:
                raise NotaryError(
                    f"Checkpoint {line.number} differs from that in the database: the published "
                    "file is that of another database, or one of them was changed."
                )
            continue
        expected = before.number + 1 if before else 1
        previous = checkpoint_hash(before) if before else FIRST_HASH
        follows = line.number == expected and _statement(line).previous == previous
        if not follows or line.key not in keys or not signature_holds(line):
            raise NotaryError(
                f"The published checkpoint {line.number} does not follow the one before it, or is "
                "not signed by this notary."
            )
        before = line
        yield line


def _statement(checkpoint: Checkpoint) -> Statement:
    try:
        return read_statement(checkpoint)
    except CheckpointError as error:
        raise NotaryError(str(error)) from error
