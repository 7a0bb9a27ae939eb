"""The checks of the program's own files while it serves, each of them in the record.

The files are read at the start, once a day, and whenever staff ask for it. A program whose files
are not those that were installed, or no longer those that it started with, deals no cards: a server
does not start, and one that runs records what has changed and closes. Rounds in progress continue
once it is started again with correct files.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from openfelt.record_events.software_events import SoftwareChecked
from openfelt.runtime.clock import Clock
from openfelt.runtime.streams import SOFTWARE_STREAM
from openfelt.server.accounts.register import Register
from openfelt.server.self_check.installed_files import (
    Software,
    differences,
    file_hashes,
    fingerprint_of,
    software_at_start,
    software_now,
)
from openfelt.server.settings import SettingsError
from openfelt.storage.door import Store, StoreError

CHECK_SECONDS: Final = 24 * 3600
FAULTS_RECORDED: Final = 20
"""How many faults an event names; it says how many there are."""
FAULTS_SAID: Final = 3
"""How many faults the reason names for which a server closes."""
_LAST: Final = "last"

logger = logging.getLogger(__name__)


class SoftwareChanged(Exception):
    """The program's files are no longer those that it started with; the sentence says which."""


@dataclass(frozen=True, slots=True)
class SoftwareCheck:
    """A check, and when it was made."""

    event: SoftwareChecked
    at_ms: int


class SoftwareChecks(Register[SoftwareCheck]):
    """Checks the program's files, and records every check. All calls block but ``watch``."""

    def __init__(self, store: Store, clock: Clock, *, houses: Path | None = None) -> None:
        super().__init__(store, clock, SOFTWARE_STREAM)
        self._houses = houses
        self.problem: str | None = None
        """Why the server closes, once the files have changed."""
        self.on_changed_files: Callable[[], None] = lambda: None
        """Called once when the files have changed."""

    @property
    def at_start(self) -> Software:
        """The program as it was at the start."""
        return software_at_start()

    def last(self) -> SoftwareCheck | None:
        """The last check in the record."""
        return self.get(_LAST)

    def begin(self, *, expected: str | None = None) -> None:
        """Raise SettingsError if the program may not deal, once that is recorded.

        ``expected`` is the fingerprint that the operator has approved.
        """
        software = self.at_start
        faults = list(software.faults)
        if expected is not None and software.fingerprint != expected.lower():
            faults.append("The program is not the one that was approved.")
        if faults:
            self._record("start", software, tuple(faults))
            more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
            raise SettingsError(
                f"No cards are dealt, because the check of the program failed: {faults[0]}{more}"
                f" Its fingerprint is {software.fingerprint}. See openfelt software, and install "
                "Openfelt again."
            )

    def started(self) -> None:
        """Record the check at the start of a server that has opened its tables."""
        self._record("start", self.at_start, ())

    def check(self, why: str) -> SoftwareCheck:
        """Read all files again, and record what was found."""
        now, before = software_now(), self.at_start
        faults = now.faults
        if not faults and now.fingerprint != before.fingerprint:
            changed = differences(before.hashes, now.hashes)
            faults = ("The files have changed since the start.", *changed)
        self._record(why, now, faults)
        if faults and self.problem is None:
            self.problem = " ".join(faults[:FAULTS_SAID])
            logger.critical("the program's files have changed: %s", self.problem)
        checked = self.last()
        assert checked is not None
        return checked

    async def checked(self, why: str) -> SoftwareCheck:
        """As ``check``, in a thread; the server closes if the files have changed."""
        checked = await asyncio.to_thread(self.check, why)
        if self.problem is not None:
            self.on_changed_files()
        return checked

    async def watch(self) -> None:
        """Check once a day until cancelled; failures of the store are logged and tried again."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self.checked("daily")
            except (StoreError, OSError) as error:
                logger.error("the program's files are not checked: %s", error)

    def _record(self, why: str, software: Software, faults: tuple[str, ...]) -> None:
        houses = fingerprint_of(file_hashes(self._houses)) if self._houses is not None else ""
        event = SoftwareChecked(
            why=why,
            version=software.version,
            fingerprint=software.fingerprint,
            files=software.files,
            listed=software.listed,
            houses=houses,
            faults=len(faults),
            named=faults[:FAULTS_RECORDED],
        )
        self._write(lambda: (event,))

    def _apply(self, event: SoftwareChecked, at_ms: int) -> None:
        self._lines[_LAST] = SoftwareCheck(event, at_ms)
