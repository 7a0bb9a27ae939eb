"""Sign-in: names, passwords, locks, and what a stranger can find out."""

from pathlib import Path

import httpx
import pytest

from openfelt.server.accounts.sign_in import check_account_name, is_account_name
from openfelt.server.errors import Denied
from tests.kit.floors import StandingClock
from tests.kit.server.open_house import PASSWORD, OpenHouse, open_house

ANN = {"name": "ann", "password": PASSWORD}
WRONG = {"name": "ann", "password": "not the password"}


async def sign_in(client: httpx.AsyncClient, body: dict[str, str]) -> tuple[int, str]:
    answer = await client.post("/api/v1/sign-in", json=body)
    return answer.status_code, answer.json().get("code", "in")


@pytest.mark.parametrize("name", ["ann", "a", "0", "ann.b", "ann@felt", "a" * 32])
def test_valid_account_names(name: str) -> None:
    check_account_name(name)


@pytest.mark.parametrize(
    "name", ["", "Ann", "a" * 33, "-ann", "ann b", "anné", "a/b", "a:b", "guest-1", "openfelt"]
)
def test_refused_account_names(name: str) -> None:
    with pytest.raises(Denied):
        check_account_name(name)
    assert is_account_name(name) == (name in ("guest-1", "openfelt"))


async def test_three_wrong_passwords_lock_a_name_and_each_further_one_doubles_the_lock(
    house: OpenHouse,
) -> None:
    client = await house.client()
    await client.post("/api/v1/sign-up", json=ANN)
    for _ in range(3):
        assert await sign_in(client, WRONG) == (401, "wrong_password")
    assert await sign_in(client, ANN) == (429, "locked")
    house.clock.pass_ms(59_999)
    assert await sign_in(client, ANN) == (429, "locked")
    house.clock.pass_ms(1)
    assert await sign_in(client, WRONG) == (401, "wrong_password")
    house.clock.pass_ms(119_999)
    locked = await client.post("/api/v1/sign-in", json=ANN)
    assert (locked.status_code, locked.headers["retry-after"]) == (429, "1")
    house.clock.pass_ms(1)
    assert await sign_in(client, ANN) == (200, "in")
    assert await sign_in(client, WRONG) == (401, "wrong_password")
    assert await sign_in(client, ANN) == (200, "in")


async def test_a_lock_lasts_a_day_at_most_and_over_a_restart(tmp_path: Path) -> None:
    clock = StandingClock()
    async with open_house(tmp_path, clock=clock) as house:
        client = await house.client()
        await client.post("/api/v1/sign-up", json=ANN)
        longest = 0
        for _ in range(2):
            await sign_in(client, WRONG)
        for _ in range(14):
            await sign_in(client, WRONG)
            locked = await client.post("/api/v1/sign-in", json=ANN)
            longest = int(locked.headers["retry-after"])
            house.clock.pass_ms(longest * 1000)
        assert longest == 86_400
        await sign_in(client, WRONG)
        house.clock.pass_ms(86_400_000 - 1)
    async with open_house(tmp_path, clock=clock) as house:
        client = await house.client()
        assert await sign_in(client, ANN) == (429, "locked")
        house.clock.pass_ms(1)
        assert await sign_in(client, ANN) == (200, "in")


async def test_an_unknown_name_is_refused_like_a_known_one(house: OpenHouse) -> None:
    client = await house.client()
    await client.post("/api/v1/sign-up", json=ANN)
    guest = await house.guest()
    guest_name = (await guest.get("/api/v1/me")).json()["name"]
    seen = []
    for name in ("ann", "nobody", guest_name, "Not A Name"):
        body = {"name": name, "password": "not the password"}
        answers = [await client.post("/api/v1/sign-in", json=body) for _ in range(4)]
        seen.append([(answer.status_code, answer.text) for answer in answers])
    assert all(same == seen[0] for same in seen)


async def test_a_hash_is_checked_even_where_there_is_none(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []
    passwords = house.services.passwords
    verify = passwords._verify

    def noted(kept: str, password: str) -> bool:
        checked.append(kept[:9])
        return verify(kept, password)

    monkeypatch.setattr(passwords, "_verify", noted)
    client = await house.client()
    await sign_in(client, {"name": "nobody", "password": "whatever it is"})
    assert checked == ["$argon2id"]


async def test_passwords_that_are_refused(house: OpenHouse) -> None:
    client = await house.client()
    for password in ("short", "openfelt", "aaaaaaaaaaa", "x" * 129):
        answer = await client.post("/api/v1/sign-up", json={"name": "ann", "password": password})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_password")
        assert password not in answer.json()["sentence"]


async def test_a_taken_name_is_refused(house: OpenHouse) -> None:
    client = await house.client()
    assert (await client.post("/api/v1/sign-up", json=ANN)).status_code == 200
    again = await client.post("/api/v1/sign-up", json=ANN)
    assert (again.status_code, again.json()["code"]) == (409, "name_taken")
    assert (await client.get("/api/v1/me")).json()["name"] == "ann"


@pytest.mark.parametrize("name", ["absence", "supervisor", "openfelt", "house-1", "guest-1"])
async def test_names_of_the_house_are_reserved(tmp_path: Path, name: str) -> None:
    async with open_house(tmp_path, starter=False) as house:
        client = await house.client()
        answer = await client.post("/api/v1/sign-up", json=ANN | {"name": name})
        assert (answer.status_code, answer.json()["code"]) == (409, "name_taken")
