"""The door to storage: what every store offers, with the errors of ``storage/errors.py``.

One ``Commit`` is one transaction: events, the transfers they cause, balances, snapshots, secrets
and rule sets are all written, or nothing is. An event names who caused it and by which command,
so the events themselves are the answers to the commands that were carried out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from openfelt.ledger import Transfer
from openfelt.rules.quick_replace import quickly_replaced
from openfelt.storage.backup.archived_history import Archive
from openfelt.storage.balances.balance_door import LAST_NUMBER, BalanceDoor
from openfelt.storage.cluster.cluster_door import ClusterDoor
from openfelt.storage.errors import (
    AppendKeyMissing,
    CodesRemoved,
    Conflict,
    Damage,
    Damaged,
    DamagedFile,
    EpochRefused,
    Fenced,
    Forged,
    Irrecoverable,
    KeyFailure,
    KeyLost,
    KeyMissing,
    NewerSchema,
    NotEnough,
    NotOpenfelt,
    Purged,
    Repeated,
    StoreError,
    Unavailable,
    Unknown,
    shown_error,
    tell_damage,
)
from openfelt.storage.inspection.interface import Authentication, Inspection
from openfelt.storage.secrecy.envelopes import Envelope
from openfelt.storage.secrecy.secrets_door import SecretsDoor

__all__ = [
    "FIRST_HASH",
    "UNKNOWN_CAUSE",
    "AnswerKey",
    "Append",
    "AppendKeyMissing",
    "Authentication",
    "Cause",
    "Checkpoint",
    "CodesRemoved",
    "CommandKey",
    "Commit",
    "Conflict",
    "Damage",
    "Damaged",
    "DamagedFile",
    "EpochRefused",
    "Fenced",
    "Forged",
    "Head",
    "Irrecoverable",
    "KeyFailure",
    "KeyLost",
    "KeyMissing",
    "Lease",
    "NewEvent",
    "NewSecret",
    "NewerSchema",
    "NotEnough",
    "NotOpenfelt",
    "Purged",
    "Repeated",
    "RuleSet",
    "SecretKey",
    "Snapshot",
    "Store",
    "StoreError",
    "StoredAnswer",
    "StoredEvent",
    "Unavailable",
    "Unknown",
    "event_binding",
    "shown_error",
    "tell_damage",
]

FIRST_HASH = "0" * 64
"""The previous hash that the first event of a stream names."""


# What is written ---------------------------------------------------------------


@quickly_replaced
@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Who caused an event, from where, and by which command. It is part of the event's hash."""

    actor: str
    """A role and a name, such as ``floor:ann``; empty for events of versions before causes."""
    terminal: str = ""
    """The device or session that the command came from, such as ``session:4f1c...``."""
    command: str = ""
    """The id that the caller gave the command, unique among the actor's commands."""
    digest: str = ""
    """On the last event of a command: a hash of the command, which shows when its id is used
    again for another one. A stream has at most one such event for each actor and command."""


def event_binding(version: int) -> str:
    """The name that the encrypted body of an event is bound to."""
    return f"event/{version}"


UNKNOWN_CAUSE = Cause(actor="")
"""The cause of events that were written before events named their causes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event to be written, with the money that moves because of it."""

    name: str
    """Its public name, which never changes, such as ``wagers_set``."""
    schema: int
    """The schema version of its body."""
    body: str
    """A JSON object."""
    cause: Cause
    transfers: tuple[Transfer, ...] = ()
    hidden: str = ""
    """A JSON object with further fields of the body, such as a hidden card, which the store
    encrypts. The hash covers them as they are encrypted: the hash of a card could be reversed by
    trying all cards."""
    key: str = ""
    """The name of the data key that encrypts them, a secret of the stream. The store makes it when
    it is first needed; once it is removed, the hidden fields are gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSecret:
    """Data that only the table may see while a round is played, such as the order of its deck."""

    name: str
    """Unique within its stream, such as ``31/table``."""
    body: str
    encrypted: bool = False
    """Whether the store encrypts it with a key that is not in the database."""
    packed: bool = False
    """Whether the store compresses it before it is encrypted."""


SecretKey = tuple[str, str]
"""A stream and the name of one of its secrets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """Everything that one commit adds to one stream."""

    stream: str
    expected_version: int
    """How many events the stream has, according to the writer."""
    fence: int | None = None
    """The writer's lease number, 0 for a stream that was never leased. None is for a stream of a
    kind that is never leased: then a number in its row means nothing, and stops no writer."""
    events: tuple[NewEvent, ...] = ()
    secrets: tuple[NewSecret, ...] = ()
    removed_secrets: tuple[SecretKey, ...] = ()
    """Secrets, perhaps of other streams, that are permanently removed."""
    snapshot: str | None = None
    """The state after these events, as JSON; it replaces the stream's older snapshot."""
    snapshot_key: str = ""
    """The name of the data key that encrypts the snapshot; empty if it is not encrypted."""
    stripped_snapshots: tuple[tuple[str, "Snapshot"], ...] = ()
    """By stream, snapshots that replace those of the same versions, without what is purged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """A house as it was when rounds were played under it, stored by its fingerprint."""

    fingerprint: str
    house: str
    body: str
    """JSON of the whole house."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One transaction."""

    at_ms: int
    """The time, in milliseconds since 1970, UTC. Times in a stream never go back: if this is
    earlier than the last event, the store writes the time of that event."""
    appends: tuple[Append, ...]
    rule_sets: tuple[RuleSet, ...] = ()


