"""A server checks its own files, records every check, and deals no cards if they have changed."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from openfelt.runtime.streams import SOFTWARE_STREAM
from openfelt.server.process.listener import Listener, bind
from openfelt.server.self_check import software_checks
from openfelt.server.self_check.installed_files import Software, software_at_start
from openfelt.server.self_check.software_checks import SoftwareChanged
from openfelt.server.settings import SettingsError
from openfelt.storage.addresses import open_store
from tests.kit.server.open_house import open_house, settings_in

OTHER = "0" * 64


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[Software]:
    """What the files are found to be from now on; the last line counts."""
    found = [software_at_start()]
    monkeypatch.setattr(software_checks, "software_now", lambda: found[-1])
    monkeypatch.setattr(software_checks, "software_at_start", lambda: found[0])
    return found


def bodies(database: str) -> list[str]:
    """The bodies of all recorded checks."""
    store = open_store(database)
    try:
        return [stored.body for stored in store.record(SOFTWARE_STREAM)]
    finally:
        store.close()


async def test_every_start_and_every_question_is_recorded(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    for _ in range(2):
        async with open_house(tmp_path) as house:
            checks = house.services.software
            first = checks.last()
            assert first is not None
            assert (first.event.why, first.event.faults) == ("start", 0)
            assert first.event.fingerprint == software_at_start().fingerprint
            asked = await checks.checked("asked")
            assert (asked.event.why, asked.event.faults) == ("asked", 0)
            assert checks.problem is None
    whys = [body.partition('"why":"')[2].partition('"')[0] for body in bodies(settings.database)]
    assert whys == ["start", "asked"] * 2


async def test_a_server_of_another_program_than_the_approved_one_does_not_start(
    tmp_path: Path,
) -> None:
    right = software_at_start().fingerprint
    async with open_house(tmp_path, software=right.upper()):
        """The fingerprint may be typed in capitals."""
    with pytest.raises(SettingsError, match="not the one that was approved"):
        async with open_house(tmp_path, software=OTHER):
            """Nothing is dealt."""
    assert "not the one that was approved" in bodies(settings_in(tmp_path).database)[-1]


async def test_a_server_with_altered_files_does_not_start(
    tmp_path: Path, now: list[Software]
) -> None:
    now[0] = replace(now[0], faults=("rules/referee.py was changed.", "b.py is missing."))
    with pytest.raises(SettingsError, match=r"rules/referee.py was changed. and 1 more"):
        async with open_house(tmp_path):
            """Nothing is dealt."""


async def test_a_running_server_closes_when_its_files_change(
    tmp_path: Path, now: list[Software], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(software_checks, "CHECK_SECONDS", 0.01)
    settings = settings_in(tmp_path, port=0)
    listener = Listener(settings, bind(settings.host, 0))

    def change(_: str | None) -> None:
        hashes = {**now[0].hashes, "rules/referee.py": OTHER}
        now.append(replace(now[0], fingerprint=OTHER, hashes=hashes))

    with pytest.raises(SoftwareChanged, match=r"since the start. rules/referee.py was changed."):
        await asyncio.wait_for(listener.listen(ready=change, signals=False), 60)
    recorded = bodies(settings.database)
    assert OTHER in recorded[-1]
    assert '"why":"daily"' in recorded[-1]
