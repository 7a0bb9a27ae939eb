"""The notary's key: an Ed25519 key in a file that only its owner may read.

Beside the key, in a file whose name ends in ``.pub``, lies its public half. Everybody may have
that one: whoever audits a database checks the notary's signatures with it.
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
    """A key file that cannot be used; the sentence says why."""


def load_or_make_key(path: Path) -> Ed25519PrivateKey:
    """The key in this file, which is made where it is missing, with its public half beside it.

    Raises KeyFileError where the file is no key, or where others than its owner may read it.
    """
    if not path.exists():
        _make(path)
    return _load(path)


def public_key_of(key: Ed25519PrivateKey) -> str:
    """The public half of a key in hexadecimal digits, as checkpoints name it."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def read_public_key(path: Path) -> str:
    """The public key in a file, PEM or 64 hexadecimal digits, as checkpoints name it.

    Raises KeyFileError where there is none.
    """
    content = _read(path)
    try:
        if content.lstrip().startswith(b"-----"):
            found = load_pem_public_key(content)
        else:
            found = Ed25519PublicKey.from_public_bytes(bytes.fromhex(content.decode().strip()))
    except (ValueError, UnsupportedAlgorithm) as error:
        raise KeyFileError(f"{path} holds no public key: {error}.") from error
    if not isinstance(found, Ed25519PublicKey):
        raise KeyFileError(f"{path} holds a public key of another kind than Ed25519.")
    return found.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


# Files -----------------------------------------------------------------------


def _make(path: Path) -> None:
    """Write a new key. Whoever comes second leaves the first one's key as it is."""
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_private(unfinished, private)
        try:
            if _appeared(unfinished, path):
                path.with_name(path.name + PUBLIC_SUFFIX).write_bytes(public)
        finally:
            unfinished.unlink()
    except OSError as error:
        raise KeyFileError(f"A key cannot be kept in {path}: {error.strerror}.") from error


def _appeared(unfinished: Path, path: Path) -> bool:
    """Give the file its name: whole, and only where nothing is; False where something was."""
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
            found = load_pem_private_key(content, password=None)
        elif len(content) == KEY_BYTES:
            found = Ed25519PrivateKey.from_private_bytes(content)
        else:
            raise KeyFileError(f"{path} holds no key: write PEM, or {KEY_BYTES} raw bytes.")
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        # What is wrong is not repeated, for it could quote the key.
        raise KeyFileError(f"{path} holds no key, or one that needs a password.") from error
    if not isinstance(found, Ed25519PrivateKey):
        raise KeyFileError(f"{path} holds a key of another kind than Ed25519.")
    return found


def _check_private(path: Path) -> None:
    """Refuse a key that others may read: it is no secret any more."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        raise KeyFileError(
            f"{path} may be read or written by others than its owner (its mode is {mode:04o}). "
            "If nobody else has seen it, run chmod 600 on it; if somebody may have, make a new one."
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
