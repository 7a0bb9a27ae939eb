"""Signed checkpoints: what they contain, and how they are signed, checked and published.

A checkpoint names the heads of all streams that have changed since the previous checkpoint, and
the hash of that checkpoint. The signed text is

    openfelt.checkpoint/1, number, time in milliseconds, body

and the hashed text is the signed text, followed by the public key and the signature. Each part is
preceded by its length and a colon, so that no two checkpoints have the same text.

After an older state was restored, one checkpoint names all current heads, and the signed events
that are gone.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from openfelt.runtime.notary.keys import public_key_of
from openfelt.storage.chain import delimited
from openfelt.storage.door import FIRST_HASH, Checkpoint, Head

_FORMAT: Final = "openfelt.checkpoint/1"

HashText = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Number = Annotated[int, msgspec.Meta(ge=1)]


class CheckpointError(Exception):
    """An invalid checkpoint; the sentence says why."""


@dataclass(frozen=True, slots=True)
class NamedHead:
    """The end of a stream as a checkpoint names it."""

    version: int
    hash: str


class _HeadForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stream: str
    version: Number
    hash: HashText


class _LostForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stream: str
    kept: Annotated[int, msgspec.Meta(ge=0)]
    signed: Number


class _RestoreForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    actor: str
    reason: str
    lost: list[_LostForm]


class _BodyForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    previous: HashText
    heads: list[_HeadForm]
    restored: _RestoreForm | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LostEvents:
    """The signed events of one stream that a restored state does not have."""

    kept: int
    """The version up to which the stream was restored."""
    signed: int
    """The version up to which it had been signed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreStatement:
    """The statement of an operator who has restored an older state."""

    actor: str
    reason: str
    lost: Mapping[str, LostEvents]

    @property
    def events(self) -> int:
        """How many signed events are gone."""
        return sum(lost.signed - lost.kept for lost in self.lost.values())


@dataclass(frozen=True, slots=True)
class Statement:
    """The content of a checkpoint's body."""

    previous: str
    """The hash of the previous checkpoint."""
    heads: Mapping[str, NamedHead]
    restored: RestoreStatement | None = None
    """Set in the first checkpoint after an older state was restored."""


# Making and checking ---------------------------------------------------------


def signed_checkpoint(
    key: Ed25519PrivateKey,
    *,
    number: int,
    at_ms: int,
    before: Checkpoint | None,
    heads: Mapping[str, Head],
    restored: RestoreStatement | None = None,
) -> Checkpoint:
    """A new checkpoint after the previous one, signed."""
    previous = FIRST_HASH if before is None else checkpoint_hash(before)
    forms = [_HeadForm(name, head.version, head.hash) for name, head in sorted(heads.items())]
    deed = None if restored is None else _restored_form(restored)
    body = msgspec.json.encode(_BodyForm(previous, forms, deed)).decode()
    signature = key.sign(delimited(_FORMAT, number, at_ms, body).encode()).hex()
    return Checkpoint(
        number=number, at_ms=at_ms, body=body, key=public_key_of(key), signature=signature
    )


def checkpoint_hash(checkpoint: Checkpoint) -> str:
    """The hash by which the next checkpoint names this one."""
    parts = (checkpoint.number, checkpoint.at_ms, checkpoint.body)
    text = delimited(_FORMAT, *parts, checkpoint.key, checkpoint.signature)
    return hashlib.sha256(text.encode()).hexdigest()


def signature_holds(checkpoint: Checkpoint) -> bool:
    """Whether the key that a checkpoint names has signed it."""
    text = delimited(_FORMAT, checkpoint.number, checkpoint.at_ms, checkpoint.body)
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(checkpoint.key))
        key.verify(bytes.fromhex(checkpoint.signature), text.encode())
    except (ValueError, InvalidSignature):
        return False
    return True


def read_statement(checkpoint: Checkpoint) -> Statement:
    """The content of a checkpoint; raises CheckpointError if its body is invalid."""
    try:
        form = msgspec.json.decode(checkpoint.body, type=_BodyForm)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise CheckpointError(f"Checkpoint {checkpoint.number} is invalid: {error}.") from error
    heads = {head.stream: NamedHead(head.version, head.hash) for head in form.heads}
    return Statement(form.previous, heads, _restored(form.restored))


def _restored_form(restored: RestoreStatement) -> _RestoreForm:
    lost = [_LostForm(name, lost.kept, lost.signed) for name, lost in restored.lost.items()]
    return _RestoreForm(restored.actor, restored.reason, lost)


def _restored(form: _RestoreForm | None) -> RestoreStatement | None:
    if form is None:
        return None
    lost = {entry.stream: LostEvents(kept=entry.kept, signed=entry.signed) for entry in form.lost}
    return RestoreStatement(actor=form.actor, reason=form.reason, lost=lost)


# The published file ----------------------------------------------------------


class _LineForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: Number
    at_ms: int
    body: str
    key: str
    signature: str


def published_line(checkpoint: Checkpoint) -> str:
    """A checkpoint as one line of JSON."""
    form = _LineForm(**asdict(checkpoint))
    return msgspec.json.encode(form).decode() + "\n"


def read_published_line(line: str) -> Checkpoint:
    """The checkpoint in one line; raises CheckpointError if the line is invalid."""
    try:
        form = msgspec.json.decode(line, type=_LineForm)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise CheckpointError(f"This line is not a valid checkpoint: {error}.") from error
    fields: dict[str, Any] = msgspec.structs.asdict(form)
    return Checkpoint(**fields)


def published_checkpoints(path: Path | None) -> Iterator[Checkpoint]:
    """The checkpoints in a published file, none without one; raises CheckpointError."""
    if path is None or not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as lines:
        for _, line in whole_lines(lines):
            yield read_published_line(line)


def whole_lines(lines: Iterable[str]) -> Iterable[tuple[int, str]]:
    """The lines of a published file with their numbers, without incomplete ones.

    A machine that fails during a write leaves an incomplete line, and the notary later writes the
    complete line below it. So a line that is the beginning of the next one is skipped, and so is a
    last line without its end.
    """
    before: tuple[int, str] | None = None
    for number, line in enumerate(lines, start=1):
        if before is not None and not line.startswith(before[1].rstrip("\n")):
            yield before
        before = (number, line)
    if before is not None and before[1].endswith("\n"):
        yield before
