"""The progress of an audit: the state that a later one needs to continue from there.

It holds the state of every stream at its end, so that nothing before must be read again. Only an
audit without findings has one.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from openfelt.storage.door import FIRST_HASH, Snapshot

FORMAT: Final = "openfelt.audited/1"

Saved = Mapping[str, Any]
"""The state that the audit of one stream needs to continue, as plain JSON values."""


class NotResumable(Exception):
    """A stream cannot be continued, and is audited from its beginning."""


@dataclass(slots=True)
class ChainPosition:
    """How far the chain of one stream has been checked."""

    version: int = 0
    hash: str = FIRST_HASH
    at_ms: int = 0
    caused: bool = False
    """Whether an event has named its cause."""
    transfer: int = 0
    """The number of the last transfer of the stream that was checked."""
    old_events: int = 0
    """How many events name no cause."""


class AuditedStream(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One stream as an audit left it."""

    position: ChainPosition
    snapshot: str
    """A hash of its snapshot, which was compared with its events; empty if there was none."""
    saved: dict[str, Any]


class AuditedCheckpoints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The notary's checkpoints as an audit left them."""

    number: int = 0
    hash: str = FIRST_HASH
    at_ms: int = 0
    covered: dict[str, int] = {}
    """By stream, the version up to which a checkpoint has signed it."""


class AuditedTally(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table's rounds as its link has counted them, or as the table has settled or fed them."""

    link: str
    table: str
    rounds: int
    hashes: str
    """In hexadecimal digits."""


class AuditState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that an audit must know to continue from here."""

    format: str
    at_ms: int
    events: int
    """How many events have been checked in all."""
    streams: dict[str, AuditedStream]
    tables: list[AuditedTally]
    links: list[AuditedTally]
    transfer: int
    """The number of a transfer up to which all have been added up."""
    balances: dict[str, int]
    """The balances of accounts after it, in cents."""
    checkpoints: AuditedCheckpoints
    feeds: list[AuditedTally] = []
    folded: list[AuditedTally] = []

    def to_json(self) -> str:
        """The state as JSON."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> "AuditState":
        """The state in JSON; raises NotResumable if it has another format."""
        try:
            state = msgspec.json.decode(text, type=cls)
        except msgspec.MsgspecError as error:
            raise NotResumable(f"the state of the last audit is invalid: {error}") from error
        if state.format != FORMAT:
            raise NotResumable(f"the state of the last audit has the format {state.format}")
        return state


def snapshot_digest(snapshot: Snapshot | None) -> str:
    """A hash of a snapshot, empty for none."""
    if snapshot is None:
        return ""
    text = f"{snapshot.version} {snapshot.at_ms} {snapshot.body}"
    return hashlib.sha256(text.encode()).hexdigest()