# What is read ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The end of a stream."""

    version: int
    hash: str
    at_ms: int
    """When its last event was written."""
    fence: int
    """The number of its latest lease, 0 if there has been none."""
    code: str = ""
    """The id of a key, and what only its owner can compute of the stream's name and this head.
    Empty for a stream without events, and in databases of earlier versions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent:
    """An event as it is stored."""

    stream: str
    version: int
    """1 for the first event of a stream."""
    name: str
    schema: int
    body: str
    """JSON, perhaps with an encrypted part; the hash covers it as it is here."""
    at_ms: int
    previous: str
    """The hash of the event before it."""
    hash: str
    cause: Cause = UNKNOWN_CAUSE
    decrypt: Callable[[str, str, str], str] | None = field(default=None, compare=False, repr=False)
    """Decrypts the body, given the stream, a name and the body; None if it is plain JSON."""

    @property
    def open_body(self) -> str:
        """The part of the body that is not encrypted, as JSON."""
        envelope = Envelope.parse(self.body) if self.decrypt is not None else None
        return envelope.open_json if envelope is not None else self.body

    @property
    def plain_body(self) -> str:
        """The whole body as JSON; raises KeyMissing, Irrecoverable or Damaged."""
        if self.decrypt is None:
            return self.body
        return self.decrypt(self.stream, event_binding(self.version), self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """The answer to a command that has been carried out."""

    digest: str
    body: str
    """JSON. Of commands that events name, it is the version after the command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A stream's state at one version."""

    version: int
    at_ms: int
    body: str
    hash: str = ""
    """The hash of the event of that version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to write to a stream, until it ends or another lease replaces it."""

    stream: str
    owner: str
    fence: int
    until_ms: int
    ttl_ms: int = field(default=0, compare=False)
    """How long it lasts unless it is renewed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A signed statement of the heads of streams; each names the checkpoint before it."""

    number: int
    at_ms: int
    body: str
    """JSON: the heads that have changed since the previous checkpoint, and its hash."""
    key: str
    """The public key, in hexadecimal."""
    signature: str


CommandKey = tuple[str, str]
"""An actor and the id of one of the actor's commands."""


AnswerKey = tuple[str, str, str]
"""The stream, the actor and the command of an answer from before events named their commands."""


