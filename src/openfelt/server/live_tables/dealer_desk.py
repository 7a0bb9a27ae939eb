"""Dealers who come to a table and go, on behalf of the server's endpoints."""

import asyncio
import secrets
from http import HTTPStatus

from openfelt.rules.house import DealerMode
from openfelt.rules.refusal import Refusal
from openfelt.runtime.requests import Request
from openfelt.server.accounts.sessions import SignedIn
from openfelt.server.errors import Denied, not_found
from openfelt.server.pit.approvals import Act
from openfelt.server.services import Services
from openfelt.table.commands import ChangeDealer, HandOver, Person, Role, TableCommand
from openfelt.table.state import Table


async def check_live_table(services: Services, table: str) -> None:
    """Refuse a table that does not exist or has no live dealer."""
    current = await table_now(services, table)
    if current.opened.dealer_mode is not DealerMode.LIVE:
        raise Denied(HTTPStatus.CONFLICT, "cards_are_virtual", "A virtual table has no dealer.")


async def table_now(services: Services, table: str) -> Table:
    """The current table; raises Denied if it does not exist."""
    try:
        return (await services.tables.access(table)).table
    except Refusal as refusal:
        raise not_found(refusal.sentence) from refusal


async def sign_on(
    services: Services, table: str, dealer: str, *, terminal: str, approval: str | None = None
) -> None:
    """Sign a dealer on at a table; raises Denied.

    With a supervisor's ``approval`` the dealer takes over from one who is gone, whose session for
    this table ends.
    """
    before = (await table_now(services, table)).dealer
    if before == dealer:
        return
    person, act = Person(Role.DEALER, dealer), Act("change_dealer", table, terminal, None)
    approved_by = await use_approval(services, approval, act) if approval is not None else None
    await _load_name(services, table, dealer)
    await give(
        services, table, ChangeDealer(dealer), person, terminal=terminal, approved_by=approved_by
    )
    if before is not None:
        await end_by_pin(services, before, "handed over", table=table)


async def hand_over(
    services: Services, table: str, *, outgoing: str, incoming: str, terminal: str
) -> None:
    """Hand a table over, on behalf of its dealer; the session of that dealer ends."""
    await _load_name(services, table, incoming)
    await give(
        services, table, HandOver(incoming), Person(Role.DEALER, outgoing), terminal=terminal
    )
    await end_by_pin(services, outgoing, "handed over", table=table)


async def end_by_pin(services: Services, name: str, why: str, *, table: str | None = None) -> None:
    """End the sessions by PIN of an account, or only those for one table."""
    account = await asyncio.to_thread(services.accounts.get, name, fresh=True)
    sessions = account.sessions if account is not None else {}
    for key, session in sessions.items():
        if session.table is not None and table in (None, session.table):
            await services.sessions.end_all(name, why, only=key)


async def use_approval(services: Services, approval: str, act: Act) -> Person:
    """Use an approval for an action of an endpoint, and return who gave it; raises Denied."""
    command = ("", secrets.token_hex(16))
    try:
        return await services.rooms.approvals.approved_by(approval, act, command=command)
    except Refusal as refusal:
        raise Denied(HTTPStatus.CONFLICT, refusal.code.value, refusal.sentence) from refusal


async def _load_name(services: Services, table: str, dealer: str) -> None:
    """Load the public name of a dealer into the table's room before the dealer arrives."""
    room = await services.rooms.room(table)
    await room.load_dealer(dealer)


async def sign_off(services: Services, signed_in: SignedIn, *, terminal: str) -> None:
    """Sign off the dealer of a session by PIN, if still signed on at the table."""
    dealer, table = signed_in.account.name, signed_in.table or ""
    if (await table_now(services, table)).dealer == dealer:
        await give(
            services, table, ChangeDealer(None), Person(Role.DEALER, dealer), terminal=terminal
        )


async def give(
    services: Services,
    table: str,
    command: TableCommand,
    by: Person,
    *,
    terminal: str,
    approved_by: Person | None = None,
) -> None:
    """Give a command to a table; raises Denied where it is refused."""
    request = Request(
        by=by,
        command=command,
        id=secrets.token_hex(16),
        terminal=terminal,
        approved_by=approved_by,
    )
    answer = await services.tables.ask(table, request)
    if answer.refused is not None:
        raise Denied(HTTPStatus.CONFLICT, answer.refused, answer.sentence or "")
