"""The cashier: every payment once, and never more than there is."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import Refusal
from openfelt.runtime.remembered_refusals import GivenAnswer
from openfelt.runtime.requests import Answer
from openfelt.storage.door import CommandKey, Unavailable
from openfelt.table.commands import BuyIn
from tests.kit.floors import Shift, check_books


def test_money_comes_in_and_goes_out(shift: Shift) -> None:
    cashier = shift.cashier
    assert cashier.deposit("ann", 5000, id="1", note="card 4242") == Answer(version=1)
    assert cashier.withdraw("ann", 1500, id="2") == Answer(version=2)
    assert cashier.balance("ann") == 3500
    assert shift.cents("cash") == -3500
    assert shift.names("wallet/ann") == ["deposited", "withdrawn"]
    notes = [stored.transfer.note for stored in shift.store.transfers()]
    assert notes == ["card 4242", ""]
    check_books(shift)


def test_a_payment_that_is_sent_twice_is_booked_once(shift: Shift) -> None:
    first = shift.cashier.deposit("ann", 5000, id="1")
    out = shift.cashier.withdraw("ann", 2000, id="2")
    for cashier in (shift.cashier, shift.beside().cashier):
        assert cashier.deposit("ann", 5000, id="1") == first
        assert cashier.withdraw("ann", 2000, id="2") == out
    assert shift.cashier.balance("ann") == 3000


def test_a_payment_that_another_gateway_books_meanwhile_is_not_refused(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second of two with one id finds the wallet empty, because the first has paid it out."""
    cashier, other = shift.cashier, shift.beside().cashier
    cashier.deposit("ann", 5000, id="1")
    meanwhile = [lambda: other.withdraw("ann", 5000, id="2")]
    look_up = cashier._first_answer

    def early(stream: str, key: CommandKey) -> GivenAnswer | None:
        """No process has booked the payment yet, and then the other one does."""
        answer = look_up(stream, key)
        if meanwhile:
            meanwhile.pop()()
        return answer

    monkeypatch.setattr(cashier, "_first_answer", early)
    assert cashier.withdraw("ann", 5000, id="2") == Answer(version=2)
    assert cashier.withdraw("ann", 5000, id="3").refused == "wallet_short"
    assert shift.names("wallet/ann") == ["deposited", "withdrawn"]


def test_a_payment_is_refused_only_after_commits_that_are_under_way(shift: Shift) -> None:
    """Another process may have lost the commit of this payment, and have told the caller so."""
    other = shift.beside().cashier
    # It may even be the first payment to a wallet.
    shift.store.meanwhile = [
        lambda: (other.deposit("bob", 5000, id="1"), other.withdraw("bob", 5000, id="2"))
    ]
    assert shift.cashier.withdraw("bob", 5000, id="2") == Answer(version=2)
    shift.cashier.deposit("ann", 5000, id="1")
    # A commit that waits for the locks is carried out before one that comes after it.
    shift.store.meanwhile = [
        lambda: (other.deposit("ann", 5000, id="2"), other.withdraw("ann", 9000, id="3"))
    ]
    assert shift.cashier.withdraw("ann", 9000, id="3") == Answer(version=3)
    assert shift.cashier.withdraw("ann", 9000, id="4").refused == "wallet_short"


def test_the_same_id_for_another_payment_is_refused(shift: Shift) -> None:
    cashier = shift.cashier
    cashier.deposit("ann", 5000, id="1")
    others: list[Callable[[], Answer]] = [
        lambda: cashier.deposit("ann", 5001, id="1"),
        lambda: cashier.withdraw("ann", 5000, id="1"),
        lambda: cashier.deposit("ann", 5000, id="1", note="again"),
    ]
    for other in others:
        with pytest.raises(Refusal, match="used for another payment") as caught:
            other()
        assert caught.value.code == "id_reused"
    assert cashier.balance("ann") == 5000


def test_a_wallet_is_filled_up_once_however_many_ask_at_once(shift: Shift) -> None:
    shift.cashier.deposit("ann", 4000, id="first")
    cashiers = [shift.beside().cashier for _ in range(4)]
    with ThreadPoolExecutor(8) as threads:
        work = [
            threads.submit(cashiers[n % 4].fill_up, "ann", 10_000, id=f"fill {n}") for n in range(8)
        ]
        answers = [future.result() for future in work]
    assert all(answer.accepted for answer in answers)
    assert shift.cashier.balance("ann") == 10_000
    assert shift.names("wallet/ann") == ["deposited", "deposited"]
    shift.cashier.withdraw("ann", 10_000, id="out")
    # A repeated id gets its first answer, and fills nothing again.
    assert cashiers[0].fill_up("ann", 10_000, id="fill 0") == answers[0]
    assert shift.cashier.balance("ann") == 0
    check_books(shift)


def test_every_player_has_ids_of_their_own(shift: Shift) -> None:
    shift.cashier.deposit("ann", 100, id="1")
    shift.cashier.deposit("bob", 200, id="1")
    assert (shift.cashier.balance("ann"), shift.cashier.balance("bob")) == (100, 200)


