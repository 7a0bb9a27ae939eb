"""Drawers that were closed, as their records have them."""

import pytest

from openfelt.runtime.cage import drawer_shifts
from tests.kit.cages import Cage
from tests.kit.floors import Shift

FLOAT = {10_000: 10}
"""A float of $1,000."""


@pytest.fixture
def cage(shift: Shift) -> Cage:
    """A cage in which Cal has had a drawer twice; Sue has closed it once, and Bob has it now."""
    cage = Cage(shift.store, shift.clock)
    for number, by, reason in ((1, "sue", ""), (2, "cal", "a dollar too few")):
        cage.drawers.open("w1", FLOAT, by="cal", id=f"open {number}")
        cage.drawers.take_cash("w1", "ann", 100 * number, by="cal", id=f"in {number}")
        shift.clock.pass_ms(60_000)
        cage.drawers.close(
            "w1",
            {10_000: 10, 100: 1},
            by=by,
            id=f"close {number}",
            reason=reason,
            supervisor=by == "sue",
        )
    cage.drawers.open("w1", FLOAT, by="bob", id="open 3")
    return cage


def test_each_shift_has_its_own_sums_and_its_cashier(shift: Shift, cage: Cage) -> None:
    first, second = cage.drawers.shifts("w1")
    assert (first.cashier, first.sums.cash_in, first.difference_cents) == ("cal", 100, 0)
    assert (second.cashier, second.sums.cash_in, second.reason) == ("cal", 200, "a dollar too few")
    assert second.sums.cents + second.difference_cents == second.counted_cents == 100_100
    assert first.closed_ms - first.opened_ms == 60_000
    assert first.began < first.ended < second.began < second.ended
    assert cage.drawers.last_closed("cal") == second
    assert cage.drawers.last_closed("bob") is None


def test_a_shift_whose_opening_is_not_read_is_left_out(
    cage: Cage, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, second = cage.drawers.shifts("w1")
    # Three events before the last opening are the whole second shift; with one less it is cut.
    monkeypatch.setattr(drawer_shifts, "EVENTS_MAX", 4)
    assert cage.drawers.shifts("w1") == [second]
    monkeypatch.setattr(drawer_shifts, "EVENTS_MAX", 3)
    assert cage.drawers.shifts("w1") == []
