"""What every test shares: Hypothesis' profile, the clauses that marks may name, and the PostgreSQL
server of those that need one."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from openfelt.catalog import load_documents

# Tests, and the servers that they start, encrypt cards with a key of their own.
os.environ["OPENFELT_KEYS"] = f"00c0ffee:{'5a' * 32}"
os.environ["OPENFELT_COMPILE"] = "0"
"""Servers of the tests compile nothing in the background."""

# Hundreds of processes import the same modules. Where the machine keeps no compiled ones, each of
# them would compile every module again, which takes longer than most of the tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Every request of the tests stays on this machine, without TLS. A client of httpx reads the
# certificates of the whole world when it is made, which took a fifth of the time of most tests.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = str(Path(__file__).parent)

# A database waits for its disk at every commit, and no test cuts the power. Where the machine has a
# large file system in memory, everything that the tests write lies there.
MEMORY = Path("/dev/shm")
NEEDED_BYTES = 4 << 30
if (
    "TMPDIR" not in os.environ
    and os.access(MEMORY, os.W_OK)
    and shutil.disk_usage(MEMORY).free >= NEEDED_BYTES
):
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None

# What the kit asserts is shown in full, as in the tests themselves.
pytest.register_assert_rewrite("tests.kit")

from tests.kit.nats_server import NatsServer, nats_server  # noqa: E402
from tests.kit.postgres_server import PostgresServer, postgres_server  # noqa: E402

# No test asserts a time, so no example has a deadline. On a build machine the examples are the
# same in every run; a failure prints the line that repeats it.
settings.register_profile("openfelt", deadline=None, print_blob=True)
settings.register_profile("openfelt-ci", settings.get_profile("openfelt"), derandomize=True)
settings.load_profile("openfelt-ci" if os.environ.get("CI") else "openfelt")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer to write the lower part of every golden round again."""
    parser.addoption(
        "--write-playthroughs",
        action="store_true",
        help="write what happens in each golden round into its file, to be read before it is kept",
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse marks that name no clause.

    Tests keep their order, slow ones too: a worker that runs a file as a whole loads its kernels
    and builds its fixtures once.
    """
    known = {clause.id for document in load_documents() for clause in document.clauses}
    for item in items:
        for mark in item.iter_markers("clause"):
            unknown = [one for one in mark.args if one not in known]
            if unknown or not mark.args:
                raise pytest.UsageError(
                    f"{item.nodeid} is marked with no clause of ours: {unknown}"
                )


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server that runs until the last test, one for each worker of pytest."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def nats() -> Iterator[NatsServer]:
    """A NATS server that runs until the last test, one for each worker of pytest."""
    with nats_server() as server:
        yield server
