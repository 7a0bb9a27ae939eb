"""The door to storage: what every store offers, and the errors it may raise.

One ``Commit`` is one transaction: events, the transfers they cause, balances, snapshots, secrets
and rule sets are all written, or nothing is. An event names who caused it and by which command,
so the events themselves are the answers to the commands that were carried out.

    StoreError
    ├── Conflict       another writer has appended to the stream
    │   └── Repeated   the command is already answered, or the secret's name taken
    ├── Fenced         the lease has passed to another owner
    ├── NotEnough      an account would be overdrawn that must not be
    ├── NewerSchema    the database was made by a newer Openfelt
    ├── NotOpenfelt    the database is not Openfelt's
    ├── Damaged        a row holds something that Openfelt did not write
    ├── KeyFailure     the keys of sealed secrets cannot be read or written
    │   └── KeyMissing the key of a sealed secret is not there
    └── Unavailable    full, read-only, locked or gone: nothing can be written now
        └── Unknown    the connection was lost during a commit: all is written, or nothing
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from openfelt.ledger import Account, Transfer

FIRST_HASH = "0" * 64
"""The previous hash that the first event of a stream names."""


class StoreError(Exception):
    """Nothing has been written, except that for Unknown this is not certain."""


class Conflict(StoreError):
    """The stream is not at the version that the writer expected."""

    def __init__(self, stream: str, *, expected: int, found: int) -> None:
        super().__init__(f"{stream} is at version {found}, not at {expected}.")
        self.stream = stream
        self.expected = expected
        self.found = found


class Repeated(Conflict):
    """A command of the stream is already answered, or a secret's name is taken.

    The writer then reads the first answer and gives it again. A secret's name is taken only
    through a mistake in the program.
    """

    def __init__(self, stream: str, what: str, *, version: int) -> None:
        super().__init__(stream, expected=version, found=version)
        self.args = (f"{stream} already has {what}.",)


class Fenced(StoreError):
    """The writer's lease on the stream has passed to another owner."""

    def __init__(self, stream: str, *, fence: int, found: int) -> None:
        super().__init__(f"{stream} is held under lease {found} now; lease {fence} is over.")
        self.stream = stream
        self.fence = fence
        self.found = found


class NotEnough(StoreError):
    """A transfer would overdraw an account that must not be overdrawn."""

    def __init__(self, account: Account, *, short_cents: int) -> None:
        super().__init__(f"{account} is {short_cents} cents short.")
        self.account = account
        self.short_cents = short_cents


class NewerSchema(StoreError):
    """The database has been made by a newer Openfelt than this one."""

    def __init__(self, *, found: int, known: int) -> None:
        super().__init__(
            f"The database has schema {found}; this Openfelt supports schemas up to {known}. "
            "Run the newer Openfelt that made it."
        )
        self.found = found
        self.known = known


class NotOpenfelt(StoreError):
    """The database holds tables that are not Openfelt's; nothing in it is changed."""


class Damaged(StoreError):
    """A row is not what Openfelt wrote; the sentence names its table and its key."""

    def __init__(self, table: str, row: object, fault: str) -> None:
        super().__init__(f"Row {row} of the table {table} is damaged: {fault}.")
        self.table = table
        self.row = row


class KeyFailure(StoreError):
    """The keys of sealed secrets cannot be used; the sentence says why, and quotes none."""


class KeyMissing(KeyFailure):
    """The key of a sealed secret is not there."""

    def __init__(self, key: str, *, stream: str, where: str) -> None:
        super().__init__(
            f"The secret cards of {stream} are sealed with the key {key}, which is not in {where}. "
            "Put the key back, or name the file that has it in OPENFELT_KEYS_FILE."
        )
        self.key = key
        self.stream = stream


class Unavailable(StoreError):
    """The store cannot write now: the disk is full or read-only, or the server is gone."""


class Unknown(Unavailable):
    """The connection was lost during a commit, so all of the commit is written, or nothing.

    The writer must read the stream's head again before it continues.
    """


# What is written ---------------------------------------------------------------


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


