"""Authentic heads: an append that was made without the key of the house is found.

The chain of hashes shows that an old event was changed, but any writer of the database can compute
the hash of a further event. So the head of every stream carries a code (HMAC-SHA256) that cannot
be made without a key, and so does every snapshot. The key is derived (HKDF) from one of the
keyring, which is not in the database, and from the id of the database, so that nothing can be
copied from another one. A head covers its whole stream through the chain.

From when on this is so, the store's own stream ``appends`` records. Databases of earlier versions
have no codes; their heads get them as they are found, once, and the event says how many.
"""

import hmac
import secrets
from typing import Final

import msgspec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from openfelt.storage.door import FIRST_HASH, Authentication, Forged, Head
from openfelt.storage.keyring import KEY_BYTES, SALT_BYTES, Keyring

APPENDS_STREAM: Final = "appends"
"""The store's own stream, which says from when on appends are authentic."""
AUTHENTICATED_EVENT: Final = "appends_authenticated"
AUTHENTICATED_SCHEMA: Final = 1
_INFO: Final = b"openfelt.append/1"
_HEAD: Final = "head"
_SNAPSHOT: Final = "snapshot"


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

    def __init__(self, keyring: Keyring, database: str) -> None:
        """``database`` is the id of the database."""
        self._keyring = keyring
        self.database = database
        self._derived: dict[str, bytes] = {}

    # Heads -------------------------------------------------------------------------

    def authentic(self, stream: str, head: Head) -> Head:
        """The head with a code under the newest key."""
        parts = (stream, head.version, head.hash, head.at_ms)
        return Head(
            version=head.version,
            hash=head.hash,
            at_ms=head.at_ms,
            fence=head.fence,
            code=self._code(_HEAD, *parts),
        )

    def check_head(self, stream: str, head: Head) -> None:
        """Raise Forged for a head that was not written with a key of the house."""
        if head.version == 0:
            genuine = (head.hash, head.at_ms, head.code) == (FIRST_HASH, 0, "")
        else:
            parts = (stream, head.version, head.hash, head.at_ms)
            genuine = self._is_code(head.code, stream, _HEAD, *parts)
        if not genuine:
            raise Forged("streams", stream)

    def is_newest(self, head: Head) -> bool:
        """Whether a head's code was made with the newest key."""
        return head.code.startswith(f"{self._keyring.current()}:")

    # Snapshots ---------------------------------------------------------------------

    def snapshot_code(self, stream: str, version: int, at_ms: int, body: str) -> str:
        """The code of a snapshot, whose body is as it is stored."""
        return self._code(_SNAPSHOT, stream, version, at_ms, body)

    def is_snapshot(self, code: str, stream: str, version: int, at_ms: int, body: str) -> bool:
        """Whether a snapshot was written with a key of the house; raises KeyMissing."""
        return self._is_code(code, stream, _SNAPSHOT, stream, version, at_ms, body)

    # Codes -------------------------------------------------------------------------

    def _code(self, *parts: str | int) -> str:
        key_id = self._keyring.current()
        return f"{key_id}:{self._digest(key_id, '', parts)}"

    def _is_code(self, code: str, stream: str, *parts: str | int) -> bool:
        key_id, colon, digest = code.partition(":")
        if not colon or not digest.isascii():
            return False
        return hmac.compare_digest(digest, self._digest(key_id, stream, parts))

    def _digest(self, key_id: str, stream: str, parts: tuple[str | int, ...]) -> str:
        key = self._derived.get(key_id)
        if key is None:
            master = self._keyring.append_key(key_id, stream)
            salt = bytes.fromhex(self.database)
            key = HKDF(SHA256(), KEY_BYTES, salt, _INFO).derive(master)
            self._derived[key_id] = key
        text = "".join(f"{len(str(part))}:{part}" for part in parts)
        return hmac.digest(key, text.encode(), "sha256").hex()


def new_database_id() -> str:
    """An id for a database, which no other has."""
    return secrets.token_hex(SALT_BYTES)


# The event -----------------------------------------------------------------------


def to_json(authentication: Authentication) -> str:
    """The body of the event that begins the authentication of appends."""
    return msgspec.json.encode(authentication).decode()


def from_json(body: str) -> Authentication:
    """What such a body says; raises Forged if it is no such body."""
    try:
        authentication = msgspec.json.decode(body, type=Authentication)
        bytes.fromhex(authentication.database)
    except (msgspec.MsgspecError, ValueError):
        raise Forged("events", f"{APPENDS_STREAM}/1") from None
    return authentication
