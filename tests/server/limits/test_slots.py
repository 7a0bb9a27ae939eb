"""Slots: a limit of all callers, and one of each."""

import pytest

from openfelt.server.errors import Denied
from openfelt.server.limits.slots import Slots


def test_slots_are_taken_and_given_back() -> None:
    slots = Slots(2, per_caller=1)
    with slots.entered("ann"):
        with pytest.raises(Denied), slots.entered("ann"):
            pass
        with slots.entered("bob"), pytest.raises(Denied), slots.entered("carl"):
            pass
    assert slots.taken == 0
    with slots.entered("ann"):
        assert slots.taken == 1
