"""Opening a database to look at it: clear complaints, and never a new file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import without_servers
from openfelt.storage.cluster.cluster_door import NewMember
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import Floor, tamper
from tests.kit.cli.commands import complaint, output


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "openfelt").mkdir()
    floor = Floor(tmp_path / "openfelt" / "openfelt.db")
    floor.cashier.deposit("ann", 500, id="1")
    floor.store.close()
    return floor.path


@pytest.fixture(autouse=True)
def no_usual_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OPENFELT_DATABASE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nowhere"))


def test_by_path_address_variable_and_default(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for address in (str(path), f"sqlite:///{path}"):
        assert "The book balances." in output(capsys, "ledger", address)
    monkeypatch.setenv("OPENFELT_DATABASE", str(path))
    assert "$5.00" in output(capsys, "ledger")
    monkeypatch.delenv("OPENFELT_DATABASE")
    monkeypatch.setenv("XDG_DATA_HOME", str(path.parent.parent))
    assert "$5.00" in output(capsys, "ledger")


@pytest.mark.parametrize("command", [["audit"], ["ledger"], ["verify", "net-1/1", "--database"]])
@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_a_missing_database_is_never_created(
    command: list[str], form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "missing.db"
    told, code = complaint(capsys, *command, form.format(missing))
    assert f"There is no database at {missing}." in told
    assert code == 2
    assert list(tmp_path.iterdir()) == []


def test_without_an_address_the_default_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, code = complaint(capsys, "audit")
    assert (tmp_path / "nowhere" / "openfelt" / "openfelt.db").as_posix() in told
    assert "OPENFELT_DATABASE" in told
    assert code == 2


def test_files_that_are_not_databases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty, text, other = (tmp_path / name for name in ("empty.db", "text.db", "other.db"))
    empty.touch()
    text.write_text("nothing to see here, and long enough for a header of SQLite " * 20)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE invoices (number INTEGER)")
    connection.close()
    before = {one: one.read_bytes() for one in (empty, text, other)}
    assert complaint(capsys, "audit", str(empty)) == (
        f"openfelt: {empty} is empty, not a database.\n",
        2,
    )
    assert "The file is not a database" in complaint(capsys, "audit", str(text))[0]
    told, code = complaint(capsys, "audit", str(other))
    assert "This is not an Openfelt database: it has a table invoices" in told
    assert code == 2
    assert complaint(capsys, "audit", str(tmp_path))[0].endswith(
        "is a folder without segments of a log, not a database.\n"
    )
    assert {one: one.read_bytes() for one in (empty, text, other)} == before


def test_a_newer_database(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    newest = 99
    tamper(
        path,
        "WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 99)"
        " INSERT OR IGNORE INTO openfelt_schema (version) SELECT v FROM n",
    )
    told, code = complaint(capsys, "audit", str(path))
    assert f"The database has schema {newest}" in told
    assert "Run the newer Openfelt that made it." in told
    assert code == 1


def test_an_address_of_another_kind(capsys: pytest.CaptureFixture[str]) -> None:
    told, code = complaint(capsys, "audit", "mysql://user:secret@host/felt")
    assert "There is no store of the kind mysql." in told
    assert "secret" not in told
    assert code == 1


def test_work_that_no_server_would_notice_waits_until_none_runs(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "felt.db")) as store:
        shared = "postgresql://db.example/felt"
        with without_servers(shared, store):
            pass
        member = NewMember(name="east", home="east", run="1", role="both", version="1")
        store.join(member, ttl_ms=60_000)
        stopped = pytest.raises(Complaint, match=r"These servers run: east\. Stop them")
        with stopped, without_servers(shared, store):
            raise AssertionError
        # A server on an embedded database has its lock; a killed one has left its row at most.
        with without_servers(str(tmp_path / "felt.db"), store):
            pass
