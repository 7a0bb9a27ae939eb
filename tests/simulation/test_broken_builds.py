"""A test of the simulator itself: builds that are broken on purpose are caught."""

import pytest

from tests.kit.cases import with_variants
from tests.simulation.broken_builds import BROKEN, Broken
from tests.simulation.failure import SimulationFailure
from tests.simulation.simulation import run_seed

SEEDS_MOST = 40
STEPS = 3000


@pytest.mark.slow
@pytest.mark.parametrize(
    "broken", with_variants(BROKEN, plain=4), ids=lambda broken: broken.build.name
)
def test_a_broken_build_is_caught(broken: Broken) -> None:
    """Within a few seeds, and by a check that is about what was broken."""
    with pytest.raises(SimulationFailure) as caught:
        _sweep(broken)
    failure = caught.value
    print(f"{broken.build.name}: caught in seed {failure.seed} by {failure.check}")  # noqa: T201
    assert failure.check in broken.caught_by, str(failure)


def _sweep(broken: Broken) -> None:
    for seed in range(broken.first_seed, broken.first_seed + SEEDS_MOST):
        run_seed(seed, steps=STEPS, build=broken.build)
