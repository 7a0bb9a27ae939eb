"""``openfelt deeds``."""

import csv
import io
from pathlib import Path

import pytest

from openfelt.table.commands import CloseTable
from tests.kit.audit.audited_floors import Floor, tamper
from tests.kit.cli.commands import complaint, facts, output
from tests.kit.tables import FLOOR


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A floor on which a supervisor has opened and closed a table."""
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 1)
    floor.do("net-1", CloseTable("It is late."), FLOOR)
    floor.store.close()
    return floor.path


def test_the_deeds_of_staff(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "deeds", str(path)).splitlines()
    assert [line.split()[3] for line in lines] == ["table_opened", "table_closed"]
    assert all(f"{FLOOR}" in line for line in lines)


def test_a_forged_actor_does_not_move_the_cursor(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tamper(path, "UPDATE events SET actor = actor || char(27) || '[1A' || char(13)")
    assert "\ufffd[1A\ufffd" in (told := output(capsys, "deeds", str(path)))
    assert "\x1b" not in told
    assert "\r" not in told


def test_the_deeds_of_one_player(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = facts(capsys, "deeds", str(path), "--by", "player:net-1-p1", "--at", "table/")
    assert {"seat_taken", "bought_in", "wagers_set"} <= {deed["event"] for deed in listed}
    assert {deed["stream"] for deed in listed} == {"table/net-1"}
    assert all(deed["command"] for deed in listed)


def test_deeds_for_a_spreadsheet(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "deeds", str(path), "--csv", "--by", "floor:")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["event"] for row in rows] == ["table_opened", "table_closed"]
    assert "not both" in complaint(capsys, "deeds", str(path), "--csv", "--json")[0]


def test_no_command_is_a_formula_in_a_spreadsheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Callers choose the ids of their commands.
    floor = Floor(tmp_path / "floor.db")
    floor.cashier.deposit("ann", 100, id="=1+1")
    floor.store.close()
    text = output(capsys, "deeds", str(floor.path), "--csv", "--by", "", "--at", "wallet/")
    assert [row["command"] for row in csv.DictReader(io.StringIO(text))] == ["'=1+1"]
