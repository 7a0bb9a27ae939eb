"""One byte of one row is damaged, by chance or on purpose, so that a secret deck is no longer text.
The audit and the server used to print the whole deck, and the server no longer started. Now both
name the row and nothing else, and only the table itself stops."""

import itertools
import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from openfelt.cli.exit_codes import ExitCode
from openfelt.storage.addresses import open_store
from tests.kit.attacks.server_under_attack import ServerUnderAttack, attacked_server, get
from tests.kit.cli.program import forked_openfelt
from tests.kit.postgres_server import PostgresServer
from tests.kit.storage.store_places import Place

TABLE = "draw-1"
SECRET = f"stream = 'table/{TABLE}' AND name LIKE '%/table'"


class Floor(NamedTuple):
    """A copy of a starter floor that has been closed, to be damaged."""

    place: Place
    deck: str
    """The cards of a sealed deck."""

    @property
    def byte(self) -> str:
        """Something that does not belong there: PostgreSQL refuses a byte that is not UTF-8."""
        return "CAST(X'FF' AS TEXT)" if isinstance(self.place.address, Path) else "'\u2660'"

    def run(self, statement: str) -> None:
        """Run a statement behind the server's back, which changes one row."""
        assert len(self.place.run(f"{statement} RETURNING 1")) == 1


@pytest.fixture(scope="module")
def sqlite_closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a starter floor that has been closed. It stays as it is."""
    folder = tmp_path_factory.mktemp("closed")
    with attacked_server(folder):
        pass
    return folder / "felt.db"


@pytest.fixture(scope="module")
def postgres_closed(tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer) -> str:
    """The same in PostgreSQL; gives the name of the database."""
    database = postgres.fresh_database()
    with attacked_server(tmp_path_factory.mktemp("closed"), "--database", database):
        pass
    return database.partition(":///")[2].partition("?")[0]


@pytest.fixture
def floor(request: pytest.FixtureRequest, tmp_path: Path) -> Floor:
    """A copy of the closed floor, in a database of each kind."""
    if request.param == "sqlite":
        path = tmp_path / "felt.db"
        shutil.copyfile(request.getfixturevalue("sqlite_closed"), path)
        path.chmod(0o600)
        place = Place(path)
    else:
        template = request.getfixturevalue("postgres_closed")
        server: PostgresServer = request.getfixturevalue("postgres")
        name = f"unreadable_{next(_COPIES)}"
        server.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        place = Place(server.url_of(name), server)
    with closing(open_store(str(place.address))) as store:
        secrets = store.secrets(f"table/{TABLE}").items()
        (body,) = (secret for name, secret in secrets if name.endswith("/table"))
    return Floor(place, str(json.loads(body)["cards"]))


_COPIES = itertools.count(1)


def damage_encrypted(floor: Floor) -> None:
    """A byte that is not UTF-8 in the encrypted deck."""
    floor.run(f"UPDATE secrets SET body = {floor.byte} || substr(body, 2) WHERE {SECRET}")


def damage_plain(floor: Floor) -> None:
    """The deck as plain text, as an earlier version kept it, with a byte that is not UTF-8."""
    body = json.dumps({"cards": floor.deck}).replace("'", "''")
    floor.run(f"UPDATE secrets SET key = '', body = '{body}' || {floor.byte} WHERE {SECRET}")


def damage_name(floor: Floor) -> None:
    """A byte that is not UTF-8 in the name of the deck."""
    floor.run(f"UPDATE secrets SET name = {floor.byte} || name WHERE {SECRET}")


def damage_event(floor: Floor) -> None:
    """A byte that is not UTF-8 in the last event of the table."""
    last = f"SELECT max(version) FROM events WHERE stream = 'table/{TABLE}'"
    floor.run(
        f"UPDATE events SET body = {floor.byte} || body WHERE stream = 'table/{TABLE}'"
        f" AND version = ({last})"
    )


DAMAGES = (damage_encrypted, damage_plain, damage_name, damage_event)


def assert_silent(text: str, deck: str, folder: Path) -> None:
    """Nothing of the deck, and no path, is in a text."""
    cards = deck.split()
    for first, second in itertools.pairwise(cards):
        assert f"{first} {second}" not in text
    assert str(folder) not in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("floor", "damage"),
    [
        *(("sqlite", damage) for damage in DAMAGES),
        *(("postgres", damage) for damage in (damage_plain, damage_event)),
    ],
    indirect=["floor"],
)
def test_the_audit_names_the_row_alone_and_goes_on(
    floor: Floor, damage: Callable[[Floor], None], tmp_path: Path
) -> None:
    damage(floor)
    done = forked_openfelt(
        "audit",
        "--full",
        str(floor.place.address),
        environment={"XDG_DATA_HOME": str(tmp_path)},
    )
    assert done.returncode == ExitCode.FINDINGS, done.stderr
    assert_silent(done.stdout + done.stderr, floor.deck, tmp_path)
    assert "FOUND at" in done.stdout
    # The other tables were audited all the same.
    assert "in an unbroken chain" in done.stdout


@pytest.mark.parametrize(
    ("floor", "damage"),
    [("sqlite", damage_plain), ("sqlite", damage_event), ("postgres", damage_plain)],
    indirect=["floor"],
)
def test_the_server_starts_and_only_the_table_stops(
    floor: Floor, damage: Callable[[Floor], None], tmp_path: Path
) -> None:
    damage(floor)
    database = str(floor.place.address)
    with attacked_server(tmp_path, "--database", database, must_be_clean=False) as server:
        server.process.checked = False
        health = server.browser().get("/healthz").json()
        assert (health["status"], health["tables_stopped"]) == ("degraded", [TABLE])
        assert health["tables_running"] >= 4
        assert_others_run(server)
        log = "\n".join(server.log_lines())
        assert_silent(log.replace(str(tmp_path / "felt.db"), "", 1), floor.deck, tmp_path)
        assert f"table {TABLE}" in log


def assert_others_run(server: ServerUnderAttack) -> None:
    """Another table of the lobby is there for a guest."""
    names = {table["table"] for table in get(server.person("guest"), "/tables")}
    assert "washington-1" in names
