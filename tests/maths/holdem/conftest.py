"""What tests of the solved game share."""

import pytest

from openfelt.maths import HoldemSolution
from tests.kit.maths.solution import usual_solution


@pytest.fixture(scope="package")
def usual() -> HoldemSolution:
    """The game with the usual paytables, solved once."""
    return usual_solution()
