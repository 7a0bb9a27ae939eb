"""Where the profile is kept: written whole or not at all, and by one game at a time."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.play.profile import (
    DamagedProfileError,
    NewerProfileError,
    Profile,
    decode,
    encode,
)

FILE_NAME = "profile.json"


def data_folder(chosen: Path | None, environment: Mapping[str, str]) -> Path:
    """The folder for saved games: the one chosen, else the usual place for data.

    >>> data_folder(None, {"XDG_DATA_HOME": "/data"}).as_posix()
    '/data/openfelt'
    """
    if chosen is not None:
        return chosen.expanduser()
    base = environment.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "openfelt"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep the folder for one game; a second one gets a kind complaint."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = (folder / "lock").open("a")
    except OSError as error:
        raise Complaint(f"{folder}: saved games cannot be kept here: {error.strerror}") from error
    with handle:
        if not _lock(handle.fileno()):
            raise Complaint(
                "Another game is open with this profile. Finish it first, "
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


class Store:
    """The profile's file in a folder."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE_NAME

    def read(self) -> tuple[Profile | None, str | None]:
        """The profile, None where there is none yet, and a message where it was damaged.

        A damaged file is set aside under another name and never overwritten. One
        that a newer version wrote is a complaint.
        """
        try:
            text = self.file.read_bytes()
        except FileNotFoundError:
            return None, None
        except OSError as error:
            raise Complaint(f"{self.file}: cannot be read: {error.strerror}") from error
        try:
            return decode(text), None
        except NewerProfileError:
            raise Complaint(
                f"{self.file}: was written by a newer version of Openfelt, "
                "and is left as it is. Use another folder with --data."
            ) from None
        except DamagedProfileError as error:
            aside = self._set_aside()
            return None, (
                f"Your saved profile is damaged ({error}). It was set aside as {aside.name}, "
                "and a new one begins."
            )

    def _set_aside(self) -> Path:
        number = 1
        while (aside := self.file.with_name(f"{FILE_NAME}.damaged-{number}")).exists():
            number += 1
        self.file.rename(aside)
        return aside

    def write(self, profile: Profile) -> None:
        """Write the profile so that after a crash it is the old one or the new one, whole."""
        temporary = self.file.with_name(f"{FILE_NAME}.new")
        try:
            with temporary.open("wb") as handle:
                handle.write(encode(profile))
                handle.flush()
                os.fsync(handle.fileno())
            temporary.replace(self.file)
            _sync_folder(self.file.parent)
        except OSError as error:
            raise Complaint(f"{self.file}: cannot be written: {error.strerror}") from error


def _sync_folder(folder: Path) -> None:
    """Make the new name last too, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
