"""Tables that no process runs although players sit there are taken up."""

from pathlib import Path

from openfelt.rules.house import DealerMode
from openfelt.runtime.tables.floor import Floor
from openfelt.server.tables.abandoned_tables import AbandonedTables
from openfelt.storage.addresses import open_store
from openfelt.table.commands import LeaveSeat, OpenTable, TakeSeat
from tests.kit.floors import request
from tests.kit.own_houses import own_house
from tests.kit.tables import FLOOR

HOUSE = own_house("stadium", {"table.dealer": "either"})


async def test_a_table_with_players_is_taken_up_once_its_process_has_ended(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "felt.db"))
    try:
        async with Floor(store, owner="one") as one:
            for name in ("full", "empty", "private.stadium.ann"):
                private_to = "ann" if name.startswith("private.") else None
                command = OpenTable(
                    table=name, house=HOUSE, dealer_mode=DealerMode.VIRTUAL, private_to=private_to
                )
                await one.open_table(command, by=FLOOR)
                assert (await one.ask(name, request(TakeSeat(1), "ann"))).accepted
            assert (await one.ask("empty", request(LeaveSeat(1), "ann"))).accepted
            async with Floor(store, owner="two") as two:
                abandoned = AbandonedTables(two)
                # The first process still runs them: their leases are not free.
                await abandoned.sweep()
                await abandoned.sweep()
                assert dict(two.running) == {}
        async with Floor(store, owner="three") as three:
            abandoned = AbandonedTables(three)
            await abandoned.sweep()
            assert dict(three.running) == {}
            await abandoned.sweep()
            assert list(three.running) == ["full"]
    finally:
        store.close()
