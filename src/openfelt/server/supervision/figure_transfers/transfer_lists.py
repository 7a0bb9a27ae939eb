"""Lists of the transfers behind a figure: sums, pages, and whole lists for a file."""

import heapq
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from openfelt.runtime.streams import StreamKind, kind_of, name_of
from openfelt.server.supervision.figure_transfers.figure_names import (
    FigureName,
    FigurePart,
    FigureScope,
)
from openfelt.server.supervision.figure_transfers.figure_scopes import FigureScopes
from openfelt.server.supervision.figure_transfers.settled_wagers import SettledWagers
from openfelt.server.supervision.floor_money.tray_histories import TrayHistories
from openfelt.storage.balances.balance_door import LAST_NUMBER, StoredTransfer
from openfelt.storage.balances.transfer_terms import TransferSearch
from openfelt.storage.codec import CodecError, read_json
from openfelt.storage.door import Store
from openfelt.storage.event_forms import EventCodec

PAGE_ROWS: Final = 50
ATTEMPTS_MAX: Final = 5
"""How often a figure and its list are read, until the book has not changed between them."""
NO_SEARCH: Final = TransferSearch()


@dataclass(frozen=True, slots=True)
class ListedTransfer:
    """One transfer with its sign in the figure, and the event that has caused it."""

    stored: StoredTransfer
    sign: int
    event: str
    """The name of the event, empty if it is in an archive."""
    actor: str
    slip: int | None
    """The number of the slip, for a fill or a credit."""

    @property
    def cents(self) -> int:
        """The transfer's contribution to the figure."""
        return self.sign * self.stored.transfer.cents


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSums:
    """A figure beside what its transfers add up to."""

    scope: FigureScope
    count: int
    cents: int
    """The sum of the transfers and the counts before them; it must equal the figure."""
    found: int
    found_cents: int
    """Of those that were searched for."""


@dataclass(frozen=True, slots=True)
class FigurePage:
    """A part of a list, the newest first."""

    sums: FigureSums
    rows: tuple[ListedTransfer, ...]
    before: int | None
    """Where older ones begin, None if there are none."""


class TransferLists:
    """Makes the lists. All calls block; threads may share it."""

    def __init__(
        self, store: Store, codec: EventCodec, scopes: FigureScopes, histories: TrayHistories
    ) -> None:
        self._store = store
        self._codec = codec
        self._scopes = scopes
        self._histories = histories

    def page(
        self,
        wanted: FigureName,
        tables: Sequence[str],
        search: TransferSearch = NO_SEARCH,
        *,
        before: int = LAST_NUMBER,
    ) -> FigurePage:
        """A figure with a page of its transfers; raises Denied."""
        wagers = SettledWagers(self._store, self._codec)
        sums = self._sums(wanted, tables, search, wagers)
        rows = list(itertools.islice(self._rows(sums.scope, search, wagers, before), PAGE_ROWS + 1))
        older = rows[PAGE_ROWS - 1].stored.number if len(rows) > PAGE_ROWS else None
        return FigurePage(sums, tuple(rows[:PAGE_ROWS]), older)

    def all(
        self,
        wanted: FigureName,
        tables: Sequence[str],
        search: TransferSearch = NO_SEARCH,
    ) -> tuple[FigureScope, Iterator[ListedTransfer]]:
        """A figure, and all of its transfers that are found, the newest first."""
        scope = self._scopes.of(wanted, tables)
        wagers = SettledWagers(self._store, self._codec)
        return scope, self._rows(scope, search, wagers, LAST_NUMBER)

    # Sums --------------------------------------------------------------------------------

    def _sums(
        self,
        wanted: FigureName,
        tables: Sequence[str],
        search: TransferSearch,
        wagers: SettledWagers,
    ) -> FigureSums:
        for attempt in range(1, ATTEMPTS_MAX + 1):
            scope = self._scopes.of(wanted, tables)
            count, cents = self._added_up(scope, NO_SEARCH, wagers)
            cents += sum(line.cents for line in scope.starts)
            if cents == scope.cents or not scope.moving or attempt == ATTEMPTS_MAX:
                break
        match_count, match_cents = count, cents
        if search.text:
            match_count, match_cents = self._added_up(scope, search, wagers)
        return FigureSums(
            scope=scope, count=count, cents=cents, found=match_count, found_cents=match_cents
        )

    def _added_up(
        self, scope: FigureScope, search: TransferSearch, wagers: SettledWagers
    ) -> tuple[int, int]:
        count = cents = 0
        for part in scope.parts:
            part_count, part_cents = self._store.sum_transfers(part.named, search)
            count, cents = count + part_count, cents + part_cents
            for stored, sign in self._unnamed(part, search, wagers, LAST_NUMBER):
                count, cents = count + 1, cents + sign * stored.transfer.cents
        return count, cents

    # Rows --------------------------------------------------------------------------------

    def _rows(
        self, scope: FigureScope, search: TransferSearch, wagers: SettledWagers, before: int
    ) -> Iterator[ListedTransfer]:
        lists = [
            transfers
            for part in scope.parts
            for transfers in (
                self._named(part, search, before),
                self._unnamed(part, search, wagers, before),
            )
        ]
        slips: dict[str, dict[int, int]] = {}
        for stored, sign in heapq.merge(*lists, key=lambda row: -row[0].number):
            yield self._listed(stored, sign, slips)

    def _named(
        self, part: FigurePart, search: TransferSearch, before: int
    ) -> Iterator[tuple[StoredTransfer, int]]:
        for stored in self._store.list_transfers(part.named, search, before=before):
            yield stored, part.named.sign(stored.transfer)

    def _unnamed(
        self, part: FigurePart, search: TransferSearch, wagers: SettledWagers, before: int
    ) -> Iterator[tuple[StoredTransfer, int]]:
        """Transfers whose wager is read from their settlements."""
        if part.unnamed is None or part.wagers is None:
            return
        for stored in self._store.list_transfers(part.unnamed, search, before=before):
            wager = wagers.wager_of(stored)
            if wager is not None and part.wagers.is_wanted(wager):
                yield stored, part.unnamed.sign(stored.transfer)

    def _listed(
        self, stored: StoredTransfer, sign: int, slips: dict[str, dict[int, int]]
    ) -> ListedTransfer:
        version = stored.version
        event = next(
            iter(self._store.events(stored.stream, after=version - 1, up_to=version)), None
        )
        if event is None:
            return ListedTransfer(stored, sign, "", "", None)
        slip = None
        if kind_of(stored.stream) is StreamKind.TRAY:
            slip = self._slip(name_of(stored.stream), event.open_body, slips)
        return ListedTransfer(stored, sign, event.name, event.cause.actor, slip)

    def _slip(self, table: str, body: str, slips: dict[str, dict[int, int]]) -> int | None:
        """The slip of the request that an event of a tray is about."""
        if table not in slips:
            made = self._histories.of(table).slips
            slips[table] = {slip.request.number: slip.number for slip in made}
        try:
            number = read_json(body).get("number")
        except CodecError:
            return None
        return slips[table].get(number) if isinstance(number, int) else None
