"""The simulator on PostgreSQL: the same floor and the same faults, on the other store."""

import pytest

from tests.kit.postgres_server import PostgresServer
from tests.simulation.simulation import STEPS, run_seed


def test_a_short_seed_holds_on_a_database_server(postgres: PostgresServer) -> None:
    tally = run_seed(8, steps=250, server=postgres.fresh_database())
    assert tally["commands accepted"] > 5
    assert tally["table taken up"] > 5


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(200, 206))
def test_a_long_seed_holds_on_a_database_server(postgres: PostgresServer, seed: int) -> None:
    tally = run_seed(seed, steps=STEPS, server=postgres.fresh_database())
    assert tally["rounds settled"] + tally["rounds voided"] > 10
