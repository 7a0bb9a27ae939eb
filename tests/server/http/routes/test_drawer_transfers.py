"""A cashier reads the transfers of their own drawers: the open and the last one, and no other."""

from pathlib import Path
from typing import Any

import httpx

from tests.kit.server.open_house import PASSWORD, OpenHouse, name_of, open_house

FLOAT = [{"denomination_cents": 10_000, "pieces": 10}]
"""A float of $1,000."""
WINDOW = "/cage/drawers/window-1"


async def staff(house: OpenHouse, name: str, role: str) -> httpx.AsyncClient:
    """A browser in which a new member of staff has signed in."""
    supervisor = await house.supervisor()
    form = {"name": name, "password": PASSWORD, "role": role, "temporary": False}
    assert (await supervisor.post("/api/v1/accounts", json=form)).status_code == 200
    client = await house.client()
    await press(client, "/sign-in", name=name, password=PASSWORD)
    return client


async def press(client: httpx.AsyncClient, path: str, **form: object) -> Any:
    """Call an endpoint that must answer."""
    answer = await client.post(f"/api/v1{path}", json=form)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def listed(client: httpx.AsyncClient, figure: str, **more: str) -> Any:
    """The transfers behind a figure of the window, or the code of the refusal."""
    params = {"figure": figure, **more}
    answer = await client.get(f"/api/v1{WINDOW}/transfers", params=params)
    return answer.json() if answer.status_code == 200 else answer.json()["code"]


async def last(client: httpx.AsyncClient) -> Any:
    """The drawer that a cashier has closed last."""
    return (await client.get("/api/v1/cage/last-drawer")).json()["drawer"]


async def test_a_cashier_lists_the_own_drawer_while_it_is_open_and_after(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        cal, eve = await staff(house, "cal", "cashier"), await staff(house, "eve", "cashier")
        ann = await name_of(await house.guest())
        assert await last(cal) is None
        assert await listed(cal, "holds") == "drawer_closed"
        await press(cal, f"{WINDOW}/open", id="1", count=FLOAT)
        await press(cal, f"{WINDOW}/cash-in", id="2", player=ann, cents=20_000, note="two bills")
        await press(cal, f"{WINDOW}/cash-out", id="3", player=ann, cents=5_000)
        view = await listed(cal, "holds")
        assert (view["figure_cents"], view["sum_cents"], view["count"]) == (115_000, 115_000, 3)
        assert [row["cents"] for row in view["rows"]] == [-5_000, 20_000, 100_000]
        found = await listed(cal, "holds", text="bills")
        assert [row["note"] for row in found["rows"]] == ["two bills"]
        assert await listed(cal, "holds", span="shift") == "drawer_not_yours"
        assert await listed(cal, "rake") == "not_found"
        # Another cashier sees neither this drawer nor, once it is closed, that it was.
        assert await listed(eve, "holds") == "drawer_not_yours"
        count = [{"denomination_cents": 100, "pieces": 1_140}]
        await press(cal, f"{WINDOW}/close", id="4", count=count, reason="ten too few")
        assert await listed(cal, "holds") == "drawer_closed"
        assert await listed(eve, "holds", span="shift") == "drawer_not_yours"
        assert await last(eve) is None
        # The next cashier at the same window sees only the new drawer, and Cal still Cal's.
        await press(eve, f"{WINDOW}/open", id="5", count=FLOAT)
        assert (await listed(eve, "holds"))["count"] == 1
        assert await listed(cal, "holds") == "drawer_not_yours"
        closed = await last(cal)
        assert (closed["drawer"], closed["cents"], closed["cash_in_cents"]) == (
            "window-1",
            115_000,
            20_000,
        )
        assert (closed["counted_cents"], closed["difference_cents"], closed["reason"]) == (
            114_000,
            -1_000,
            "ten too few",
        )
        assert await listed(cal, "holds", span="shift") == {
            **view,
            "to_ms": closed["closed_ms"],
        }


async def test_only_the_drawer_that_was_closed_last_is_listed(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        cal = await staff(house, "cal", "cashier")
        for number in (1, 2):
            drawer = f"/cage/drawers/window-{number}"
            await press(cal, f"{drawer}/open", id=f"open {number}", count=FLOAT)
            house.clock.pass_ms(60_000)
            await press(cal, f"{drawer}/close", id=f"close {number}", count=FLOAT)
        assert (await last(cal))["drawer"] == "window-2"
        assert await listed(cal, "holds", span="shift") == "drawer_not_yours"
        for role in ("supervisor", "auditor", "dealer", "player"):
            other = await staff(house, f"a-{role}", role)
            assert await listed(other, "holds", span="shift") == "not_allowed"
