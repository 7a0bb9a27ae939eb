"""Keys that seal secrets: the cards of a deck mean nothing to a reader of the database alone.

A keyring is a file apart from the database, or an environment variable. It holds keys by their
ids; the last one seals what is written from now on, and the others only open what they once
sealed. Sealing is authenticated (ChaCha20-Poly1305) and bound to the stream and the name of the
secret, so a sealed text can be neither changed nor moved to another round.
"""

import base64
import hmac
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

from openfelt.storage.door import Damaged, KeyFailure, KeyMissing

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
"""Every secret is sealed with a key of its own, made from a random salt, so the nonce may be fixed
and the number of secrets under one key has no limit."""
_SEALED_BEGINS: Final = '{"sealed":"'
_SEALED_ENDS: Final = '"}'
_HEADING: Final = (
    "# The keys of Openfelt's secret cards, the newest last. Keep a copy of this file, but never "
    "beside a copy of the database: whoever has both sees every card.\n"
)


class Sealed(NamedTuple):
    """A secret as the store keeps it."""

    key: str
    """The id of the key."""
    body: str

    def to_json(self) -> str:
        """The sealed text where the store otherwise keeps JSON.

        >>> Sealed("00000001", "AbC=").to_json()
        '{"sealed":"00000001:AbC="}'
        """
        return f"{_SEALED_BEGINS}{self.key}:{self.body}{_SEALED_ENDS}"

    @classmethod
    def from_json(cls, text: str) -> "Sealed":
        """The sealed text in JSON."""
        key, _, body = text[len(_SEALED_BEGINS) : -len(_SEALED_ENDS)].partition(":")
        return cls(key, body)


def is_sealed(text: str) -> bool:
    """Whether a text is sealed JSON."""
    return text.startswith(_SEALED_BEGINS)


class Keyring:
    """The keys of one installation, read when they are first needed.

    >>> keyring = Keyring(Path("/nowhere"), content=f"00000001:{'ab' * 32}")
    >>> sealed = keyring.seal("table/a", "31/table", "cards")
    >>> keyring.unseal("table/a", "31/table", sealed)
    'cards'
    """

    def __init__(self, path: Path, *, content: str | None = None) -> None:
        """The keys in a file, or those in ``content`` where an environment variable holds them."""
        self.path = path
        self._content = content
        self._keys: dict[str, bytes] | None = None

    @classmethod
    def of(cls, environment: Mapping[str, str], *, file: Path | None = None) -> "Keyring":
        """The keyring that the environment names, else the one in the usual place.

        The usual place is the folder of settings, not that of data: a copy of the data folder
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
        """The ids of all keys, the newest last; empty where there is no file yet."""
        return tuple(self._load())

    @property
    def where(self) -> str:
        """Where the keys are kept, for messages to the operator."""
        return str(self.path) if self._content is None else f"the variable {KEYS_VARIABLE}"

    def current(self) -> str:
        """The id of the key that seals; the first key is made where there is none."""
        if not self._load():
            self.rotate()
        return self.ids[-1]

    def rotate(self) -> str:
        """Add a key, which seals from now on; gives its id. Raises KeyFailure."""
        if self._content is not None:
            raise KeyFailure(
                f"The keys are in the variable {KEYS_VARIABLE}: add a key there, as the last one."
            )
        key_id, key = secrets.token_hex(4), secrets.token_hex(KEY_BYTES)
        _add_line(self.path, f"{key_id}:{key}\n")
        self._keys = None
        if key_id not in self._load():
            raise KeyFailure(f"{self.path} does not hold the key that was written to it.")
        return key_id

    def reload(self) -> None:
        """Read the file again when a key is next needed; another process may have added one."""
        self._keys = None

    def _load(self) -> dict[str, bytes]:
        if self._keys is None:
            text = self._content.replace(",", "\n") if self._content is not None else self._read()
            self._keys = _keys_in(text, self.where)
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
                "with openfelt keys rotate, and seal all cards again with openfelt keys reseal."
            )
        return content.decode("ascii", "replace")

    # Sealing -----------------------------------------------------------------------

    def seal(self, stream: str, name: str, body: str, *, packed: bool = False) -> Sealed:
        """Seal a secret of a stream under the newest key, compressed if it is to be packed.

        The order of a deck is not packed: the length of the result would say something about it.
        """
        plain = _PACKED + zlib.compress(body.encode(), 9) if packed else _PLAIN + body.encode()
        return self._encrypted(stream, name, plain)

    def reseal(self, stream: str, name: str, sealed: Sealed) -> Sealed:
        """Seal a secret again, under the newest key; raises KeyMissing or Damaged."""
        return self._encrypted(stream, name, self._decrypted(stream, name, sealed))

    def _encrypted(self, stream: str, name: str, plain: bytes) -> Sealed:
        key_id = self.current()
        bound, salt = _bound(stream, name), secrets.token_bytes(SALT_BYTES)
        sealed = salt + self._cipher(key_id, salt, bound).encrypt(_NONCE, plain, bound)
        return Sealed(key_id, base64.b64encode(sealed).decode())

    def unseal(self, stream: str, name: str, sealed: Sealed) -> str:
        """Open a sealed secret; raises KeyMissing, or Damaged if it is not what was sealed."""
        plain = self._decrypted(stream, name, sealed)
        packed, content = plain[:1] == _PACKED, plain[1:]
        return (zlib.decompress(content) if packed else content).decode()

    def _decrypted(self, stream: str, name: str, sealed: Sealed) -> bytes:
        if sealed.key not in self._load():
            # Another process may have added it.
            self.reload()
            if sealed.key not in self._load():
                raise KeyMissing(sealed.key, stream=stream, where=self.where)
        bound = _bound(stream, name)
        try:
            raw = base64.b64decode(sealed.body, validate=True)
            cipher = self._cipher(sealed.key, raw[:SALT_BYTES], bound)
            return cipher.decrypt(_NONCE, raw[SALT_BYTES:], bound)
        except (InvalidTag, ValueError):
            # The error is not passed on: nothing of a secret may get into a log.
            raise Damaged("secrets", f"{stream}/{name}", "it is not what was sealed") from None

    def unseal_json(self, stream: str, name: str, text: str) -> str:
        """Open sealed JSON; raises KeyMissing or Damaged."""
        return self.unseal(stream, name, Sealed.from_json(text))

    def _cipher(self, key_id: str, salt: bytes, bound: bytes) -> ChaCha20Poly1305:
        return ChaCha20Poly1305(hmac.digest(self._load()[key_id], salt + bound, "sha256"))


def _bound(stream: str, name: str) -> bytes:
    """What a sealed text is bound to."""
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
    """Add a line to a private file, which is made where it is missing, and sync it."""
    try:
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _PRIVATE_MODE)
        with os.fdopen(descriptor, "ab") as file:
            file.write((line if file.tell() else _HEADING + line).encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise KeyFailure(f"No key can be written to {path}: {error.strerror}.") from error
