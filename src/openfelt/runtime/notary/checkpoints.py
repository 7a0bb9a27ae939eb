"""What a signed checkpoint says, and how its signature and its place in the row are checked.

A checkpoint names the heads of all streams that have changed since the one before it, and the
hash of that one. Signed is the text

    openfelt.checkpoint/1, number, time in milliseconds, body

and hashed is the same text with the public key and the signature behind it. Every part of
these texts stands behind its length and a colon, so that no two checkpoints share one text.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from openfelt.runtime.notary.keys import public_key_of
from openfelt.storage.door import FIRST_HASH, Checkpoint, Head

_FORMAT: Final = "openfelt.checkpoint/1"

HashText = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Number = Annotated[int, msgspec.Meta(ge=1)]


class CheckpointError(Exception):
    """A checkpoint that is none; the sentence says why."""


@dataclass(frozen=True, slots=True)
class NamedHead:
    """The end of a stream as a checkpoint names it."""

    version: int
    hash: str


class _HeadForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stream: str
    version: Number
    hash: HashText


class _BodyForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    previous: HashText
    heads: list[_HeadForm]


@dataclass(frozen=True, slots=True)
class Statement:
    """What the body of a checkpoint says."""

    previous: str
    """The hash of the checkpoint before it."""
    heads: Mapping[str, NamedHead]


# Making and checking ---------------------------------------------------------


def signed_checkpoint(
    key: Ed25519PrivateKey,
    *,
    number: int,
    at_ms: int,
    before: Checkpoint | None,
    heads: Mapping[str, Head],
) -> Checkpoint:
    """A new checkpoint after another one, signed."""
    previous = FIRST_HASH if before is None else checkpoint_hash(before)
    forms = [_HeadForm(name, head.version, head.hash) for name, head in sorted(heads.items())]
    body = msgspec.json.encode(_BodyForm(previous, forms)).decode()
    signature = key.sign(_text(_FORMAT, number, at_ms, body)).hex()
    return Checkpoint(
        number=number, at_ms=at_ms, body=body, key=public_key_of(key), signature=signature
    )


def checkpoint_hash(checkpoint: Checkpoint) -> str:
    """What the next checkpoint names as the one before it."""
    one = checkpoint
    text = _text(_FORMAT, one.number, one.at_ms, one.body, one.key, one.signature)
    return hashlib.sha256(text).hexdigest()


def signature_holds(checkpoint: Checkpoint) -> bool:
    """Whether the key that a checkpoint names has signed it."""
    text = _text(_FORMAT, checkpoint.number, checkpoint.at_ms, checkpoint.body)
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(checkpoint.key))
        key.verify(bytes.fromhex(checkpoint.signature), text)
    except (ValueError, InvalidSignature):
        return False
    return True


def read_statement(checkpoint: Checkpoint) -> Statement:
    """What a checkpoint says; CheckpointError where its body is not one."""
    try:
        form = msgspec.json.decode(checkpoint.body, type=_BodyForm)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise CheckpointError(f"Checkpoint {checkpoint.number} is not one: {error}.") from error
    return Statement(
        form.previous, {one.stream: NamedHead(one.version, one.hash) for one in form.heads}
    )


def _text(*parts: str | int) -> bytes:
    return "".join(f"{len(str(part))}:{part}" for part in parts).encode()


# The published file ----------------------------------------------------------


class _LineForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: Number
    at_ms: int
    body: str
    key: str
    signature: str


def published_line(checkpoint: Checkpoint) -> str:
    """A checkpoint as one line of JSON."""
    one = checkpoint
    form = _LineForm(one.number, one.at_ms, one.body, one.key, one.signature)
    return msgspec.json.encode(form).decode() + "\n"


def read_published_line(line: str) -> Checkpoint:
    """The checkpoint of one line; CheckpointError where it holds none."""
    try:
        form = msgspec.json.decode(line, type=_LineForm)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise CheckpointError(f"This line holds no checkpoint: {error}.") from error
    fields: dict[str, Any] = msgspec.structs.asdict(form)
    return Checkpoint(**fields)


def whole_lines(lines: Iterable[str]) -> Iterable[tuple[int, str]]:
    """The lines of a published file with their numbers, without those that were cut off.

    A machine that fails while it writes leaves the beginning of a line. The notary writes
    that line again below, and so a beginning of the next line, or of the last, says nothing.
    """
    before: tuple[int, str] | None = None
    for number, line in enumerate(lines, start=1):
        if before is not None and not line.startswith(before[1].rstrip("\n")):
            yield before
        before = (number, line)
    if before is not None and before[1].endswith("\n"):
        yield before
