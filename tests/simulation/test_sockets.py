"""The socket layer under faults; see ``tests.simulation.sockets``."""

from pathlib import Path

import pytest

from tests.simulation.sockets import run_sockets


async def test_a_short_seed_loses_nothing_over_sockets(tmp_path: Path) -> None:
    tally = await run_sockets(tmp_path, 1, faults=12)
    assert tally["answers"] > 20
    assert tally["lines"] > 6


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(2, 12))
async def test_a_long_seed_loses_nothing_over_sockets(tmp_path: Path, seed: int) -> None:
    tally = await run_sockets(tmp_path, seed, faults=120)
    assert tally["table moved"] > 20
    assert tally["answers"] > 200
