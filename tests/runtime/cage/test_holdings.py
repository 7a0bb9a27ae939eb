"""What a player holds at tables, as the ledger has it."""

from openfelt.catalog import load_house
from openfelt.rules.fingerprints import dealt_by_either
from openfelt.rules.house import DealerMode
from openfelt.runtime.cage.holdings import cents_at_tables, tables_of
from openfelt.table.commands import LeaveSeat
from tests.kit.floors import Desk, Shift, steps_of_a_round


def draw_table(shift: Shift, name: str = "table-1") -> Desk:
    house = dealt_by_either(load_house("draw"))
    return shift.open_table(house, name=name, mode=DealerMode.VIRTUAL)


def test_tables_come_latest_first(shift: Shift) -> None:
    first, second = draw_table(shift), shift.open_table("online", name="table-2")
    names = [first.table.id, second.table.id]
    assert tables_of(shift.store, "ann") == []
    first.sit("ann", 1, 500)
    second.sit("ann", 1, 500)
    first.sit("bob", 2, 500)
    assert tables_of(shift.store, "ann") == names[::-1]
    first.do(LeaveSeat(1), "ann")
    assert tables_of(shift.store, "ann") == names
    assert tables_of(shift.store, "bob") == names[:1]


def test_credit_and_stakes_in_play_are_held_and_what_was_lost_is_not(shift: Shift) -> None:
    desk = draw_table(shift).sit("ann", 1, 500).sit("bob", 2, 500)
    shift.open_table("online", name="table-2").sit("ann", 1, 300)
    assert cents_at_tables(shift.store, "ann") == 80_000
    # Ann bets twice and takes a part back; the stakes are still hers until the round is over.
    desk.bet("ann", "1.1", "ante 50").bet("bob", "2.1", "ante 5").bet("ann", "1.1", "ante 20")
    assert desk.credit("ann") < 50_000
    assert cents_at_tables(shift.store, "ann") == 80_000
    assert cents_at_tables(shift.store, "bob") == 50_000
    for command, by in steps_of_a_round(desk):
        desk.do(command, by)
    assert cents_at_tables(shift.store, "ann") == desk.credit("ann") + 30_000
    assert cents_at_tables(shift.store, "cyd") == 0
