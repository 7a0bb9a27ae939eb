"""Authentic heads: an append without the key of the house is detected.

The chain of hashes shows that an old event was changed, but any writer of the database can compute
the hash of a further event. So the head of every stream carries a code (HMAC-SHA256) that cannot be
made without a key, and so does every snapshot. The key is derived (HKDF) from one of the keyring,
which is not in the database, and from the id of the database, so that nothing can be copied from
another one. A head covers its whole stream through the chain, and a snapshot's code covers the hash
of its event.

A copy of a database has the same id. So codes are also bound to an epoch: a restored copy begins
a new one, and what was written before the restore, or is written to another copy, is not authentic
in it. The store's own stream ``appends`` records all of this; see ``append_record``.
"""

import hmac
import secrets
from collections.abc import Collection
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from openfelt.storage.chain import delimited
from openfelt.storage.door import FIRST_HASH, Authentication, Forged, Head, Snapshot
from openfelt.storage.keyring import KEY_BYTES, SALT_BYTES, Keyring
from openfelt.storage.shown_names import KEY_ID

APPENDS_STREAM: Final = "appends"
"""The store's own stream, which says from when on appends are authentic."""
_INFO: Final = b"openfelt.append/1"
_HEAD: Final = "head"
_SNAPSHOT: Final = "snapshot"
_GENUINE_MAX: Final = 4096
"""How many heads are remembered as genuine, which takes about two megabytes."""


class AppendKeys:
    """The keys that authenticate what is appended to one database.

    >>> from pathlib import Path
    >>> keyring = Keyring(Path("/nowhere"), content=f"00000001:{'ab' * 32}")
    >>> keys = AppendKeys(keyring, "00" * 16)
    >>> head = keys.authentic("wallet/ann", Head(version=1, hash="ab", at_ms=5, fence=0))
    >>> keys.check_head("wallet/ann", head)
    >>> keys.check_head("wallet/bob", head)
    Traceback (most recent call last):
    ...
    openfelt.storage.errors.Forged: Row wallet/bob of the table streams is damaged: it was ...
    """

    def __init__(
        self, keyring: Keyring, database: str, *, epoch: str = "", used: Collection[str] = ()
    ) -> None:
        """``database`` is the id of the database; ``used`` are the keys that it has ever used."""
        self._keyring = keyring
        self.database = database
        self.epoch = epoch
        self.used = frozenset(used)
        self._derived: dict[str, bytes] = {}
        self._genuine: dict[str, Head] = {}
        """The last heads that were found or made genuine under these keys, by their streams."""

    @classmethod
    def of(cls, keyring: Keyring, record: Authentication) -> "AppendKeys":
        """The keys of a database that records this of itself."""
        return cls(keyring, record.database, epoch=record.epoch, used=record.keys)

    @property
    def newest_is_used(self) -> bool:
        """Whether the database records that the newest key is used."""
        return self._keyring.current() in self.used

    # Heads -------------------------------------------------------------------------

    def authentic(self, stream: str, head: Head) -> Head:
        """The head with a code under the newest key."""
        parts = (stream, head.version, head.hash, head.at_ms)
        made = Head(
            version=head.version,
            hash=head.hash,
            at_ms=head.at_ms,
            fence=head.fence,
            code=self._code(_HEAD, *parts),
        )
        self._keep(stream, made)
        return made

    def check_head(self, stream: str, head: Head) -> None:
        """Raise Forged for a head that was not written with a key of the house."""
        if head.version == 0:
            genuine = (head.hash, head.at_ms, head.code) == (FIRST_HASH, 0, "")
        elif self._genuine.get(stream) == head:
            # Nearly every head is the one that this process wrote last.
            return
        else:
            parts = (stream, head.version, head.hash, head.at_ms)
            genuine = self._is_code(head.code, stream, _HEAD, *parts)
        if not genuine:
            raise Forged("streams", stream)
        self._keep(stream, head)

    def _keep(self, stream: str, head: Head) -> None:
        if len(self._genuine) >= _GENUINE_MAX:
            self._genuine.clear()
        self._genuine[stream] = head

    def is_newest(self, head: Head) -> bool:
        """Whether a head's code was made with the newest key."""
        return head.code.startswith(f"{self._keyring.current()}:")

    # Snapshots ---------------------------------------------------------------------

    def snapshot_code(self, stream: str, snapshot: Snapshot) -> str:
        """The code of a snapshot, whose body is as it is stored."""
        return self._code(_SNAPSHOT, *self._snapshot_parts(stream, snapshot))

    def is_snapshot(self, code: str, stream: str, snapshot: Snapshot) -> bool:
        """Whether a snapshot was written with a key of the house; raises KeyMissing."""
        return self._is_code(code, stream, _SNAPSHOT, *self._snapshot_parts(stream, snapshot))

    def _snapshot_parts(self, stream: str, snapshot: Snapshot) -> tuple[str | int, ...]:
        # Before there were epochs, the event was not covered.
        event = (snapshot.hash,) if self.epoch else ()
        return (stream, snapshot.version, snapshot.at_ms, *event, snapshot.body)

    # Codes -------------------------------------------------------------------------

    def _code(self, *parts: str | int) -> str:
        key_id = self._keyring.current()
        return f"{key_id}:{self._digest(key_id, '', parts)}"

    def _is_code(self, code: str, stream: str, *parts: str | int) -> bool:
        key_id, colon, digest = code.partition(":")
        possible = KEY_ID.fullmatch(key_id) and (not self.used or key_id in self.used)
        if not colon or not digest.isascii() or not possible:
            # A key that the house has never used is not one that is missing.
            return False
        return hmac.compare_digest(digest, self._digest(key_id, stream, parts))

    def _digest(self, key_id: str, stream: str, parts: tuple[str | int, ...]) -> str:
        key = self._derived.get(key_id)
        if key is None:
            master = self._keyring.append_key(key_id, stream)
            salt = bytes.fromhex(self.database + self.epoch)
            key = HKDF(SHA256(), KEY_BYTES, salt, _INFO).derive(master)
            self._derived[key_id] = key
        return hmac.digest(key, delimited(*parts).encode(), "sha256").hex()


def new_id() -> str:
    """An id for a database or an epoch, which no other has."""
    return secrets.token_hex(SALT_BYTES)
