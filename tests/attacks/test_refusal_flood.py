"""A guest sends commands that are refused, day and night, to fill the disk; or repeats accepted
commands in between, in the hope that one is carried out twice."""

from pathlib import Path

from openfelt.runtime.remembered_refusals import PER_ACTOR_MAX
from openfelt.runtime.requests import Request
from openfelt.table.commands import BuyIn, Person, Role, TakeSeat
from tests.kit.server.open_house import OpenHouse, open_house
from tests.kit.storage.store_places import Place, contents

ANN = Person(Role.PLAYER, "ann")
FLOOD = 3 * PER_ACTOR_MAX


def rows_of(place: Place) -> dict[str, list[str]]:
    """Every row of the database but those of leases, which are renewed."""
    return {table: rows for table, rows in contents(place).items() if table != "streams"}


async def ask(house: OpenHouse, command: TakeSeat | BuyIn, command_id: str) -> str | None:
    """Give a command; the code of its refusal, None if it is accepted."""
    request = Request(by=ANN, command=command, id=command_id)
    return (await house.services.floor.ask("draw-1", request)).refused


async def test_refused_commands_leave_nothing_and_accepted_ones_happen_once(
    place: Place, tmp_path: Path
) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        floor = house.services.floor
        await floor.in_thread(lambda: floor.cashier.deposit("ann", 100_000, id="1"))
        assert await ask(house, TakeSeat(1), "sit") is None
        assert await ask(house, BuyIn(1, 500), "buy") is None
        before = rows_of(place)
        for number in range(FLOOD):
            assert await ask(house, BuyIn(1, 10**9), f"flood {number}") == "wallet_short"
            if number % 50 == 0:
                assert await ask(house, BuyIn(1, 500), "buy") is None
                assert await ask(house, TakeSeat(1), "sit") is None
        assert rows_of(place) == before
        assert len(floor.worker_services.refusals) == PER_ACTOR_MAX
    async with open_house(tmp_path, database=str(place.address)) as house:
        assert await ask(house, BuyIn(1, 500), "buy") is None
        assert await ask(house, BuyIn(1, 501), "buy") == "id_reused"
        assert (await house.state("draw-1")).seats[1].credit_cents == 500
