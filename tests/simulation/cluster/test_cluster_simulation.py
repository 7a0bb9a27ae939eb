"""Several processes in virtual time: sound builds pass, and broken ones are caught."""

import pytest

from tests.kit.cases import with_variants
from tests.simulation.cluster.broken_clusters import BROKEN, BrokenCluster
from tests.simulation.cluster.cluster_simulation import run_seed
from tests.simulation.failure import SimulationFailure
from tests.simulation.tally import Tally

SEEDS_MOST = 40
HAPPENS = (
    "accepted",
    "refused",
    "followers compared",
    "fault kill of tables",
    "fault kill of gateway",
    "rounds of a link",
    "shares of a meter",
)


@pytest.mark.slow
def test_nothing_is_lost_between_processes_whatever_fails() -> None:
    tally = Tally()
    for seed in range(4):
        tally.take_in(run_seed(seed))
    assert not tally.missing(HAPPENS)


@pytest.mark.slow
@pytest.mark.parametrize("broken", with_variants(BROKEN, plain=4), ids=lambda each: each.name)
def test_a_broken_build_is_caught(broken: BrokenCluster) -> None:
    """Within a few seeds, and by a check that is about what was broken."""
    with pytest.raises(SimulationFailure) as caught:
        _sweep(broken)
    print(f"{broken.name}: caught in seed {caught.value.seed}")  # noqa: T201
    assert caught.value.check in broken.caught_by, str(caught.value)


def _sweep(broken: BrokenCluster) -> None:
    for seed in range(broken.first_seed, broken.first_seed + SEEDS_MOST):
        run_seed(seed, broken.patches)
