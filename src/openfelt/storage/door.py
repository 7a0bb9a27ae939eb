"""The door to storage: what every store offers, and the errors it may raise.

One ``Commit`` is one transaction: events, the transfers they cause, balances, answers to
commands, snapshots, secrets and rule sets are all written, or nothing is.

    StoreError
    ├── Conflict       another writer has moved the stream on
    │   └── Repeated   the command has its answer, or the name its secret, already
    ├── Fenced         the lease has passed to another owner
    ├── NotEnough      an account that may not owe would
    ├── NewerSchema    the database was made by a newer Openfelt
    ├── NotOpenfelt    the database is somebody else's
    ├── Damaged        a row says something that no Openfelt has written
    └── Unavailable    full, read-only, locked, gone: nothing can be written now
        └── Unknown    the store was lost while it committed: all is written, or nothing
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from openfelt.ledger import Account, Transfer

FIRST_HASH = "0" * 64
"""What the first event of a stream names as the hash before it."""


class StoreError(Exception):
    """Nothing has been written; of Unknown alone that is not certain."""


class Conflict(StoreError):
    """The stream is not at the version that the writer expected."""

    def __init__(self, stream: str, *, expected: int, found: int) -> None:
        super().__init__(f"{stream} is at version {found}, not at {expected}.")
        self.stream = stream
        self.expected = expected
        self.found = found


class Repeated(Conflict):
    """A command of the stream is answered already, or a secret's name taken.

    The writer asks for the answer then, and gives it again; a secret's name is never taken
    unless its program has made a mistake.
    """

    def __init__(self, stream: str, what: str, *, version: int) -> None:
        super().__init__(stream, expected=version, found=version)
        self.args = (f"{stream} has {what} already.",)


class Fenced(StoreError):
    """The writer's lease on the stream has passed to another owner."""

    def __init__(self, stream: str, *, fence: int, found: int) -> None:
        super().__init__(f"{stream} is held under lease {found} now; lease {fence} is over.")
        self.stream = stream
        self.fence = fence
        self.found = found


class NotEnough(StoreError):
    """A transfer would leave an account below zero that may not owe."""

    def __init__(self, account: Account, *, short_cents: int) -> None:
        super().__init__(f"{account} is {short_cents} cents short.")
        self.account = account
        self.short_cents = short_cents


class NewerSchema(StoreError):
    """The database has been made by a newer Openfelt than this one."""

    def __init__(self, *, found: int, known: int) -> None:
        super().__init__(
            f"The database has schema {found}; this Openfelt knows up to {known}. "
            "Run the newer Openfelt that made it."
        )
        self.found = found
        self.known = known


class NotOpenfelt(StoreError):
    """The database holds tables, and they are not Openfelt's; nothing of it is touched."""


class Damaged(StoreError):
    """A row cannot be what Openfelt wrote; the sentence names its table and its key."""

    def __init__(self, table: str, row: object, fault: str) -> None:
        super().__init__(f"Row {row} of the table {table} is damaged: {fault}.")
        self.table = table
        self.row = row


class Unavailable(StoreError):
    """The store cannot write now: the disk is full or read-only, or the server is gone."""


class Unknown(Unavailable):
    """The store was lost while it committed, so all of the commit is written, or nothing.

    Whoever gets this reads the stream's head again before going on.
    """


