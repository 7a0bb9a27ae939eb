"""What tables are told of people: absences, and dealers, who are at one table at a time."""

import sqlite3
from contextlib import closing
from datetime import date

import pytest

from openfelt.runtime.audit.database import audit
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.people import People
from openfelt.storage.door import Append, Cause, Commit
from openfelt.table.commands import ChangeDealer, OpenBets
from openfelt.table.events import DealerChanged
from openfelt.table.permissions import Outside
from tests.kit.floors import Desk, Shift
from tests.kit.tables import DEALER, FLOOR

OUTSIDE = Outside(day=date(2026, 1, 1))
ON, OFF = ChangeDealer("dan"), ChangeDealer(None)


def table(shift: Shift, name: str) -> Desk:
    """A live table in a process of its own."""
    return shift.beside().open_table("washington", name=name)


def test_a_dealer_is_signed_on_at_one_table_of_all_processes(shift: Shift) -> None:
    one, two = table(shift, "one").do(ON, DEALER), table(shift, "two")
    two.refuses(ON, DEALER, "signed_on_elsewhere")
    two.refuses(ON, FLOOR, "signed_on_elsewhere")
    shift.beside().work_at("two").refuses(ON, DEALER, "signed_on_elsewhere")
    one.do(OFF, DEALER)
    two.do(ON, DEALER)
    one.refuses(ON, DEALER, "signed_on_elsewhere")
    # A supervisor who hands a table over signs the dealer off there.
    two.do(ChangeDealer("dot"), FLOOR)
    one.do(ON, DEALER)
    assert shift.names("dealer/dan") == ["dealer_signed_on", "dealer_signed_off"] * 2 + [
        "dealer_signed_on"
    ]
    assert audit(shift.store).clean


def test_the_sign_on_is_in_the_transaction_of_the_table(shift: Shift) -> None:
    one = table(shift, "one")
    assert one.ask(ON, DEALER).accepted
    append, dealer = one.shift.store.commits[-1].appends
    assert (append.stream, dealer.stream) == ("table/one", "dealer/dan")
    assert [event.cause.actor for event in dealer.events] == ["dealer:dan"]


def test_who_signs_on_at_two_tables_at_once_is_refused_at_the_second(shift: Shift) -> None:
    one, two = table(shift, "one"), table(shift, "two")
    two.shift.store.meanwhile = [lambda: one.do(ON, DEALER)]
    two.refuses(ON, DEALER, "signed_on_elsewhere")
    assert (one.table.dealer, two.table.dealer) == ("dan", None)


def test_who_signs_off_and_on_meanwhile_is_let_in(shift: Shift) -> None:
    one, two = table(shift, "one").do(ON, DEALER), table(shift, "two")
    two.refuses(ON, DEALER, "signed_on_elsewhere")
    one.do(OFF, DEALER).do(ON, DEALER).do(OFF, DEALER)
    two.do(ON, DEALER).do(OpenBets(), DEALER)


def old_sign_on(shift: Shift, name: str) -> None:
    """Sign a dealer on as versions did that had no record of dealers."""
    stream = table_stream(name)
    head = shift.store.head(stream)
    event = shift.worker_services.codec.encode(
        DealerChanged("dan"), cause=Cause(actor="dealer:dan")
    )
    append = Append(stream=stream, expected_version=head.version, events=(event,))
    shift.store.commit(Commit(at_ms=shift.clock.wall_ms(), appends=(append,)))


def test_dealers_of_old_records_are_claimed_when_a_table_is_taken_up(shift: Shift) -> None:
    for name in ("one", "two", "three"):
        table(shift, name)
    for name in ("one", "two"):
        old_sign_on(shift, name)
    one = shift.beside().work_at("one")
    assert shift.names("dealer/dan") == ["dealer_signed_on"]
    assert one.table.dealer == "dan"
    shift.beside().work_at("three").refuses(ON, DEALER, "signed_on_elsewhere")
    # Two processes of the old version could have the same dealer; the second table loses.
    assert shift.beside().work_at("two").table.dealer is None
    assert shift.beside().work_at("one").table.dealer == "dan"
    assert shift.names("dealer/dan") == ["dealer_signed_on"]
    assert audit(shift.store).clean


SIGNED_ON_AT_TWO = (
    "INSERT INTO events SELECT stream, version + 1, 'dealer_signed_on', schema,"
    """ '{"table":"two"}', at_ms, hash, hash, actor, terminal, command, digest"""
    " FROM events WHERE stream = 'dealer/dan'"
)
"""What a forger adds behind the end of a dealer's record."""
TAKEN_FROM_ONE = """UPDATE events SET body = '{"table":"two"}' WHERE stream = 'dealer/dan'"""


def forge(shift: Shift, statement: str) -> None:
    """Write to the database behind the store's back."""
    with closing(sqlite3.connect(shift.path, isolation_level=None)) as connection:
        connection.execute(statement)


def test_an_event_behind_the_end_of_a_dealers_record_is_not_believed(shift: Shift) -> None:
    table(shift, "one").do(ON, DEALER)
    forge(shift, SIGNED_ON_AT_TWO)
    assert shift.beside().worker_services.people.dealers.reload("dan").table == "one"
    assert shift.beside().work_at("one").table.dealer == "dan"


def test_a_dealer_with_a_forged_record_leaves_the_table_and_signs_on_nowhere(
    shift: Shift, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = table(shift, "one").do(ON, DEALER), table(shift, "two")
    forge(shift, TAKEN_FROM_ONE)
    one = one.shift.beside().work_at("one")
    assert "the dealer dan cannot be read" in caplog.text
    # The table's own record is authentic: its dealer deals on, and may be relieved.
    one.do(OpenBets(), DEALER)
    two.refuses(ON, DEALER, "failed")
    one.do(ChangeDealer("dot"), FLOOR)
    assert (one.table.dealer, two.table.dealer) == ("dot", None)
    two.refuses(ON, FLOOR, "failed")
    assert not audit(shift.store).clean


def test_absences_are_asked_for_by_table(shift: Shift) -> None:
    known = shift.worker_services.people
    people = People(known.dealers, known.limits, lambda table: {f"ann at {table}": 40_000})
    assert people.told(OUTSIDE, "one").absent_ms == {"ann at one": 40_000}
