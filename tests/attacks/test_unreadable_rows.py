"""One byte of one row is damaged, by chance or on purpose, so that a secret deck is no longer text.
The audit and the server used to print the whole deck, and the server no longer started. Now both
name the row and nothing else, and only the table itself stops."""

import itertools
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.cli.exit_codes import ExitCode
from openfelt.storage.sqlite import SqliteStore
from tests.kit.attacks.server_under_attack import ServerUnderAttack, attacked_server, get

TABLE = "draw-1"
SECRET = f"stream = 'table/{TABLE}' AND name LIKE '%/table'"
BYTE = "CAST(X'FF' AS TEXT)"


@pytest.fixture(scope="module")
def closed_floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a starter floor that has been closed. It stays as it is."""
    folder = tmp_path_factory.mktemp("closed")
    with attacked_server(folder):
        pass
    return folder / "felt.db"


@pytest.fixture
def deck(closed_floor: Path, tmp_path: Path) -> str:
    """The cards of a sealed deck in a copy of the closed floor."""
    shutil.copyfile(closed_floor, tmp_path / "felt.db")
    (tmp_path / "felt.db").chmod(0o600)
    with closing(SqliteStore(tmp_path / "felt.db")) as store:
        (body,) = (
            secret
            for name, secret in store.secrets(f"table/{TABLE}").items()
            if name.endswith("/table")
        )
    return str(json.loads(body)["cards"])


def damage_encrypted(database: Path, _: str) -> None:
    """A byte that is not UTF-8 in the encrypted deck."""
    run(database, f"UPDATE secrets SET body = {BYTE} || substr(body, 2) WHERE {SECRET}")


def damage_plain(database: Path, deck: str) -> None:
    """The deck as plain text, as an earlier version kept it, with a byte that is not UTF-8."""
    body = json.dumps({"cards": deck}).replace("'", "''")
    run(database, f"UPDATE secrets SET key = '', body = '{body}' || {BYTE} WHERE {SECRET}")


def damage_name(database: Path, _: str) -> None:
    """A byte that is not UTF-8 in the name of the deck."""
    run(database, f"UPDATE secrets SET name = {BYTE} || name WHERE {SECRET}")


def damage_event(database: Path, _: str) -> None:
    """A byte that is not UTF-8 in the last event of the table."""
    last = f"SELECT max(version) FROM events WHERE stream = 'table/{TABLE}'"
    run(
        database,
        f"UPDATE events SET body = {BYTE} || body WHERE stream = 'table/{TABLE}'"
        f" AND version = ({last})",
    )


DAMAGES = (damage_encrypted, damage_plain, damage_name, damage_event)


def run(database: Path, statement: str) -> None:
    """Run a statement behind the server's back."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute(statement).rowcount == 1
        connection.commit()


def assert_silent(text: str, deck: str, folder: Path) -> None:
    """Nothing of the deck, and no path, is in a text."""
    cards = deck.split()
    for first, second in itertools.pairwise(cards):
        assert f"{first} {second}" not in text
    assert str(folder) not in text
    assert "Traceback" not in text


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_audit_names_the_row_alone_and_goes_on(
    deck: str, damage: Callable[[Path, str], None], tmp_path: Path
) -> None:
    database = tmp_path / "felt.db"
    damage(database, deck)
    done = subprocess.run(
        [sys.executable, "-m", "openfelt", "audit", "--full", str(database)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == ExitCode.FINDINGS, done.stderr
    assert_silent(done.stdout + done.stderr, deck, tmp_path)
    assert "FOUND at" in done.stdout
    # The other tables were audited all the same.
    assert "in an unbroken chain" in done.stdout


@pytest.mark.parametrize("damage", [damage_plain, damage_event])
def test_the_server_starts_and_only_the_table_stops(
    deck: str, damage: Callable[[Path, str], None], tmp_path: Path
) -> None:
    damage(tmp_path / "felt.db", deck)
    with attacked_server(tmp_path, must_be_clean=False) as server:
        server.process.checked = False
        health = server.browser().get("/healthz").json()
        assert (health["status"], health["tables_stopped"]) == ("degraded", [TABLE])
        assert health["tables_running"] >= 4
        assert_others_run(server)
        log = "\n".join(server.log_lines())
        assert_silent(log.replace(str(tmp_path / "felt.db"), "", 1), deck, tmp_path)
        assert f"table {TABLE}" in log


def assert_others_run(server: ServerUnderAttack) -> None:
    """Another table of the lobby is there for a guest."""
    names = {table["table"] for table in get(server.person("guest"), "/tables")}
    assert "washington-1" in names
