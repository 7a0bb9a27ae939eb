"""Endpoints of the lobby: tables, private tables and progressive links."""

import asyncio
from dataclasses import asdict
from datetime import date
from http import HTTPStatus
from typing import Literal

from fastapi import APIRouter

from openfelt.catalog import CatalogError
from openfelt.catalog.practice import practice_house
from openfelt.protocol.api_prefix import API
from openfelt.protocol.practice_forms import OwnRules
from openfelt.protocol.rest import (
    LinkView,
    NewTable,
    PrivateTable,
    TableCard,
    TableFairness,
    TableName,
)
from openfelt.rules.house import ClockRule, DealerMode, House
from openfelt.rules.round import Phase
from openfelt.rules.wager_rules import ante_max_cents
from openfelt.rules.wagers import WagerKind, total_cents
from openfelt.runtime.streams import PRIVATE_PREFIX, StreamKind, names_in
from openfelt.server.errors import Denied, not_allowed, not_found
from openfelt.server.http.dependencies import (
    CurrentAccount,
    CurrentCaller,
    CurrentServices,
    check_heavy_rate,
    house_called,
)
from openfelt.server.services import Services
from openfelt.server.tables.computer_players import computer_seats
from openfelt.server.tables.lobby import (
    is_practice_table,
    practice_table_name,
    private_table_name,
)
from openfelt.server.tables.views import given_ms
from openfelt.table.commands import OpenTable, Person, Role
from openfelt.table.state import Table

router = APIRouter(prefix=API, tags=["tables"])


@router.get("/tables")
async def tables(caller: CurrentCaller, services: CurrentServices) -> list[TableCard]:
    """All public tables, and the caller's own private ones."""
    listed = await services.lobby.public_tables()
    player = caller.account.player if caller.account else None
    if player is not None:
        listed += await _own_tables(services, player)
    day = services.lobby.today()
    return [_card(services, table, player, day) for table in listed]


@router.post("/tables/private")
async def private_table(
    form: PrivateTable, account: CurrentAccount, caller: CurrentCaller, services: CurrentServices
) -> TableName:
    """Open a private table for the caller, or return the one that is already open.

    With the caller's own rules it is a separate table, whose rules are changed by each request.
    """
    house = house_called(services, form.house)
    if form.rules is None:
        return TableName(table=await services.lobby.private_table(house, account.player))
    await check_heavy_rate(caller, services)
    own = _own_house(services, house, form.rules)
    return TableName(table=await services.lobby.practice_table(own, account.player))


@router.post("/tables")
async def open_table(
    form: NewTable, supervisor: CurrentAccount, services: CurrentServices
) -> TableName:
    """Open a table. It stays open across restarts."""
    command = OpenTable(
        table=form.table,
        house=house_called(services, form.house),
        dealer_mode=DealerMode(form.dealer_mode) if form.dealer_mode else None,
        clock=ClockRule(**form.clock.model_dump()) if form.clock else None,
        link=form.link,
    )
    if form.table.startswith(PRIVATE_PREFIX):
        raise not_allowed(
            f"Names that begin with {PRIVATE_PREFIX} are reserved for private tables."
        )
    await services.lobby.open_table(command, by=Person(Role.FLOOR, supervisor.name))
    return TableName(table=form.table)


@router.get("/links")
async def links(services: CurrentServices) -> list[LinkView]:
    """All progressive links, with their meters."""
    return await asyncio.to_thread(_links, services)


def _own_house(services: Services, house: House, rules: OwnRules) -> House:
    """The house as the caller wants it for practice."""
    if not services.settings.play_money:
        raise Denied(
            HTTPStatus.CONFLICT, "no_practice", "Rules of your own are for play money only."
        )
    tables = {
        wager: services.catalog.paytables.get((wager, name))
        for wager, name in rules.paytables.items()
    }
    for wager, table in tables.items():
        if table is None:
            raise not_found(f"There is no such paytable for {wager}.")
    try:
        return practice_house(
            house,
            paytables={WagerKind(wager): table for wager, table in tables.items() if table},
            hands=rules.hands,
        )
    except (CatalogError, ValueError) as error:
        raise Denied(HTTPStatus.CONFLICT, "bad_rules", f"{error}.") from error


def _links(services: Services) -> list[LinkView]:
    worker_services, views = services.floor.worker_services, []
    for name in names_in(services.store, StreamKind.LINK):
        link = worker_services.links.shown(name)
        if link is not None:
            views.append(
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
    return views


async def _own_tables(services: Services, player: str) -> list[Table]:
    tables = []
    for house in services.catalog.houses:
        for name in (private_table_name(house, player), practice_table_name(house, player)):
            try:
                tables.append(await services.lobby.table(name))
            except Denied as denied:
                if denied.status is not HTTPStatus.NOT_FOUND:
                    raise
    return tables


def _card(services: Services, table: Table, player: str | None, day: date) -> TableCard:
    house = table.house
    ante = house.wager(WagerKind.ANTE)
    assert ante is not None
    most_cents = ante_max_cents(house, house.limits_on(day))
    clock = table.clock_rule
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
        round_phase=_round_phase(table),
        clock_left_ms=_clock_left_ms(services, table),
        link=table.link,
        meter_cents=services.lobby.meter_cents(table),
        enrolled_only=not house.remote_play,
        private=table.opened.private_to is not None,
        own_rules=is_practice_table(table.id),
        player_banked=table.player_banked,
        computer_players=len(computer_seats(table)),
        own_seat=seat,
        own_credit_cents=None if seat is None else table.seats[seat].credit_cents,
        own_staked_cents=0 if seat is None else _staked_cents(table, seat),
        own_in_play=seat is not None and table.wagers_of(seat),
        fairness=TableFairness(**asdict(table.fairness)),
    )


def _round_phase(table: Table) -> Literal["wagering", "playing"] | None:
    if table.playing is None:
        return None
    return "wagering" if table.playing.phase is Phase.WAGERING else "playing"


def _clock_left_ms(services: Services, table: Table) -> int | None:
    """The time left on a clock that is known here, without that in which cards are shown."""
    running = services.tables.access_if_followed(table.id)
    left_ms = None if running is None else running.time_left_ms
    if left_ms is None or table.clock is None:
        return None
    return max(0, min(left_ms, given_ms(table, table.clock)))


def _staked_cents(table: Table, seat: int) -> int:
    """The stake of a seat in the round in progress, as a player or as its bank."""
    state = table.playing
    if state is None:
        return 0
    banker = state.opened.banker
    if banker is not None and state.banked_by(seat):
        return banker.cover_cents
    return sum(total_cents(hand.wagers) for hand in state.hands_of(seat))
