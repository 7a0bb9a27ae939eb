"""The record beside the keys: which databases have codes, and where they are.

It is out of reach of a person with write access to a database. Without it, a database whose codes
have all been removed could not be distinguished from one of an earlier version, nor a copy from its
original. It is not needed to read anything, and holds no secret but the locations.
"""

import logging
import os
import secrets
from pathlib import Path
from typing import Final

import msgspec

SUFFIX: Final = ".databases"
_FORMAT: Final = "openfelt.databases/1"

logger = logging.getLogger(__name__)


class CodedDatabase(msgspec.Struct, frozen=True):
    """A database as it was last seen at a location."""

    location: str = msgspec.field(name="place")
    database: str
    epoch: str


class _File(msgspec.Struct, frozen=True):
    format: str
    databases: list[CodedDatabase]


class CodesRecord:
    """The file of the record. One that cannot be written is reported, and stops nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def at(self, location: str) -> CodedDatabase | None:
        """The database that was last seen at a location."""
        return next((entry for entry in self._read() if entry.location == location), None)

    def is_elsewhere(self, now: CodedDatabase) -> bool:
        """Whether the same state of codes was last seen at another location."""
        return any(
            entry.location != now.location
            and (entry.database, entry.epoch) == (now.database, now.epoch)
            for entry in self._read()
        )

    def note(self, now: CodedDatabase) -> None:
        """Keep what is at a location now."""
        entries = self._read()
        if now in entries:
            return
        self._write([*(entry for entry in entries if entry.location != now.location), now])

    def forget(self, location: str) -> None:
        """Forget what was at a location, after an operator has put a database without codes
        there."""
        entries = self._read()
        if any(entry.location == location for entry in entries):
            self._write([entry for entry in entries if entry.location != location])

    def _write(self, entries: list[CodedDatabase]) -> None:
        content = msgspec.json.format(msgspec.json.encode(_File(_FORMAT, entries)), indent=2)
        unfinished = self.path.with_name(f".{self.path.name}.{secrets.token_hex(8)}")
        try:
            self.path.parent.mkdir(0o700, parents=True, exist_ok=True)
            descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content + b"\n")
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(self.path)
        except OSError as error:
            logger.warning(
                "%s cannot be written (%s): a database whose codes were all removed is then known "
                "by the published checkpoints only",
                self.path,
                error.strerror,
            )
            unfinished.unlink(missing_ok=True)

    def _read(self) -> list[CodedDatabase]:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=_File).databases
        except FileNotFoundError:
            return []
        except (OSError, msgspec.MsgspecError):
            logger.error("%s cannot be read, and is rewritten", self.path)
            return []
