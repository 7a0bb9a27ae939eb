"""The days after the first: a copy that lacks its end passes for whole, the last minutes before a
stop are cut off unseen, and an older program works on what it cannot read."""

import shutil
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.audit.report import AuditReport
from openfelt.runtime.notary.keys import read_public_key
from openfelt.server.settings import Settings
from openfelt.storage import StoreError
from openfelt.storage.addresses import open_store
from openfelt.storage.backup.backup_file import make_backup, restore_backup
from openfelt.storage.sqlite import SqliteStore
from tests.kit.cli.commands import complaint
from tests.kit.server.open_house import open_house, settings_in
from tests.kit.server.real_server import served
from tests.kit.storage.store_places import Place

WAIT_SECONDS = 60
NEVER_MS = 3_600_000


def settings_with_notary(folder: Path, *, notary_ms: int, **changes: Any) -> Settings:
    """A server whose notary signs at this interval."""
    key = folder / "felt.db.notary.key"
    return settings_in(folder, port=0, notary_key=key, notary_ms=notary_ms, **changes)


def audited(database: Path | str, folder: Path) -> AuditReport:
    """The audit of a database against the notary's files in a folder."""
    key = folder / "felt.db.notary.key"
    with closing(open_store(str(database))) as store:
        return audit(
            store,
            public_keys=[read_public_key(key.with_name(f"{key.name}.pub"))],
            published=key.with_name(f"{key.name}.checkpoints"),
        )


def wait_until_published(folder: Path) -> None:
    published = folder / "felt.db.notary.key.checkpoints"
    deadline = time.monotonic() + WAIT_SECONDS
    while not (published.exists() and published.read_bytes().endswith(b"\n")):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_plain_copy_without_its_log_is_found_and_a_backup_is_whole(tmp_path: Path) -> None:
    with served(settings_with_notary(tmp_path, notary_ms=20)):
        wait_until_published(tmp_path)
        backup = tmp_path / "backup"
        made = make_backup(str(tmp_path / "felt.db"), backup)
        shutil.copyfile(tmp_path / "felt.db", tmp_path / "copy.db")
    assert made.faults == []
    assert made.manifest.contents.position > 0
    restore_backup(backup, str(tmp_path / "restored.db"))
    with closing(SqliteStore(tmp_path / "restored.db")) as store:
        assert audit(store).clean
    # Nothing of it is wrong in itself; only the notary knows that there was more.
    with closing(SqliteStore(tmp_path / "copy.db")) as store:
        assert audit(store).clean
    found = audited(tmp_path / "copy.db", tmp_path)
    assert "was published, but is not in the database" in str(found.findings[0])


def test_the_last_state_is_signed_when_the_server_stops(place: Place, tmp_path: Path) -> None:
    database = str(place.address)
    with served(settings_with_notary(tmp_path, notary_ms=NEVER_MS, database=database)) as address:
        httpx.post(f"{address}/api/v1/guest")
    report = audited(database, tmp_path)
    assert report.clean
    # One at the first start, with which the record has its notary, and one at the end.
    assert report.counts.checkpoints == 2
    assert report.counts.events > 0
    assert report.counts.events_uncovered == 0


async def test_an_older_program_refuses_newer_events(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = str(place.address)
    async with open_house(tmp_path, database=database):
        pass
    names = {name for (name,) in place.run("SELECT name FROM event_forms")}
    assert {"table_opened", "account_opened"} <= names
    place.run("UPDATE event_forms SET schema = 9 WHERE name = 'table_opened'")
    with pytest.raises(StoreError, match=r"table_opened \(version 9\)"):
        async with open_house(tmp_path, database=database):
            pass
    said, code = complaint(capsys, "audit", database)
    assert "Run the newer Openfelt that wrote them" in said
    assert code == 1
