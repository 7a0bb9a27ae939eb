"""The notary of a running server."""

import asyncio
import logging
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.notary_keys import read_public_key
from openfelt.storage.sqlite import SqliteStore
from tests.server.open_house import OpenHouse, tell


def test_checkpoints_are_signed_and_the_whole_database_passes_an_audit(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        await house.guest()
        await house.supervisor()
        async with asyncio.timeout(30):
            while not list(house.premises.store.checkpoints()):  # noqa: ASYNC110 (the notary has no bell)
                await asyncio.sleep(0.02)

    key = tmp_path / "notary.key"
    tell(tmp_path, story, notary_key=key, notary_ms=10)
    store = SqliteStore(tmp_path / "felt.db")
    report = audit(
        store,
        public_keys=[read_public_key(tmp_path / "notary.key.pub")],
        published=tmp_path / "notary.key.checkpoints",
    )
    store.close()
    assert report.findings == ()


def test_a_key_that_others_may_read_signs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key = tmp_path / "notary.key"
    key.write_bytes(b"x" * 32)
    key.chmod(0o644)

    async def story(house: OpenHouse) -> None:
        async with asyncio.timeout(30):
            while "nothing is signed" not in caplog.text:  # noqa: ASYNC110 (it waits for a log)
                await asyncio.sleep(0.02)
        assert list(house.premises.store.checkpoints()) == []

    with caplog.at_level(logging.ERROR):
        tell(tmp_path, story, notary_key=key, notary_ms=10)
