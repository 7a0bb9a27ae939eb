"""Cash by person and day: in and out are never netted, at any number of windows."""

from collections import Counter
from dataclasses import replace

import pytest

from openfelt.server.supervision.alert_limits import AlertLimits, HouseAlerts
from openfelt.server.supervision.floor_money.cash_thresholds import CashThresholds
from tests.kit.cages import Cage
from tests.kit.floors import Shift

FLOAT = {10_000: 300}
DAY_MS = 86_400_000


@pytest.fixture
def cage(shift: Shift) -> Cage:
    """A cage with two open drawers of $30,000 each."""
    cage = Cage(shift.store, shift.clock, limit_cents=10_000_000)
    for window in ("w1", "w2"):
        cage.drawers.open(window, FLOAT, by=window, id=f"open {window}")
    return cage


def thresholds(shift: Shift, limits: AlertLimits | None = None) -> CashThresholds:
    """The thresholds of a house; $3,000 and $10,000 without others."""
    alerts = HouseAlerts(limits or AlertLimits())
    return CashThresholds(shift.store, shift.worker_services.codec, shift.clock, alerts)


def told(cash: CashThresholds) -> list[tuple[str | None, int, int, bool]]:
    """Everyone who has reached a threshold, and whether a report is due."""
    return [
        (one.player, one.in_cents, one.out_cents, cash.is_reported(one)) for one in cash.today()[1]
    ]


def test_sums_are_of_all_windows_and_in_and_out_are_never_netted(shift: Shift, cage: Cage) -> None:
    cash, drawers = thresholds(shift), cage.drawers
    drawers.take_cash("w1", "ann", 299_999, by="w1", id="1")
    assert told(cash) == []
    drawers.take_cash("w2", "ann", 1, by="w2", id="2")
    drawers.take_cash("w2", "bob", 299_999, by="w2", id="3")
    # What ann is paid does not lessen what she paid in.
    drawers.pay_cash("w1", "ann", 250_000, by="w1", id="4")
    assert told(cash) == [("ann", 300_000, 250_000, False)]
    drawers.take_cash("w1", "ann", 700_000, by="w1", id="5")
    # A report is due above the sum, and not at it.
    assert told(cash) == [("ann", 1_000_000, 250_000, False)]
    drawers.take_cash("w1", "ann", 1, by="w1", id="6")
    for _ in range(2):
        drawers.take_cash("w1", "ann", 1, by="w1", id="6")
    assert told(cash) == [("ann", 1_000_001, 250_000, True)]
    (ann,) = cash.today()[1]
    assert Counter((entry.drawer, entry.taken) for entry in ann.entries) == {
        ("w1", True): 3,
        ("w2", True): 1,
        ("w1", False): 1,
    }
    assert told(thresholds(shift)) == told(cash)
    (alert,) = cash.conditions()
    assert (alert.kind, alert.subject) == ("cash_report", "ann")
    assert alert.detail == "in $10,000.01, out $2,500.00"


def test_a_voucher_has_no_name_and_stands_alone(shift: Shift, cage: Cage) -> None:
    cash = thresholds(shift)
    sold = [cage.drawers.sell_voucher("w1", 200_000, by="w1", id=f"sell {n}") for n in range(2)]
    assert told(cash) == []
    cage.drawers.sell_voucher("w1", 350_000, by="w1", id="large")
    cage.drawers.cash_voucher("w2", sold[0].code or "", by="w2", id="cash")
    assert told(cash) == [(None, 350_000, 0, False)]
    assert [(one.kind, one.subject) for one in cash.conditions()] == [("cash_log", "w1/voucher")]


def test_each_day_begins_anew_and_the_house_says_from_where_on(shift: Shift, cage: Cage) -> None:
    strict = AlertLimits(cash_log_dollars=10, cash_report_dollars=20)
    cash, off = thresholds(shift, strict), thresholds(shift, replace(strict, cash_log_dollars=0))
    cage.drawers.take_cash("w1", "ann", 1_500, by="w1", id="1")
    assert told(cash) == [("ann", 1_500, 0, False)]
    assert told(off) == []
    shift.clock.pass_ms(DAY_MS)
    assert told(cash) == []
    cage.drawers.take_cash("w1", "ann", 2_100, by="w1", id="2")
    assert told(cash) == told(off) == told(thresholds(shift, strict)) == [("ann", 2_100, 0, True)]
