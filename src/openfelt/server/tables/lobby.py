"""The lobby: the tables of the house, and private tables of players."""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import date
from http import HTTPStatus
from typing import Final

from openfelt.rules.house import BankKind, DealerMode, House
from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock, day_of
from openfelt.runtime.remote.house_tables import HouseTables, OwnTables
from openfelt.runtime.remote.table_fold import TableFold
from openfelt.runtime.requests import Request, RuntimeCode
from openfelt.runtime.streams import PRIVATE_PREFIX, StreamKind, names_in
from openfelt.runtime.tables.floor import Floor
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.errors import Denied, not_found
from openfelt.server.settings import REVEAL_MS
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, KeyFailure
from openfelt.table.commands import SYSTEM, ChangeRules, OpenTable, Person, Role
from openfelt.table.permissions import CONTROL, NAME
from openfelt.table.state import Table

NAMES_TRUSTED_MS: Final = 3000
"""Cache lifetime of the list of tables."""
STATES_TRUSTED_MS: Final = 2000
"""Cache lifetime of a table that another process runs."""
TABLES_MAX: Final = 1000
"""How many tables the lobby lists."""
REBUILDING: Final = "rebuilding"
"""The code of the refusal for a table that will be ready soon."""

_OWN_MARK: Final = "@own"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Seen:
    fold: TableFold
    checked_ms: int


class Lobby:
    """The tables of the house."""

    def __init__(self, floor: Floor, clock: Clock, tables: HouseTables | None = None) -> None:
        """Without ``tables``, this process runs all tables."""
        self._floor = floor
        self._tables = tables or OwnTables(floor)
        self._clock = clock
        self._names: list[str] = []
        self._names_ms: int | None = None
        self._elsewhere: dict[str, _Seen] = {}
        self.unreadable: set[str] = set()
        """Tables whose record cannot be read."""

    async def public_tables(self) -> list[Table]:
        """Every table that is not private, in order of their names."""
        now_ms = self._clock.monotonic_ms()
        if self._names_ms is None or now_ms - self._names_ms > NAMES_TRUSTED_MS:
            self._names = await asyncio.to_thread(self._read_names)
            self._names_ms = now_ms
        tables = []
        for name in self._names:
            try:
                if await self._is_ready(name):
                    tables.append(await self.table(name))
            except (CodecError, Damaged, KeyFailure) as error:
                # A record that cannot be read must not hide the other tables.
                if name not in self.unreadable:
                    logger.error("table %s cannot be read: %s", name, error)
                self.unreadable.add(name)
            else:
                self.unreadable.discard(name)
        return tables

    async def _is_ready(self, name: str) -> bool:
        """Whether a table can be read without replaying a long record."""
        if self._tables.access_if_followed(name) is not None or name in self._elsewhere:
            return True
        return await self._floor.ready(name)

    def _read_names(self) -> list[str]:
        names = names_in(self._floor.worker_services.store, StreamKind.TABLE)
        return [name for name in names if not name.startswith(PRIVATE_PREFIX)][:TABLES_MAX]

    async def table(self, name: str) -> Table:
        """The current state of a table, wherever it runs; raises Denied if there is none."""
        if not NAME.fullmatch(name):
            # No table has such a name, and a store may not even accept it as a key.
            raise not_found(f"There is no table called {name[:80]}.")
        running = self._tables.access_if_followed(name)
        if running is not None:
            return running.table
        if not await self._is_ready(name):
            raise Denied(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "rebuilding",
                f"{name} is being rebuilt from its record; it will be ready soon.",
            )
        seen = self._elsewhere.get(name)
        now_ms = self._clock.monotonic_ms()
        if seen is None or now_ms - seen.checked_ms > STATES_TRUSTED_MS:
            seen = await asyncio.to_thread(self._read, name, seen)
            if len(self._elsewhere) > TABLES_MAX:
                self._elsewhere.clear()
            self._elsewhere[name] = seen
        return seen.fold.table

    def _read(self, name: str, before: _Seen | None) -> _Seen:
        worker_services, now_ms = self._floor.worker_services, self._clock.monotonic_ms()
        if before is not None:
            return _Seen(
                before.fold.read_on(worker_services.store, worker_services.codec)[0], now_ms
            )
        fold = TableFold.begun(worker_services.store, worker_services.codec, name)
        if fold is None:
            raise not_found(f"There is no table called {name[:80]}.")
        return _Seen(fold, now_ms)

    async def table_for(self, name: str, viewer: Viewer | None) -> Table:
        """A table that the viewer may see. Only its player, supervisors and auditors see a private
        table."""
        table = await self.table(name)
        if not may_look(table, viewer):
            raise not_found(f"There is no table called {name[:80]}.")
        return table

    async def open_table(self, command: OpenTable, *, by: Person) -> None:
        """Open a table, and list it immediately."""
        await self._tables.open_table(replace(command, reveal_ms=REVEAL_MS), by=by)
        self._names_ms = None

    # Private tables ----------------------------------------------------------------------

    async def private_table(self, house: House, player: str) -> str:
        """The player's private table, which is opened if it does not exist yet."""
        if not offers_private_tables(house):
            raise Denied(
                HTTPStatus.CONFLICT,
                "not_private",
                f"{house.name} is not offered at private tables.",
            )
        name = private_table_name(house.id, player)
        command = OpenTable(
            table=name,
            house=house,
            dealer_mode=DealerMode.VIRTUAL,
            private_to=player,
            reveal_ms=REVEAL_MS,
        )
        try:
            await self._tables.open_table(command, by=SYSTEM)
        except Refusal as refusal:
            if refusal.code is not RuntimeCode.TABLE_EXISTS:
                raise
        return name

    async def practice_table(self, house: House, player: str) -> str:
        """The player's table of this house with the player's own rules, opened or changed.

        There is one for each house, however often its rules are changed; they apply from the next
        round on.
        """
        name = practice_table_name(house.id, player)
        command = OpenTable(
            table=name, house=house, dealer_mode=DealerMode.VIRTUAL, private_to=player
        )
        try:
            await self._tables.open_table(command, by=SYSTEM)
        except Refusal as refusal:
            if refusal.code is not RuntimeCode.TABLE_EXISTS:
                raise
            if (await self.table(name)).house.fingerprint != house.fingerprint:
                request = Request(by=SYSTEM, command=ChangeRules(house))
                answer = await self._tables.ask(name, request)
                if answer.refused is not None:
                    sentence = answer.sentence or "The rules of the table cannot be changed now."
                    raise Denied(HTTPStatus.CONFLICT, answer.refused, sentence) from refusal
        return name

    def meter_cents(self, table: Table) -> int | None:
        """The amount on the meter of the table's link."""
        return self._floor.worker_services.links.meter_cents(table.link)

    def today(self) -> date:
        """The day whose limits apply."""
        return day_of(self._clock.wall_ms())


