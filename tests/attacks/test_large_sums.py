"""Amounts that are each allowed, and together are more than one transfer moves: a drawer that
cannot be closed, a seat that cannot be left, and a wager that no bank can pay.
"""

import pytest

from openfelt.catalog import CatalogError, load_house
from openfelt.catalog.table_terms import WagerOffer, house_on_terms
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules.house import DealerMode
from openfelt.rules.refusal import Refusal
from openfelt.rules.wagers import WagerKind
from openfelt.runtime.audit import audit
from openfelt.table.commands import LeaveSeat, OpenBets
from tests.independent.record import check_record
from tests.kit.cages import Cage
from tests.kit.floors import Shift, check_books
from tests.kit.own_houses import own_house

FLOAT = {10_000: 20}


def test_a_drawer_takes_no_more_than_can_be_counted(shift: Shift) -> None:
    """Cash beyond that could be taken in, and the drawer was never closed again."""
    cage = Cage(shift.store, shift.clock)
    cage.drawers.open("w1", FLOAT, by="cal", id="open")
    for act in (
        lambda: cage.drawers.take_cash("w1", "ann", AMOUNT_MAX_CENTS, by="cal", id="in"),
        lambda: cage.drawers.sell_voucher("w1", AMOUNT_MAX_CENTS, by="cal", id="sell"),
    ):
        with pytest.raises(Refusal, match=r"A drawer can hold at most \$10,000,000,000\.00\."):
            act()
    room = AMOUNT_MAX_CENTS - 200_000
    assert cage.drawers.take_cash("w1", "ann", room, by="cal", id="rest").cents == AMOUNT_MAX_CENTS
    count = {AMOUNT_MAX_CENTS: 1}
    assert cage.drawers.close("w1", count, by="cal", id="close").cashier is None
    check_books(shift)


def test_a_seat_is_left_with_more_than_it_could_be_bought_in_with(shift: Shift) -> None:
    """The player has won; neither collecting nor leaving was possible from then on."""
    desk = shift.open_table("washington", mode=DealerMode.LIVE)
    desk.sit("ann", 1, AMOUNT_MAX_CENTS // 100).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    desk.close().deal("As Ad 2c 7d").choose("ann", "1.1", "4x").deal("Kh 9c 8s 4h 3d")
    desk.turn().confirm()
    won = desk.credit("ann")
    assert won > AMOUNT_MAX_CENTS
    desk.do(LeaveSeat(1), "ann")
    assert shift.cents("wallet:ann") == won
    check_books(shift, desk)
    report = audit(shift.store)
    assert report.clean, "\n".join(map(str, report.findings))
    check_record(shift.path)


@pytest.mark.parametrize("wager", ["ante", "trips"])
def test_no_house_takes_a_wager_that_it_could_not_pay(wager: str) -> None:
    """The round would never be settled, and the table would be stuck with it."""
    with pytest.raises(CatalogError, match="could win more than any table pays"):
        own_house("washington", {f"wagers.{wager}.max_cents": AMOUNT_MAX_CENTS})


def test_no_supervisor_sets_such_a_limit_at_a_table() -> None:
    offers = [
        WagerOffer(
            kind=rule.kind,
            min_cents=rule.min_cents,
            max_cents=AMOUNT_MAX_CENTS if rule.kind is WagerKind.BLIND else rule.max_cents,
            paytable=None,
        )
        for rule in load_house("online").wagers
    ]
    with pytest.raises(CatalogError, match=r"wagers\.blind\.max_cents: a wager of \$10,000,000"):
        house_on_terms(load_house("online"), offers, reason="A large evening.")