# What is written ---------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event to be written, with the money that moves because of it."""

    name: str
    """Its public name, which never changes, such as ``wagers_set``."""
    schema: int
    """The version of its body's form."""
    body: str
    """JSON."""
    transfers: tuple[Transfer, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAnswer:
    """The answer to a command, kept so that the same command again gets it again."""

    actor: str
    command: str
    """The id that the caller gave the command; it is unique among the actor's."""
    digest: str
    """A hash of what the command asked, so that the same id for something else is noticed."""
    body: str
    """JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSecret:
    """What only the table may know while a round is played, such as the order of its deck."""

    name: str
    """Unique within its stream, such as ``31/table``."""
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """Everything that one commit adds to one stream."""

    stream: str
    expected_version: int
    """How many events the writer believes the stream to have."""
    fence: int | None = None
    """The writer's lease number; None for streams that nobody leases. A stream that has been
    leased is closed to whoever names no lease."""
    events: tuple[NewEvent, ...] = ()
    answers: tuple[NewAnswer, ...] = ()
    secrets: tuple[NewSecret, ...] = ()
    snapshot: str | None = None
    """The state after these events, as JSON; it replaces the stream's older one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """A house as it was when somebody played by it, found again by its fingerprint."""

    fingerprint: str
    house: str
    body: str
    """JSON of the whole house."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One transaction."""

    at_ms: int
    """When, in milliseconds since 1970, UTC. A stream's times never go back: the store
    writes the time of its last event where this is earlier."""
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
    """The number of its latest lease, 0 where there has been none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent:
    """An event as it lies in the store."""

    stream: str
    version: int
    """1 for the first event of a stream."""
    name: str
    schema: int
    body: str
    at_ms: int
    previous: str
    """The hash of the event before it."""
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTransfer:
    """A transfer as it lies in the store, with the event that caused it."""

    number: int
    """Rises with every transfer of the whole store."""
    stream: str
    version: int
    at_ms: int
    transfer: Transfer


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """The answer that a command got."""

    digest: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A stream's state at one version."""

    version: int
    at_ms: int
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to write a stream, until it ends or another lease follows."""

    stream: str
    owner: str
    fence: int
    until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A signed statement of where streams stood; each names the one before it."""

    number: int
    at_ms: int
    body: str
    """JSON: the heads that have changed since the checkpoint before, and its hash."""
    key: str
    """The public key, in hexadecimal."""
    signature: str


CommandKey = tuple[str, str]
"""An actor and the id of one of the actor's commands."""


class Store(Protocol):
    """What every store offers. All calls block; none of them leaves half a write."""

    # Writing

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write all of it or nothing; give the new head of every stream written to.

        All transfers of a commit are added up first, so that an account may be debited
        before it is credited. Raises Conflict, Fenced, NotEnough or Unavailable, and
        LedgerRefusal for a transfer that is none. When it returns, what was written
        survives a loss of power.
        """
        ...

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint; Conflict where one of this number is there already."""
        ...

    # Leases

    def take_lease(self, stream: str, owner: str, *, ttl_ms: int) -> Lease | None:
        """Lease a stream, with the next fencing number; None while another owner holds it.

        An owner who holds it already gets a new lease, and the old one is over.
        """
        ...

    def renew_lease(self, lease: Lease, *, ttl_ms: int) -> Lease | None:
        """Hold the lease longer, from now on; None where it was released or another followed.

        A lease that has ended can be renewed as long as nobody else has taken the stream.
        """
        ...

    def release_lease(self, lease: Lease) -> None:
        """Give the lease up, so that another owner need not wait for its end.

        Nothing happens where another lease has followed it already.
        """
        ...

    # Reading

    def head(self, stream: str) -> Head:
        """Where the stream ends; version 0 where there is none."""
        ...

    def heads(self, prefix: str = "") -> dict[str, Head]:
        """Where all streams with events that begin so end, at one moment."""
        ...

    def streams(self, prefix: str = "") -> tuple[str, ...]:
        """The names of all streams with events that begin so, in order."""
        ...

    def events(
        self, stream: str, *, after: int = 0, up_to: int | None = None
    ) -> Iterator[StoredEvent]:
        """The events of a stream after one version, in order."""
        ...

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        ...

    def answers(self, stream: str, keys: Sequence[CommandKey]) -> dict[CommandKey, StoredAnswer]:
        """The answers that these commands have got already."""
        ...

    def answers_of(self, stream: str) -> Iterator[tuple[CommandKey, StoredAnswer]]:
        """Every command of a stream that has been answered, with its answer."""
        ...

    def secrets(self, stream: str, prefix: str = "") -> dict[str, str]:
        """A stream's secrets whose names begin so."""
        ...

    def rule_set(self, fingerprint: str) -> RuleSet | None:
        """A house as it was, by its fingerprint."""
        ...

    def balance(self, account: Account) -> int:
        """What an account holds, in cents."""
        ...

    def balances(self, prefix: str = "") -> dict[Account, int]:
        """The balances of all accounts whose names begin so; those at zero may be left out."""
        ...

    def transfers(
        self, *, account: Account | None = None, stream: str | None = None, after: int = 0
    ) -> Iterator[StoredTransfer]:
        """Transfers after one number in order, of one account or one stream where given."""
        ...

    def checkpoints(self) -> Iterator[Checkpoint]:
        """All checkpoints in order."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
