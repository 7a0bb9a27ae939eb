"""Stores opened by their addresses."""

from pathlib import Path

from openfelt.storage.door import Store, StoreError
from openfelt.storage.keyring import Keyring
from openfelt.storage.sqlite import SqliteStore

_FORMS = (
    "sqlite:///relative.db, sqlite:////absolute.db, postgresql://host/name, or the path of a file"
)


def open_store(url: str, *, keyring: Keyring | None = None) -> Store:
    """Open the store at an address, and bring its tables up to date.

    The address is ``sqlite:///relative.db``, ``sqlite:////absolute.db``, the plain path of a
    SQLite file, or ``postgresql://user@host/name``. ``keyring`` encrypts secrets, by default the
    one that the environment names. Raises StoreError for any other address, and Unavailable,
    NewerSchema or NotOpenfelt if the store cannot be opened.

    >>> open_store("mysql://localhost/felt")
    Traceback (most recent call last):
    ...
    openfelt.storage.errors.StoreError: There is no store of the kind mysql. Write sqlite:///...
    """
    file = file_of(url)
    if file is not None:
        return SqliteStore(file, keyring=keyring)
    # The driver is not loaded for a store in a file.
    from openfelt.storage.postgres import PostgresStore

    return PostgresStore(url, keyring=keyring)


def file_of(url: str) -> Path | None:
    """The file that an address names, None for PostgreSQL; raises StoreError for no address.

    >>> file_of("sqlite:///felt.db").name, file_of("postgresql://host/felt")
    ('felt.db', None)
    """
    # Addresses may contain a password, so an error never repeats more than the scheme.
    scheme, colon, rest = url.partition("://")
    if not url:
        raise StoreError(f"A store needs an address. Write {_FORMS}.")
    if not colon:
        return Path(url)
    match scheme:
        case "sqlite":
            return _sqlite_path(rest)
        case "postgresql" | "postgres":
            return None
        case _:
            raise StoreError(f"There is no store of the kind {scheme}. Write {_FORMS}.")


def _sqlite_path(rest: str) -> Path:
    """The path in ``sqlite:///path``, given what follows the two slashes."""
    if not rest.startswith("/") or rest == "/":
        raise StoreError(
            "The address of a SQLite file must have three slashes before a relative path, and "
            f"four before an absolute one. Write {_FORMS}."
        )
    if "?" in rest:
        raise StoreError("The address of a SQLite file may have no options after a question mark.")
    return Path(rest[1:])
