"""Encrypted secrets of accounts, under a key that is not in the database.

A reader of the database, or of a copy of it, finds no secret from which one-time codes come. The
key is in a file beside an embedded database, or in the environment.
"""

import base64
import binascii
import contextlib
import os
import secrets
import stat
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_FORM: Final = "1:"
"""The form of a sealed text: AES-256-GCM with a random nonce before the ciphertext."""


class SealError(Exception):
    """A key that cannot be used, or a text that was not sealed with it."""


class SecretBox:
    """Seals and opens texts. Each belongs to a ``purpose``, and opens for no other.

    >>> box = SecretBox(bytes(32))
    >>> box.open(box.seal("s3cr3t", "ann"), "ann")
    's3cr3t'
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise SealError(f"The key of accounts has {KEY_BYTES} bytes.")
        self._cipher = AESGCM(key)

    def seal(self, text: str, purpose: str) -> str:
        """The text, encrypted."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        sealed = self._cipher.encrypt(nonce, text.encode(), purpose.encode())
        return _FORM + base64.b64encode(nonce + sealed).decode()

    def open(self, sealed: str, purpose: str) -> str:
        """The text that was sealed; raises SealError for another key or another purpose."""
        try:
            raw = base64.b64decode(sealed.removeprefix(_FORM), validate=True)
            plain = self._cipher.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], purpose.encode())
        except (InvalidTag, ValueError) as error:
            raise SealError("The secret was sealed with another key.") from error
        return plain.decode()


def read_key(text: str) -> bytes:
    """A key from the environment, in base64; raises SealError."""
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise SealError("The key of accounts is written in base64.") from error
    if len(key) != KEY_BYTES:
        raise SealError(f"The key of accounts has {KEY_BYTES} bytes.")
    return key


def load_or_make_key(path: Path) -> bytes:
    """The key in a file that only its owner may read; a missing file is made. Raises SealError."""
    try:
        if not path.exists():
            _make(path)
        if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise SealError(f"{path} can be read by other users; run chmod 600 on it.")
        return read_key(path.read_text().strip())
    except OSError as error:
        raise SealError(f"The key {path} cannot be used: {error.strerror}.") from error


def _make(path: Path) -> None:
    """Write a new key, unless another process has just written one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(base64.b64encode(secrets.token_bytes(KEY_BYTES)) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(unfinished, path)
    finally:
        unfinished.unlink()
