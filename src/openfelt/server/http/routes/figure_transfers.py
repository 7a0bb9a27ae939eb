"""Endpoints of the transfers behind a figure: a page of them, and a file with all."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse

from openfelt.money import parse_cents
from openfelt.protocol.api_prefix import API
from openfelt.protocol.transfer_forms import (
    FigureTransfersView,
    FigureTransferView,
    StartLineView,
)
from openfelt.record_events.reading_events import ReadingKind, RecordRead
from openfelt.runtime.exports.export_files import plain_cell
from openfelt.runtime.exports.export_rows import time_text
from openfelt.runtime.readings import note_reading
from openfelt.server.http.dependencies import CurrentServices
from openfelt.server.services import Services
from openfelt.server.supervision.figure_transfers.figure_names import FigureName, FigureScope
from openfelt.server.supervision.figure_transfers.transfer_lists import FigurePage, ListedTransfer
from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.balances.transfer_terms import TransferSearch

router = APIRouter(prefix=f"{API}/floor/transfers", tags=["floor"])
_NAME = r"^[A-Za-z0-9_.@\-]{0,80}$"
SubjectText = Literal["table", "tables", "takings", "link", "drawer", "dealer", "vouchers"]
SpanText = Literal["now", "day", "shift", "month", "year", "recent", "whole"]


def _wanted(
    *,
    subject: SubjectText,
    figure: Annotated[str, Query(pattern=r"^[a-z_]{1,30}$")],
    name: Annotated[str, Query(pattern=_NAME)] = "",
    wager: Annotated[str, Query(pattern=r"^[a-z_]{0,30}$")] = "",
    span: SpanText = "now",
    number: Annotated[int, Query(ge=0, le=2**53)] = 0,
) -> FigureName:
    """Which figure is asked for."""
    return FigureName(
        subject=subject, figure=figure, name=name, wager=wager, span=span, number=number
    )


def _search(
    text: Annotated[str, Query(max_length=80, pattern=r"^[^\x00-\x1f]*$")] = "",
) -> TransferSearch:
    """The search criterion: an amount, a round, an account or a word of a note."""
    wanted = text.strip()
    try:
        cents = parse_cents(wanted)
    except ValueError:
        cents = None
    return TransferSearch(text=wanted, cents=cents)


WantedFigure = Annotated[FigureName, Depends(_wanted)]
Search = Annotated[TransferSearch, Depends(_search)]


@router.get("")
async def figure_transfers(
    wanted: WantedFigure,
    search: Search,
    services: CurrentServices,
    before: Annotated[int, Query(ge=1, le=LAST_NUMBER)] = LAST_NUMBER,
) -> FigureTransfersView:
    """The ledger's transfers behind a figure, the newest first; they add up to the figure."""
    tables = [table.id for table in await services.lobby.public_tables()]
    lists = services.transfer_lists
    page = await services.round_pool.run(lambda: lists.page(wanted, tables, search, before=before))
    return await services.round_pool.run(lambda: transfers_view(services, page))


@router.get("/file")
async def figure_file(
    wanted: WantedFigure,
    search: Search,
    services: CurrentServices,
    format: Literal["csv", "json"] = "csv",  # noqa: A002
) -> StreamingResponse:
    """All matching transfers behind a figure, as a file; reading it is recorded."""
    tables = [table.id for table in await services.lobby.public_tables()]

    def begin() -> tuple[FigureScope, Iterator[ListedTransfer]]:
        scope, rows = services.transfer_lists.all(wanted, tables, search)
        subject = " ".join(
            part for part in (wanted.subject, wanted.name, wanted.figure, wanted.wager) if part
        )
        reading = RecordRead(ReadingKind.EXPORT, f"transfers: {subject} ({wanted.span})")
        note_reading(services.store, services.clock, reading)
        return scope, rows

    scope, rows = await services.round_pool.run(begin)
    written = _as_csv(scope, rows) if format == "csv" else _as_json(scope, rows)
    file = "-".join(part for part in (wanted.name or wanted.subject, wanted.figure) if part)
    kind = "text/csv; charset=utf-8" if format == "csv" else "application/json"
    return StreamingResponse(
        written,
        media_type=kind,
        headers={"Content-Disposition": f'attachment; filename="transfers-{file}.{format}"'},
    )


# What is answered ------------------------------------------------------------------------------


def transfers_view(services: Services, page: FigurePage) -> FigureTransfersView:
    """A page of the transfers behind a figure."""
    sums, scope = page.sums, page.sums.scope
    archive = services.store.archive(with_state=False)
    cut_ms = archive.at_ms if archive is not None else None
    missing = cut_ms is not None and sums.cents != scope.cents
    return FigureTransfersView(
        figure_cents=scope.cents,
        sum_cents=sums.cents,
        count=sums.count,
        starts=[
            StartLineView(what=line.what, cents=line.cents, at_ms=line.at_ms, by=line.by)
            for line in scope.starts
        ],
        from_ms=scope.from_ms,
        to_ms=scope.to_ms,
        found=sums.found,
        found_cents=sums.found_cents,
        rows=[FigureTransferView(**_row(row)) for row in page.rows],
        next=page.before,
        archived_ms=cut_ms if missing else None,
    )


def _row(row: ListedTransfer) -> dict[str, Any]:
    stored = row.stored
    transfer = stored.transfer
    return {
        "number": stored.number,
        "at_ms": stored.at_ms,
        "reason": transfer.reason.value,
        "round": transfer.round,
        "slip": row.slip,
        "debit": str(transfer.debit),
        "credit": str(transfer.credit),
        "cents": row.cents,
        "clause": transfer.clause,
        "note": transfer.note,
        "stream": stored.stream,
        "version": stored.version,
        "event": row.event,
        "actor": row.actor,
    }


# Files -----------------------------------------------------------------------------------------


def _lines(scope: FigureScope, rows: Iterator[ListedTransfer]) -> Iterator[dict[str, Any]]:
    """The counts that a figure begins with, then its transfers."""
    for line in scope.starts:
        yield {
            "time": time_text(line.at_ms),
            "reason": line.what,
            "cents": line.cents,
            "actor": line.by,
        }
    for row in rows:
        yield {"time": time_text(row.stored.at_ms), **_row(row)}


COLUMNS = ("time", *FigureTransferView.model_fields)


def _as_csv(scope: FigureScope, rows: Iterator[ListedTransfer]) -> Iterator[str]:
    yield _csv_line(COLUMNS)
    for line in _lines(scope, rows):
        yield _csv_line([plain_cell(line.get(name)) for name in COLUMNS])


def _csv_line(cells: Sequence[object]) -> str:
    sheet = io.StringIO()
    csv.writer(sheet).writerow(cells)
    return sheet.getvalue()


def _as_json(scope: FigureScope, rows: Iterator[ListedTransfer]) -> Iterator[str]:
    yield f'{{"figure_cents": {scope.cents}, "transfers": ['
    for number, line in enumerate(_lines(scope, rows)):
        yield (",\n" if number else "\n") + json.dumps(line)
    yield "\n]}\n"
