"""The disk is full while bots play: tables stop, lose nothing, and go on when there is room."""

import signal
from pathlib import Path

import pytest

from tests.kit.processes.checks import check_database, check_finished
from tests.kit.processes.programs import CasinoProcess, refused, runs_all


@pytest.mark.parametrize("ends", ["with room again", "with a restart"])
def test_tables_stop_on_a_full_disk_and_go_on(tmp_path: Path, ends: str) -> None:
    database = str(tmp_path / "felt.db")
    with CasinoProcess(database) as casino:
        casino.wait_for_answers(200)
        casino.send(signal.SIGUSR1)
        casino.wait_until(lambda lines: "table/stadium" in refused(lines, "stopped"))
        if ends == "with room again":
            full = len(casino.lines)
            casino.send(signal.SIGUSR2)
            casino.wait_until(runs_all, after=full)
        told = casino.kill()
    waiting = check_database(database, told)
    with CasinoProcess(database, "--finish") as casino:
        told += casino.finished()
    assert not check_database(database, told)
    check_finished(database, waiting)
