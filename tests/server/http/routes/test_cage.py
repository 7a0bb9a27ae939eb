"""The cage by its endpoints: a voucher from a terminal to a window, and a drawer from count to
count."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from openfelt.ledger import Book, trial_balance
from openfelt.runtime.audit import audit
from openfelt.runtime.clock import DAY_MS
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.server.settings import CageSettings
from tests.kit.server.open_house import PASSWORD, OpenHouse, name_of, open_house

CAGE = CageSettings(vouchers=True, payout_limit_cents=60_000)
FLOAT = [{"denomination_cents": 10_000, "pieces": 10}, {"denomination_cents": 100, "pieces": 50}]
"""A float of $1,050."""


@asynccontextmanager
async def cage_house(folder: Path, **changes: Any) -> AsyncIterator[OpenHouse]:
    """A house with vouchers, where payouts above $600 need a supervisor."""
    async with open_house(folder, cage=CAGE, **changes) as house:
        yield house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """Such a house."""
    async with cage_house(tmp_path) as house:
        yield house


async def staff(house: OpenHouse, name: str, role: str) -> httpx.AsyncClient:
    """A browser in which a new member of staff has signed in."""
    supervisor = await house.supervisor()
    form = {"name": name, "password": PASSWORD, "role": role, "temporary": False}
    assert (await supervisor.post("/api/v1/accounts", json=form)).status_code == 200
    client = await house.client()
    signed_in = await client.post("/api/v1/sign-in", json={"name": name, "password": PASSWORD})
    assert signed_in.status_code == 200
    return client


async def call(client: httpx.AsyncClient, path: str, **form: object) -> Any:
    """Call an endpoint that must answer."""
    answer = await client.post(f"/api/v1{path}", json=form)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def refused(client: httpx.AsyncClient, path: str, **form: object) -> str:
    """Call an endpoint that must refuse; gives its code."""
    answer = await client.post(f"/api/v1{path}", json=form)
    assert answer.status_code in (404, 409, 422), answer.text
    return str(answer.json()["code"])


async def test_a_voucher_of_one_terminal_is_taken_at_another(house: OpenHouse) -> None:
    ann, bob = await house.guest(), await house.guest()
    assert (await ann.get("/api/v1/me")).json()["vouchers"]
    ticket = await call(ann, "/vouchers", id="press", cents=40_000)
    assert ticket == await call(ann, "/vouchers", id="press", cents=40_000)
    assert (ticket["wallet_cents"], ticket["voucher"]["cents"]) == (60_000, 40_000)
    assert ticket["qr"].startswith("data:image/svg+xml")
    assert ticket["voucher"]["expires_ms"] == house.clock.wall_ms() + 90 * DAY_MS
    for _ in range(2):
        taken = await call(bob, "/vouchers/redeem", id="scan", code=ticket["code"].lower())
        assert taken == {"cents": 40_000, "wallet_cents": 140_000}
    assert await refused(ann, "/vouchers/redeem", id="again", code=ticket["code"]) == "voucher_used"
    assert await refused(ann, "/vouchers/redeem", id="no", code="1234") == "voucher_unknown"


async def test_vouchers_are_for_houses_and_terminals_that_have_them(tmp_path: Path) -> None:
    without, within = tmp_path / "without", tmp_path / "with"
    without.mkdir()
    within.mkdir()
    async with open_house(without) as house:
        ann = await house.guest()
        assert not (await ann.get("/api/v1/me")).json()["vouchers"]
        assert await refused(ann, "/vouchers", id="1") == "no_vouchers"
        assert await refused(ann, "/vouchers/redeem", id="1", code="x") == "no_vouchers"
    where = {"hosts": frozenset({"floor.example"}), "second_factor": False}
    async with cage_house(within, **where) as house:
        ann, terminal = await house.guest(), await house.supervisor()
        assert await refused(ann, "/vouchers", id="1") == "no_vouchers"
        await call(terminal, "/terminals", label="seat 4")
        await call(terminal, "/sign-out")
        await call(terminal, "/guest")
        assert (await terminal.get("/api/v1/me")).json()["vouchers"]
        assert (await call(terminal, "/vouchers", id="1"))["voucher"]["cents"] == 100_000


async def test_a_cashiers_shift(house: OpenHouse) -> None:
    cal, ann = await staff(house, "cal", "cashier"), await house.guest()
    player = await name_of(ann)
    drawer = "/cage/drawers/window-1"
    assert (await call(cal, f"{drawer}/open", id="1", count=FLOAT))["cents"] == 105_000
    await call(cal, f"{drawer}/cash-in", id="2", player=player, cents=20_000, note="two hundreds")
    sold = await call(cal, f"{drawer}/voucher-out", id="3", cents=5_000)
    assert sold["wallet_cents"] is None
    looked = await call(cal, "/cage/vouchers/look-up", code=sold["code"])
    assert (looked["state"], looked["source"]) == ("open", "drawer:window-1")
    cage = (await cal.get("/api/v1/cage")).json()
    assert (cage["vouchers_open"], cage["vouchers_cents"], cage["limit_cents"]) == (
        1,
        5_000,
        60_000,
    )
    await call(ann, "/vouchers/redeem", id="4", code=sold["code"])
    wallet = (await cal.get(f"/api/v1/cage/wallets/{player}")).json()
    assert wallet == {"player": player, "wallet_cents": 125_000, "barred": False}
    ticket = await call(ann, "/vouchers", id="5", cents=25_000)
    await call(cal, f"{drawer}/voucher-in", id="6", code=ticket["code"])
    view = await call(cal, f"{drawer}/cash-out", id="7", player=player, cents=1_000)
    assert view["cents"] == 105_000 + 20_000 + 5_000 - 25_000 - 1_000
    count = [{"denomination_cents": 100, "pieces": 1_030}]
    assert await refused(cal, f"{drawer}/close", id="8", count=count) == "difference_unexplained"
    closed = await call(cal, f"{drawer}/close", id="9", count=count, reason="ten too few")
    assert (closed["cashier"], closed["cents"]) == (None, 0)
    store = house.services.store
    assert trial_balance(Book(store.balances())).balanced
    assert not store.balances("drawer:")
    assert store.balances("house:cage") != {}
    assert audit(store, others=ACCOUNT_AUDITS).clean


async def test_a_payout_above_the_limit(house: OpenHouse) -> None:
    cal, eve, ann = (
        await staff(house, "cal", "cashier"),
        await house.supervisor(),
        await house.guest(),
    )
    player, drawer = await name_of(ann), "/cage/drawers/window-1"
    await call(cal, f"{drawer}/open", id="1", count=FLOAT)
    form = {"player": player, "cents": 70_000}
    assert await refused(cal, f"{drawer}/cash-out", id="2", **form) == "needs_approval"
    assert await refused(cal, f"{drawer}/payouts", id="3", player=player) == "malformed"
    view = await call(cal, f"{drawer}/payouts", id="4", **form, note="won at stadium-1")
    (waiting,) = view["payouts"]
    assert (waiting["state"], waiting["by"], waiting["cents"]) == ("waiting", "cal", 70_000)
    assert await refused(cal, f"{drawer}/payouts/1/pay", id="5") == "needs_approval"
    approve = await cal.post(f"/api/v1{drawer}/payouts/1/approve", json={"id": "6"})
    assert approve.status_code == 403
    (approved,) = (await call(eve, f"{drawer}/payouts/1/approve", id="7"))["payouts"]
    assert approved["approved_by"] == "supervisor"
    paid = await call(cal, f"{drawer}/payouts/1/pay", id="8")
    assert (paid["cash_out_cents"], paid["payouts"]) == (70_000, [])
    # A supervisor may close the drawer of a cashier who has left.
    count = [{"denomination_cents": 100, "pieces": 350}]
    assert (await call(eve, f"{drawer}/close", id="9", count=count))["cashier"] is None


async def test_a_window_serves_players_only(house: OpenHouse) -> None:
    cal, eve = await staff(house, "cal", "cashier"), await house.supervisor()
    drawer = "/cage/drawers/window-1"
    await call(cal, f"{drawer}/open", id="1", count=FLOAT)
    for name in ("supervisor", "cal", "no-such-player", "../x", "Ann"):
        form = {"player": name, "cents": 100}
        assert await refused(cal, f"{drawer}/cash-in", id="2", **form) == "not_found"
    ann = await house.guest()
    player = await name_of(ann)
    await call(eve, f"/accounts/{player}/bar", reason="cheats")
    form = {"player": player, "cents": 100}
    assert await refused(cal, f"{drawer}/cash-in", id="3", **form) == "barred"
    # What a barred player has is still paid out.
    assert (await call(cal, f"{drawer}/cash-out", id="4", **form))["cash_out_cents"] == 100


async def test_no_code_is_logged(house: OpenHouse, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    ann = await house.guest()
    ticket = await call(ann, "/vouchers", id="1")
    code = ticket["code"]
    await call(ann, "/vouchers/redeem", id="2", code=code)
    assert await refused(ann, "/vouchers/redeem", id="3", code=code) == "voucher_used"
    assert await refused(ann, "/vouchers/redeem", id="4", code=code + "5" * 60) == "malformed"
    assert caplog.records
    for form in (code, code.replace("-", "")):
        assert form not in caplog.text
