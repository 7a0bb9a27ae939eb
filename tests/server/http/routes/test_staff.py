"""Endpoints for supervisors only: accounts, locks, bars and devices."""

from pathlib import Path

import pytest

from tests.kit.server.open_house import (
    PASSWORD,
    SUPERVISOR,
    OpenHouse,
    name_of,
    open_house,
    signed_in,
)

ANN = {"name": "ann", "password": PASSWORD}
FAR = {"address": "10.0.0.9"}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/v1/accounts", {"name": "dan", "password": PASSWORD, "role": "dealer"}),
        ("POST", "/api/v1/accounts/ann/role", {"role": "dealer"}),
        ("POST", "/api/v1/accounts/ann/unlock", None),
        ("POST", "/api/v1/accounts/ann/bar", {"reason": "cheats"}),
        ("POST", "/api/v1/accounts/ann/admit", None),
        ("POST", "/api/v1/accounts/ann/sign-out", None),
        ("POST", "/api/v1/tables", {"table": "t-1", "house": "stadium", "dealer_mode": "virtual"}),
        ("GET", "/api/v1/terminals", None),
        ("POST", "/api/v1/terminals", {"label": "T1"}),
        ("DELETE", f"/api/v1/terminals/{'0' * 64}", None),
    ],
)
async def test_only_a_supervisor_may_call_them(
    house: OpenHouse, method: str, path: str, body: dict[str, str] | None
) -> None:
    stranger, player = await house.client(), await house.client()
    await player.post("/api/v1/sign-up", json=ANN)
    assert (await stranger.request(method, path, json=body)).status_code == 401
    assert (await player.request(method, path, json=body)).status_code == 403
    supervisor = await house.supervisor()
    expected = 404 if method == "DELETE" else 200
    assert (await supervisor.request(method, path, json=body)).status_code == expected


async def test_a_terminal_is_renamed_locked_and_told_why(house: OpenHouse) -> None:
    eve = await house.supervisor()
    await eve.post("/api/v1/terminals", json={"label": "T1"})
    ((terminal),) = (await eve.get("/api/v1/terminals")).json()
    path = f"/api/v1/terminals/{terminal['id']}"
    assert (await eve.post(f"{path}/label", json={"label": "T2"})).status_code == 200
    locked = {"state": "locked", "reason": "A spill."}
    assert (await eve.post(f"{path}/state", json=locked)).status_code == 200
    (view,) = (await eve.get("/api/v1/terminals")).json()
    assert (view["label"], view["state"], view["reason"]) == ("T2", "locked", "A spill.")
    # The browser of that device is told.
    assert (await eve.get("/api/v1/me")).json()["terminal_stopped"] == "A spill."
    again = {"state": "in_service", "reason": "Dry again."}
    assert (await eve.post(f"{path}/state", json=again)).status_code == 200
    assert (await eve.get("/api/v1/me")).json()["terminal_stopped"] == ""
    wrong = f"/api/v1/terminals/{'0' * 64}/state"
    assert (await eve.post(wrong, json=locked)).status_code == 404


async def test_a_supervisor_opens_accounts_for_staff(house: OpenHouse) -> None:
    eve = await house.supervisor()
    for name, role in (("dan", "dealer"), ("ada", "auditor"), ("sue", "supervisor")):
        body = {"name": name, "password": PASSWORD, "role": role}
        assert (await eve.post("/api/v1/accounts", json=body)).status_code == 200
        client = await house.client()
        await client.post("/api/v1/sign-in", json={"name": name, "password": PASSWORD})
        assert (await client.get("/api/v1/me")).json()["role"] == role
    body = {"name": "x", "password": PASSWORD, "role": "owner"}
    assert (await eve.post("/api/v1/accounts", json=body)).json()["code"] == "bad_role"