def offers_private_tables(house: House) -> bool:
    """Whether a house can be played alone: dealt by the program, and banked by the house.

    >>> from openfelt.catalog import load_catalog
    >>> [name for name, house in load_catalog().houses.items() if offers_private_tables(house)]
    ['online', 'stadium']
    """
    return house.dealer_mode is not DealerMode.LIVE and house.bank.kind is BankKind.HOUSE


def private_table_name(house: str, player: str) -> str:
    """The name of a player's private table. A house's name has no dot, so the name is unambiguous.

    >>> private_table_name("online", "ann")
    'private.online.ann'
    """
    return f"{PRIVATE_PREFIX}{house}.{player}"


def practice_table_name(house: str, player: str) -> str:
    """The name of a player's table with own rules. No house has such a mark in its name.

    >>> practice_table_name("online", "ann"), is_practice_table("private.online.ann")
    ('private.online@own.ann', False)
    """
    return private_table_name(f"{house}{_OWN_MARK}", player)


def is_practice_table(name: str) -> bool:
    """Whether a table has rules that its player has chosen."""
    house = name.removeprefix(PRIVATE_PREFIX).partition(".")[0]
    return name.startswith(PRIVATE_PREFIX) and house.endswith(_OWN_MARK)


def may_look(table: Table, viewer: Viewer | None) -> bool:
    """Whether a viewer may see a table: a private table is not for other players or dealers."""
    owner = table.opened.private_to
    if owner is None:
        return True
    if viewer is None:
        return False
    if viewer.person.role is Role.PLAYER:
        return viewer.person.name == owner
    return viewer.person.role in CONTROL
