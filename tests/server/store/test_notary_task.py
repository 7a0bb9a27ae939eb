"""The notary of a running server."""

import asyncio
import logging
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.clock import SystemClock
from openfelt.runtime.cluster.duty import Duty
from openfelt.runtime.notary.keys import read_public_key
from openfelt.server.store.notary_health import NotaryHealth, NotaryProblem
from openfelt.server.store.notary_task import NotaryDesk, key_file, look_first
from openfelt.storage.sqlite import SqliteStore
from tests.kit.server.open_house import OpenHouse, open_house


async def sign(house: OpenHouse) -> None:
    """Something happens, and the notary signs it."""
    signed = len(list(house.services.store.checkpoints()))
    await house.guest()
    await house.supervisor()
    async with asyncio.timeout(30):
        while len(list(house.services.store.checkpoints())) <= signed:  # noqa: ASYNC110 (the notary has no bell)
            await asyncio.sleep(0.02)


async def serve(file: Path, key: Path | None = None) -> None:
    """A server on a database, until its notary has signed."""
    key = key or key_file(str(file), Path("/nowhere"))
    async with open_house(file.parent, database=str(file), notary_key=key, notary_ms=10) as house:
        await sign(house)


def assert_clean(file: Path, key: Path) -> None:
    """A database is as its key has signed and published it."""
    with closing(SqliteStore(file)) as store:
        report = audit(
            store,
            public_keys=[read_public_key(key.with_name(f"{key.name}.pub"))],
            published=key.with_name(f"{key.name}.checkpoints"),
        )
    assert report.findings == ()
    assert report.counts.published > 0


async def test_checkpoints_are_signed_and_the_whole_database_passes_an_audit(
    tmp_path: Path,
) -> None:
    await serve(tmp_path / "felt.db")
    assert_clean(tmp_path / "felt.db", tmp_path / "felt.db.notary.key")


async def test_two_databases_of_one_folder_do_not_contradict_each_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    files = tmp_path / "felt.db", tmp_path / "other.db"
    for file in (*files, *files):
        await serve(file)
    for file in files:
        assert_clean(file, file.with_name(f"{file.name}.notary.key"))
    assert caplog.text.count("notary") == 0


async def test_a_database_goes_on_with_the_key_that_its_folder_had(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    old, key = tmp_path / "felt.db", tmp_path / "notary.key"
    await serve(old, key)
    await serve(old)
    assert_clean(old, key)
    assert not (tmp_path / "felt.db.notary.key").exists()
    new = tmp_path / "new.db"
    assert caplog.text.count("its own key") == 0
    await serve(new)
    assert_clean(new, tmp_path / "new.db.notary.key")
    assert_clean(old, key)
    assert caplog.text.count("its own key") == 1


def test_a_link_to_a_database_has_the_key_of_the_database(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link, file = tmp_path / "link.db", tmp_path / "folder" / "felt.db"
    link.symlink_to(file)
    nowhere = Path("/nowhere")
    assert key_file(str(link), nowhere) == key_file(str(file), nowhere)


@pytest.mark.parametrize(
    ("database", "name"),
    [
        ("postgresql://host/felt", "host-felt"),
        ("postgresql://ann:secret@host:5433/felt", "host-5433-felt"),
        ("postgresql://bob@host:5433/felt?sslmode=require", "host-5433-felt"),
        ("postgresql:///felt?host=/var/run/pg&port=5433", "var-run-pg-5433-felt"),
        ("postgresql://", "database"),
    ],
)
def test_a_database_of_a_server_has_a_key_by_its_name(database: str, name: str) -> None:
    assert key_file(database, Path("/keys")) == Path(f"/keys/{name}.notary.key")


async def test_a_key_that_others_may_read_signs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key = tmp_path / "notary.key"
    key.write_bytes(b"x" * 32)
    key.chmod(0o644)

    with caplog.at_level(logging.ERROR):
        async with open_house(tmp_path, notary_key=key, notary_ms=10) as house:
            async with asyncio.timeout(30):
                while "checkpoints are not signed" not in caplog.text:  # noqa: ASYNC110 (it waits for a log)
                    await asyncio.sleep(0.02)
            assert list(house.services.store.checkpoints()) == []


async def test_a_server_without_the_key_starts_without_a_word_while_another_one_signs(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await serve(tmp_path / "felt.db")
    clock = SystemClock()
    with closing(SqliteStore(tmp_path / "felt.db")) as store:
        desk = NotaryDesk(tmp_path / "elsewhere.key", store, clock)
        first, second = (
            Duty(store, "notary", owner=name, ttl_ms=60_000) for name in ("first", "second")
        )
        health = NotaryHealth(clock, pause_ms=10)

        async def look() -> None:
            await look_first(desk, health, second)

        await first.once(look)
        assert (health.problem, caplog.text) == (None, "")
        await look()
        assert health.problem is NotaryProblem.KEY
        assert "elsewhere.key is not there" in caplog.text
