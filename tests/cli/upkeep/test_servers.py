"""The commands about the servers of a database."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from openfelt.cli import main
from openfelt.cli.upkeep import servers
from openfelt.storage import Store
from openfelt.storage.cluster.cluster_door import BusReport, BusState, NewMember
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import tamper
from tests.kit.storage.store_places import event, write

LONG_MS = 600_000


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with a server that runs a table, one that has died, and a table that waits."""
    path = tmp_path / "felt.db"
    store: Store = SqliteStore(path)
    for name, ttl_ms in (("east", LONG_MS), ("west", 0)):
        member = NewMember(name=name, home=name, run=name, role="both", version="0.2")
        store.join(member, ttl_ms=ttl_ms)
    for table, owner, ttl_ms in (("stadium-1", "east", LONG_MS), ("draw-1", "west", 0)):
        write(store, f"table/{table}", 0, event())
        store.take_lease(f"table/{table}", owner, ttl_ms=ttl_ms)
    store.take_lease("duty/house", "east", ttl_ms=LONG_MS)
    store.close()
    return path


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command; gives its exit code and what it prints and complains."""

    def command(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            main(arguments)
        printed = capsys.readouterr()
        return int(left.value.code or 0), printed.out + printed.err

    return command


def test_a_forged_name_does_not_move_the_cursor(database: Path, run: Run) -> None:
    tamper(database, "UPDATE members SET version = version || char(27) || '[1A'")
    _, told = run("status", str(database), "--tables")
    assert "0.2\ufffd[1A" in told
    assert "\x1b" not in told


def test_status_says_who_runs_what_and_what_waits(database: Path, run: Run) -> None:
    code, output = run("status", str(database), "--tables")
    assert code == 4
    lines = output.splitlines()
    assert lines[0].split() == [
        *["server", "role", "version", "started", "(UTC)", "heard", "of", "state", "bus"],
        *["lag", "tables", "duties"],
    ]
    assert lines[1].split()[:3] == ["east", "both", "0.2"]
    assert lines[1].split()[-6:-4] == ["living", "-"]
    assert lines[2].split()[-6:-4] == ["gone", "-"]
    assert lines[1].split()[-4:] == ["0", "ms", "1", "house"]
    assert lines[2].split()[-4:] == ["0", "ms", "0", "-"]
    assert lines[3].startswith("stadium-1: east, lease 1, ")
    assert lines[4] == "NOT RUN: draw-1"


def test_status_for_programs(database: Path, run: Run) -> None:
    code, output = run("status", str(database), "--json")
    assert code == 4
    state = json.loads(output)
    assert state["waiting"] == ["draw-1"]
    east, west = state["servers"]
    assert (east["name"], east["state"], east["duties"]) == ("east", "living", ["house"])
    assert [table["table"] for table in east["tables"]] == ["stadium-1"]
    assert (west["state"], west["tables"]) == ("gone", [])


def test_status_tells_of_servers_without_a_bus(tmp_path: Path, run: Run) -> None:
    store: Store = SqliteStore(tmp_path / "felt.db")
    for name, state in (("east", BusState.CONNECTED), ("west", BusState.NONE)):
        member = NewMember(name=name, home=name, run=name, role="both", version="0.2")
        store.join(member, ttl_ms=LONG_MS)
        store.renew_member(member, ttl_ms=LONG_MS, bus=BusReport(state, 5), lag_ms=70)
    store.close()
    code, output = run("status", str(tmp_path / "felt.db"))
    assert code == 4
    lines = output.splitlines()
    assert [line.split()[-5] for line in lines[1:3]] == ["connected", "none"]
    assert [line.split()[-4:-2] for line in lines[1:3]] == [["70", "ms"]] * 2
    assert lines[3:] == ["WITHOUT A BUS: west reaches only the tables that it runs itself"]
    _, output = run("status", str(tmp_path / "felt.db"), "--json")
    assert json.loads(output)["apart"] == ["west"]
    assert json.loads(output)["servers"][0]["bus"] == "connected"
    assert json.loads(output)["servers"][0]["lag_ms"] == 70


def test_a_server_is_drained_and_called_back(
    database: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "_POLL_SECONDS", 0)
    code, output = run("drain", "east", "--database", str(database), "--wait", "0")
    assert (code, "still runs 1 tables" in output) == (1, True)
    _, output = run("status", str(database))
    assert "draining" in output
    store = SqliteStore(database)
    (lease,) = [lease for lease in store.held_leases("table/") if lease.owner == "east"]
    assert store.take_lease(lease.stream, "east", ttl_ms=0) is not None
    store.close()
    code, output = run("drain", "east", "--database", str(database))
    assert (code, output) == (0, "east runs no tables, and can be restarted.\n")
    _, output = run("status", str(database))
    assert "drained" in output
    code, output = run("drain", "east", "--database", str(database), "--undo")
    assert (code, output) == (0, "east takes tables again.\n")


def test_an_unknown_server_is_refused(database: Path, run: Run) -> None:
    code, output = run("drain", "north", "--database", str(database))
    assert code == 2
    assert "There is no server called north." in output


def test_a_database_without_servers(tmp_path: Path, run: Run) -> None:
    SqliteStore(tmp_path / "felt.db").close()
    assert run("status", str(tmp_path / "felt.db")) == (0, "No server runs on this database.\n")
