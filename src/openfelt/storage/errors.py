"""The errors that every store may raise.

StoreError
├── Conflict       another writer has appended to the stream
│   └── Repeated   the command is already answered, or the secret's name taken
├── Fenced         the lease has passed to another owner
├── NotEnough      an account would be overdrawn that must not be
├── NewerSchema    the database was made by a newer Openfelt
├── NotOpenfelt    the database is not Openfelt's
├── Damaged        a row holds something that Openfelt did not write
│   └── Forged     a row was written without the key of the house
├── CodesRemoved   the codes of a whole database have been removed
├── EpochRefused   a server runs, so no new epoch can begin
├── KeyFailure     the keys of encrypted secrets cannot be read or written
│   └── KeyMissing the key of an encrypted secret or of an authentic head is not there
├── Irrecoverable  what was encrypted is gone for good, and the record says why
│   ├── Purged     its data key was removed when its time was over
│   └── KeyLost    its main key was declared lost
└── Unavailable    full, read-only, locked or gone: nothing can be written now
    ├── DamagedFile the database says that its own files are damaged
    └── Unknown    the connection was lost during a commit: all is written, or nothing
"""

import logging
import re
import traceback
from collections.abc import Callable
from pathlib import PurePath

from openfelt.ledger import Account
from openfelt.storage.shown_names import shown

logger = logging.getLogger(__name__)


class StoreError(Exception):
    """Nothing has been written, except that for Unknown this is not certain."""


class Conflict(StoreError):
    """The stream is not at the version that the writer expected."""

    def __init__(self, stream: str, *, expected: int, found: int) -> None:
        super().__init__(f"{shown(stream)} is at version {found}, not at {expected}.")
        self.stream = stream
        self.expected = expected
        self.found = found


class Repeated(Conflict):
    """A command of the stream is already answered, or a secret's name is taken.

    The writer then reads the first answer and returns it again. A secret's name is taken only
    through a mistake in the program.
    """

    def __init__(self, stream: str, existing: str, *, version: int) -> None:
        super().__init__(stream, expected=version, found=version)
        self.args = (f"{shown(stream)} already has {existing}.",)


class Fenced(StoreError):
    """The writer's lease on the stream has passed to another owner."""

    def __init__(self, stream: str, *, fence: int, found: int) -> None:
        super().__init__(f"{shown(stream)} is held under lease {found} now; lease {fence} is over.")
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
    """A row is not what Openfelt wrote; the sentence names its table and its key, if that can be
    shown, and quotes nothing else of it."""

    def __init__(self, table: str, row: object, fault: str) -> None:
        # A key of a row may itself be damaged.
        super().__init__(f"Row {shown(row)} of the table {table} is damaged: {fault}.")
        self.table = table
        self.row = row


Damage = Callable[[Damaged], object]
"""Called with a row that cannot be read, which is then left out; without it, Damaged is raised."""


def tell_damage(error: Damaged) -> None:
    """Log a row that is left out, so that it does not hide the others."""
    logger.error("%s", error)


class Forged(Damaged):
    """A row was not written by Openfelt: it is not authentic under any key of the house."""

    def __init__(self, table: str, row: object) -> None:
        super().__init__(table, row, "it was not written with a key of this house")


class CodesRemoved(StoreError):
    """A database had codes, according to a record outside of it, and has none now."""

    def __init__(self) -> None:
        super().__init__(
            "This database was authenticated before, and its codes are gone or were replaced: "
            "another program has changed it, and nothing in it can be trusted. Run openfelt audit "
            "with the published checkpoints, and restore a backup."
        )


class EpochRefused(StoreError):
    """No new epoch can begin, because a server runs."""

    def __init__(self) -> None:
        super().__init__(
            "A server runs tables of this database, or ran them seconds ago, so no new epoch of "
            "its codes can begin. Stop it, and try again."
        )


class KeyFailure(StoreError):
    """The keys of encrypted secrets cannot be used; the sentence says why, and quotes none."""


class KeyMissing(KeyFailure):
    """The key of an encrypted secret is not there."""

    def __init__(self, key: str, *, stream: str, where: str) -> None:
        super().__init__(
            f"The secret cards of {shown(stream)} are encrypted with the key {key}, which is not "
            f"in {where}. Put the key back, or name the file that has it in OPENFELT_KEYS_FILE. If "
            f"it is lost for good, run openfelt keys lost --key {key} on the database."
        )
        self.key = key
        self.stream = stream


class AppendKeyMissing(KeyMissing):
    """The key under which a head or a snapshot is authentic is not there."""

    def __init__(self, key: str, *, stream: str, where: str) -> None:
        super().__init__(key, stream=stream, where=where)
        sentence = f"The record of {shown(stream)} is authenticated with the key {key}"
        remedy = "Put the key back, or name the file that has it in OPENFELT_KEYS_FILE."
        remedy += f" If it is permanently lost, run openfelt keys lost --key {key} on the database."
        self.args = (f"{sentence}, which is not in {where}. {remedy}",)


class Irrecoverable(StoreError):
    """The encrypted data is permanently lost; the record says why."""


class Purged(Irrecoverable):
    """The data key of an event or a snapshot was removed, so its hidden part is gone."""

    def __init__(self, stream: str, key: str) -> None:
        super().__init__(f"The key {shown(key)} of {shown(stream)} has been removed.")
        self.key = key


class KeyLost(Irrecoverable):
    """The main key of a secret was declared lost."""

    def __init__(self, key: str, *, stream: str) -> None:
        super().__init__(
            f"A secret of {shown(stream)} was encrypted with the key {key}, which was declared "
            "lost."
        )
        self.key = key


class Unavailable(StoreError):
    """The store cannot write now: the disk is full or read-only, or the server is gone."""

    @property
    def sentence(self) -> str:
        """The sentence for players: without details, which may name hosts and files.

        >>> Unavailable('The database server cannot be reached: connection to "10.0.0.5".').sentence
        'The database server cannot be reached.'
        """
        return re.split(r": | \(", str(self), maxsplit=1)[0].rstrip(".") + "."


class DamagedFile(Unavailable):
    """The database says that its own files are damaged."""


class Unknown(Unavailable):
    """The connection was lost during a commit, so all of the commit is written, or nothing.

    The writer must read the stream's head again before it continues.
    """


def shown_error(error: BaseException) -> str:
    """An error for the log: the sentence of one of the store's, otherwise its type and its place.

    Any other may come from within the rules, and its text or a traceback might quote a card.

    >>> shown_error(StoreError("The disk is full."))
    'The disk is full.'
    >>> shown_error(ValueError("the next card is As"))
    'ValueError'
    """
    if isinstance(error, StoreError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f" in {PurePath(frame.filename).name}:{frame.lineno}" for frame in frames)
    return f"{type(error).__name__}{place}"
