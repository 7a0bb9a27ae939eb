"""Tables that are put on the floor."""

from fractions import Fraction

import pytest

from openfelt.catalog import load_house
from openfelt.rules import Refusal
from openfelt.rules.house import DealerMode
from openfelt.runtime.links import links
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.tables.open_table import write_table
from openfelt.storage.door import Conflict, Fenced, Unavailable
from openfelt.table.commands import OpenTable, Person, Role
from openfelt.table.links.link_referee import JoinTable, OpenLink
from tests.kit.floors import Shift
from tests.kit.tables import DEALER, FLOOR

WASHINGTON = OpenTable(table="table-1", house=load_house("washington"))


def test_a_table_is_there_with_its_rules(shift: Shift) -> None:
    write_table(shift.worker_services, WASHINGTON, by=FLOOR, lease=None)
    other = shift.beside()
    assert other.names() == ["table_opened"]
    assert other.store.rule_set(WASHINGTON.house.fingerprint) is not None
    assert other.work_at().table.opened.house == WASHINGTON.house
    assert len(shift.store.commits) == 1


def test_a_table_of_that_name_already_exists(shift: Shift) -> None:
    write_table(shift.worker_services, WASHINGTON, by=FLOOR, lease=None)
    with pytest.raises(Conflict, match="table/table-1 is at version 1"):
        write_table(shift.beside().worker_services, WASHINGTON, by=FLOOR, lease=None)


def test_two_tables_share_one_rule_set(shift: Shift) -> None:
    shift.open_table("online", name="one")
    shift.open_table("online", name="two")
    assert shift.store._read("SELECT count(*) FROM rule_sets", ()) == [(1,)]


@pytest.mark.parametrize("by", [DEALER, Person(Role.PLAYER, "ann")])
def test_only_supervisors_open_tables(shift: Shift, by: Person) -> None:
    with pytest.raises(Refusal, match="may not do that"):
        write_table(shift.worker_services, WASHINGTON, by=by, lease=None)
    assert shift.store.streams() == ()


def test_an_invalid_table_is_refused(shift: Shift) -> None:
    stadium = OpenTable(table="table-1", house=load_house("stadium"))
    with pytest.raises(Refusal, match="dealt live or virtually"):
        write_table(shift.worker_services, stadium, by=FLOOR, lease=None)
    assert shift.open_table("stadium", mode=DealerMode.VIRTUAL).table.virtual


def test_a_lease_that_is_over_opens_nothing(shift: Shift) -> None:
    lease = shift.lease()
    shift.lease()
    with pytest.raises(Fenced):
        write_table(shift.worker_services, WASHINGTON, by=FLOOR, lease=lease)
    assert shift.store.streams() == ()


def test_a_full_disk_opens_nothing(shift: Shift) -> None:
    shift.store.full = True
    with pytest.raises(Unavailable):
        write_table(shift.worker_services, WASHINGTON, by=FLOOR, lease=None)
    shift.store.full = False
    write_table(shift.worker_services, WASHINGTON, by=FLOOR, lease=None)


def test_a_link_with_constant_conflicts_refuses_a_new_table(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.runtime.tables.open_table.ATTEMPTS_MAX", 2)
    opened = OpenLink(link="main", contribution=Fraction(1, 4), seed_cents=0)
    shift.worker_services.links.command("main", opened)
    other: links.Links = shift.beside().worker_services.links
    shift.store.meanwhile = [
        lambda: other.command("main", JoinTable("a")),
        lambda: other.command("main", JoinTable("b")),
    ]
    with pytest.raises(Refusal, match="The progressive link main is busy") as caught:
        shift.open_table("washington", link="main")
    assert caught.value.code is RuntimeCode.BUSY
    assert shift.store.streams("table/") == ()
    shift.open_table("washington", link="main")
    assert shift.names("link/main").count("link_table_joined") == 3
