"""Pages of the lobby: tables, private tables and progressive links."""

import asyncio
from datetime import date
from http import HTTPStatus

from fastapi import APIRouter

from openfelt.catalog import UnknownHouseError
from openfelt.protocol.messages import API
from openfelt.protocol.rest import LinkView, NewTable, PrivateTable, TableCard, TableName
from openfelt.rules.house import ClockRule, DealerMode, House
from openfelt.rules.wager_rules import ante_max_cents
from openfelt.rules.wagers import WagerKind
from openfelt.runtime.streams import StreamKind, names_in
from openfelt.server.accounts.events import AccountRole
from openfelt.server.http.dependencies import Anybody, Here, Owner, Supervisor
from openfelt.server.http.errors import Denied, not_allowed, not_found
from openfelt.server.services import Premises
from openfelt.server.tables.house_players import house_players
from openfelt.server.tables.lobby import PRIVATE_PREFIX, private_table_name
from openfelt.table.commands import OpenTable, Person, Role
from openfelt.table.state import Table

router = APIRouter(prefix=API, tags=["tables"])


@router.get("/tables")
async def tables(visitor: Anybody, premises: Here) -> list[TableCard]:
    """Every public table, and the visitor's own private ones."""
    found = await premises.lobby.public_tables()
    name = visitor.account.player if visitor.account else None
    if name is not None:
        found += await _own_tables(premises, name)
    day = premises.lobby.today()
    return [_line(premises, table, name, day) for table in found]


@router.post("/tables/private")
async def private_table(asked: PrivateTable, account: Owner, premises: Here) -> TableName:
    """A private table of one's own; the same one again where it is there already."""
    if account.role is not AccountRole.PLAYER:
        raise not_allowed("Only players have private tables.")
    house = _house(premises, asked.house)
    return TableName(table=await premises.lobby.private_table(house, account.player))


@router.post("/tables")
async def open_table(asked: NewTable, supervisor: Supervisor, premises: Here) -> TableName:
    """Put a table on the floor. It stays there, over a restart too."""
    command = OpenTable(
        table=asked.table,
        house=_house(premises, asked.house),
        dealer_mode=DealerMode(asked.dealer_mode) if asked.dealer_mode else None,
        clock=ClockRule(**asked.clock.model_dump()) if asked.clock else None,
        link=asked.link,
    )
    if asked.table.startswith(PRIVATE_PREFIX):
        raise not_allowed("Names of private tables are given by the house.")
    await premises.lobby.open_table(command, by=Person(Role.FLOOR, supervisor.name))
    return TableName(table=asked.table)


@router.get("/links")
async def links(premises: Here) -> list[LinkView]:
    """Every progressive link, with what its meter shows."""
    return await asyncio.to_thread(_links, premises)


def _house(premises: Premises, name: str) -> House:
    try:
        return premises.catalog.house(name)
    except UnknownHouseError as error:
        raise not_found(str(error)) from error


def _links(premises: Premises) -> list[LinkView]:
    tools, found = premises.floor.tools, []
    for name in names_in(premises.store, StreamKind.LINK):
        link = tools.links.get(name).link
        if link is not None:
            found.append(
                LinkView(
                    link=link.id,
                    meter_cents=link.meter.display_cents,
                    seed_cents=link.rates.seed_cents,
                    phase=link.phase.value,
                    tables=sorted(link.tables),
                    rounds=link.rounds,
                    wins=link.wins,
                )
            )
    return found


async def _own_tables(premises: Premises, player: str) -> list[Table]:
    found = []
    for house in premises.catalog.houses:
        try:
            found.append(await premises.lobby.table(private_table_name(house, player)))
        except Denied as denied:
            if denied.status is not HTTPStatus.NOT_FOUND:
                raise
    return found


def _line(premises: Premises, table: Table, player: str | None, day: date) -> TableCard:
    house = table.house
    ante = house.wager(WagerKind.ANTE)
    assert ante is not None
    most_cents = ante_max_cents(house, house.limits_on(day))
    clock = table.opened.clock
    seat = table.seat_of(player) if player else None
    return TableCard(
        table=table.id,
        house=house.id,
        house_name=house.name,
        fingerprint=house.fingerprint,
        game=house.game.value,
        dealer_mode=table.opened.dealer_mode.value,
        phase=table.phase.value,
        seats=house.seats,
        seats_taken=len(table.seats),
        hands_per_seat=house.hands_per_seat,
        min_cents=ante.min_cents,
        max_cents=most_cents - most_cents % ante.multiple_of_cents,
        clock_seconds=clock.wager_seconds if clock else None,
        link=table.link,
        meter_cents=premises.lobby.meter_cents(table),
        enrolled_only=not house.remote_play,
        private=table.opened.private_to is not None,
        player_banked=table.player_banked,
        house_players=house_players(table),
        own_seat=seat,
        own_credit_cents=None if seat is None else table.seats[seat].credit_cents,
        own_in_play=seat is not None and table.wagers_of(seat),
    )
