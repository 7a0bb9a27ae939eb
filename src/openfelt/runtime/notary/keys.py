"""The notary's key: an Ed25519 key in a file that only its owner may read.

Its public key is in a file beside it whose name ends in ``.pub``. Auditors check the notary's
signatures with it.
"""

import os
import secrets
import stat
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

PUBLIC_SUFFIX: Final = ".pub"
KEY_BYTES: Final = 32
_FILE_BYTES_MAX: Final = 10_000


class KeyFileError(Exception):
    """An unusable key file; the sentence says why."""


def load_or_make_key(path: Path) -> Ed25519PrivateKey:
    """The key in this file; a missing file is created, with the public key beside it.

    Raises KeyFileError if the file holds no key, or if other users may read it.
    """
    if not path.exists():
        _make(path)
    return _load(path)


def check_key(path: Path, public_key: str) -> None:
    """Raise KeyFileError if the file no longer holds the key with this public key."""
    if public_key_of(_load(path)) != public_key:
        raise KeyFileError(f"{path} holds a different key from the one that signs.")


def public_key_of(key: Ed25519PrivateKey) -> str:
    """The public key that belongs to a key, in hexadecimal digits, as checkpoints name it."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def read_public_key(path: Path) -> str:
    """The public key in a file, PEM or 64 hexadecimal digits, as checkpoints name it.

    Raises KeyFileError if the file holds none.
    """
    content = _read(path)
    try:
        if content.lstrip().startswith(b"-----"):
            key = load_pem_public_key(content)
        else:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(content.decode().strip()))
    except (ValueError, UnsupportedAlgorithm) as error:
        raise KeyFileError(f"{path} holds no public key: {error}.") from error
    if not isinstance(key, Ed25519PublicKey):
        raise KeyFileError(f"{path} holds a public key that is not an Ed25519 key.")
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


# Files -----------------------------------------------------------------------


def _make(path: Path) -> None:
    """Write a new key, unless another process has just written one."""
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_private(unfinished, private)
        try:
            if _link(unfinished, path):
                path.with_name(path.name + PUBLIC_SUFFIX).write_bytes(public)
        finally:
            unfinished.unlink()
    except OSError as error:
        raise KeyFileError(f"No key can be written to {path}: {error.strerror}.") from error


def _link(unfinished: Path, path: Path) -> bool:
    """Give the finished file its name; False if a file of that name exists."""
    try:
        os.link(unfinished, path)
    except FileExistsError:
        return False
    return True


def _write_private(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _load(path: Path) -> Ed25519PrivateKey:
    content = _read(path)
    _check_private(path)
    try:
        if content.lstrip().startswith(b"-----"):
            key = load_pem_private_key(content, password=None)
        elif len(content) == KEY_BYTES:
            key = Ed25519PrivateKey.from_private_bytes(content)
        else:
            raise KeyFileError(f"{path} holds no key: write PEM, or {KEY_BYTES} raw bytes.")
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        # The error is not repeated, because it could quote the key.
        raise KeyFileError(f"{path} holds no key, or one that needs a password.") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(f"{path} holds a key that is not an Ed25519 key.")
    return key


def _check_private(path: Path) -> None:
    """Refuse a key that other users may read: it is no longer a secret."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        raise KeyFileError(
            f"{path} can be read or written by other users (its mode is {mode:04o}). "
            "If they cannot have read it yet, run chmod 600 on it; otherwise make a new key."
        )


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_FILE_BYTES_MAX + 1)
    except OSError as error:
        raise KeyFileError(f"{path} cannot be read: {error.strerror}.") from error
    if len(content) > _FILE_BYTES_MAX:
        raise KeyFileError(f"{path} is too long for a key.")
    return content
