"""Endpoints of the program's check of itself."""

import asyncio
from dataclasses import asdict

from fastapi import APIRouter

from openfelt.protocol.api_prefix import API
from openfelt.protocol.self_check_views import (
    HeldHouseView,
    HouseAcceptance,
    SoftwareCheckView,
)
from openfelt.server.http.dependencies import CurrentAccount, CurrentServices
from openfelt.server.self_check.house_files import HeldHouse
from openfelt.server.self_check.software_checks import SoftwareCheck

router = APIRouter(prefix=f"{API}/software", tags=["operations"])


@router.get("")
async def last_check(_: CurrentAccount, services: CurrentServices) -> SoftwareCheckView:
    """The last check of the program's own files: at the start, once a day, or when staff asked."""
    checked = await asyncio.to_thread(services.software.last)
    assert checked is not None  # the server records one before it opens
    return _view(checked, await asyncio.to_thread(services.house_files.check))


@router.post("/checks")
async def check_now(_: CurrentAccount, services: CurrentServices) -> SoftwareCheckView:
    """Read all files of the program again. If they have changed, the server closes."""
    checked = await services.software.checked("asked")
    return _view(checked, await asyncio.to_thread(services.house_files.check))


@router.post("/houses")
async def accept_houses(
    form: HouseAcceptance, account: CurrentAccount, services: CurrentServices
) -> SoftwareCheckView:
    """Accept changed house files as they are now, so that rounds begin at their tables again."""

    def accept() -> list[HeldHouse]:
        return services.house_files.accept(form.houses, by=account.name, reason=form.reason)

    held = await asyncio.to_thread(accept)
    checked = await asyncio.to_thread(services.software.last)
    assert checked is not None
    return _view(checked, held)


def _view(checked: SoftwareCheck, held: list[HeldHouse]) -> SoftwareCheckView:
    event = checked.event
    return SoftwareCheckView(
        at_ms=checked.at_ms,
        why=event.why,
        version=event.version,
        fingerprint=event.fingerprint,
        files=event.files,
        listed=event.listed,
        houses=event.houses,
        faults=event.faults,
        named=list(event.named),
        held=[HeldHouseView(**asdict(house)) for house in held],
    )
