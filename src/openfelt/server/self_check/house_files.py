"""The operator's own house files, compared with those that were accepted last.

A house is accepted automatically when it is loaded for the first time. If its file changes after
that, or a paytable beside it, while the server runs or between two starts, no round begins at its
tables until a supervisor accepts the change or the file is as it was. Each of these steps is
recorded.
"""

import asyncio
import logging
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from openfelt.record_events.software_events import (
    HouseFilesAccepted,
    HouseFilesChanged,
    HouseFilesEvent,
)
from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock
from openfelt.runtime.held_houses import HeldHouses
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import HOUSE_FILES_STREAM
from openfelt.server.accounts.register import Register
from openfelt.server.self_check.installed_files import file_hashes, fingerprint_of
from openfelt.storage.door import Store, StoreError

CHECK_SECONDS: Final = 60
FIRST_LOAD: Final = "Loaded for the first time."

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AcceptedHouse:
    """A house as it was accepted."""

    house: str
    sha256: str
    """A hash over its file and the paytables beside it; empty once its removal was accepted."""
    at_ms: int
    by: str


@dataclass(frozen=True, slots=True)
class HeldHouse:
    """A house whose file is not the accepted one."""

    house: str
    why: str
    accepted: str
    found: str
    """Empty if there is no such file."""


class HouseFiles(Register[AcceptedHouse]):
    """Compares the files of one folder. All calls block but ``watch``."""

    def __init__(self, store: Store, clock: Clock, folder: Path | None, held: HeldHouses) -> None:
        super().__init__(store, clock, HOUSE_FILES_STREAM)
        self._folder = folder
        self._held = held
        self._recorded: Mapping[str, str] = {}

    def begin(self) -> None:
        """Accept the houses that are new to the record, and check all others."""
        current = house_hashes(self._folder)

        def decide() -> tuple[HouseFilesEvent, ...]:
            new = {house: sha for house, sha in current.items() if house not in self._lines}
            return (HouseFilesAccepted(new, "", FIRST_LOAD),) if new else ()

        self._write(decide)
        self.check()

    def check(self) -> list[HeldHouse]:
        """Compare the files as they are now, record a change once, and hold the houses."""
        current = house_hashes(self._folder)

        def decide() -> tuple[HouseFilesEvent, ...]:
            why = {entry.house: entry.why for entry in self._differing(current)}
            return (HouseFilesChanged(why),) if why != dict(self._recorded) else ()

        if self._write(decide):
            logger.critical("house files differ from the accepted ones: %s", dict(self._recorded))
        held = self._differing(current)
        self._held.why = {entry.house: entry.why for entry in held}
        return held

    def accept(self, houses: list[str], *, by: str, reason: str) -> list[HeldHouse]:
        """Accept the files of some houses as they are now; returns those that are still held."""
        current = house_hashes(self._folder)

        def decide() -> tuple[HouseFilesEvent, ...]:
            differing = {entry.house: entry.found for entry in self._differing(current)}
            wrong = [house for house in houses if house not in differing]
            if wrong:
                raise Refusal(
                    RuntimeCode.HOUSE_HELD,
                    f"{wrong[0]} has not changed, or is unknown.",
                )
            return (HouseFilesAccepted({house: differing[house] for house in houses}, by, reason),)

        self._write(decide)
        return self.check()

    async def watch(self) -> None:
        """Check the files once a minute until cancelled; failures are logged and tried again."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await asyncio.to_thread(self.check)
            except (StoreError, OSError) as error:
                logger.error("the house files are not checked: %s", error)

    def _differing(self, current: Mapping[str, str]) -> list[HeldHouse]:
        """The houses whose files differ. Those that were never loaded are not held."""
        return [
            HeldHouse(line.house, _why(line.sha256, current.get(line.house, "")), line.sha256, sha)
            for line in self._lines.values()
            if (sha := current.get(line.house, "")) != line.sha256
        ]

    def _apply(self, event: HouseFilesEvent, at_ms: int) -> None:
        if isinstance(event, HouseFilesChanged):
            self._recorded = dict(event.houses)
            return
        for house, sha256 in event.houses.items():
            self._lines[house] = AcceptedHouse(house, sha256, at_ms, event.by)


def house_hashes(folder: Path | None) -> dict[str, str]:
    """By the id of each house in a folder, a hash over its file and the paytables beside it.

    A file that cannot be read as a house is left out, so that its house is missing.
    """
    if folder is None or not folder.is_dir():
        return {}
    tables = folder / "paytables"
    paytables = fingerprint_of(file_hashes(tables)) if tables.is_dir() else ""
    houses = {}
    for path in sorted(folder.glob("*.toml")):
        content = path.read_bytes()
        try:
            house = tomllib.loads(content.decode())["id"]
        except (UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError):
            continue
        houses[str(house)] = fingerprint_of({path.name: content.hex(), "paytables": paytables})
    return houses


def _why(accepted: str, current: str) -> str:
    if not current:
        return "Its file is missing, or cannot be read."
    return "Its file or a paytable was changed." if accepted else "Its file is there again."
