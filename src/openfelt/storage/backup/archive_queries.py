"""Archives in a store: what is left in the database of history that has been moved to a file."""

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

import msgspec

from openfelt.storage.backup.archived_history import Archive
from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.errors import Damaged
from openfelt.storage.keyring import Ciphertext, Keyring
from openfelt.storage.sql.rows import Row, text_fault

ROWS_AT_ONCE: Final = 2000
_STREAM: Final = "archive"

_NEW: Final = (
    "INSERT INTO archives (number, at_ms, checkpoint, transfer, balances, sha256, key, state)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_LAST: Final = (
    "SELECT number, at_ms, checkpoint, transfer, balances, sha256, key, state FROM archives"
    " WHERE number > 0 AND number < ? ORDER BY number DESC LIMIT 1"
)
_CUT: Final = "SELECT checkpoint, at_ms, key, state FROM archives WHERE number = 0"
_CUT_HERE: Final = (
    "INSERT INTO archives (number, at_ms, checkpoint, transfer, balances, sha256, key, state)"
    " VALUES (0, ?, ?, 0, '{}', '', ?, ?) ON CONFLICT (number) DO UPDATE SET"
    " at_ms = excluded.at_ms, checkpoint = excluded.checkpoint, key = excluded.key,"
    " state = excluded.state RETURNING number"
)
_EVENTS_DROPPED: Final = (
    "DELETE FROM events WHERE stream = ? AND version < ? AND version <="
    " (SELECT min(version) FROM events WHERE stream = ?) + ? RETURNING version"
)
_TRANSFERS_DROPPED: Final = (
    "DELETE FROM transfers WHERE number <= ? AND number <="
    " (SELECT min(number) FROM transfers) + ? RETURNING number"
)


class ArchiveQueries(ABC):
    """The queries of both stores about archives."""

    _keyring: Keyring

    @abstractmethod
    def _read(self, statement: str, values: Sequence[object]) -> list[Row]:
        """Run one statement that only reads."""

    @abstractmethod
    def _write(self, statement: str, values: Sequence[object]) -> list[Row]:
        """Run one statement that writes, in a separate transaction."""

    def archive(self, *, with_state: bool = True, before: int = LAST_NUMBER) -> Archive | None:
        """The newest archive before a number; raises KeyMissing, or Damaged if it was changed."""
        result = self._read(_LAST, (before,))
        if not result:
            return None
        number, at_ms, checkpoint, transfer, balances, sha256, key, state = result[0]
        if (fault := text_fault(result[0])) is not None:
            raise Damaged("archives", number, fault)
        return Archive(
            number=number,
            at_ms=at_ms,
            checkpoint=checkpoint,
            transfer=transfer,
            balances=_balances(number, balances),
            sha256=sha256,
            state=self._state(number, Ciphertext(key, state)) if with_state else "",
        )

    def cut_at(self) -> int | None:
        """The checkpoint after which this database was cut off; None if it is not an archive."""
        result = self._read(_CUT, ())
        return int(result[0][0]) if result else None

    def mark_cut(self, checkpoint: int, at_ms: int) -> None:
        """Record that this database is an archive, which ends with a checkpoint."""
        encrypted = self._keyring.encrypt(_STREAM, "0", f"{checkpoint} {at_ms}")
        self._write(_CUT_HERE, (at_ms, checkpoint, encrypted.key, encrypted.body))

    def check_cut(self) -> None:
        """Raise Damaged if the mark of an archive was not made with a key, or KeyMissing."""
        for checkpoint, at_ms, key, state in self._read(_CUT, ()):
            if (
                text_fault((key, state))
                or self._state(0, Ciphertext(key, state)) != f"{checkpoint} {at_ms}"
            ):
                raise Damaged("archives", 0, "it is not what was encrypted")

    def _state(self, number: int, encrypted: Ciphertext) -> str:
        if not encrypted.key:
            raise Damaged("archives", number, "it was not written with a key")
        return self._keyring.decrypt(_STREAM, f"{number}", encrypted)

    def is_whole(self) -> bool:
        """Whether history is read together with its archives; never so for a database alone."""
        return False

    def add_archive(self, archive: Archive) -> None:
        """Record an archive, with its state encrypted and authenticated by a key elsewhere."""
        name = f"{archive.number}"
        encrypted = self._keyring.encrypt(_STREAM, name, archive.state, packed=True)
        self._write(
            f"{_NEW} RETURNING number",
            (
                *(archive.number, archive.at_ms, archive.checkpoint, archive.transfer),
                *(json.dumps(dict(archive.balances)), archive.sha256),
                *(encrypted.key, encrypted.body),
            ),
        )

    def drop_events(self, stream: str, before: int) -> int:
        """Remove some events of a stream before a version; returns how many, 0 at the end."""
        values = (stream, before, stream, ROWS_AT_ONCE)
        return len(self._write(_EVENTS_DROPPED, values))

    def drop_transfers(self, up_to: int) -> int:
        """Remove some transfers up to a number; returns how many, 0 at the end."""
        return len(self._write(_TRANSFERS_DROPPED, (up_to, ROWS_AT_ONCE)))


def _balances(number: int, text: str) -> dict[str, int]:
    """The balances at the end of an archive; raises Damaged."""
    try:
        return msgspec.json.decode(text, type=dict[str, int])
    except msgspec.MsgspecError:
        raise Damaged("archives", number, "its balances cannot be read") from None
