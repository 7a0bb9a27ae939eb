"""Databases opened for a command; a missing one is never created."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from openfelt.storage.door import Store

VARIABLE = "OPENFELT_DATABASE"
FILE_NAME = "openfelt.db"

Database = Annotated[
    str | None,
    typer.Argument(
        metavar="DATABASE",
        envvar=VARIABLE,
        help="A SQLite file, sqlite:///FILE or postgresql://...; "
        "by default openfelt.db in your data folder.",
    ),
]


@contextmanager
def open_database(address: str | None) -> Iterator["Store"]:
    """An existing database, which is closed at the end."""
    from openfelt.server.accounts.events import ACCOUNT_FORMS
    from openfelt.storage.addresses import open_store
    from openfelt.storage.door import NotOpenfelt, StoreError
    from openfelt.storage.event_forms import EVENT_FORMS, check_forms

    address = address or usual_address(os.environ)
    check_there(address)
    try:
        store = open_store(address)
    except NotOpenfelt as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error
    except StoreError as error:
        raise Complaint(str(error)) from error
    try:
        check_forms(store, EVENT_FORMS, ACCOUNT_FORMS)
        yield store
    except StoreError as error:
        raise Complaint(str(error)) from error
    finally:
        store.close()


@contextmanager
def without_servers(address: str, store: "Store") -> Iterator[None]:
    """Keep servers away while something is done that they would not notice; none may run."""
    from openfelt.server.store.single_instance import single_instance
    from openfelt.storage.door import Unavailable

    try:
        with single_instance(address) as alone:
            # The list of an embedded database may be behind its lock, if a server was killed.
            names = [] if alone else [each.name for each in store.members() if each.living]
            if names:
                raise Complaint(f"These servers run: {', '.join(names)}. Stop them, and try again.")
            yield
    except Unavailable as error:
        raise Complaint(f"{error} Stop it, and try again.") from error


def usual_address(environment: Mapping[str, str]) -> str:
    """The default database file in the user's data folder.

    >>> usual_address({"XDG_DATA_HOME": "/data"})
    '/data/openfelt/openfelt.db'
    """
    from openfelt.cli.data_folder import data_folder

    return (data_folder(None, environment) / FILE_NAME).as_posix()


def check_there(address: str) -> None:
    """Refuse a missing or empty file, because opening it would create a database."""
    path = _file_of(address)
    if path is None:
        return
    try:
        size = path.stat().st_size
    except OSError as error:
        raise Complaint(
            f"There is no database at {path}. Name one, or set {VARIABLE}.", ExitCode.WRONG_INPUT
        ) from error
    if not path.is_file():
        raise Complaint(f"{path} is a folder, not a database.", ExitCode.WRONG_INPUT)
    if size == 0:
        raise Complaint(f"{path} is empty, not a database.", ExitCode.WRONG_INPUT)


def check_folder(address: str) -> None:
    """Refuse a file in a missing folder, which may be a mistyped name."""
    path = _file_of(address)
    if path is not None and not path.parent.is_dir():
        raise Complaint(
            f"There is no folder {path.parent} for the database. Make it, or name another file.",
            ExitCode.WRONG_INPUT,
        )


def _file_of(address: str) -> Path | None:
    """The file that an address names, None for other addresses."""
    scheme, colon, rest = address.partition("://")
    if not colon:
        return Path(address)
    return Path(rest[1:]) if scheme == "sqlite" and rest.startswith("/") else None
