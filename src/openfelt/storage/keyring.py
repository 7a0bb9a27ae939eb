"""Keys that encrypt secrets: the cards of a deck mean nothing to a reader of the database alone.

A keyring is a file apart from the database, or an environment variable. It holds keys by their ids;
the last one encrypts new secrets, and the others only decrypt what they once encrypted. Encryption
is authenticated (ChaCha20-Poly1305) and bound to the stream and the name of the secret, so an
encrypted text can be neither changed nor moved to another round.
"""

import base64
import hmac
import logging
import os
import re
import secrets
import stat
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from openfelt.storage.door import AppendKeyMissing, Damaged, KeyFailure, KeyMissing
from openfelt.storage.secrecy.codes_record import SUFFIX, CodesRecord
from openfelt.storage.shown_names import KEY_ID

logger = logging.getLogger(__name__)

FILE_VARIABLE: Final = "OPENFELT_KEYS_FILE"
"""The environment variable that names the file of the keys."""
KEYS_VARIABLE: Final = "OPENFELT_KEYS"
"""The environment variable that holds the keys themselves, as ``id:key`` joined by commas."""
FILE_NAME: Final = "secrets.keys"
KEY_BYTES: Final = 32
SALT_BYTES: Final = 16
_PRIVATE_MODE: Final = 0o600
_FILE_BYTES_MAX: Final = 1_000_000
_KEY: Final = re.compile(r"([0-9a-f]{8}):([0-9a-f]{64})")
_PLAIN: Final = b"\0"
_PACKED: Final = b"\1"
_NONCE: Final = bytes(12)
"""Every secret is encrypted with its own key, derived from a random salt, so the nonce may be fixed
and the number of secrets under one key has no limit."""
_HEADING: Final = (
    "# The keys of Openfelt's secret cards, the newest last. Keep a copy of this file, but never "
    "beside a copy of the database: a person with both can see every card.\n"
)


class Ciphertext(NamedTuple):
    """A secret as the store keeps it."""

    key: str
    """The id of the key."""
    body: str

    @property
    def text(self) -> str:
        """Both as one text, where a secret is kept or sent outside a table of secrets."""
        return f"{self.key}:{self.body}"

    @classmethod
    def parse(cls, text: str) -> "Ciphertext":
        """The reverse of ``text``; the keyring refuses what no key has encrypted.

        >>> Ciphertext.parse("0a1b2c3d:c2VjcmV0")
        Ciphertext(key='0a1b2c3d', body='c2VjcmV0')
        """
        key, _, body = text.partition(":")
        return cls(key, body)


