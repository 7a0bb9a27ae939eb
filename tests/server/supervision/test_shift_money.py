"""The money of a shift, asked for while the table plays on."""

from openfelt.ledger.trays import TrayMoment
from openfelt.rules.house import DealerMode
from openfelt.server.supervision.shift_money import ShiftMoney
from openfelt.server.supervision.tray_histories import TrayHistories
from tests.kit.floors import Shift, steps_of_a_round
from tests.kit.trays import OPENING, TABLE, count, tray_cage


def test_figures_that_were_asked_for_stay_as_they_are(shift: Shift) -> None:
    desk, cage = shift.open_table("washington", mode=DealerMode.LIVE), tray_cage(shift)
    count(cage, TrayMoment.OPENING, OPENING)
    desk.sit("ann", 1, 1_000).sit("bob", 2, 1_000)
    money = ShiftMoney(shift.store, shift.tools.codec, shift.clock, TrayHistories(cage.trays))
    first = money.of(TABLE)
    for command, who in steps_of_a_round(desk, seed=1):
        desk.do(command, who)
    second = money.of(TABLE)
    assert first is not None
    assert second is not None
    assert (first.window.rounds, first.window.wagers, first.window.stakes_cents) == (0, {}, 0)
    assert second.window.rounds == 1
    assert second.window.stakes_cents > 0
    assert first.book_cents == 250_000 - 200_000
