"""Version 0.1 wrote its answers into a table of their own, which no hash covers. An administrator
of the database deletes one, so that a command of that time could be carried out a second time, or
changes or adds one, so that another command is taken for one that was answered. The first start of
a later version writes a digest of the answers into the chained record; from then on an audit finds
each of these, and a command that was answered is never carried out again."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.tables.recovery.store_preparation import prepare_store
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Repeated, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook
from tests.kit.repository import ROOT
from tests.kit.storage.store_places import Place, event, write

OLD = ROOT / "tests" / "old_databases" / "v0.1.0" / "felt.db"
ACCEPTED = "body NOT LIKE '%\"refused\":%'"
ANSWER = "('other', 'player:ann', 'command-{0}', '{1}', '{{\"version\":0}}')"
TAMPERINGS = {
    "deleted": "DELETE FROM answers WHERE (stream, actor, command) = {key}",
    "digest changed": "UPDATE answers SET digest = '" + "0" * 64 + "'"
    " WHERE (stream, actor, command) = {key}",
    "version changed": "UPDATE answers SET body = '{{\"version\":0}}'"
    " WHERE (stream, actor, command) = {key}",
    "command renamed": "UPDATE answers SET command = 'another' WHERE"
    " (stream, actor, command) = {key}",
    "all deleted": "DELETE FROM answers",
}


@contextmanager
def started(address: str) -> Iterator[Store]:
    """The store as the start of a server leaves it."""
    with closing(open_store(address)) as store:
        prepare_store(store, EventCodec(Rulebook(store).codec))
        yield store


@pytest.fixture
def upgraded(tmp_path: Path) -> Path:
    """A database of version 0.1 after the first start of this one."""
    path = tmp_path / "felt.db"
    shutil.copyfile(OLD, path)
    with started(str(path)) as store:
        assert audit(store).findings == ()
    return path


def some_key(path: Path) -> str:
    """The key of an answer to a command that was carried out, as SQL."""
    with closing(sqlite3.connect(path)) as connection:
        query = f"SELECT stream, actor, command FROM answers WHERE {ACCEPTED} LIMIT 1"
        (row,) = connection.execute(query).fetchall()
    return f"({', '.join(repr(value) for value in row)})"


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_an_answer_that_was_tampered_with_is_found(upgraded: Path, tampering: str) -> None:
    Place(upgraded).run(TAMPERINGS[tampering].format(key=some_key(upgraded)))
    with closing(open_store(str(upgraded))) as store:
        assert audit(store).findings, tampering


def test_an_answer_that_was_added_is_found(upgraded: Path) -> None:
    Place(upgraded).run(f"INSERT INTO answers VALUES {ANSWER.format(1, 'a' * 64)}")
    with closing(open_store(str(upgraded))) as store:
        assert audit(store).findings


def test_refusals_of_that_time_may_be_removed(upgraded: Path) -> None:
    with closing(open_store(str(upgraded))) as store:
        after: tuple[str, str, str] | None = ("", "", "")
        while after is not None:
            after = store.forget_old_refusals(after)
        assert audit(store).findings == ()


def test_an_answered_command_is_not_carried_out_again_and_its_answer_is_covered(
    place: Place,
) -> None:
    """On both kinds of database: rows of the old table, before the first start of this version."""
    address = str(place.address)
    with closing(open_store(address)):
        pass
    rows = ", ".join(ANSWER.format(number, "b" * 64) for number in range(3))
    place.run(f"INSERT INTO answers (stream, actor, command, digest, body) VALUES {rows}")
    stream = "other"
    with started(address) as store:
        write(store, stream, 0, event())
        assert audit(store).findings == ()
        with pytest.raises(Repeated):
            write(store, stream, 1, event(actor="player:ann", command="command-1"))
    place.run("DELETE FROM answers WHERE command = 'command-1'")
    with closing(open_store(address)) as store:
        assert audit(store).findings
