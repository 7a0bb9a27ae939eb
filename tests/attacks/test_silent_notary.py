"""The notary is silenced while the tables play on: its key is taken away, replaced or laid open,
or the signed record is rewritten. The health of the server and a metric say so."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.kit.cli.commands import output
from tests.kit.server.open_house import settings_in
from tests.kit.server.real_server import served

WAIT_SECONDS = 60


def wait_for(address: str, status: str, notary: str) -> None:
    """Wait until the server tells this state."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        answer = httpx.get(f"{address}/healthz")
        assert answer.status_code == 200
        health = answer.json()
        if (health["status"], health["notary"]) == (status, notary):
            return
        assert time.monotonic() < deadline, health
        time.sleep(0.05)


def failing(address: str) -> bool:
    """Whether the metric tells that the notary fails."""
    text = httpx.get(f"{address}/metrics").text
    (line,) = [line for line in text.splitlines() if line.startswith("openfelt_notary_failing ")]
    return float(line.split()[1]) == 1


def delete(key: Path) -> None:
    """Take the key away."""
    key.unlink()


def replace(key: Path) -> None:
    """Put another key in its place."""
    key.write_bytes(b"k" * 32)


def lay_open(key: Path) -> None:
    """Let other users read the key."""
    key.chmod(0o644)


def spoil(key: Path) -> None:
    """Leave something that is no key."""
    key.write_bytes(b"no key")


@pytest.mark.parametrize("harm", [delete, replace, lay_open, spoil])
def test_a_key_that_is_lost_under_a_running_server(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    key = tmp_path / "felt.db.notary.key"
    settings = settings_in(tmp_path, port=0, notary_key=key, notary_ms=20)
    with served(settings) as address:
        wait_for(address, "ok", "ok")
        assert not failing(address)
        content = key.read_bytes()
        harm(key)
        wait_for(address, "degraded", "key")
        assert failing(address)
        key.write_bytes(content)
        key.chmod(0o600)
        wait_for(address, "ok", "ok")
        assert not failing(address)


def test_a_key_that_cannot_be_used_from_the_start(tmp_path: Path) -> None:
    key = tmp_path / "felt.db.notary.key"
    key.write_bytes(b"k" * 32)
    key.chmod(0o644)
    with served(settings_in(tmp_path, port=0, notary_key=key, notary_ms=20)) as address:
        wait_for(address, "degraded", "key")
        key.chmod(0o600)
        wait_for(address, "ok", "ok")


def test_a_lost_key_is_not_replaced_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """The server neither makes a new key nor signs with another; continuing is recorded."""
    key = tmp_path / "felt.db.notary.key"
    settings = settings_in(tmp_path, port=0, notary_key=key, notary_ms=20)
    with served(settings) as address:
        wait_for(address, "ok", "ok")
    content = key.read_bytes()
    key.unlink()
    with served(settings) as address:
        wait_for(address, "degraded", "key")
        assert not key.exists()
        key.write_bytes(content)
        key.chmod(0o600)
        wait_for(address, "ok", "ok")
    key.write_bytes(b"k" * 32)
    with served(settings) as address:
        wait_for(address, "degraded", "key")
    assert "holds a different key from the one that signed last" in caplog.text
    database = str(tmp_path / "felt.db")
    told = output(capsys, "notary", "continue", database, "--reason", "the key was lost")
    assert "records this, and the notary continues" in told
    with served(settings) as address:
        wait_for(address, "ok", "ok")


def test_a_rewritten_record_is_not_signed(tmp_path: Path) -> None:
    settings = settings_in(
        tmp_path, port=0, notary_key=tmp_path / "felt.db.notary.key", notary_ms=20
    )
    with served(settings) as address:
        wait_for(address, "ok", "ok")
        signed = "SELECT count(*) FROM checkpoints"
        with closing(sqlite3.connect(tmp_path / "felt.db", timeout=30)) as connection:
            deadline = time.monotonic() + WAIT_SECONDS
            while not connection.execute(signed).fetchone()[0]:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            with connection:
                connection.execute(
                    "UPDATE streams SET version = version - 1, hash = 'x' "
                    "WHERE name = 'account/supervisor'"
                )
        wait_for(address, "degraded", "record")
