"""The money of a shift, asked for while the table plays on."""

from collections.abc import Iterator
from typing import Any

import pytest

from openfelt.ledger.trays import SlipKind, TrayMoment
from openfelt.rules.house import DealerMode
from openfelt.server.supervision.floor_money.shift_money import ShiftMoney
from openfelt.server.supervision.floor_money.tray_histories import TrayHistories
from openfelt.storage.door import StoredEvent, Unavailable
from openfelt.table.commands import Collect
from tests.kit.floors import Shift, steps_of_a_round
from tests.kit.trays import OPENING, TABLE, bring, count, tray_cage


def test_figures_that_were_asked_for_stay_as_they_are(shift: Shift) -> None:
    desk, cage = shift.open_table("washington", mode=DealerMode.LIVE), tray_cage(shift)
    count(cage, TrayMoment.OPENING, OPENING)
    desk.sit("ann", 1, 1_000).sit("bob", 2, 1_000)
    money = ShiftMoney(
        shift.store, shift.worker_services.codec, shift.clock, TrayHistories(cage.trays)
    )
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


def test_a_store_that_fails_on_the_way_has_no_round_added_up_twice(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, cage = shift.open_table("washington", mode=DealerMode.LIVE), tray_cage(shift)
    count(cage, TrayMoment.OPENING, OPENING)
    desk.sit("ann", 1, 1_000).sit("bob", 2, 1_000)
    for seed in (9_000_011, 9_000_012):
        for command, who in steps_of_a_round(desk, seed=seed):
            desk.do(command, who)
    histories = TrayHistories(cage.trays)
    money = ShiftMoney(shift.store, shift.worker_services.codec, shift.clock, histories)
    undisturbed = ShiftMoney(shift.store, shift.worker_services.codec, shift.clock, histories).of(
        TABLE
    )
    record = shift.store.record

    def failing(stream: str, **rest: Any) -> Iterator[StoredEvent]:
        for stored in record(stream, **rest):
            yield stored
            if stored.name == "round_settled":
                raise Unavailable("The database server cannot be reached.")

    with monkeypatch.context() as patch:
        patch.setattr(shift.store, "record", failing)
        with pytest.raises(Unavailable):
            money.of(TABLE)
    read = money.of(TABLE)
    assert read is not None
    assert undisturbed is not None
    assert read.window.rounds == 2
    assert read.window == undisturbed.window


def test_a_tray_that_owes_more_than_it_holds_is_told_until_it_is_filled(shift: Shift) -> None:
    desk, cage = shift.open_table("washington", mode=DealerMode.LIVE), tray_cage(shift)
    money = ShiftMoney(
        shift.store, shift.worker_services.codec, shift.clock, TrayHistories(cage.trays)
    )
    count(cage, TrayMoment.OPENING, OPENING)
    desk.sit("ann", 1, 2_500)
    assert list(money.conditions()) == []
    # As after an award of a link: the seat has more chips than the tray ever held.
    desk.sit("bob", 2, 1_000)
    (short,) = money.conditions()
    assert (short.kind, short.subject, short.detail) == ("tray_short", TABLE, "$1,000.00")
    bring(cage, SlipKind.FILL, {10_000: 10})
    assert list(money.conditions()) == []
    # A player who is paid at the cage instead brings the chips back by collecting.
    desk.sit("cat", 3, 300)
    assert [one.detail for one in money.conditions()] == ["$300.00"]
    desk.do(Collect(3), "cat")
    assert list(money.conditions()) == []
