"""A file of the database is deleted, cut or moved away under a running server.

A deleted write-ahead log once went unnoticed: the server took 491 more commands, and 47 that it
had answered were gone after a restart.
"""

import shutil
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest

from tests.kit.attacks.server_under_attack import PATIENCE_SECONDS, attacked_server
from tests.kit.cases import with_variants
from tests.kit.processes.checks import check_database, check_finished
from tests.kit.processes.programs import TABLES, CasinoProcess, refused


def delete_log(database: Path) -> None:
    database.with_name(database.name + "-wal").unlink()


def delete_log_and_index(database: Path) -> None:
    delete_log(database)
    database.with_name(database.name + "-shm").unlink()


def replace_log(database: Path) -> None:
    log = database.with_name(database.name + "-wal")
    shutil.copy(log, log.with_name("other"))
    log.with_name("other").replace(log)


@pytest.mark.parametrize("strike", with_variants([delete_log, delete_log_and_index]))
def test_nothing_that_was_answered_is_lost_with_the_log(
    tmp_path: Path, strike: Callable[[Path], None]
) -> None:
    database = tmp_path / "felt.db"
    with CasinoProcess(str(database)) as casino:
        casino.wait_for_answers(200)
        strike(database)
        struck = len(casino.lines)
        # A table at which no player asks just now says nothing.
        casino.wait_until(lambda lines: bool(refused(lines, "stopped") & TABLES), after=struck)
        # It is killed: it has no chance to put anything in order.
        told = casino.kill()
        assert "the write-ahead log is lost" in casino.complaints
    waiting = check_database(str(database), told)
    with CasinoProcess(str(database), "--finish") as casino:
        told += casino.finished()
    assert not check_database(str(database), told)
    check_finished(str(database), waiting)


def test_a_server_without_its_files_says_so_at_once_and_goes_on_when_they_are_back(
    tmp_path: Path,
) -> None:
    with attacked_server(tmp_path, must_be_clean=False) as server:
        guest, database = server.person("guest"), server.process.database
        private = "/api/v1/tables/private"
        away = database.with_name("away.db")
        for strike, mend in (
            (lambda: database.chmod(0o400), lambda: database.chmod(0o600)),
            (lambda: database.rename(away), lambda: away.rename(database)),
        ):
            strike()
            assert says(server.address, "failing", HTTPStatus.SERVICE_UNAVAILABLE)
            refused_post = guest.post(private, json={"house": "online"})
            assert refused_post.status_code == HTTPStatus.SERVICE_UNAVAILABLE
            mend()
            assert says(server.address, "ok", HTTPStatus.OK)
            assert guest.post(private, json={"house": "online"}).status_code == HTTPStatus.OK
        replace_log(database)
        assert says(server.address, "failing", HTTPStatus.SERVICE_UNAVAILABLE)
        told = [line for line in server.log_lines() if "the store cannot be written to" in line]
        assert len(told) == 3


def says(address: str, status: str, code: HTTPStatus) -> bool:
    """Whether a server comes to say this of itself."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        answer = httpx.get(f"{address}/healthz", timeout=PATIENCE_SECONDS)
        if answer.json()["status"] == status:
            return answer.status_code == code
        time.sleep(0.1)
    return False
