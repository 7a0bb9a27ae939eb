"""The database server is killed in mid-play, as by a loss of power, and started again."""

import time
from random import Random

from tests.kit.postgres_server import postgres_server
from tests.kit.processes.checks import check_database
from tests.kit.processes.programs import CasinoProcess, refused, runs_all

KILLS = 2


def test_tables_stop_with_the_server_and_go_on_with_it() -> None:
    rng = Random(20_260_102)
    # It writes to the disk as in earnest: what it has committed must be there afterwards.
    with postgres_server(durable=True) as server:
        database = server.fresh_database()
        with CasinoProcess(database) as casino:
            for _ in range(KILLS):
                before = len(casino.lines)
                casino.wait_for_answers(300, after=before)
                time.sleep(rng.random() / 4)
                server.kill()
                gone = len(casino.lines)
                casino.wait_until(lambda lines: bool(refused(lines, "stopped")), after=gone)
                server.start()
                casino.wait_until(runs_all, after=gone)
            told = casino.kill()
        check_database(database, told)
        with CasinoProcess(database, "--finish") as casino:
            told += casino.finished()
        assert not check_database(database, told)
