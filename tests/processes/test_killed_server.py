"""The database server is killed in mid-play, as by a loss of power, and started again; and it is
restarted in mid-commit, as by its administrator."""

import time
from random import Random

from tests.kit.postgres_server import postgres_server
from tests.kit.processes.checks import check_database
from tests.kit.processes.programs import CasinoProcess, refused, runs_all

STRIKES = ("killed", "restarted")


def test_tables_stop_with_the_server_and_go_on_with_it() -> None:
    rng = Random(20_260_102)
    # It writes to the disk as in earnest: what it has committed must be there afterwards.
    with postgres_server(durable=True) as server:
        database = server.fresh_database()
        with CasinoProcess(database) as casino:
            for strike in STRIKES:
                before = len(casino.lines)
                casino.wait_for_answers(300, after=before)
                time.sleep(rng.random() / 4)
                gone = len(casino.lines)
                if strike == "killed":
                    server.kill()
                    casino.wait_until(lambda lines: bool(refused(lines, "stopped")), after=gone)
                else:
                    # It ends every connection, also those in the middle of a commit.
                    server.stop()
                server.start()
                casino.wait_until(runs_all, after=gone)
            told = casino.kill()
        check_database(database, told)
        with CasinoProcess(database, "--finish") as casino:
            told += casino.finished()
        assert not check_database(database, told)
