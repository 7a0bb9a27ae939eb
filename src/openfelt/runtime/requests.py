"""Requests to a table's worker, and their answers."""

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec

from openfelt.rules.quick_replace import maker
from openfelt.rules.refusal import Refusal
from openfelt.storage.codec import Codec, CodecError, read_json, snake_case
from openfelt.storage.door import Cause
from openfelt.table.commands import Person, Role, TableCommand

COMMAND_ID_LENGTH_MAX = 64
DIGEST_LENGTH = 32
"""Half of a SHA-256 in hexadecimal digits, which is enough to tell the commands of one id apart."""
_SYSTEM: Final = Role.SYSTEM
_CARD = re.compile(r'"[2-9TJQKA][cdhs]"')


class RuntimeCode(StrEnum):
    """Why a request is refused before it reaches the table."""

    BAD_ID = "bad_id"
    ID_REUSED = "id_reused"
    """The id belongs to another command of the same caller."""
    BUSY = "busy"
    """The table's mailbox is full; try again."""
    STOPPED = "stopped"
    """The table has stopped because its store or its shuffler has failed."""
    MOVED = "moved"
    """Another process runs the table now."""
    NO_SUCH_TABLE = "no_such_table"
    TABLE_EXISTS = "table_exists"
    SHUFFLER_FAILED = "shuffler_failed"
    UNKNOWN_CODE = "unknown_code"
    """A card reader has sent a code that is not in the code table."""
    HOUSE_HELD = "house_held"
    """The file of the house was changed, and no supervisor has accepted that yet."""
    FAILED = "failed"
    """A fault in Openfelt itself; nothing has changed."""


_cause: Final = maker(Cause)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A command and its caller, with an id that makes it safe to send again."""

    by: Person
    command: TableCommand
    id: str | None = None
    """Chosen by the caller and kept until the answer arrives. Only the system may send None."""
    terminal: str = ""
    """The device or session that it came from."""
    approved_by: Person | None = None
    """The supervisor who has approved it at that terminal."""

    @property
    def key(self) -> tuple[str, str]:
        """The key under which the answer is remembered."""
        return str(self.by), self.id or ""

    @property
    def kept(self) -> bool:
        """Whether the answer is remembered, under a valid id."""
        return _is_command_id(self.id)

    def cause(self, digest: str) -> Cause:
        """The cause of the events that follow; ``digest`` is that of the command."""
        return _cause(
            actor=str(self.by),
            terminal=self.terminal,
            command=self.id or "",
            digest=digest if self.id is not None else "",
        )

    def check_id(self) -> None:
        """Refuse an invalid id, and a missing one unless the system is the caller."""
        if self.id is not None or self.by.role is not _SYSTEM:
            check_command_id(self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a request. A refusal is an answer too: nothing has changed."""

    version: int
    """The version of the table after the command, or at which it was refused."""
    refused: str | None = None
    """The code of the refusal."""
    sentence: str | None = None

    @property
    def accepted(self) -> bool:
        """Whether the command has been carried out."""
        return self.refused is None

    @classmethod
    def of_refusal(cls, refusal: Refusal, version: int) -> "Answer":
        """A refusal as an answer."""
        return cls(version=version, refused=refusal.code.value, sentence=refusal.sentence)

    def to_json(self) -> str:
        """The answer as JSON."""
        plain: dict[str, Any] = {"version": self.version}
        if self.refused is not None:
            plain |= {"refused": self.refused, "sentence": self.sentence}
        return msgspec.json.encode(plain).decode()

    @classmethod
    def from_json(cls, text: str) -> "Answer":
        """Read a stored answer; raises CodecError if it is invalid."""
        try:
            return msgspec.convert(read_json(text), cls)
        except msgspec.ValidationError as error:
            raise CodecError(f"This is not a stored answer: {error}") from error


def check_command_id(command_id: object) -> None:
    """Refuse an invalid command id."""
    if not _is_command_id(command_id):
        raise Refusal(
            RuntimeCode.BAD_ID,
            f"A command id must have 1 to {COMMAND_ID_LENGTH_MAX} printable characters.",
        )


def _is_command_id(command_id: object) -> bool:
    return (
        isinstance(command_id, str)
        and 1 <= len(command_id) <= COMMAND_ID_LENGTH_MAX
        and command_id.isprintable()
    )


class Digests(NamedTuple):
    """Hashes of a command, which show when its id is used again for another one."""

    public: str
    """The hash for the record. Cards are left out: a hash of a few cards could be reversed by
    trying them all."""
    with_cards: str | None
    """The hash of a command with cards, None for one without. It stays in memory."""


def digests(codec: Codec, command: Any) -> Digests:
    """The hashes of a command."""
    text = _text(codec, command)
    public = _CARD.sub('"??"', text)
    return Digests(_hash(public)[:DIGEST_LENGTH], _hash(text) if public != text else None)


def digest(codec: Codec, command: Any) -> str:
    """The hash of a command for the record."""
    return digests(codec, command).public


def is_digest_of(stored: str, codec: Codec, command: Any) -> bool:
    """Whether a stored digest is that of a command; those of earlier versions are longer."""
    if len(stored) == DIGEST_LENGTH:
        return stored == digest(codec, command)
    return stored == _hash(_text(codec, command))


def _text(codec: Codec, command: Any) -> str:
    kind = type(command)
    try:
        body = codec.to_json(kind, command)
    except (TypeError, AttributeError, ValueError, KeyError):
        # A malformed command will be refused; its answer is remembered under its repr.
        body = repr(command)
    return f"{snake_case(kind.__name__)} {body}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
