"""Damage to one value of one row, in every table and column, and what must go on all the same.

Into a text go bytes that are not UTF-8, or a text that Openfelt would not have written; into a
number goes the largest that a column holds.
"""

import asyncio
import itertools
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg

from openfelt.runtime.archive.archive_moves import archive_history
from openfelt.runtime.causes import SYSTEM_CAUSE
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.notary import Notary
from openfelt.storage.addresses import open_store
from openfelt.storage.codec import Codec
from openfelt.storage.door import Append, Commit
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.streams.time_corrections import CLOCK_STREAM, ClockCorrected
from tests.kit.audit.tampered_houses import KEY, LIVE, House, played_house
from tests.kit.audit.tamperer import EXPLAINED, KEYS, literal
from tests.kit.floors import StandingClock
from tests.kit.postgres_server import PostgresServer
from tests.kit.server.open_house import OpenHouse, open_house
from tests.kit.storage.store_places import Place

PLANTED: Final = "Zz planted {'♠'} As Kd"
"""A text that Openfelt writes nowhere."""
LARGEST: Final = 2**63 - 1
WAIT_SECONDS: Final = 60
PLAYED: Final = ("draw-1", "stadium-1", "washington-1")
"""The tables at which a round is played beside the damage."""
LATER_MS: Final = 200 * DAY_MS
STREAMS: Final = (
    *("table/draw-1", "link/house-link", "wallet/bob", "account/supervisor", "account/ann"),
    *("table/live-1", "dealer/dan", "account/dan", "badges", "readers", "terminals"),
    *("purge/draw-1", "clock/house", "book/days", "book/archives", "appends"),
)
"""A stream of every kind."""
_COPIES: Final = itertools.count(1)
_OF_STREAM: Final = {
    "streams": "name",
    "events": "stream",
    "secrets": "stream",
    "snapshots": "stream",
    "answers": "stream",
}
"""The tables whose rows belong to a stream, and the columns that name it."""


@dataclass(frozen=True, slots=True)
class DamagedHouse:
    """A played house, and how to write to its database behind the store's back."""

    house: House
    run: Callable[[str], Sequence[tuple[Any, ...]]]
    sqlite: bool


class Damage(NamedTuple):
    """A wrong value in one row."""

    table: str
    column: str
    kind: str
    """``bytes``, ``text`` or ``number``."""
    row: str
    """The key of the row, for the name of the test."""
    where: str

    @property
    def statement(self) -> str:
        """The statement that does it."""
        # A name that is listed with those of tables is worse than one that is not.
        text = f"table/{PLANTED}" if (self.table, self.column) == ("streams", "name") else PLANTED
        value = {
            "bytes": f"CAST(X'FF{PLANTED.encode().hex()}' AS TEXT)",
            "text": literal(text),
            "number": str(LARGEST),
        }[self.kind]
        return f"UPDATE {self.table} SET {self.column} = {value} WHERE {self.where}"

    @property
    def stops_all(self) -> bool:
        """Whether the whole house depends on the row: durability.md names these."""
        own = self.table in _OF_STREAM and self.row.partition(" ")[0] == "appends"
        return own or self.table == "openfelt_schema"

    @property
    def stops(self) -> set[str]:
        """The tables that may stop."""
        if "house-link" in self.row:
            return {"washington-1"}
        stopped = {table for table in (*PLAYED, LIVE) if table in self.row}
        if self.table == "rule_sets":
            stopped |= {table for table in PLAYED if table.partition("-")[0] in self.row}
        return stopped

    @property
    def explained(self) -> str | None:
        """Why the audit need not find it."""
        return EXPLAINED.get((self.table, self.column))


def damages(house: DamagedHouse) -> Iterator[Damage]:
    """Damage to every column, of a row of every kind."""
    for table in KEYS:
        columns = _columns(house, table)
        for row in _chosen_rows(house, table, columns):
            values = dict(zip(columns, row, strict=True))
            where = " AND ".join(f"{key} = {literal(values[key])}" for key in KEYS[table])
            name = " ".join(str(values[key]) for key in KEYS[table])
            if table == "rule_sets":
                name = str(values["house"])
            for column, value in values.items():
                if isinstance(value, int):
                    yield Damage(table, column, "number", name, where)
                    continue
                yield Damage(table, column, "text", name, where)
                if house.sqlite:
                    # PostgreSQL refuses such text.
                    yield Damage(table, column, "bytes", name, where)


