"""Drawers: counted at both ends, every payout once, and no cashier approves their own request."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from openfelt.ledger import AccountKind
from openfelt.ledger.drawers import PayoutState
from openfelt.rules import Refusal
from openfelt.runtime.audit import audit
from openfelt.runtime.remembered_refusals import GivenAnswer
from openfelt.storage.door import CommandKey, Unknown
from tests.independent.record import check_record
from tests.kit.cages import Cage
from tests.kit.floors import Shift

FLOAT = {10_000: 10, 2_000: 25, 100: 50}
"""A float of $1,550."""


@pytest.fixture
def cage(shift: Shift) -> Cage:
    """A cage with the drawer of Cal, where payouts above $500 need a supervisor."""
    cage = Cage(shift.store, shift.clock, limit_cents=50_000)
    cage.drawers.open("w1", FLOAT, by="cal", id="open")
    return cage


def refused(act: Callable[[], object], code: str) -> Refusal:
    """Check that an action is refused with this code."""
    with pytest.raises(Refusal) as caught:
        act()
    assert caught.value.code == code
    return caught.value


def rich(cage: Cage, player: str, cents: int) -> None:
    """Give a player money that came from outside."""
    cage.cashier.deposit(player, cents, id=f"rich {player} {cents}")


# A shift -----------------------------------------------------------------------------


def test_a_whole_shift_closes_to_the_cent(shift: Shift, cage: Cage) -> None:
    drawers = cage.drawers
    drawers.take_cash("w1", "ann", 20_000, by="cal", id="in", note="ten twenties")
    bought = drawers.sell_voucher("w1", 5_000, by="cal", id="sell")
    terminal = cage.issue("ann", 12_000, id="collect")
    drawers.cash_voucher("w1", terminal, by="cal", id="cash")
    cage.vouchers.redeem(bought.code or "", "bob", id="at another terminal")
    drawer = drawers.pay_cash("w1", "bob", 1_000, by="cal", id="out")
    assert drawer.cents == 155_000 + 20_000 + 5_000 - 12_000 - 1_000
    assert shift.cents("drawer:w1") == -drawer.cents
    closed = drawers.close("w1", {10_000: 16, 100: 70}, by="cal", id="close")
    assert closed.cashier is None
    # The vault has what the players have: drawers and vouchers are empty, and the house even.
    assert cage.by_kind() == {AccountKind.CASH: -12_000, AccountKind.WALLET: 12_000}
    assert (shift.cents("wallet:ann"), shift.cents("wallet:bob")) == (8_000, 4_000)
    assert audit(shift.store).clean
    check_record(shift.path)


@pytest.mark.parametrize(("pieces", "house_cents"), [(9, -10_000), (11, 10_000)])
def test_a_difference_needs_a_reason_and_is_the_houses(
    shift: Shift, cage: Cage, pieces: int, house_cents: int
) -> None:
    count = FLOAT | {10_000: pieces}
    told = refused(
        lambda: cage.drawers.close("w1", count, by="cal", id="1"), code="difference_unexplained"
    )
    assert "$100.00" in told.sentence
    assert cage.drawers.get("w1").cashier == "cal"
    cage.drawers.close("w1", count, by="cal", id="2", reason="a note was miscounted")
    assert shift.cents("house:cage") == house_cents
    assert shift.cents("drawer:w1") == 0
    assert list(shift.store.transfers())[-1].transfer.note == "a note was miscounted"
    assert audit(shift.store).clean
    check_record(shift.path)


def test_a_drawer_is_opened_again_after_its_closing(shift: Shift, cage: Cage) -> None:
    refused(lambda: cage.drawers.open("w1", FLOAT, by="dot", id="1"), "drawer_open")
    cage.drawers.close("w1", FLOAT, by="cal", id="close")
    assert cage.drawers.open("w1", {100: 7}, by="dot", id="2").cents == 700
    beside = Cage(shift.beside().store, shift.clock)
    assert [(drawer.id, drawer.cashier, drawer.cents) for drawer in beside.drawers.all()] == [
        ("w1", "dot", 700)
    ]
    assert audit(shift.store).clean


def test_another_cashier_may_not_use_the_drawer_and_a_supervisor_may_close_it(cage: Cage) -> None:
    drawers = cage.drawers
    acts: list[Callable[[], object]] = [
        partial(drawers.take_cash, "w1", "ann", 100, by="dot", id="1"),
        partial(drawers.pay_cash, "w1", "ann", 100, by="dot", id="2"),
        partial(drawers.sell_voucher, "w1", 100, by="dot", id="3"),
        partial(drawers.close, "w1", FLOAT, by="dot", id="4"),
    ]
    for act in acts:
        refused(act, "drawer_not_yours")
    drawers.close("w1", FLOAT, by="sue", id="5", supervisor=True)
    refused(partial(drawers.take_cash, "w1", "ann", 100, by="cal", id="6"), "drawer_closed")
    refused(partial(drawers.close, "w1", FLOAT, by="cal", id="7"), "drawer_closed")


@pytest.mark.parametrize("count", [None, [], {0: 1}, {100: -1}, {100: 1.5}, {True: 1}, {10**15: 9}])
def test_an_invalid_count_is_refused(cage: Cage, count: object) -> None:
    refused(lambda: cage.drawers.open("w2", count, by="dot", id="1"), "malformed")  # type: ignore[arg-type]


# Payouts -----------------------------------------------------------------------------


def test_a_payout_is_at_most_what_the_wallet_and_the_drawer_hold(cage: Cage) -> None:
    rich(cage, "ann", 900)
    refused(partial(cage.drawers.pay_cash, "w1", "ann", 901, by="cal", id="1"), "wallet_short")
    cage.drawers.close("w1", FLOAT, by="cal", id="close")
    cage.drawers.open("w1", {100: 8}, by="cal", id="again")
    refused(partial(cage.drawers.pay_cash, "w1", "ann", 900, by="cal", id="2"), "drawer_short")
    assert cage.drawers.pay_cash("w1", "ann", 800, by="cal", id="3").cents == 0


def test_a_repeated_press_moves_nothing_again(shift: Shift, cage: Cage) -> None:
    shift.store.loses_answer = True
    with pytest.raises(Unknown):
        cage.drawers.take_cash("w1", "ann", 5_000, by="cal", id="1")
    for _ in range(2):
        cage.drawers.take_cash("w1", "ann", 5_000, by="cal", id="1")
        cage.drawers.pay_cash("w1", "ann", 2_000, by="cal", id="2")
    refused(partial(cage.drawers.pay_cash, "w1", "ann", 2_001, by="cal", id="2"), "id_reused")
    sold = [cage.drawers.sell_voucher("w1", 700, by="cal", id="3") for _ in range(2)]
    assert sold[0] == sold[1]
    assert shift.cents("wallet:ann") == 3_000
    assert cage.drawers.get("w1").cents == 155_000 + 3_000 + 700


def test_above_the_limit_a_supervisor_approves_first(shift: Shift, cage: Cage) -> None:
    drawers = cage.drawers
    rich(cage, "ann", 60_000)
    refused(partial(drawers.pay_cash, "w1", "ann", 50_001, by="cal", id="1"), "needs_approval")
    drawers.request_payout("w1", by="cal", id="2", player="ann", cents=50_001, note="won")
    refused(partial(drawers.pay_approved, "w1", 1, by="cal", id="3"), "needs_approval")
    refused(partial(drawers.approve, "w1", 1, by="cal", id="4"), "own_request")
    drawers.approve("w1", 1, by="sue", id="5")
    refused(partial(drawers.approve, "w1", 1, by="sam", id="6"), "already_approved")
    for _ in range(2):
        assert drawers.pay_approved("w1", 1, by="cal", id="7").cents == 155_000 - 50_001
    refused(partial(drawers.pay_approved, "w1", 1, by="cal", id="8"), "no_such_payout")
    assert shift.cents("wallet:ann") == 9_999
    assert audit(shift.store).clean


def test_a_voucher_above_the_limit_is_paid_once_with_an_approval(shift: Shift, cage: Cage) -> None:
    drawers = cage.drawers
    rich(cage, "ann", 120_000)
    code, other = (cage.issue("ann", 60_000, id=name) for name in ("1", "2"))
    refused(partial(drawers.cash_voucher, "w1", code, by="cal", id="3"), "needs_approval")
    for number, held in enumerate((code, other), start=1):
        drawers.request_payout("w1", by="cal", id=f"request {number}", code=held)
        drawers.approve("w1", number, by="sue", id=f"approve {number}")
    # The holder of the second one has used it elsewhere while the supervisor was looked for.
    cage.vouchers.redeem(other, "bob", id="elsewhere")
    assert drawers.pay_approved("w1", 1, by="cal", id="pay 1").sums.vouchers_cashed == 60_000
    refused(partial(drawers.pay_approved, "w1", 2, by="cal", id="pay 2"), "voucher_used")
    assert list(drawers.get("w1").payouts) == [2]
    drawers.reject("w1", 2, by="cal", id="withdrawn", reason="used elsewhere")
    assert not drawers.get("w1").payouts
    assert audit(shift.store).clean


def test_a_drawer_keeps_the_limit_with_which_it_was_opened(shift: Shift, cage: Cage) -> None:
    rich(cage, "ann", 90_000)
    generous = Cage(shift.beside().store, shift.clock, limit_cents=100_000).drawers
    pay = partial(generous.pay_cash, "w1", "ann", 60_000, by="cal")
    refused(partial(pay, id="1"), "needs_approval")
    generous.close("w1", FLOAT, by="cal", id="2")
    generous.open("w1", FLOAT, by="cal", id="3")
    assert pay(id="4").sums.cash_out == 60_000
    assert audit(shift.store).clean


def test_a_rejected_payout_is_not_paid(cage: Cage) -> None:
    drawers = cage.drawers
    rich(cage, "ann", 60_000)
    refused(
        partial(drawers.request_payout, "w1", by="cal", id="0", player="ann", cents=50_000),
        "below_limit",
    )
    drawers.request_payout("w1", by="cal", id="1", player="ann", cents=60_000)
    assert drawers.get("w1").payouts[1].state is PayoutState.WAITING
    refused(partial(drawers.reject, "w1", 1, by="sue", id="1b", reason=" "), "malformed")
    refused(
        partial(drawers.reject, "w1", 1, by="dot", id="2", reason="not mine"), "drawer_not_yours"
    )
    drawers.reject("w1", 1, by="sue", id="3", reason="no identity card", supervisor=True)
    refused(partial(drawers.approve, "w1", 1, by="sue", id="4"), "no_such_payout")
    refused(partial(drawers.pay_approved, "w1", 1, by="cal", id="5"), "no_such_payout")


# Races -------------------------------------------------------------------------------


def test_a_drawer_never_pays_more_than_it_holds_however_many_press_at_once(
    shift: Shift, cage: Cage
) -> None:
    rich(cage, "ann", 400_000)
    cages = [cage, *(Cage(shift.beside().store, shift.clock) for _ in range(3))]

    def pay(number: int) -> int:
        try:
            cages[number % 4].drawers.pay_cash("w1", "ann", 40_000, by="cal", id=f"pay {number}")
        except Refusal as refusal:
            if refusal.code != "drawer_short":
                raise
            return 0
        return 1

    with ThreadPoolExecutor(8) as threads:
        paid = sum(threads.map(pay, range(8)))
    assert paid == 3
    assert cage.drawers.get("w1").cents == 155_000 - 120_000
    assert audit(shift.store).clean


def test_a_command_is_refused_only_after_commits_that_are_under_way(
    shift: Shift, cage: Cage
) -> None:
    """Another process may have lost the commit of this command, and have told the caller so."""
    rich(cage, "ann", 80_000)
    other = Cage(shift.beside().store, shift.clock, limit_cents=50_000)

    def asked_and_paid() -> None:
        other.drawers.request_payout("w1", by="cal", id="ask", player="ann", cents=60_000)
        other.drawers.approve("w1", 1, by="sue", id="yes")
        other.drawers.pay_approved("w1", 1, by="cal", id="pay")

    shift.store.meanwhile = [asked_and_paid]
    assert cage.drawers.pay_approved("w1", 1, by="cal", id="pay").sums.cash_out == 60_000


def test_a_command_that_another_gateway_carries_out_meanwhile_is_not_refused(
    shift: Shift, cage: Cage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second of two with one id sees what the first has done, and would call it impossible."""
    rich(cage, "ann", 80_000)
    cage.drawers.request_payout("w1", by="cal", id="ask", player="ann", cents=60_000)
    cage.drawers.approve("w1", 1, by="sue", id="yes")
    other = Cage(shift.store, shift.clock, limit_cents=50_000)
    meanwhile = [lambda: other.drawers.pay_approved("w1", 1, by="cal", id="pay")]
    commands = cage.drawers._commands
    look_up = commands._first_answer

    def early(stream: str, key: CommandKey) -> GivenAnswer | None:
        """No process has answered the command yet, and then the other gateway does."""
        answer = look_up(stream, key)
        if meanwhile:
            meanwhile.pop()()
        return answer

    monkeypatch.setattr(commands, "_first_answer", early)
    assert cage.drawers.pay_approved("w1", 1, by="cal", id="pay").sums.cash_out == 60_000
    assert shift.cents("wallet:ann") == 20_000
    # Under another id it is another command, for which there is no payout any more.
    refused(partial(cage.drawers.pay_approved, "w1", 1, by="cal", id="again"), "no_such_payout")
