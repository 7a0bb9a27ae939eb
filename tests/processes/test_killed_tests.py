"""A run of the tests that is killed leaves no server behind, and no folder of a database."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.kit.repository import ROOT

WITHIN_S = 60
SERVERS = """
import time
from tests.kit.nats_server import nats_server
from tests.kit.postgres_server import postgres_server
with postgres_server() as postgres, nats_server() as nats:
    print(postgres._process.pid, nats._process.pid, postgres.socket.parent, flush=True)
    time.sleep(600)
"""
FORKED = """
import sys, time
from tests.kit.processes.warm_interpreter import ForkedProgram
print(ForkedProgram("import time; time.sleep(600)").pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(SERVERS, id="servers"),
        pytest.param(FORKED, marks=pytest.mark.variant, id="forked program"),
    ],
)
def test_what_a_killed_run_has_started_ends(program: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        words = run.stdout.readline().split()
        run.kill()
    assert words, "the run has started nothing"
    places = [Path("/proc", word) if word.isdigit() else Path(word) for word in words]
    deadline = time.monotonic() + WITHIN_S
    while any(map(os.path.exists, places)):
        assert time.monotonic() < deadline, f"still there: {places}"
        time.sleep(0.05)
