"""Endpoints of card readers: their tokens, the cards that they send, and the code table."""

import asyncio
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from openfelt.protocol.api_prefix import API
from openfelt.protocol.reader_forms import (
    CardCodesView,
    CardScan,
    CardsDue,
    CardTaken,
    NewReader,
    ReaderToken,
    ReaderView,
)
from openfelt.protocol.rest import Done
from openfelt.server.accounts.table_readers import TableReader
from openfelt.server.errors import Denied, not_found
from openfelt.server.http.dependencies import (
    CurrentAccount,
    CurrentCaller,
    CurrentServices,
    check_wait,
    one_table_only,
    reader_of,
)
from openfelt.server.live_tables.card_scans import cards_due, take_scan

router = APIRouter(prefix=API, tags=["readers"])


async def _reader(
    request: Request,
    services: CurrentServices,
    table: str,  # noqa: ARG001 (described with the endpoints; the permissions compare it)
) -> TableReader:
    """The reader whose token the request has, which is one of the table in its path."""
    reader = await reader_of(request, services)
    assert reader is not None  # the table of permissions has refused any other caller
    check_wait(services.scan_rate.take(reader.id))
    return reader


CurrentReader = Annotated[TableReader, Depends(_reader)]


@router.get("/readers")
async def readers(_: CurrentAccount, services: CurrentServices) -> list[ReaderView]:
    """The card readers of the house; those whose tokens were revoked are left out."""
    return [
        ReaderView(
            id=reader.id,
            table=reader.table,
            label=reader.label,
            by=reader.by,
            at_ms=reader.at_ms,
        )
        for reader in await asyncio.to_thread(services.readers.all)
    ]


@router.post("/readers")
async def issue(
    form: NewReader, supervisor: CurrentAccount, services: CurrentServices
) -> ReaderToken:
    """Issue a token for a card reader, which sends the cards of one live table."""
    table = await services.lobby.table(form.table)
    if table.virtual:
        raise Denied(
            HTTPStatus.CONFLICT,
            "cards_are_virtual",
            "The cards of this table are dealt virtually.",
        )
    reader, token = await asyncio.to_thread(
        lambda: services.readers.issue(table.id, form.label, by=supervisor.name)
    )
    return ReaderToken(id=reader, token=token)


@router.delete("/readers/{reader}")
async def revoke(
    reader: Annotated[str, Path(pattern="^[0-9a-f]{64}$")],
    supervisor: CurrentAccount,
    services: CurrentServices,
) -> Done:
    """Revoke the token of a card reader."""
    revoked = await asyncio.to_thread(lambda: services.readers.revoke(reader, by=supervisor.name))
    if not revoked:
        raise not_found("There is no such card reader.")
    return Done()


@router.get("/tables/{table}/cards")
async def due(reader: CurrentReader, services: CurrentServices) -> CardsDue:
    """The table's current step: whether a card is due, and where it goes."""
    return cards_due(await services.lobby.table(reader.table))


@router.post("/tables/{table}/cards")
async def take_card(form: CardScan, reader: CurrentReader, services: CurrentServices) -> CardTaken:
    """Accept one card from a reader. It is in the record before the response is sent."""
    return await take_scan(services.rooms, services.card_codes, reader, form)


@router.get("/tables/{table}/card-codes")
async def card_codes(table: str, caller: CurrentCaller, services: CurrentServices) -> CardCodesView:
    """The codes that scanners send for cards at a table."""
    if caller.signed_in is not None and caller.signed_in.table not in (None, table):
        raise one_table_only()
    codes = services.card_codes.at((await services.lobby.table_for(table, caller.viewer)).id)
    return CardCodesView(codes={code: str(card) for code, card in codes.items()})