async def test_a_role_is_given_and_the_next_session_has_it(house: OpenHouse) -> None:
    eve, ann, guest = await house.supervisor(), await house.client(), await house.guest()
    await ann.post("/api/v1/sign-up", json=ANN)
    body = {"role": "auditor"}
    assert (await eve.post("/api/v1/accounts/ann/role", json=body)).status_code == 200
    assert not await signed_in(ann)
    assert (await ann.post("/api/v1/sign-in", json=ANN)).json()["role"] == "auditor"
    assert (await ann.get("/metrics")).status_code == 200
    for name, status in (("supervisor", 403), ("nobody", 404), (await name_of(guest), 404)):
        answer = await eve.post(f"/api/v1/accounts/{name}/role", json=body)
        assert answer.status_code == status
    wrong = await eve.post("/api/v1/accounts/ann/role", json={"role": "owner"})
    assert wrong.json()["code"] == "bad_role"


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/api/v1/accounts/ann/bar", {"reason": "cheats\n2026-01-01 ann is admitted"}),
        ("/api/v1/accounts/ann/bar", {"reason": " "}),
        ("/api/v1/terminals", {"label": "Stadium 17\r"}),
    ],
)
async def test_what_goes_into_lists_is_one_line(
    house: OpenHouse, path: str, asked: dict[str, str]
) -> None:
    eve = await house.supervisor()
    answer = await eve.post(path, json=asked)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert "one line" in answer.json()["sentence"]


async def test_a_lock_is_lifted_and_an_account_is_barred(house: OpenHouse) -> None:
    eve, ann = await house.supervisor(), await house.client()
    await ann.post("/api/v1/sign-up", json=ANN)
    for _ in range(3):
        await ann.post("/api/v1/sign-in", json=ANN | {"password": "not the password"})
    assert (await ann.post("/api/v1/sign-in", json=ANN)).status_code == 429
    await eve.post("/api/v1/accounts/ann/unlock")
    assert (await ann.post("/api/v1/sign-in", json=ANN)).status_code == 200
    await eve.post("/api/v1/accounts/ann/bar", json={"reason": "cheats"})
    assert not await signed_in(ann)
    assert (await ann.post("/api/v1/sign-in", json=ANN)).json()["code"] == "barred"
    await eve.post("/api/v1/accounts/ann/admit")
    assert (await ann.post("/api/v1/sign-in", json=ANN)).status_code == 200
    await eve.post("/api/v1/accounts/ann/sign-out")
    assert not await signed_in(ann)
    own = await eve.post("/api/v1/accounts/supervisor/bar", json={"reason": "tired"})
    assert own.status_code == 403
    assert (await eve.post("/api/v1/accounts/nobody/unlock")).status_code == 404
    assert (await eve.post("/api/v1/accounts/NoName/sign-out")).status_code == 404


async def test_a_device_is_enrolled_by_a_cookie_and_removed(house: OpenHouse) -> None:
    terminal = await house.client(**FAR)
    await terminal.post("/api/v1/sign-in", json=SUPERVISOR)
    assert not (await terminal.get("/api/v1/me")).json()["enrolled"]
    enrolled = await terminal.post("/api/v1/terminals", json={"label": "Stadium 17"})
    assert "HttpOnly" in enrolled.headers["set-cookie"]
    await terminal.post("/api/v1/sign-out")
    await terminal.post("/api/v1/guest")
    assert (await terminal.get("/api/v1/me")).json()["enrolled"]
    other = await house.guest(**FAR)
    assert not (await other.get("/api/v1/me")).json()["enrolled"]
    headers = {"x-openfelt-terminal": enrolled.cookies["openfelt_terminal"]}
    assert (await other.get("/api/v1/me", headers=headers)).json()["enrolled"]
    eve = await house.supervisor()
    (listed,) = (await eve.get("/api/v1/terminals")).json()
    assert (listed["label"], listed["by"]) == ("Stadium 17", "supervisor")
    await eve.delete(f"/api/v1/terminals/{listed['id']}")
    assert not (await terminal.get("/api/v1/me")).json()["enrolled"]
    assert (await eve.get("/api/v1/terminals")).json() == []


async def test_only_a_local_starter_floor_treats_every_browser_as_enrolled(
    tmp_path: Path,
) -> None:
    async with open_house(tmp_path) as house:
        assert (await (await house.guest()).get("/api/v1/me")).json()["enrolled"]
        far = await house.guest(**FAR)
        assert not (await far.get("/api/v1/me")).json()["enrolled"]
    async with open_house(tmp_path, starter=False) as house:
        assert not (await (await house.guest()).get("/api/v1/me")).json()["enrolled"]
