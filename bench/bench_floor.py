"""What the floor's page costs the server: the first view, a view after play, and more viewers.

The floor has 1, 20 and 100 tables in one run. Each is looked at for the first time after a number
of rounds, then after one more round at one table, and then by 20 viewers within the same second.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from openfelt.catalog import load_house
from openfelt.rules.house import DealerMode
from openfelt.server.supervision.floor_figures import FloorFigures
from openfelt.server.supervision.floor_overview import TRUSTED_MS, FloorOverview
from openfelt.table.commands import SYSTEM, OpenTable
from tests.kit.floors import StandingClock
from tests.kit.server.open_house import OpenHouse, name_of, open_house

TABLES: Final = (1, 20, 100)
ROUNDS: Final = 20
"""At each table before the first view."""
VIEWERS: Final = 20


async def _timed(work: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await work()
    return (time.perf_counter() - begun) * 1000


async def _play(house: OpenHouse, table: str, rounds: int) -> None:
    for _ in range(rounds):
        await house.bet(table, 1)
        await house.play(table)


async def _floor_of(tables: int, folder: Path) -> str:
    """One line of measurements, in milliseconds."""
    async with open_house(folder, clock=StandingClock(), starter=False, play_money=True) as house:
        rules = load_house("online")
        guest = await name_of(await house.guest())
        names = [f"net-{number}" for number in range(1, tables + 1)]
        for name in names:
            command = OpenTable(table=name, house=rules, dealer_mode=DealerMode.VIRTUAL)
            await house.services.lobby.open_table(command, by=SYSTEM)
            house.services.floor.cashier.deposit(guest, 100_000, id=f"for {name}")
            await house.sit(name, guest, 1, cents=100_000)
            await _play(house, name, ROUNDS)
        services = house.services
        figures = FloorFigures(services.store, services.floor.worker_services.codec, services.clock)
        begun = time.perf_counter()
        figures.refresh()
        counted_ms = (time.perf_counter() - begun) * 1000
        overview = FloorOverview(
            services.floor, services.lobby, services.sessions, figures, services.clock
        )
        await overview.body()
        await _play(house, names[0], 1)
        house.clock.pass_ms(TRUSTED_MS)
        after_ms = await _timed(overview.body)
        house.clock.pass_ms(TRUSTED_MS)
        many_ms = await _timed(lambda: asyncio.gather(*(overview.body() for _ in range(VIEWERS))))
        size = len(await overview.body()) / 1000
        events = sum(head.version for head in services.store.heads("table/").values())
    return f"{tables:6} {events:8} {counted_ms:12.1f} {after_ms:12.1f} {many_ms:14.1f} {size:8.1f}"


def main() -> None:
    """Print the costs at each size of the floor."""
    print("tables   events  first count   after play  20 viewers ms       kB")
    for tables in TABLES:
        with tempfile.TemporaryDirectory() as folder:
            print(asyncio.run(_floor_of(tables, Path(folder))))


if __name__ == "__main__":
    main()