def event_seal(version: int) -> str:
    """The name that the sealed body of an event is bound to."""
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
    """JSON."""
    cause: Cause
    transfers: tuple[Transfer, ...] = ()
    hidden: bool = False
    """Whether the store seals the body, because it names a card that not everyone has seen. The
    hash covers the sealed body: that of a card could be undone by trying all cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSecret:
    """What only the table may see while a round is played, such as the order of its deck."""

    name: str
    """Unique within its stream, such as ``31/table``."""
    body: str
    sealed: bool = False
    """Whether the store seals it with a key that is not in the database."""
    packed: bool = False
    """Whether the store compresses it before it is sealed."""


SecretKey = tuple[str, str]
"""A stream and the name of one of its secrets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """Everything that one commit adds to one stream."""

    stream: str
    expected_version: int
    """How many events the stream has, according to the writer."""
    fence: int | None = None
    """The writer's lease number; None for streams without leases. A stream that has been leased
    refuses writers without one."""
    events: tuple[NewEvent, ...] = ()
    secrets: tuple[NewSecret, ...] = ()
    removed_secrets: tuple[SecretKey, ...] = ()
    """Secrets, perhaps of other streams, that are removed for good."""
    snapshot: str | None = None
    """The state after these events, as JSON; it replaces the stream's older snapshot."""
    snapshot_hidden: bool = False
    """Whether the store seals the snapshot."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent:
    """An event as it is stored."""

    stream: str
    version: int
    """1 for the first event of a stream."""
    name: str
    schema: int
    body: str
    """JSON, or a sealed text; the hash covers it as it is here."""
    at_ms: int
    previous: str
    """The hash of the event before it."""
    hash: str
    cause: Cause = UNKNOWN_CAUSE
    unseal: Callable[[str, str, str], str] | None = field(default=None, compare=False, repr=False)
    """Opens a sealed body, given the stream, a name and the body; None where it is not sealed."""

    @property
    def plain_body(self) -> str:
        """The body as JSON, opened if it is sealed; raises KeyMissing or Damaged."""
        if self.unseal is None:
            return self.body
        return self.unseal(self.stream, event_seal(self.version), self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTransfer:
    """A transfer as it is stored, with the event that caused it."""

    number: int
    """Increases with every transfer in the whole store."""
    stream: str
    version: int
    at_ms: int
    transfer: Transfer


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to write to a stream, until it ends or another lease replaces it."""

    stream: str
    owner: str
    fence: int
    until_ms: int


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


class Store(Protocol):
    """What every store offers. All calls block; none of them leaves half a write."""

    # Writing

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write all of it or nothing; return the new head of every stream written to.

        All transfers of a commit are added up first, so an account may be debited before it is
        credited. Raises Conflict, Fenced, NotEnough or Unavailable, and LedgerRefusal for an
        invalid transfer. Once it returns, what was written survives a power failure.
        """
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

    def release_lease(self, lease: Lease) -> None:
        """Give the lease up, so that another owner need not wait for its end.

        Nothing happens if another lease has already replaced it.
        """
        ...

    # Reading

    def head(self, stream: str) -> Head:
        """The end of a stream; version 0 if it has no events."""
        ...

    def heads(self, prefix: str = "") -> dict[str, Head]:
        """The heads of all streams with events whose names have this prefix, at one moment."""
        ...

    def streams(self, prefix: str = "") -> tuple[str, ...]:
        """The names of all streams with events that have this prefix, in order."""
        ...

    def events(
        self, stream: str, *, after: int = 0, up_to: int | None = None
    ) -> Iterator[StoredEvent]:
        """The events of a stream after a version, in order."""
        ...

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        ...

    def answers(self, stream: str, keys: Sequence[CommandKey]) -> dict[CommandKey, StoredAnswer]:
        """The answers to those of these commands that have been carried out."""
        ...

    def old_answers(self, stream: str) -> Iterator[tuple[CommandKey, StoredAnswer]]:
        """The answers of a stream from before events named their commands."""
        ...

    def forget_old_refusals(self, after: AnswerKey) -> AnswerKey | None:
        """Remove refusals from one page of old answers after a key.

        Gives the last key of the page, None at the end.
        """
        ...

    def secrets(self, stream: str, prefix: str = "") -> dict[str, str]:
        """A stream's secrets whose names have this prefix; raises KeyMissing."""
        ...

    def secret_names(self, stream: str, prefix: str = "") -> tuple[str, ...]:
        """The names of a stream's secrets with this prefix, which need no key."""
        ...

    def sealing_keys(self) -> tuple[str, ...]:
        """The ids of the keys with which the store's secrets are sealed."""
        ...

    def prepare_seal(self) -> None:
        """Make the first key where there is none, so that a problem with keys shows at the start.

        Raises KeyFailure, and KeyMissing where others have sealed with keys that are not there.
        """
        ...

    def missing_keys(self) -> tuple[str, ...]:
        """The ids of those of these keys that the keyring of the store does not have."""
        ...

    def reseal(self, prefix: str, *, unsealed_only: bool = False) -> int:
        """Seal some secrets of streams with this prefix with the newest key.

        It takes those that are not sealed and, unless only these are wanted, those that are sealed
        with another key, a few hundred at a time; gives how many, so 0 where none are left.
        Raises KeyMissing.
        """
        ...

    def scrub(self, *, thoroughly: bool = False) -> None:
        """Overwrite what removed or resealed secrets have left behind in files.

        ``thoroughly`` writes the database anew, which may take minutes.
        """
        ...

    def rule_set(self, fingerprint: str) -> RuleSet | None:
        """A house as it was, by its fingerprint."""
        ...

    def balance(self, account: Account) -> int:
        """What an account holds, in cents."""
        ...

    def balances(self, prefix: str = "") -> dict[Account, int]:
        """The balances of all accounts whose names have this prefix; zeros may be left out."""
        ...

    def transfers(
        self, *, account: Account | None = None, stream: str | None = None, after: int = 0
    ) -> Iterator[StoredTransfer]:
        """Transfers after a number in order, of one account or one stream if given."""
        ...

    def checkpoints(self) -> Iterator[Checkpoint]:
        """All checkpoints in order."""
        ...

    def close(self) -> None:
        """Close files and connections."""
        ...
