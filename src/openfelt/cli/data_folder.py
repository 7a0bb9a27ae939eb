"""The folder for saved data, and the lock that keeps it for one game at a time."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode


def data_folder(chosen: Path | None, environment: Mapping[str, str]) -> Path:
    """The folder for saved data: the one chosen, otherwise the usual location.

    >>> data_folder(None, {"XDG_DATA_HOME": "/data"}).as_posix()
    '/data/openfelt'
    """
    if chosen is not None:
        return chosen.expanduser()
    base = environment.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "openfelt"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make the folder if it is missing, and keep it for one game; raises Complaint."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = (folder / "lock").open("a")
    except OSError as error:
        raise Complaint(f"{folder}: saved games cannot be kept here: {error.strerror}") from error
    with handle:
        if not _lock(handle.fileno()):
            raise Complaint(
                "Another game has this saved game open. Finish it first, "
                "or use another folder with --data.",
                ExitCode.IN_USE,
            )
        yield


def _lock(descriptor: int) -> bool:
    """Take the lock without waiting. Where there is no flock, the game goes without."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
