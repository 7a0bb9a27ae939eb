"""A process is killed while bots play, again and again; nothing that was answered is lost."""

import time
from random import Random

from tests.kit.processes.checks import Waiting, check_database, check_finished
from tests.kit.processes.programs import CasinoProcess, Line

KILLS = 4


def test_a_killed_process_loses_nothing_that_it_has_answered(database: str) -> None:
    rng = Random(20_260_101)
    told: list[Line] = []
    waiting: list[Waiting] = []
    for life in range(KILLS):
        with CasinoProcess(database, "--seed", str(life)) as casino:
            casino.wait_for_answers(rng.randint(40, 400))
            time.sleep(rng.random() / 4)
            told += casino.kill()
        waiting += check_database(database, told)
    assert waiting
    with CasinoProcess(database, "--finish") as casino:
        told += casino.finished()
    assert not check_database(database, told)
    check_finished(database, waiting)
