"""Endpoints with which a supervisor changes a table from the next round on."""

import asyncio
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path

from openfelt.catalog import CatalogError, UnknownHouseError
from openfelt.catalog.table_terms import WagerOffer, house_on_terms
from openfelt.protocol.api_prefix import API
from openfelt.protocol.change_forms import (
    ClockChange,
    ClockTimes,
    LinkChange,
    ReasonedChange,
    RulesChange,
    TableTermsView,
    TableWagerView,
)
from openfelt.rules.house import ClockRule, House, WagerRule
from openfelt.rules.wagers import WagerKind
from openfelt.runtime.requests import Request
from openfelt.runtime.streams import StreamKind, names_in
from openfelt.server.accounts.account_state import Account
from openfelt.server.errors import Denied, not_found
from openfelt.server.http.dependencies import (
    CurrentAccount,
    CurrentCaller,
    CurrentServices,
    house_called,
)
from openfelt.server.services import Services
from openfelt.table.commands import (
    ChangeClock,
    ChangeLink,
    ChangeRules,
    Person,
    Role,
    TableCommand,
)
from openfelt.table.links.link import LinkPhase
from openfelt.table.state import Table

router = APIRouter(prefix=API, tags=["tables"])
TableId = Annotated[str, Path(min_length=1, max_length=64)]
_BASIC = (WagerKind.ANTE, WagerKind.BLIND, WagerKind.PLAY)


@router.get("/tables/{table}/terms")
async def terms(table: TableId, _: CurrentAccount, services: CurrentServices) -> TableTermsView:
    """The terms of the table's next round, and what they may be changed to."""
    state = await services.lobby.table(table)
    return await asyncio.to_thread(_terms, services, state)


@router.post("/tables/{table}/rules")
async def change_rules(
    table: TableId,
    form: RulesChange,
    supervisor: CurrentAccount,
    caller: CurrentCaller,
    services: CurrentServices,
) -> TableTermsView:
    """Play by other rules from the next round on: a house, its limits, paytables and wagers."""
    state = await services.lobby.table(table)
    house = _changed_house(services, state, form)
    command = ChangeRules(house, form.reason)
    return await _change(services, table, form, command, by=supervisor, terminal=caller.terminal)


@router.post("/tables/{table}/clock")
async def change_clock(
    table: TableId,
    form: ClockChange,
    supervisor: CurrentAccount,
    caller: CurrentCaller,
    services: CurrentServices,
) -> TableTermsView:
    """Give players another time from the next round on."""
    clock = None if form.clock is None else ClockRule(**form.clock.model_dump())
    command = ChangeClock(clock, form.reason)
    return await _change(services, table, form, command, by=supervisor, terminal=caller.terminal)


@router.post("/tables/{table}/link")
async def change_link(
    table: TableId,
    form: LinkChange,
    supervisor: CurrentAccount,
    caller: CurrentCaller,
    services: CurrentServices,
) -> TableTermsView:
    """Join another progressive link, or none, from the next round on."""
    command = ChangeLink(form.link, form.reason)
    return await _change(services, table, form, command, by=supervisor, terminal=caller.terminal)


async def _change(
    services: Services,
    table: str,
    form: ReasonedChange,
    command: TableCommand,
    *,
    by: Account,
    terminal: str,
) -> TableTermsView:
    request = Request(
        by=Person(Role.FLOOR, by.name),
        command=command,
        id=form.id,
        terminal=terminal,
    )
    answer = await services.tables.ask(table, request)
    if answer.refused is not None:
        raise Denied(HTTPStatus.CONFLICT, answer.refused, answer.sentence or "")
    state = await services.lobby.table(table)
    return await asyncio.to_thread(_terms, services, state)


# Rules -----------------------------------------------------------------------------------


def _changed_house(services: Services, table: Table, form: RulesChange) -> House:
    """The house that a form asks for; raises Denied."""
    base = table.house if form.house == table.house.id else house_called(services, form.house)
    if form.wagers is None:
        return base
    offered = []
    for wager in form.wagers:
        if wager.kind not in set(WagerKind):
            raise not_found(f"There is no wager {wager.kind!r}.")
        paytable = None
        if wager.paytable is not None:
            paytable = services.catalog.paytables.get((wager.kind, wager.paytable))
            if paytable is None:
                raise not_found(f"There is no such paytable for {wager.kind}.")
        offered.append(
            WagerOffer(
                kind=WagerKind(wager.kind),
                min_cents=wager.min_cents,
                max_cents=wager.max_cents,
                paytable=paytable,
            )
        )
    try:
        return house_on_terms(
            base, offered, reason=form.reason, withdrawn=_withdrawn(services, base)
        )
    except CatalogError as error:
        raise Denied(HTTPStatus.CONFLICT, "bad_rules", f"{error}.") from error


def _withdrawn(services: Services, house: House) -> dict[WagerKind, WagerRule]:
    """The wagers of the house's file that the house does not have at the moment."""
    try:
        original = services.catalog.house(house.id)
    except UnknownHouseError:
        return {}
    # A progressive wager comes back with its house: it needs the rules of the progressive.
    return {
        rule.kind: rule
        for rule in original.wagers
        if house.wager(rule.kind) is None and rule.kind is not WagerKind.PROGRESSIVE
    }


# Views -----------------------------------------------------------------------------------


def _terms(services: Services, table: Table) -> TableTermsView:
    house, clock = table.house, table.terms.clock_later
    rules = {rule.kind: rule for rule in house.wagers}
    withdrawn = _withdrawn(services, house)
    return TableTermsView(
        table=table.id,
        house=house.id,
        fingerprint=house.fingerprint,
        houses=[
            name
            for name, candidate in services.catalog.houses.items()
            if (candidate.game, candidate.bank.kind, candidate.deck)
            == (house.game, house.bank.kind, house.deck)
        ],
        wagers=[
            _wager(services, rule, offered=rule.kind in rules)
            for rule in (*rules.values(), *withdrawn.values())
        ],
        clock=None
        if clock is None
        else ClockTimes(wager_seconds=clock.wager_seconds, decision_seconds=clock.decision_seconds),
        link=table.link_next,
        links=_links(services) if house.progressive is not None else [],
    )


def _wager(services: Services, rule: WagerRule, *, offered: bool) -> TableWagerView:
    fixed = rule.paytable is None or rule.kind is WagerKind.PROGRESSIVE
    tables = [] if fixed else [n for kind, n in services.catalog.paytables if kind == rule.kind]
    return TableWagerView(
        kind=rule.kind.value,
        offered=offered,
        optional=rule.kind not in _BASIC,
        min_cents=rule.min_cents,
        max_cents=rule.max_cents,
        step_cents=rule.multiple_of_cents,
        paytable=rule.paytable.name if rule.paytable is not None else None,
        paytables=tables,
    )


def _links(services: Services) -> list[str]:
    links = services.floor.worker_services.links
    names = names_in(services.store, StreamKind.LINK)
    named = ((name, links.get(name).link) for name in names)
    return [name for name, link in named if link is not None and link.phase is LinkPhase.OPEN]
