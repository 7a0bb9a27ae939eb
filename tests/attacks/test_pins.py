"""A PIN is guessed, at one badge or at many, or its session is used for more than one table."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openfelt.server.credentials.pin_rules import FAILURES_MAX, PINS_WRONG_MAX, PINS_WRONG_MS
from openfelt.server.http.dependencies import DEVICE_COOKIE, SESSION_COOKIE
from openfelt.server.pit.pins import DEVICE_RATE
from openfelt.table.role_permissions import PERMISSIONS, CallerKind
from tests.kit.server.dealers_terminals import OWN_PIN, badge, dealers_terminal, live_table, sign_on
from tests.kit.server.open_house import OpenHouse, open_house, signed_in

DAY_MS = 86_400_000
PARTS = {
    "{name}": "dora",
    "{terminal}": "0" * 64,
    "{table}": "live-1",
    "{house}": "washington",
    "{number}": "1",
    "{passkey}": "x",
    "{clause}": "S.5",
}


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """A house with two live tables, and two dealers with badges."""
    async with open_house(tmp_path) as house:
        for table in ("live-1", "live-2"):
            await live_table(house, table)
        await badge(house, "dora", "4711")
        await badge(house, "dan", "4712")
        yield house


async def test_the_session_of_a_pin_reaches_no_endpoint_of_the_account(floor: OpenHouse) -> None:
    terminal = await dealers_terminal(floor, "live-1")
    assert (await sign_on(terminal, "4711")).status_code == 200
    tried = 0
    for endpoint, permission in PERMISSIONS.items():
        method, path = endpoint.split(" ", 1)
        if method == "WEBSOCKET" or permission.by_pin or permission.this_machine:
            continue
        if permission.callers == frozenset(CallerKind):
            continue
        for part, value in PARTS.items():
            path = path.replace(part, value)
        answer = await terminal.request(method, path, json=None if method == "GET" else {})
        assert answer.status_code == 403, endpoint
        assert answer.json()["code"] == "one_table_only", endpoint
        tried += 1
    assert tried > 30
    # What the screen of the dealer needs, it gets for its own table only.
    codes = [
        (await terminal.get(f"/api/v1/tables/{table}/card-codes")).status_code
        for table in ("live-1", "live-2")
    ]
    assert codes == [200, 403]


async def test_the_session_of_a_pin_is_worth_nothing_at_another_device(floor: OpenHouse) -> None:
    here, there = await dealers_terminal(floor, "live-1"), await dealers_terminal(floor, "live-2")
    await sign_on(here, "4711")
    token = here.cookies[SESSION_COOKIE]
    for browser in (there, await floor.client()):
        browser.cookies.set(SESSION_COOKIE, token, domain="127.0.0.1")
        assert not await signed_in(browser)
    assert not await signed_in(await floor.client(), {"Authorization": f"Bearer {token}"})
    assert await signed_in(here)
    # A terminal that is no longer enrolled ends the sessions that were opened at it.
    eve = await floor.supervisor()
    for device in (await eve.get("/api/v1/terminals")).json():
        await eve.request("DELETE", f"/api/v1/terminals/{device['id']}")
    floor.clock.pass_ms(1001)
    assert not await signed_in(here)


async def test_a_pin_signs_on_only_at_an_enrolled_dealers_terminal(floor: OpenHouse) -> None:
    player, stranger = await floor.supervisor(), await floor.client()
    await player.post("/api/v1/terminals", json={"label": "Seat 1"})
    stranger.cookies.set(DEVICE_COOKIE, "terminal.guessed", domain="127.0.0.1")
    for browser in (player, stranger, await floor.client()):
        assert (await sign_on(browser, "4711")).json()["code"] == "not_dealers_terminal"
    assert (await floor.state("live-1")).dealer is None


async def test_a_dealer_of_one_table_does_not_sign_on_at_another(floor: OpenHouse) -> None:
    here, there = await dealers_terminal(floor, "live-1"), await dealers_terminal(floor, "live-2")
    await sign_on(here, "4711")
    assert (await sign_on(there, "4711")).json()["code"] == "signed_on_elsewhere"
    assert await signed_in(here)
    assert (await sign_on(here, "4712")).json()["code"] == "needs_supervisor"
    assert (await floor.state("live-1")).dealer == "dora"


async def test_guesses_at_the_same_time_are_counted_one_by_one(floor: OpenHouse) -> None:
    terminal = await dealers_terminal(floor, "live-1")
    tries = [sign_on(terminal, "4711", f"10000{digit}") for digit in range(10)]
    codes = [answer.json()["code"] for answer in await asyncio.gather(*tries)]
    assert codes.count("wrong_pin") == FAILURES_MAX
    assert codes.count("pin_locked") == 10 - FAILURES_MAX
    assert (await sign_on(terminal, "4711", OWN_PIN)).json()["code"] == "pin_locked"
    assert (await sign_on(terminal, "4712")).status_code == 200


async def test_guesses_over_weeks_are_counted_whatever_lies_between_them(floor: OpenHouse) -> None:
    """Four wrong PINs and the dealer's own right one, day after day."""
    terminal, guesses = await dealers_terminal(floor, "live-1"), 0
    while (answer := await sign_on(terminal, "4711")).status_code == 200:
        for _ in range(FAILURES_MAX - 1):
            guessed = await sign_on(terminal, "4711", f"{100_000 + guesses}")
            guesses += guessed.json()["code"] == "wrong_pin"
        floor.clock.pass_ms(DAY_MS)
    assert answer.json()["code"] == "pin_locked"
    assert guesses == PINS_WRONG_MAX
    # The limit is one of 30 days: it slides on by itself, as the guesses grow old.
    floor.clock.pass_ms(PINS_WRONG_MS - 9 * DAY_MS)
    assert (await sign_on(terminal, "4711")).json()["code"] == "pin_locked"
    floor.clock.pass_ms(DAY_MS)
    assert (await sign_on(terminal, "4711")).status_code == 200
    # What an unlocking supervisor forgets is forgotten: the PIN is not locked by the next mistake.
    eve = await floor.supervisor()
    assert (await eve.post("/api/v1/accounts/dora/unlock")).status_code == 200
    account = floor.services.accounts.get("dora", fresh=True)
    assert account is not None
    assert account.pins_wrong_ms == ()


async def test_one_device_tries_few_pins_of_all_badges_together(floor: OpenHouse) -> None:
    terminal = await dealers_terminal(floor, "live-1")
    codes = [
        (await sign_on(terminal, str(number), "100000")).json()["code"]
        for number in range(DEVICE_RATE.burst + 3)
    ]
    assert codes[: DEVICE_RATE.burst] == ["wrong_pin"] * DEVICE_RATE.burst
    assert set(codes[DEVICE_RATE.burst :]) == {"slow_down"}
    other = await dealers_terminal(floor, "live-2")
    assert (await sign_on(other, "4711")).status_code == 200
