"""Processes beside the server: started at the first question, replaced, and ended with it."""

import os
import signal
import threading

import pytest

from openfelt.server.limits.line_process import NICE, LineProcess

FIGURES = "openfelt.server.figures_process"
HASHES = "openfelt.server.credentials.hash_program"


def test_a_process_that_has_ended_is_replaced_and_gives_way() -> None:
    process = LineProcess(HASHES)
    assert process.ask(["no hash", "a password"]) is False
    assert process._process is not None
    pid = process._process.pid
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, own + NICE)
    os.kill(pid, signal.SIGKILL)
    process._process.wait()
    with pytest.raises((OSError, ValueError)):
        process.ask(["no hash", "a password"])
    assert process.ask(["no hash", "a password"]) is False
    process.close()


def test_closing_does_not_wait_for_an_answer() -> None:
    process = LineProcess(FIGURES)
    ended = threading.Event()

    def ask() -> None:
        with pytest.raises((OSError, ValueError)):
            process.ask("not a house")
        ended.set()

    asking = threading.Thread(target=ask)
    asking.start()
    while process._process is None:
        pass
    process.close()
    asking.join(60)
    assert ended.is_set()
