"""Signatures of whole files, such as par sheets, with a key of the notary's kind.

The signed text is

    openfelt.file/1, SHA-256 of the file, time in milliseconds, body

in which each part is preceded by its length and a colon, as in a checkpoint. The body is JSON and
says what the file is. The signature is one line of JSON in a file beside the signed one.
"""

import hashlib
from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from openfelt.runtime.notary.keys import public_key_of
from openfelt.storage.chain import delimited

SIGNATURE_SUFFIX: Final = ".sig"
LINE_BYTES_MAX: Final = 10_000
_FORMAT: Final = "openfelt.file/1"

_Hash = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class SignatureError(Exception):
    """A signature that does not hold; the sentence says why."""


class FileSignature(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The signature of one file."""

    format: str
    sha256: _Hash
    at_ms: Annotated[int, msgspec.Meta(ge=0)]
    body: str
    """JSON that says what the file is."""
    key: _Hash
    """The public key, in hexadecimal digits."""
    signature: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{128}\Z")]

    @property
    def about(self) -> dict[str, str]:
        """The signer's description of the file."""
        return msgspec.json.decode(self.body, type=dict[str, str])


def sign_file(
    key: Ed25519PrivateKey, content: bytes, *, about: Mapping[str, str], at_ms: int
) -> str:
    """The line of a signature for the content of a file."""
    digest = hashlib.sha256(content).hexdigest()
    body = msgspec.json.encode(dict(sorted(about.items()))).decode()
    signature = FileSignature(
        format=_FORMAT,
        sha256=digest,
        at_ms=at_ms,
        body=body,
        key=public_key_of(key),
        signature=key.sign(delimited(_FORMAT, digest, at_ms, body).encode()).hex(),
    )
    return msgspec.json.encode(signature).decode() + "\n"


def check_file(content: bytes, line: str, *, trusted: str) -> FileSignature:
    """The signature, if the trusted public key has signed this content; raises SignatureError.

    The key that a signature names proves nothing: any person can create a key.
    """
    try:
        signature = msgspec.json.decode(line, type=FileSignature)
        msgspec.json.decode(signature.body, type=dict[str, str])
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise SignatureError(f"The signature cannot be read: {error}.") from error
    if signature.format != _FORMAT:
        raise SignatureError(f"The signature has the unknown form {signature.format!r}.")
    if signature.key != trusted:
        raise SignatureError(f"The file is signed with another key: {signature.key}.")
    if hashlib.sha256(content).hexdigest() != signature.sha256:
        raise SignatureError("The file is not the one that was signed: its SHA-256 differs.")
    text = delimited(signature.format, signature.sha256, signature.at_ms, signature.body)
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.key))
        public.verify(bytes.fromhex(signature.signature), text.encode())
    except (ValueError, InvalidSignature) as error:
        raise SignatureError("The signature is wrong: its text or time was changed.") from error
    return signature