class Keyring:
    """The keys of one installation, read when they are first needed.

    >>> keyring = Keyring(Path("/nowhere"), content=f"00000001:{'ab' * 32}")
    >>> encrypted = keyring.encrypt("table/a", "31/table", "cards")
    >>> keyring.decrypt("table/a", "31/table", encrypted)
    'cards'
    """

    def __init__(self, path: Path, *, content: str | None = None) -> None:
        """The keys in a file, or those in ``content`` where an environment variable holds them."""
        self.path = path
        self._content = content
        self._keys: dict[str, bytes] | None = None
        self._missing: frozenset[str] = frozenset()
        """The ids of known keys that are no longer in the file."""

    @classmethod
    def of(cls, environment: Mapping[str, str], *, file: Path | None = None) -> "Keyring":
        """The keyring that the environment names, otherwise the one in the usual location.

        The usual location is the folder of settings, not that of data: a copy of the data folder
        holds databases and must not hold their keys.

        >>> Keyring.of({"XDG_CONFIG_HOME": "/settings"}).path.as_posix()
        '/settings/openfelt/secrets.keys'
        """
        content = environment.get(KEYS_VARIABLE)
        named = file or environment.get(FILE_VARIABLE)
        if named:
            return cls(Path(named).expanduser(), content=None if file else content)
        base = environment.get("XDG_CONFIG_HOME")
        try:
            folder = Path(base) if base else Path.home() / ".config"
        except RuntimeError as error:
            raise KeyFailure(
                f"This user has no home folder for the keys of secret cards: set {FILE_VARIABLE}."
            ) from error
        return cls(folder / "openfelt" / FILE_NAME, content=content)

    # Keys --------------------------------------------------------------------------

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all keys, the newest last; empty if there is no file yet."""
        return tuple(self._load())

    @property
    def where(self) -> str:
        """Where the keys are kept, for messages to the operator."""
        return str(self.path) if self._content is None else f"the variable {KEYS_VARIABLE}"

    @property
    def databases(self) -> CodesRecord | None:
        """The record beside the file of the keys; None if a variable holds them."""
        if self._content is not None:
            return None
        return CodesRecord(self.path.with_name(self.path.name + SUFFIX))

    def current(self) -> str:
        """The id of the key that encrypts; the first key is created if there is none."""
        if not self._load():
            self.rotate()
        return self.ids[-1]

    def rotate(self) -> str:
        """Add a key, which encrypts from now on; returns its id. Raises KeyFailure."""
        if self._content is not None:
            raise KeyFailure(
                f"The keys are in the variable {KEYS_VARIABLE}: add a key there, as the last one."
            )
        key_id, key = secrets.token_hex(4), secrets.token_hex(KEY_BYTES)
        _add_line(self.path, f"{key_id}:{key}\n")
        self.reload()
        if key_id not in self._load():
            raise KeyFailure(f"{self.path} does not hold the key that was written to it.")
        return key_id

    def reload(self) -> None:
        """Read the file again, to which another process may have added a key.

        Raises KeyFailure if it cannot be read. Then the known keys stay in use, and so does each
        that is no longer in the file, until this process ends: rounds in play need them, and the
        first key of a new file would not be theirs.
        """
        text = self._content.replace(",", "\n") if self._content is not None else self._read()
        read, in_use = _keys_in(text, self.where), self._keys or {}
        missing = {key_id: key for key_id, key in in_use.items() if key_id not in read}
        if missing.keys() - self._missing:
            logger.error(
                "%s no longer has the keys %s; they stay in use until this process ends. Put them "
                "back, unless they were given up on purpose.",
                *(self.where, ", ".join(missing)),
            )
        self._missing = frozenset(missing)
        # The newest key of the file is the last one, and encrypts.
        self._keys = missing | read

    def _load(self) -> dict[str, bytes]:
        if self._keys is None:
            self.reload()
        assert self._keys is not None
        return self._keys

    def _read(self) -> str:
        try:
            with self.path.open("rb") as file:
                mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
                content = file.read(_FILE_BYTES_MAX)
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise KeyFailure(f"{self.path} cannot be read: {error.strerror}.") from error
        if os.name == "posix" and mode & 0o077:
            raise KeyFailure(
                f"{self.path} can be read or written by other users (its mode is {mode:04o}). "
                "If they cannot have read it yet, run chmod 600 on it; otherwise add a new key "
                "with openfelt keys rotate, and apply it with openfelt keys reencrypt."
            )
        return content.decode("ascii", "replace")

    def append_key(self, key_id: str, stream: str) -> bytes:
        """The key from which that of appends is derived; raises KeyMissing for this stream."""
        try:
            return self._key(key_id, stream)
        except KeyMissing:
            raise AppendKeyMissing(key_id, stream=stream, where=self.where) from None

    # Encryption -----------------------------------------------------------------------

    def encrypt(self, stream: str, name: str, body: str, *, packed: bool = False) -> Ciphertext:
        """Encrypt a secret of a stream under the newest key, compressed if it is to be packed.

        The order of a deck is not compressed: the length of the result would reveal something about
        it.
        """
        key_id = self.current()
        key = self._load()[key_id]
        return Ciphertext(key_id, encrypt_with(key, stream, name, body, packed=packed))

    def reencrypt(self, stream: str, name: str, encrypted: Ciphertext) -> Ciphertext:
        """Encrypt a secret again, under the newest key; raises KeyMissing or Damaged."""
        plain = _decrypted(self._key(encrypted.key, stream), stream, name, encrypted.body)
        key_id = self.current()
        return Ciphertext(key_id, _encrypted(self._load()[key_id], stream, name, plain))

    def decrypt(self, stream: str, name: str, encrypted: Ciphertext) -> str:
        """Decrypt a secret; raises KeyMissing, or Damaged if it is not what was encrypted."""
        return decrypt_with(self._key(encrypted.key, stream), stream, name, encrypted.body)

    def _key(self, key_id: str, stream: str) -> bytes:
        if KEY_ID.fullmatch(key_id) is None:
            raise Damaged("secrets", stream, "what it names is not the id of a key")
        if key_id not in self._load():
            # Another process may have added it.
            self.reload()
            if key_id not in self._load():
                raise KeyMissing(key_id, stream=stream, where=self.where)
        return self._load()[key_id]


def encrypt_with(key: bytes, stream: str, name: str, body: str, *, packed: bool = False) -> str:
    """A text of a stream, encrypted with this key and bound to the stream and the name."""
    plain = _PACKED + zlib.compress(body.encode(), 9) if packed else _PLAIN + body.encode()
    return _encrypted(key, stream, name, plain)


def decrypt_with(key: bytes, stream: str, name: str, body: str) -> str:
    """The text that was encrypted with this key; raises Damaged if it was not."""
    plain = _decrypted(key, stream, name, body)
    packed, content = plain[:1] == _PACKED, plain[1:]
    try:
        return (zlib.decompress(content) if packed else content).decode()
    except (zlib.error, UnicodeError):
        raise Damaged("secrets", f"{stream}/{name}", "it is not text") from None


def _encrypted(key: bytes, stream: str, name: str, plain: bytes) -> str:
    bound, salt = _bound(stream, name), secrets.token_bytes(SALT_BYTES)
    return base64.b64encode(salt + _cipher(key, salt, bound).encrypt(_NONCE, plain, bound)).decode()


def _decrypted(key: bytes, stream: str, name: str, body: str) -> bytes:
    bound = _bound(stream, name)
    try:
        raw = base64.b64decode(body, validate=True)
        cipher = _cipher(key, raw[:SALT_BYTES], bound)
        return cipher.decrypt(_NONCE, raw[SALT_BYTES:], bound)
    except (InvalidTag, ValueError):
        # The error is not passed on: nothing of a secret may get into a log.
        raise Damaged("secrets", f"{stream}/{name}", "it is not what was encrypted") from None


def _cipher(key: bytes, salt: bytes, bound: bytes) -> ChaCha20Poly1305:
    return ChaCha20Poly1305(hmac.digest(key, salt + bound, "sha256"))


def _bound(stream: str, name: str) -> bytes:
    """The context to which an encrypted text is bound."""
    return f"openfelt.secret/1 {len(stream)}:{stream} {name}".encode()


def _keys_in(text: str, where: str) -> dict[str, bytes]:
    keys: dict[str, bytes] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        match = _KEY.fullmatch(line)
        if match is None or match[1] in keys:
            # The line is not repeated, because it may be a mistyped key.
            raise KeyFailure(f"Line {number} of {where} is not a key, or has the id of another.")
        keys[match[1]] = bytes.fromhex(match[2])
    return keys


def _add_line(path: Path, line: str) -> None:
    """Add a line to a private file, which is created if it is missing, and sync it."""
    try:
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _PRIVATE_MODE)
        with os.fdopen(descriptor, "ab") as file:
            file.write((line if file.tell() else _HEADING + line).encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise KeyFailure(f"No key can be written to {path}: {error.strerror}.") from error
