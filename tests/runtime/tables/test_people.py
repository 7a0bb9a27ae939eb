"""What tables are told of people: absences, and dealers who are signed on at one table."""

from datetime import date

import pytest

from openfelt.rules import Refusal
from openfelt.runtime.tables.people import People
from openfelt.table.commands import ChangeDealer
from openfelt.table.permissions import Outside
from openfelt.table.refusal import TableCode
from tests.kit.floors import Shift
from tests.kit.tables import DEALER

OUTSIDE = Outside(day=date(2026, 1, 1))


def test_a_dealer_is_claimed_by_one_table() -> None:
    people = People()
    people.sign_on("dan", "one")
    people.sign_on("dan", "one")
    with pytest.raises(Refusal) as caught:
        people.sign_on("dan", "two")
    assert caught.value.code is TableCode.SIGNED_ON_ELSEWHERE
    people.sign_on("dot", "two")
    assert people.told(OUTSIDE, "two").signed_on_at == {"dan": "one", "dot": "two"}
    people.sign_on(None, "one")
    people.sign_on("dan", "three")
    people.keep(None, "three")
    assert people.told(OUTSIDE, "two").signed_on_at == {"dot": "two"}


def test_absences_are_asked_for_by_table() -> None:
    people = People(lambda table: {f"ann at {table}": 40_000})
    assert people.told(OUTSIDE, "one").absent_ms == {"ann at one": 40_000}


def test_a_dealer_is_signed_on_at_one_table_of_a_process_also_after_a_restart(shift: Shift) -> None:
    one = shift.open_table("washington", name="one").do(ChangeDealer("dan"), "dan")
    two = shift.open_table("washington", name="two")
    two.refuses(ChangeDealer("dan"), DEALER, "signed_on_elsewhere")
    again = shift.beside()
    again.work_at("one")
    again.work_at("two").refuses(ChangeDealer("dan"), DEALER, "signed_on_elsewhere")
    one.do(ChangeDealer(None), "dan")
    two.do(ChangeDealer("dan"), "dan")
