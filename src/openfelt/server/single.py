"""One server at a time on an embedded database, so that a restart has its tables at once."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from openfelt.storage.door import Unavailable

EMBEDDED_OWNER: Final = "embedded"
"""Under this name the one server of an embedded database leases tables. The next one has the
same name, and so need not wait until the leases of one that was killed have ended."""


def sqlite_file(database: str) -> Path | None:
    """The file of an embedded database, None where the database is a server's.

    >>> sqlite_file("sqlite:///felt.db").name, sqlite_file("postgresql://host/felt")
    ('felt.db', None)
    """
    scheme, colon, rest = database.partition("://")
    if not colon:
        return Path(database)
    return Path(rest[1:]) if scheme == "sqlite" else None


@contextlib.contextmanager
def only_server(database: str) -> Iterator[str | None]:
    """Keep other servers off an embedded database meanwhile; gives the owner of its leases.

    None stands for a name of this process alone. Raises Unavailable where another server
    has the database open. The lock goes with the process, however that ends.
    """
    file = sqlite_file(database)
    try:
        import fcntl
    except ImportError:
        file = None
    if file is None:
        yield None
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = file.with_name(f"{file.name}.lock").open("ab")
    except OSError as error:
        raise Unavailable(
            f"The folder of {file} cannot be written to: {error.strerror}."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Unavailable(f"Another server has the database open: {file}.") from error
        yield EMBEDDED_OWNER
