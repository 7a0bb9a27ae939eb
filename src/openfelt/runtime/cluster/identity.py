"""The persistent identity of a process: its name, and proof of it after a restart.

Each name has a small file in the data folder. The file holds a random text, the *home* of the
process, and the process locks it as long as it runs. So a process that finds a member under its
name in the store knows whether that is its own previous run, whose tables it takes over
immediately, or a process elsewhere, which it must not displace.
"""

import contextlib
import os
import re
import secrets
import socket
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

from openfelt.storage.cluster.cluster_door import NewMember
from openfelt.storage.door import StoreError

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
"""The names that a process may have."""
_NAME_RULE: Final = "letters, digits, points, hyphens and underscores, at most 63"
_HOME_BYTES: Final = 8
_FILE_MODE: Final = 0o600


class NameRefused(StoreError):
    """A process cannot have this name; the sentence says why."""


@contextlib.contextmanager
def identity(
    folder: Path | None, *, name: str | None, role: str, version: str
) -> Iterator[NewMember]:
    """The identity of this process, which no other process of the folder can take until it ends.

    Without a name, the process gets the host's name and some digits that stay with the folder;
    several processes of one folder get different ones. Without a folder, nothing lasts. Raises
    NameRefused.
    """
    if name is not None and not NAME.fullmatch(name):
        raise NameRefused(f"The name of a server must have {_NAME_RULE}.")
    with _locked_home(folder, name) as home:
        yield NewMember(
            name=name or f"{_host()}-{home[:4]}",
            home=home,
            run=secrets.token_hex(_HOME_BYTES),
            role=role,
            version=version,
        )


def _host() -> str:
    """The part of the host's name that can be in the name of a server."""
    host = re.sub(r"[^A-Za-z0-9._-]+", "-", socket.gethostname())[:50]
    return host if NAME.fullmatch(host) else "server"


@contextlib.contextmanager
def _locked_home(folder: Path | None, name: str | None) -> Iterator[str]:
    if folder is None:
        yield secrets.token_hex(_HOME_BYTES)
        return
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        descriptor = _first_free(folder) if name is None else _locked(folder / f"{name}.member")
    except OSError as error:
        raise NameRefused(f"{folder} cannot be written to: {error.strerror}.") from error
    if descriptor is None:
        raise NameRefused(
            f"Another server of this folder already runs under the name {name}. "
            "Give each server its own name: openfelt serve --name NAME"
        )
    try:
        yield _home_in(descriptor)
    finally:
        os.close(descriptor)


def _first_free(folder: Path) -> int:
    """The first of the numbered files that no process has locked."""
    for number in count(1):
        # An equals sign is in no name.
        if (descriptor := _locked(folder / f"server={number}.member")) is not None:
            return descriptor
    raise AssertionError("there are enough numbers")


def _locked(path: Path) -> int | None:
    """A file, opened and locked; None if another process has locked it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, _FILE_MODE)
    try:
        import fcntl
    except ImportError:
        return descriptor
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _home_in(descriptor: int) -> str:
    """The home in a file; a new one if the file has none, or none that Openfelt has written."""
    home = os.pread(descriptor, 100, 0).decode("ascii", "replace").strip()
    if not re.fullmatch(rf"[0-9a-f]{{{2 * _HOME_BYTES}}}", home):
        home = secrets.token_hex(_HOME_BYTES)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{home}\n".encode(), 0)
        os.fsync(descriptor)
    return home
