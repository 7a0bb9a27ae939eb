"""Second factors: set up, used, lost, and kept over a restart."""

from pathlib import Path
from typing import Any

import httpx
import pyotp
import pytest

from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.second_factors import SETUP_MS
from openfelt.server.http.owner_checks import FRESH_MS
from openfelt.storage.door import KeyMissing
from tests.kit.floors import StandingClock
from tests.kit.server.open_house import PASSWORD, SUPERVISOR, OpenHouse, open_house

BEGIN, CONFIRM = "/api/v1/second-factor", "/api/v1/second-factor/confirm"


def code_now(secret: str, clock: StandingClock) -> str:
    """The code that an app shows at the time of the house."""
    return pyotp.TOTP(secret).at(clock.wall_ms() // 1000)


async def begun(client: httpx.AsyncClient) -> str:
    """Begin a set-up; gives the secret."""
    return str((await client.post(BEGIN, json={})).json()["secret"])


async def refused(client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> tuple[int, str]:
    answer = await client.post(path, json=body)
    return answer.status_code, answer.json().get("code", "")


async def test_codes_are_needed_from_then_on_also_after_a_restart(tmp_path: Path) -> None:
    clock = StandingClock()
    async with open_house(tmp_path, clock=clock) as house:
        eve = await house.supervisor()
        secret = await begun(eve)
        assert await refused(eve, CONFIRM, {"code": "000"}) == (401, "wrong_code")
        confirmed = await eve.post(CONFIRM, json={"code": code_now(secret, clock)})
        assert len(confirmed.json()["recovery_codes"]) == 10
        assert await refused(eve, BEGIN, {}) == (409, "second_factor_set")
    async with open_house(tmp_path, clock=clock) as house:
        eve = await house.client()
        assert await refused(eve, "/api/v1/sign-in", SUPERVISOR) == (401, "code_needed")
        clock.pass_ms(30_000)
        body = SUPERVISOR | {"code": code_now(secret, clock)}
        assert (await eve.post("/api/v1/sign-in", json=body)).status_code == 200
        assert await refused(eve, "/api/v1/sign-in", body) == (401, "wrong_code")


async def test_with_a_lost_key_recovery_codes_still_count(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve = await house.supervisor()
    secret = await begun(eve)
    confirmed = await eve.post(CONFIRM, json={"code": code_now(secret, house.clock)})
    house.clock.pass_ms(30_000)

    def without_key(_: Account) -> str | None:
        raise KeyMissing("00000001", stream="account/supervisor", where="nowhere")

    monkeypatch.setattr(house.services.accounts, "code_secret", without_key)
    body = SUPERVISOR | {"code": code_now(secret, house.clock)}
    assert await refused(eve, "/api/v1/sign-in", body) == (401, "wrong_code")
    body = SUPERVISOR | {"code": confirmed.json()["recovery_codes"][0]}
    assert (await eve.post("/api/v1/sign-in", json=body)).status_code == 200


async def test_a_set_up_belongs_to_its_session_and_ends(house: OpenHouse) -> None:
    eve = await house.supervisor()
    assert await refused(eve, CONFIRM, {"code": "123456"}) == (409, "no_setup")
    secret = await begun(eve)
    other = await house.client()
    await other.post("/api/v1/sign-in", json=SUPERVISOR)
    code = code_now(secret, house.clock)
    assert await refused(other, CONFIRM, {"code": code}) == (409, "no_setup")
    secret = await begun(other)
    house.clock.pass_ms(SETUP_MS + 1)
    code = code_now(secret, house.clock)
    assert await refused(other, CONFIRM, {"code": code}) == (409, "no_setup")


async def test_an_old_session_needs_the_password_to_begin(house: OpenHouse) -> None:
    eve = await house.supervisor()
    house.clock.pass_ms(FRESH_MS + 1)
    assert await refused(eve, BEGIN, {}) == (403, "password_needed")
    assert await refused(eve, BEGIN, {"password": "not it"}) == (401, "wrong_password")
    assert (await eve.post(BEGIN, json={"password": PASSWORD})).status_code == 200


async def test_removing_needs_the_password_and_a_code(house: OpenHouse) -> None:
    eve = await house.supervisor()
    path = "/api/v1/second-factor/remove"
    assert (await refused(eve, path, {"password": PASSWORD, "code": "1"}))[0] == 403
    secret = await begun(eve)
    codes = (await eve.post(CONFIRM, json={"code": code_now(secret, house.clock)})).json()
    code = codes["recovery_codes"][0]
    wrong = {"password": "not the password", "code": code}
    assert await refused(eve, path, wrong) == (401, "wrong_password")
    assert await refused(eve, path, {"password": PASSWORD, "code": "1"}) == (401, "wrong_code")
    assert (await eve.post(path, json={"password": PASSWORD, "code": code})).status_code == 200
    assert (await eve.post("/api/v1/sign-in", json=SUPERVISOR)).status_code == 200


async def test_a_guest_has_no_second_factor(house: OpenHouse) -> None:
    guest = await house.guest()
    assert (await guest.post(BEGIN, json={})).status_code == 403
