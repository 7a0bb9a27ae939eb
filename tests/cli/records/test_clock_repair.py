"""``openfelt clock``."""

import time
from pathlib import Path

import pytest

from openfelt.server.store.single_instance import single_instance
from tests.kit.audit.audited_floors import DAY_MS, Floor
from tests.kit.cli.commands import complaint, output


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A database that was played with a clock that is ten days ahead."""
    floor = Floor(tmp_path / "felt.db")
    floor.clock.now_ms = time.time_ns() // 1_000_000 + 10 * DAY_MS
    floor.open("net-1", "online")
    floor.store.close()
    return str(floor.path)


def test_a_record_that_is_ahead_is_shown_and_corrected(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = output(capsys, "clock", path)
    assert "2 records are ahead of the clock." in shown
    assert "stop the server, run openfelt clock DATABASE --correct" in shown
    done = output(capsys, "clock", path, "--correct", "The battery was empty.")
    assert "Start the server again" in done
    shown = output(capsys, "clock", path)
    assert shown.endswith("0 records are ahead of the clock.\n")
    assert "clock_corrected" in output(capsys, "deeds", path)
    said, code = complaint(capsys, "clock", path, "--correct", "again")
    assert (code, "ahead of this machine's clock" in said) == (2, True)


def test_a_running_server_would_not_notice_a_correction(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with single_instance(path):
        said, code = complaint(capsys, "clock", path, "--correct", "The battery was empty.")
    assert (code, "Another server has the database open" in said) == (1, True)
    assert "Stop it, and try again." in said
    assert "2 records are ahead of the clock." in output(capsys, "clock", path)


def test_many_records_are_not_all_listed(
    path: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.cli.records.clock_repair.SHOWN_MAX", 1)
    assert "... and 1 more." in output(capsys, "clock", path)


def test_a_reason_is_needed(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    said, code = complaint(capsys, "clock", path, "--correct", " ")
    assert (code, "reason" in said) == (2, True)
