"""Two servers that start in the same moment on an empty database, as processes of their own."""

import signal
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from openfelt.runtime.streams import StreamKind, names_in
from openfelt.server.tables.starter_floor import STARTER_TABLES, SUPERVISOR
from openfelt.storage.addresses import open_store
from tests.independent.record import check_record
from tests.kit.cases import with_variants
from tests.kit.nats_server import NatsServer
from tests.kit.postgres_server import PostgresServer
from tests.kit.server.open_house import SUPERVISOR as SUPERVISOR_FORM
from tests.kit.server.real_server import ServerProcess, free_port

ATTEMPTS = 5


@pytest.mark.parametrize("attempt", with_variants(range(ATTEMPTS)))
def test_two_first_starts_set_up_one_floor(
    tmp_path: Path, postgres: PostgresServer, nats: NatsServer, attempt: int
) -> None:
    """Both make the keys, the schema, the tables and the supervisor; each of these exists once."""
    database, bus = postgres.fresh_database(), f"{nats.url}/starts{attempt}"
    shared = ("--database", database, "--bus", bus, "--no-compile", "--log", "plain")
    with ExitStack() as stack:
        servers = [
            ServerProcess(tmp_path, free_port(), *shared, "--name", name)
            for name in ("east", "west")
        ]
        for server in servers:
            stack.callback(_kill, server)
        for server in servers:
            server.wait_until_open()
            with httpx.Client(base_url=server.address, timeout=30) as client:
                answer = client.post("/api/v1/sign-in", json=SUPERVISOR_FORM)
                assert answer.status_code == 200, answer.text
                listed = {line["table"] for line in client.get("/api/v1/tables").json()}
                assert listed == {starter.table for starter in STARTER_TABLES}
        with closing(open_store(database)) as store:
            assert {member.name for member in store.members() if member.living} == {"east", "west"}
            assert SUPERVISOR in names_in(store, StreamKind.ACCOUNT)
        assert [server.end() for server in servers] == [0, 0]
    check_record(database)


def _kill(server: ServerProcess) -> None:
    if server.process.poll() is None:
        server.end(signal.SIGKILL)