class Store(Inspection, BalanceDoor, SecretsDoor, ClusterDoor, Protocol):
    """The interface of every store. All calls block; none of them leaves half a write."""

    # Writing

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write all of it or nothing; return the new head of every stream written to.

        All transfers of a commit are added up first, so an account may be debited before it is
        credited. Raises Conflict, Fenced, NotEnough or Unavailable, and LedgerRefusal for an
        invalid transfer. Once it returns, what was written survives a power failure.
        """
        ...

    def wait_for_writers(self, stream: str) -> None:
        """Return once no commit to a stream is under way, in any process; writes nothing."""
        ...

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint; raises Conflict if one with this number exists."""
        ...

    # Leases

    def take_lease(self, stream: str, owner: str, *, ttl_ms: int) -> Lease | None:
        """Lease a stream, with the next fencing number; None while another owner holds it.

        An owner who already holds it gets a new lease, and the old one ends.
        """
        ...

    def renew_lease(self, lease: Lease, *, ttl_ms: int) -> Lease | None:
        """Extend the lease from now on; None if it was released or replaced.

        A lease that has run out can be renewed as long as no other owner has taken the stream.
        """
        ...

    def renew_leases(self, leases: Sequence[Lease], *, ttl_ms: int) -> tuple[Lease, ...]:
        """Extend many leases in one statement; those that are over are left out."""
        ...

    def release_lease(self, lease: Lease, *, wanted: bool = False) -> None:
        """Give the lease up, so that another owner need not wait for its end.

        If ``wanted``, it is left among the held leases, for another process to take. Nothing
        happens if another lease has already replaced it.
        """
        ...

    # Reading

    def head(self, stream: str) -> Head:
        """The end of a stream; version 0 if it has no events."""
        ...

    def heads(self, prefix: str = "", *, damage: Damage | None = None) -> dict[str, Head]:
        """The heads of all streams with events whose names have this prefix, at one moment."""
        ...

    def streams(self, prefix: str = "") -> tuple[str, ...]:
        """The names of all streams with events that have this prefix, in order."""
        ...

    def events(
        self,
        stream: str,
        *,
        after: int = 0,
        up_to: int | None = None,
        damage: Damage | None = None,
    ) -> Iterator[StoredEvent]:
        """The events of a stream after a version, in order."""
        ...

    def record(
        self, stream: str, *, after: int = 0, head: Head | None = None
    ) -> Iterator[StoredEvent]:
        """The events of a stream after a version, up to its head, for a reader who acts on them.

        ``head`` is the head where the caller has read it. Raises Forged if the head was not
        written with a key of the house or an event does not belong to it, in the end at the
        latest, and KeyMissing.
        """
        ...

    def check_head(self, stream: str, head: Head) -> None:
        """Raise Forged for a head that was not written with a key of the house, or KeyMissing.

        All heads of a database pass as long as its appends are not authenticated.
        """
        ...

    def authentication(self) -> Authentication | None:
        """From when on appends are authentic; None if an earlier version made the last write.

        Raises Forged, or KeyMissing.
        """
        ...

    def authenticate(self, at_ms: int) -> Authentication:
        """Begin to authenticate appends, unless that was done; existing rows are accepted as they
        are.

        All secrets are sealed first. The first commit does the same.
        """
        ...

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream; None for one that was not written with a key of the
        house."""
        ...

    def stored_snapshot(self, stream: str) -> tuple[Snapshot, bool] | None:
        """The snapshot of a stream, and whether it is authentic; raises KeyMissing or Damaged."""
        ...

    def answers(self, stream: str, keys: Sequence[CommandKey]) -> dict[CommandKey, StoredAnswer]:
        """The answers to those of these commands that have been carried out."""
        ...

    def old_answers(
        self, stream: str, *, damage: Damage | None = None
    ) -> Iterator[tuple[CommandKey, StoredAnswer]]:
        """The answers of a stream from before events named their commands."""
        ...

    def forget_old_refusals(self, after: AnswerKey) -> AnswerKey | None:
        """Remove refusals from one page of old answers after a key.

        Gives the last key of the page, None at the end.
        """
        ...

    def drop_zero_balances(self) -> int:
        """Remove some hundred balances of zero; returns how many, 0 at the end.

        An account without a balance holds nothing.
        """
        ...

    def sizes(self) -> dict[str, int]:
        """How many bytes each table of the database takes, with its indexes."""
        ...

    def rule_set(self, fingerprint: str) -> RuleSet | None:
        """A house as it was, by its fingerprint."""
        ...

    def archive(self, *, with_state: bool = True, before: int = LAST_NUMBER) -> Archive | None:
        """The newest archive of history before a number; raises KeyMissing, or Damaged."""
        ...

    def check_cut(self) -> None:
        """Raise Damaged if the mark of an archive was not made with a key, or KeyMissing."""
        ...

    def cut_at(self) -> int | None:
        """The checkpoint after which this database was cut off; None if it is not an archive."""
        ...

    def is_whole(self) -> bool:
        """Whether history is read together with its archives."""
        ...

    def add_archive(self, archive: Archive) -> None:
        """Record that history has been moved to an archive."""
        ...

    def drop_events(self, stream: str, before: int) -> int:
        """Remove some archived events before a version; returns how many, 0 at the end."""
        ...

    def drop_transfers(self, up_to: int) -> int:
        """Remove some archived transfers up to a number; returns how many, 0 at the end."""
        ...

    def event_forms(self, *, damage: Damage | None = None) -> dict[str, int]:
        """The newest version of every event that has been written, by its name.

        Without ``damage``, a row that cannot be read is logged and left out.
        """
        ...

    def checkpoints(self, *, after: int = -1, damage: Damage | None = None) -> Iterator[Checkpoint]:
        """The checkpoints after a number, in order."""
        ...

    def close(self) -> None:
        """Close files and connections."""
        ...
