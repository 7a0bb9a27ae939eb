"""The notary, which signs a checkpoint of all streams from time to time.

The chain of hashes shows that an old event was changed. It does not show that the end of a
stream was removed, or that a whole chain was computed again. A signed checkpoint does, because
it cannot be made without the key; and a copy of the checkpoints that is published elsewhere does
even if the database's own checkpoints were removed as well.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.clock import Clock
from openfelt.runtime.notary.checkpoints import (
    CheckpointError,
    NamedHead,
    published_line,
    read_published_line,
    read_statement,
    signed_checkpoint,
    whole_lines,
)
from openfelt.runtime.notary.keys import public_key_of
from openfelt.storage.backup.sqlite_files import sync_folder
from openfelt.storage.door import Checkpoint, Conflict, Forged, Head, Store
from openfelt.storage.shown_names import shown
from openfelt.storage.streams.append_keys import APPENDS_STREAM

ATTEMPTS_MAX: Final = 50
"""How often signing a checkpoint is tried, because another process may sign first."""


class NotaryError(Exception):
    """The notary does not sign, because the record does not continue what was signed before."""


class OlderRecord(NotaryError):
    """The database ends before the last published checkpoint, as a restored old copy does."""


class Notary:
    """Signs checkpoints of one store, and publishes them to a file if one is given."""

    def __init__(
        self,
        store: Store,
        key: Ed25519PrivateKey,
        clock: Clock,
        *,
        published: Path | None = None,
    ) -> None:
        self._store = store
        self._key = key
        self._clock = clock
        self._published = published
        self._last: Checkpoint | None = None
        self._named: dict[str, NamedHead] = {}
        self._published_number: int | None = None
        self._published_size: int | None = None
        self._read_again = True

    @property
    def public_key(self) -> str:
        """The key that checks the signatures, in hexadecimal digits."""
        return public_key_of(self._key)

    def sign(self) -> Checkpoint | None:
        """Sign the heads of the streams that have changed; None if none has.

        Raises NotaryError if a stream or an earlier checkpoint is not what was signed or
        published before, and StoreError or OSError if nothing can be written.
        """
        for _ in range(ATTEMPTS_MAX):
            if self._read_again:
                self._read()
            changed = self._changed()
            checkpoint = self._next(changed) if changed else None
            if checkpoint is not None:
                try:
                    self._store.add_checkpoint(checkpoint)
                except Conflict:
                    self._read_again = True
                    continue
                self._remember(checkpoint)
            self._publish()
            return checkpoint
        raise Conflict("checkpoints", expected=self._number - 1, found=self._number)

    def check(self) -> None:
        """Raise NotaryError if the record does not continue what was signed; nothing is signed."""
        self._read()
        self._changed()

    # What has been signed ----------------------------------------------------------

    @property
    def _number(self) -> int:
        """The number of the last checkpoint that this notary has read or signed."""
        return 0 if self._last is None else self._last.number

    def _read(self) -> None:
        """Read all checkpoints again, and compare the last published one with them."""
        self._last, self._named = None, {}
        last_published = self._last_published()
        same_number = None
        for checkpoint in self._store.checkpoints():
            self._remember(checkpoint)
            if last_published and checkpoint.number == last_published.number:
                same_number = checkpoint
        if last_published is not None and last_published.number > self._number:
            raise OlderRecord(
                f"Checkpoint {last_published.number} was published and is not in the database, "
                f"which ends with checkpoint {self._number}: it is an old copy, and what was "
                "played since is missing. Stop the server and restore the newest backup; if this "
                'is the newest, openfelt notary continue DATABASE --reason "..." records that, and '
                "the notary signs again."
            )
        if last_published is not None and same_number != last_published:
            state = "is not in" if same_number is None else "differs from that in"
            raise NotaryError(
                f"Checkpoint {last_published.number} was published and {state} the database: "
                "run an audit before anything more is signed. If an older state was restored on "
                'purpose, openfelt notary continue DATABASE --reason "..." says so in the chain of '
                "checkpoints."
            )
        self._published_number = last_published.number if last_published else 0
        self._read_again = False

    def _remember(self, checkpoint: Checkpoint) -> None:
        self._last = checkpoint
        try:
            statement = read_statement(checkpoint)
            for stream in statement.restored.lost if statement.restored else ():
                self._named.pop(stream, None)
            self._named.update(statement.heads)
        except CheckpointError as error:
            raise NotaryError(f"{error} Run an audit before anything more is signed.") from error

    # What has changed --------------------------------------------------------------

    def _changed(self) -> dict[str, Head]:
        """The heads that no checkpoint names yet; each must continue the one named last."""
        heads = heads_to_sign(self._store)
        for stream in self._named.keys() - heads.keys():
            raise _not_continued(stream, self._named[stream])
        changed = {
            stream: head
            for stream, head in heads.items()
            if stream not in self._named or self._named[stream].hash != head.hash
        }
        for stream in changed.keys() & self._named.keys():
            self._check_continued(stream, self._named[stream], changed[stream])
        for stream, head in changed.items():
            self._check_authentic(stream, head)
        return changed

    def _check_authentic(self, stream: str, head: Head) -> None:
        """Refuse a stream that was appended to without a key of the house."""
        try:
            self._store.check_head(stream, head)
        except Forged as error:
            raise NotaryError(f"{error} Run an audit before anything more is signed.") from error

    def _check_continued(self, stream: str, named: NamedHead, head: Head) -> None:
        """Refuse a stream whose signed event is gone or has been replaced."""
        if head.version > named.version:
            for event in self._store.events(stream, after=named.version - 1, up_to=named.version):
                if event.hash == named.hash:
                    return
        raise _not_continued(stream, named)

    def _next(self, changed: Mapping[str, Head]) -> Checkpoint:
        last_ms = self._last.at_ms if self._last else 0
        return signed_checkpoint(
            self._key,
            number=self._number + 1,
            at_ms=max(self._clock.wall_ms(), last_ms),
            before=self._last,
            heads=changed,
        )

    # Publishing ----------------------------------------------------------------------

    def _last_published(self) -> Checkpoint | None:
        if self._published is None or not self._published.exists():
            return None
        last = None
        with self._published.open(encoding="utf-8", errors="replace") as lines:
            for _, line in whole_lines(lines):
                last = line
        try:
            return None if last is None else read_published_line(last)
        except CheckpointError as error:
            raise NotaryError(f"The last line of {self._published} is wrong: {error}") from error

    def _publish(self) -> None:
        """Append all checkpoints that are not published yet."""
        if self._published is None or self._published_number == self._number:
            return
        with self._published.open("a+b") as file:
            _lock(file.fileno())
            size = file.seek(0, os.SEEK_END)
            if size != self._published_size:
                # Another process has published in the meantime, or an outage has left an incomplete
                # line.
                last = self._last_published()
                self._published_number = last.number if last else 0
                file.seek(max(0, size - 1))
                if size and file.read(1) != b"\n":
                    file.write(b"\n")
            for checkpoint in self._missing(self._published_number or 0):
                file.write(published_line(checkpoint).encode())
            file.flush()
            os.fsync(file.fileno())
            self._published_size = file.tell()
        if size == 0:
            sync_folder(self._published.parent)
        self._published_number = self._number

    def _missing(self, after: int) -> list[Checkpoint]:
        if self._last is not None and after == self._number - 1:
            return [self._last]
        return [
            checkpoint
            for checkpoint in self._store.checkpoints()
            if after < checkpoint.number <= self._number
        ]


def heads_to_sign(store: Store) -> dict[str, Head]:
    """All heads, and that of the store's own stream, which says since when they are authentic."""
    heads = store.heads()
    own = store.head(APPENDS_STREAM)
    return {**heads, APPENDS_STREAM: own} if own.version else heads


def last_checkpoint(store: Store) -> Checkpoint | None:
    """The last checkpoint in a database."""
    return max(store.checkpoints(), key=lambda checkpoint: checkpoint.number, default=None)


def _not_continued(stream: str, named: NamedHead) -> NotaryError:
    return NotaryError(
        f"{shown(stream)} had the signed event {named.version}, which is gone or changed: "
        "run an audit before anything more is signed."
    )


def _lock(descriptor: int) -> None:
    """Wait for other processes that publish; without flock, publish without a lock."""
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)