def _columns(house: DamagedHouse, table: str) -> list[str]:
    query = (
        f"SELECT name FROM pragma_table_info('{table}')"
        if house.sqlite
        else "SELECT column_name FROM information_schema.columns WHERE table_schema = "
        f"current_schema() AND table_name = '{table}' ORDER BY ordinal_position"
    )
    return [str(name) for (name,) in house.run(query)]


def _chosen_rows(house: DamagedHouse, table: str, columns: list[str]) -> list[tuple[Any, ...]]:
    """A row of each kind of stream, otherwise the first and the last row."""
    keys = ", ".join(KEYS[table])
    rows = list(house.run(f"SELECT * FROM {table} ORDER BY {keys}"))
    if table == "rule_sets":
        at = columns.index("house")
        return [row for row in rows if row[at] in ("draw", "washington")]
    if table == "balances":
        return [row for row in rows if row[0] in ("cash", "wallet:bob") or "draw-1" in row[0]]
    if table in _OF_STREAM:
        at = columns.index(_OF_STREAM[table])
        # Of secrets, a deck and a key each.
        kind = columns.index("name") if table == "secrets" else at
        last = {
            (row[at], str(row[kind]).partition("/")[0].isdecimal()): row
            for row in rows
            if row[at] in STREAMS
        }
        return list(last.values())
    return [rows[0], rows[-1]] if len(rows) > 1 else rows


# Houses ----------------------------------------------------------------------


async def whole_house(folder: Path, place: Place) -> House:
    """A played house with a corrected clock and an archive, signed, and with money for players."""
    house = await played_house(folder, place)
    async with open_house(folder, database=house.database) as opened:
        for table in PLAYED:
            opened.services.floor.cashier.deposit(f"kim.{table}", 1_000_000, id="first")
    clock = StandingClock()
    clock.pass_ms(LATER_MS - 60 * DAY_MS)
    with closing(open_store(house.database)) as store:
        correction = ClockCorrected(
            right_ms=clock.wall_ms(), wrong_ms=clock.wall_ms() + DAY_MS, reason="", streams={}
        )
        event = EventCodec(Codec(lambda _: None)).encode(correction, cause=SYSTEM_CAUSE)
        append = Append(stream=CLOCK_STREAM, expected_version=0, events=(event,))
        store.commit(Commit(at_ms=clock.wall_ms(), appends=(append,)))
        archive_history(store, house.database, folder / "archive", clock, keep_days=30)
        Notary(store, KEY, clock, published=house.published).sign()
    return house


def copied(house: DamagedHouse, folder: Path, server: PostgresServer | None) -> DamagedHouse:
    """A copy of a house that may be damaged."""
    if server is None:
        path = folder / f"damaged-{next(_COPIES)}.db"
        shutil.copyfile(house.house.database, path)
        path.chmod(0o600)
        return DamagedHouse(replace(house.house, database=str(path)), Place(path).run, sqlite=True)
    name = f"damaged_{next(_COPIES)}"
    template = house.house.database.partition(":///")[2].partition("?")[0]
    server.run(f"CREATE DATABASE {name} TEMPLATE {template}")
    url = server.url_of(name)
    return DamagedHouse(replace(house.house, database=url), Place(url, server).run, sqlite=False)


REFUSED: Final = (sqlite3.IntegrityError, psycopg.Error)
"""What a database says to a value that it does not take."""


# What goes on ----------------------------------------------------------------


async def all_goes_on(damaged: DamagedHouse, damage: Damage, folder: Path) -> None:
    """The server opens, every other table plays a round, and its old cards are purged."""
    clock = StandingClock()
    clock.pass_ms(LATER_MS)
    async with open_house(folder, database=damaged.house.database, clock=clock) as house:
        for table in PLAYED:
            if table not in damage.stops:
                await _play_round(house, table)
        floor = house.services.floor
        assert set(floor.stopped) <= damage.stops
        await floor.sweep()
        await floor.refresh_links()
        if "washington-1" not in damage.stops | {damage.row.partition("/")[2]}:
            await _wait_for_purge(house, "washington-1")


async def _play_round(house: OpenHouse, table: str) -> None:
    """Finish the round in progress, if there is one, and play another."""
    player = f"kim.{table}"
    state = await house.state(table)
    if state.playing is not None:
        await house.play(table)
        state = await house.state(table)
    seat = next(number for number in range(1, 8) if number not in state.seats)
    await house.sit(table, player, seat)
    await house.bet(table, seat)
    await house.play(table)


async def _wait_for_purge(house: OpenHouse, table: str) -> None:
    """The chore removes old cards, in its own time."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not house.services.store.head(f"purge/{table}").version:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
