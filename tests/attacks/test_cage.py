"""The cage under attack: approvals that outlive their supervisor, and records without end."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from openfelt.server.limits.rates import Rate
from openfelt.server.settings import CageSettings, Limits
from tests.kit.server.open_house import PASSWORD, OpenHouse, name_of, open_house

FLOAT = [{"denomination_cents": 10_000, "pieces": 20}]
DRAWER = "/cage/drawers/window-1"
FEW = Limits(heavy=Rate(per_minute=60, burst=3), limit_changes=Rate(per_minute=60, burst=3))


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """A house with vouchers, where payouts above $600 need a supervisor."""
    cage = CageSettings(vouchers=True, payout_limit_cents=60_000)
    async with open_house(tmp_path, cage=cage, limits=FEW) as house:
        yield house


async def staff(house: OpenHouse, name: str, role: str) -> httpx.AsyncClient:
    """A browser in which a new member of staff has signed in."""
    form = {"name": name, "password": PASSWORD, "role": role, "temporary": False}
    supervisor = await house.supervisor()
    assert (await supervisor.post("/api/v1/accounts", json=form)).status_code == 200
    client = await house.client()
    signed_in = await client.post("/api/v1/sign-in", json={"name": name, "password": PASSWORD})
    assert signed_in.status_code == 200
    return client


async def post(client: httpx.AsyncClient, path: str, **form: Any) -> httpx.Response:
    return await client.post(f"/api/v1{path}", json=form)


@pytest.mark.parametrize("lost", ["barred", "another role"])
async def test_an_approved_payout_is_not_paid_once_its_supervisor_may_approve_none(
    house: OpenHouse, lost: str
) -> None:
    """A thief of a supervisor's session approves, and a cashier waits for an unwatched moment."""
    cal, sue, ann, boss = (
        await staff(house, "cal", "cashier"),
        await staff(house, "sue", "supervisor"),
        await name_of(await house.guest()),
        await house.supervisor(),
    )
    assert (await post(cal, f"{DRAWER}/open", id="1", count=FLOAT)).status_code == 200
    asked = {"player": ann, "cents": 70_000}
    assert (await post(cal, f"{DRAWER}/payouts", id="2", **asked)).status_code == 200
    assert (await post(sue, f"{DRAWER}/payouts/1/approve", id="3")).status_code == 200
    if lost == "barred":
        changed = await post(boss, "/accounts/sue/bar", reason="Her session was stolen.")
    else:
        changed = await post(boss, "/accounts/sue/role", role="dealer")
    assert changed.status_code == 200, changed.text
    refused = await post(cal, f"{DRAWER}/payouts/1/pay", id="4")
    assert (refused.status_code, refused.json()["code"]) == (409, "needs_approval")
    # It is withdrawn, and asked for again; then another supervisor looks at it.
    again = await post(cal, f"{DRAWER}/payouts/1/reject", id="5", reason="Asked again.")
    assert again.status_code == 200
    await post(cal, f"{DRAWER}/payouts", id="6", **asked)
    assert (await post(boss, f"{DRAWER}/payouts/2/approve", id="7")).status_code == 200
    paid = await post(cal, f"{DRAWER}/payouts/2/pay", id="8")
    assert paid.json()["cash_out_cents"] == 70_000


async def test_a_player_does_not_turn_a_wallet_into_vouchers_of_a_cent_without_end(
    house: OpenHouse,
) -> None:
    """Every voucher is a record of its own, which is kept for good."""
    ann = await house.guest()
    answers = [await post(ann, "/vouchers", id=f"{number}", cents=1) for number in range(5)]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429] * 2


async def test_a_player_does_not_change_limits_without_end(house: OpenHouse) -> None:
    """A table reads the whole record of a player's limits before the first bet."""
    ann = await house.guest()
    form = {"kind": "loss", "period": "day"}
    answers = [
        await post(ann, "/limits", id=f"{number}", most=50_000 + number, **form)
        for number in range(5)
    ]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429] * 2
    exclusion = await post(ann, "/exclusion", id="out", term="day")
    assert exclusion.status_code == 200, "a break is always possible"