def test_a_withdrawal_above_the_balance_is_refused_each_time(shift: Shift) -> None:
    shift.cashier.deposit("ann", 100, id="1")
    refused = shift.cashier.withdraw("ann", 101, id="2")
    assert refused == Answer(version=1, refused="wallet_short", sentence="The wallet holds $1.00.")
    shift.cashier.deposit("ann", 900, id="3")
    assert shift.cashier.withdraw("ann", 101, id="2") == refused
    assert shift.cashier.withdraw("ann", 101, id="4").accepted
    assert shift.names("wallet/ann") == ["deposited", "deposited", "withdrawn"]
    check_books(shift)


def test_a_wallet_that_is_emptied_meanwhile(shift: Shift) -> None:
    """A table takes money from the wallet without a word in the wallet's own record."""
    desk = shift.beside().open_table("online").sit("ann", 1)
    shift.cashier.deposit("ann", 1000, id="1")
    shift.store.meanwhile = [lambda: desk.do(BuyIn(1, 600), "ann")]
    assert shift.cashier.withdraw("ann", 500, id="2").refused == "wallet_short"
    assert shift.cashier.withdraw("ann", 400, id="3").accepted
    check_books(shift, desk)


@pytest.mark.parametrize("name", ["", "Ann", "a b", "a/b", "a:b", "x" * 65, "ann\n", None, 7])
def test_malformed_names_are_refused(shift: Shift, name: Any) -> None:
    for book in (shift.cashier.deposit, shift.cashier.withdraw):
        with pytest.raises(Refusal, match="A player's name"):
            book(name, 100, id="1")
    assert shift.store.streams() == ()


@pytest.mark.parametrize("cents", [0, -1, True, 1.0, "100", None, AMOUNT_MAX_CENTS + 1])
def test_malformed_amounts_are_refused(shift: Shift, cents: Any) -> None:
    for book in (shift.cashier.deposit, shift.cashier.withdraw):
        with pytest.raises(Refusal, match="whole number of cents above 0") as caught:
            book("ann", cents, id="1")
        assert caught.value.code == "malformed"
    assert shift.store.streams() == ()


def test_the_largest_amount(shift: Shift) -> None:
    assert shift.cashier.deposit("ann", AMOUNT_MAX_CENTS, id="1").accepted
    assert shift.cashier.withdraw("ann", AMOUNT_MAX_CENTS, id="2").accepted


@pytest.mark.parametrize("note", [7, None, "a\0b", "a\nb", "x" * 201, "\ud800"], ids=repr)
def test_malformed_notes_are_refused(shift: Shift, note: Any) -> None:
    with pytest.raises(Refusal, match="A note may have at most 200 printable characters"):
        shift.cashier.deposit("ann", 100, id="1", note=note)
    assert shift.cashier.balance("ann") == 0


@pytest.mark.parametrize("bad", ["", "x" * 65, None, 7])
def test_malformed_ids_are_refused(shift: Shift, bad: Any) -> None:
    with pytest.raises(Refusal, match="printable characters"):
        shift.cashier.deposit("ann", 100, id=bad)


def test_one_payment_from_many_threads_is_booked_once(shift: Shift) -> None:
    cashiers = [shift.beside().cashier for _ in range(2)] * 8
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda one: one.deposit("ann", 100, id="1"), cashiers))
    assert set(map(repr, answers)) == {repr(Answer(version=1))}
    assert shift.cashier.balance("ann") == 100


def test_many_payments_from_many_threads_are_all_booked(shift: Shift) -> None:
    numbers = range(24)
    with ThreadPoolExecutor(4) as threads:
        answers = list(
            threads.map(lambda number: shift.cashier.deposit("ann", 100, id=str(number)), numbers)
        )
    assert sorted(answer.version for answer in answers) == [number + 1 for number in numbers]
    with ThreadPoolExecutor(4) as threads:
        taken = list(
            threads.map(
                lambda number: shift.cashier.withdraw("ann", 500, id=f"out {number}"), numbers
            )
        )
    assert sum(answer.accepted for answer in taken) == 4
    assert shift.cashier.balance("ann") == 400
    check_books(shift)


def test_a_payment_with_an_unknown_outcome_can_be_sent_again(shift: Shift) -> None:
    shift.store.loses_answer = True
    with pytest.raises(Unavailable):
        shift.cashier.deposit("ann", 100, id="1")
    assert shift.cashier.deposit("ann", 100, id="1") == Answer(version=1)
    assert shift.cashier.balance("ann") == 100


def test_a_wallet_with_constant_conflicts_is_busy(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.runtime.cage.cashier.ATTEMPTS_MAX", 2)
    other = shift.beside().cashier
    shift.store.meanwhile = [
        lambda: other.deposit("ann", 1, id="a"),
        lambda: other.deposit("ann", 1, id="b"),
    ]
    with pytest.raises(Refusal, match="retry with the same id"):
        shift.cashier.deposit("ann", 100, id="1")
    assert shift.cashier.deposit("ann", 100, id="1").accepted
    assert shift.cashier.balance("ann") == 102
