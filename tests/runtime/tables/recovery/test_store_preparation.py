"""Decks at the start of a process."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.tables.recovery.store_preparation import prepare_store
from openfelt.storage.door import KeyFailure, KeyMissing
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.keyring import Keyring
from openfelt.storage.rulebook import Rulebook
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import Floor
from tests.kit.audit.forgeries import as_of_an_earlier_version, secret_of

STREAM = "table/net-1"


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    """A floor with two finished rounds."""
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 2)
    return floor


def start(path: Path, keyring: Keyring | None = None) -> None:
    """Start a process on a database."""
    with closing(SqliteStore(path, keyring=keyring)) as store:
        prepare_store(store, EventCodec(Rulebook(store).codec))


def test_nothing_to_encrypt(floor: Floor, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        start(floor.path)
    assert caplog.text == ""


def test_a_plain_deck_is_encrypted_and_its_text_removed(
    floor: Floor, caplog: pytest.LogCaptureFixture
) -> None:
    floor.store.close()
    with closing(sqlite3.connect(floor.path)) as connection:
        as_of_an_earlier_version(connection)
        body = secret_of(connection, STREAM, "1/table")
        connection.execute("UPDATE secrets SET body = ?, key = '' WHERE name = '1/table'", (body,))
        connection.commit()
    assert body.encode() in floor.path.read_bytes()
    with caplog.at_level(logging.WARNING):
        start(floor.path)
    assert "1 secrets are encrypted now" in caplog.text
    assert body[:60].encode() not in floor.path.read_bytes()
    with closing(SqliteStore(floor.path)) as store:
        assert store.secrets(STREAM)["1/table"] == body


def test_a_key_that_cannot_be_made_is_reported_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyFailure, match=r"secrets\.keys cannot be read"):
        start(tmp_path / "new.db", Keyring(tmp_path / "file" / "secrets.keys"))


def test_a_lost_key_of_finished_rounds_is_reported(
    floor: Floor, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    floor.store.close()
    with closing(sqlite3.connect(floor.path)) as connection:
        connection.execute("UPDATE secrets SET key = 'deadbeef' WHERE name = '1/table'")
        connection.commit()
    with caplog.at_level(logging.ERROR):
        start(floor.path)
    assert "encrypted with the keys deadbeef, which are missing" in caplog.text
    # Without any key, the last events of the table cannot be read either.
    with pytest.raises(KeyMissing):
        start(floor.path, Keyring(tmp_path / "other.keys"))
