"""Endpoints of real play beside theory, and of the alerts of the house."""

import asyncio
from dataclasses import fields
from typing import Annotated

from fastapi import APIRouter, Path, Query

from openfelt.protocol.api_prefix import API
from openfelt.protocol.fairness_forms import (
    AlertClosing,
    AlertSettingView,
    AlertsView,
    AlertView,
    FairnessPoint,
    FairnessView,
    SubjectKind,
)
from openfelt.server.http.dependencies import CurrentServices
from openfelt.server.supervision.alert_book import Alert
from openfelt.server.supervision.alert_limits import AlertLimits, HouseAlerts
from openfelt.server.supervision.real_play.fairness_view import fairness_view, series_points

router = APIRouter(prefix=API, tags=["fairness"])
AlertNumber = Annotated[int, Path(ge=1, le=2**53)]
SubjectName = Annotated[str, Query(max_length=64)]
WagerName = Annotated[str, Query(max_length=40)]


@router.get("/floor/fairness")
async def fairness(services: CurrentServices) -> FairnessView:
    """Actual results beside theory for the house, every table and every dealer."""
    await services.watch.look()
    return await asyncio.to_thread(fairness_view, services.watch.fairness)


@router.get("/floor/fairness/series")
async def fairness_series(
    services: CurrentServices, kind: SubjectKind, wager: WagerName, name: SubjectName = ""
) -> list[FairnessPoint]:
    """The course of one wager over rounds, with its band."""
    return await asyncio.to_thread(series_points, services.watch.fairness, (kind, name), wager)


@router.get("/floor/alerts")
async def alerts(services: CurrentServices) -> AlertsView:
    """The open alerts and the last closed ones, and the limits of the house."""
    await services.watch.look()
    listed = await asyncio.to_thread(services.watch.book.all)
    return AlertsView(
        alerts=[_view(alert) for alert in listed],
        settings=_settings(services.watch.overview.alerts),
    )


@router.post("/floor/alerts/{alert}/seen")
async def see_alert(alert: AlertNumber, services: CurrentServices) -> AlertView:
    """Record that the caller has seen an alert; only the first viewer is recorded."""
    return _view(await asyncio.to_thread(services.watch.book.see, alert))


@router.post("/floor/alerts/{alert}/close")
async def close_alert(
    alert: AlertNumber, form: AlertClosing, services: CurrentServices
) -> AlertView:
    """Close an alert with a reason. It is raised again only if its condition gets worse."""
    return _view(await asyncio.to_thread(services.watch.book.close, alert, form.reason))


def _view(alert: Alert) -> AlertView:
    return AlertView(
        number=alert.number,
        kind=alert.raised.kind,
        subject=alert.raised.subject,
        detail=alert.raised.detail,
        at_ms=alert.at_ms,
        seen_by=alert.seen.by if alert.seen else None,
        seen_ms=alert.seen.at_ms if alert.seen else None,
        closed_by=alert.closed.by if alert.closed else None,
        closed_ms=alert.closed.at_ms if alert.closed else None,
        reason=alert.reason,
    )


def _settings(alerts: HouseAlerts) -> list[AlertSettingView]:
    defaults = AlertLimits()
    return [
        AlertSettingView(
            name=limit.name,
            value=getattr(alerts.house, limit.name),
            default=getattr(defaults, limit.name),
            tables={
                table: getattr(own, limit.name)
                for table, own in alerts.tables.items()
                if getattr(own, limit.name) != getattr(alerts.house, limit.name)
            },
        )
        for limit in fields(AlertLimits)
    ]
