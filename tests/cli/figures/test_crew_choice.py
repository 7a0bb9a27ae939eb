"""``--workers`` and ``--scheduler``."""

import socket

import pytest
from distributed import LocalCluster

from openfelt.cli.figures import crew_choice
from openfelt.maths import cluster
from tests.kit.cli.commands import complaint, facts

RUN = ("simulate", "online", "--rounds", "70000", "--seed", "5")


def test_a_scheduler_gives_the_same_result(capsys: pytest.CaptureFixture[str]) -> None:
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
    ) as local:
        far = facts(capsys, *RUN, "--scheduler", str(local.scheduler_address))
    assert far == facts(capsys, *RUN, "--workers", "1")


def test_a_scheduler_that_does_not_answer_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "WAIT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"tcp://127.0.0.1:{closed.getsockname()[1]}"
    for command in (RUN, ("edge", "draw"), ("parsheet", "online")):
        sentence, code = complaint(capsys, *command, "--scheduler", address)
        assert sentence == f"openfelt: No Dask scheduler answers at {address}.\n"
        assert code == 1


def test_without_dask_its_package_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew_choice, "find_spec", lambda name: None)
    sentence, code = complaint(capsys, *RUN, "--scheduler", "tcp://127.0.0.1:1")
    assert "pip install 'openfelt[dask]'" in sentence
    assert code == 2
