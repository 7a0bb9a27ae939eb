"""The whole floor as one answer, shared by all supervisors who view it."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Final

from openfelt.protocol.floor_forms import (
    AlertLimitsView,
    FloorAlert,
    FloorFiguresView,
    FloorTable,
    FloorTotals,
    FloorView,
)
from openfelt.rules.round import Phase
from openfelt.rules.wager_rules import ante_max_cents
from openfelt.rules.wagers import WagerKind, total_cents
from openfelt.runtime.clock import Clock, day_of
from openfelt.runtime.tables.floor import Floor
from openfelt.server.accounts.events import AccountRole
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.supervision.alert_limits import HouseAlerts
from openfelt.server.supervision.floor_figures import FloorFigures
from openfelt.server.supervision.table_alerts import alerts_of
from openfelt.server.supervision.table_figures import TableFigures
from openfelt.server.tables.lobby import Lobby
from openfelt.table.phases import TablePhase
from openfelt.table.state import Table

TRUSTED_MS: Final = 1000
"""Cache lifetime of a view: it is computed once a second, for any number of supervisors."""
PATIENCE_SECONDS: Final = 0.5
"""How long a view waits for figures that are being counted; then it is sent without the rest."""
PRESENT_MS: Final = 15 * 60_000
"""Supervisors whose session was in use this recently count as being on the floor."""


@dataclass(slots=True)
class FloorOverview:
    """Makes the views of the floor."""

    floor: Floor
    lobby: Lobby
    sessions: Sessions
    figures: FloorFigures
    clock: Clock
    alerts: HouseAlerts = field(default_factory=HouseAlerts)
    alerts_open: Callable[[], int] = lambda: 0
    """Counts the alerts that are open, without a read."""
    _body: bytes = b""
    _made_ms: int | None = None
    _making: "asyncio.Task[bytes] | None" = None
    _counting: "asyncio.Task[None] | None" = None

    async def body(self) -> bytes:
        """The view of the floor as JSON, not older than a second."""
        now_ms = self.clock.monotonic_ms()
        if self._made_ms is not None and now_ms - self._made_ms < TRUSTED_MS:
            return self._body
        if self._making is None or self._making.done():
            self._making = asyncio.create_task(self._make())
        # One caller who goes away does not take the view from the others.
        return await asyncio.shield(self._making)

    async def _make(self) -> bytes:
        view = await self.view()
        self._body, self._made_ms = view.model_dump_json().encode(), self.clock.monotonic_ms()
        return self._body

    async def view(self) -> FloorView:
        """The floor now."""
        await self._count()
        tables = await self.lobby.public_tables()
        now_ms = self.clock.wall_ms()
        day = day_of(now_ms)
        stopped = self.floor.stopped.keys()
        lines = [self._table(table, day, now_ms, stopped=table.id in stopped) for table in tables]
        vouchers = self.figures.vouchers
        live = [line for line in tables if not line.virtual and line.phase is TablePhase.OPEN]
        return FloorView(
            at_ms=now_ms,
            day=day.isoformat(),
            supervisors=self.sessions.staff_seen(AccountRole.SUPERVISOR, within_ms=PRESENT_MS),
            live_tables=len(live),
            vouchers_open=vouchers[0] if vouchers else None,
            vouchers_cents=vouchers[1] if vouchers else None,
            tables=lines,
            totals=_totals(lines),
            unreadable=sorted(self.lobby.unreadable),
            alert_limits=AlertLimitsView(**asdict(self.alerts.house)),
            alerts_open=self.alerts_open(),
        )

    async def _count(self) -> None:
        """Have the figures counted, and wait a little for them."""
        if self._counting is None or self._counting.done():
            if self._counting is not None and not self._counting.cancelled():
                # A store that fails for a moment is reported by its own health check.
                self._counting.exception()
            self._counting = asyncio.create_task(asyncio.to_thread(self.figures.refresh))
        await asyncio.wait((self._counting,), timeout=PATIENCE_SECONDS)

    def _table(self, table: Table, day: date, now_ms: int, *, stopped: bool) -> FloorTable:
        house, state = table.house, table.playing
        ante = house.wager(WagerKind.ANTE)
        assert ante is not None
        most_cents = ante_max_cents(house, house.limits_on(day))
        counted = self.figures.of(table.id)
        since_ms = self.figures.dealers_since_ms.get(table.dealer) if table.dealer else None
        today = counted.on(day) if counted is not None else None
        alerts = alerts_of(
            table,
            counted,
            today,
            stopped=stopped,
            now_ms=now_ms,
            limits=self.alerts.at(table.id),
        )
        if house.id in self.floor.worker_services.held_houses.why:
            alerts.insert(0, FloorAlert(kind="house_held"))
        if table.id in self.figures.unreadable:
            alerts.insert(0, FloorAlert(kind="unreadable"))
        return FloorTable(
            table=table.id,
            house=house.id,
            house_name=house.name,
            dealer_mode=table.opened.dealer_mode.value,
            phase=table.phase.value,
            round_phase=None
            if state is None
            else "wagering"
            if state.phase is Phase.WAGERING
            else "playing",
            round=table.rounds,
            dealer=table.dealer,
            dealer_since_ms=since_ms,
            players=len(table.seats),
            seats=house.seats,
            min_cents=ante.min_cents,
            max_cents=most_cents - most_cents % ante.multiple_of_cents,
            felt_cents=sum(total_cents(hand.wagers) for hand in state.hands.values())
            if state
            else 0,
            link=table.link,
            meter_cents=self.lobby.meter_cents(table),
            player_banked=table.player_banked,
            figures=_figures(counted, day, now_ms) if counted is not None else None,
            alerts=alerts,
        )


def _figures(counted: TableFigures, day: date, now_ms: int) -> FloorFiguresView:
    today = counted.on(day)
    hour_rounds, covers_ms = counted.hour(now_ms)
    players_bank = today.rounds > 0 and today.banked_by_players == today.rounds
    return FloorFiguresView(
        rounds=today.rounds,
        rounds_voided=today.rounds_voided,
        stakes_cents=today.stakes_cents,
        progressive_cents=today.progressive_cents,
        win_cents=None if players_bank and not today.win_cents else today.win_cents,
        corrections=today.corrections,
        holds=today.holds,
        hour_rounds=hour_rounds,
        hour_covers_ms=covers_ms,
    )


def _totals(lines: list[FloorTable]) -> FloorTotals:
    counted = [line.figures for line in lines if line.figures is not None]
    return FloorTotals(
        rounds=sum(figures.rounds for figures in counted),
        stakes_cents=sum(figures.stakes_cents for figures in counted),
        win_cents=sum(figures.win_cents or 0 for figures in counted),
        players=sum(line.players for line in lines),
        alerts=sum(len(line.alerts) for line in lines),
        tables_missing=len(lines) - len(counted),
    )
