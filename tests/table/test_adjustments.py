"""What was put right, as it is stored: wallets, history, the day's book, the audit."""

from datetime import date

import pytest

from openfelt.cards import Card
from openfelt.ledger import Reason
from openfelt.rules import Spot
from openfelt.rules.irregularity_rules import About, Irregularity
from openfelt.runtime.audit.database import audit
from openfelt.runtime.cage.days.day_book import day_book
from openfelt.server.history.player_rounds import PlayerRounds
from openfelt.table.commands import (
    ApproveAdjustment,
    DeclareIrregularity,
    OpenBets,
    ProposeAdjustment,
)
from tests.kit.floors import Desk, Shift, check_books
from tests.kit.tables import FLOOR

FIRST = date(2026, 1, 1)


def confirmed(shift: Shift) -> Desk:
    """Ann has won a round at a live table, with one card burned and Bob's hand void."""
    desk = shift.open_table("washington").sit("ann", 1, 500).sit("bob", 2, 500)
    desk.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10").bet("bob", "2.1", "ante 10").close()
    burned = DeclareIrregularity(Irregularity.CARD_FACE_UP, About.DECK, card=Card.parse("5d"))
    desk.do(burned, "dan").deal("As Ah")
    too_many = DeclareIrregularity(Irregularity.TOO_MANY_CARDS, About.HAND, Spot(2, 1))
    desk.refuses(too_many, "dan", "needs_supervisor")
    desk.do(too_many, FLOOR).deal("2s 7h Kc Kd").choose("ann", "1.1", "4x")
    return desk.deal("Ac 7d 9h Js 3c").turn().confirm()


@pytest.mark.clause("R.37", "R.38")
def test_what_was_put_right_is_in_the_record_the_history_and_the_book(shift: Shift) -> None:
    desk = confirmed(shift)
    assert desk.credit("bob") == 50_000
    desk.do(ProposeAdjustment(1, 1, 700, "Blind paid short."), "dan")
    approval = ApproveAdjustment(1)
    first = desk.ask(approval, FLOOR, id="approve-once")
    again = desk.ask(approval, FLOOR, id="approve-once")
    assert first.accepted
    assert again == first
    assert shift.cents("wallet:ann") == 700
    assert PlayerRounds(shift.store).adjusted_cents("table-1", "ann") == {1: 700}
    book = day_book(shift.store, FIRST)
    assert book.reconciled
    assert (book.reasons[Reason.CORRECTION].transfers, book.reasons[Reason.CORRECTION].cents) == (
        1,
        700,
    )
    assert book.tables["table-1"].win_cents == -5_000 - 700
    check_books(shift, desk)
    assert audit(shift.store).clean
    # Another process reads the same table from the record.
    assert desk.restart().table == desk.table


@pytest.mark.clause("R.38")
def test_a_wallet_is_never_overdrawn(shift: Shift) -> None:
    """Also not where the money leaves between the decision and the commit."""
    desk = confirmed(shift)
    shift.cashier.deposit("ann", 300, id="paid-in")
    desk.do(ProposeAdjustment(1, 1, -300, "Paid twice."), "dan")
    shift.store.meanwhile = [lambda: shift.cashier.withdraw("ann", 100, id="taken-out")]
    desk.refuses(ApproveAdjustment(1), FLOOR, "wallet_short")
    assert shift.cents("wallet:ann") == 200
    assert list(desk.table.adjustments) == [1]
    shift.cashier.deposit("ann", 100, id="paid-in-again")
    desk.do(ApproveAdjustment(1), FLOOR)
    assert shift.cents("wallet:ann") == 0
    check_books(shift, desk)
