"""Sign-in: passwords, waits after wrong ones, and what a stranger can find out."""

from pathlib import Path

import httpx
import pytest

from tests.kit.server.open_house import PASSWORD, OpenHouse, open_house

FAR = "203.0.113.9"
ANN = {"name": "ann", "password": PASSWORD}
WRONG = {"name": "ann", "password": "not the password"}


async def sign_in(client: httpx.AsyncClient, body: dict[str, str]) -> tuple[int, str]:
    answer = await client.post("/api/v1/sign-in", json=body)
    return answer.status_code, answer.json().get("code", "in")


async def test_wrong_passwords_make_their_address_wait_and_no_other(house: OpenHouse) -> None:
    attacker, owner = await house.client(address=FAR), await house.client(address="10.0.0.9")
    await (await house.client()).post("/api/v1/sign-up", json=ANN)
    for _ in range(3):
        assert await sign_in(attacker, WRONG) == (401, "wrong_password")
    assert await sign_in(attacker, ANN) == (429, "slow_down")
    assert await sign_in(owner, ANN) == (200, "in")
    house.clock.pass_ms(4_999)
    slowed = await attacker.post("/api/v1/sign-in", json=WRONG)
    assert (slowed.status_code, slowed.headers["retry-after"]) == (429, "1")
    house.clock.pass_ms(1)
    assert await sign_in(attacker, WRONG) == (401, "wrong_password")
    house.clock.pass_ms(9_999)
    assert await sign_in(attacker, WRONG) == (429, "slow_down")
    house.clock.pass_ms(1)
    assert await sign_in(attacker, ANN) == (200, "in")


async def test_a_known_device_does_not_wait_for_a_stranger_at_its_address(
    house: OpenHouse,
) -> None:
    owner, stranger = await house.client(address=FAR), await house.client(address=FAR)
    await owner.post("/api/v1/sign-up", json=ANN)
    for _ in range(4):
        await sign_in(stranger, WRONG)
    assert await sign_in(stranger, ANN) == (429, "slow_down")
    assert await sign_in(owner, ANN) == (200, "in")
    # A stolen device has limits of its own.
    for _ in range(3):
        assert await sign_in(owner, WRONG) == (401, "wrong_password")
    assert await sign_in(owner, ANN) == (429, "slow_down")


async def test_a_device_is_forgotten_with_the_password(house: OpenHouse) -> None:
    thief, owner = await house.client(address=FAR), await house.client()
    await thief.post("/api/v1/sign-up", json=ANN)
    await sign_in(owner, ANN)
    body = {"password": PASSWORD, "new_password": PASSWORD + " again"}
    assert (await owner.post("/api/v1/password", json=body)).status_code == 200
    stranger = await house.client(address=FAR)
    for _ in range(3):
        await sign_in(stranger, WRONG)
    assert await sign_in(thief, WRONG) == (429, "slow_down")
    assert await sign_in(owner, ANN | {"password": PASSWORD + " again"}) == (200, "in")


async def test_a_supervisor_forgives_wrong_passwords(house: OpenHouse) -> None:
    client, eve = await house.client(), await house.supervisor()
    await (await house.client()).post("/api/v1/sign-up", json=ANN)
    for _ in range(3):
        await sign_in(client, WRONG)
    assert await sign_in(client, ANN) == (429, "slow_down")
    assert (await eve.post("/api/v1/accounts/ann/unlock")).status_code == 200
    assert await sign_in(client, ANN) == (200, "in")


async def test_a_flood_of_wrong_passwords_does_not_fill_the_record(house: OpenHouse) -> None:
    await (await house.client()).post("/api/v1/sign-up", json=ANN)
    for number in range(9):
        await sign_in(await house.client(address=f"10.9.{number}.1"), WRONG)
    stored = house.services.store.events("account/ann")
    assert sum(event.name == "account_sign_in_failed" for event in stored) == 5


async def test_an_unknown_name_is_refused_like_a_known_one(house: OpenHouse) -> None:
    client = await house.client()
    await client.post("/api/v1/sign-up", json=ANN)
    guest = await house.guest()
    guest_name = (await guest.get("/api/v1/me")).json()["name"]
    seen = []
    for name in ("ann", "nobody", guest_name, "Not A Name"):
        body = {"name": name, "password": "not the password"}
        stranger = await house.client(address=FAR)
        answers = [await stranger.post("/api/v1/sign-in", json=body) for _ in range(4)]
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
    for password, code in (
        ("short", "bad_password"),
        ("x" * 129, "bad_password"),
        ("openfelt", "easy_password"),
        ("aaaaaaaaaaa", "easy_password"),
    ):
        answer = await client.post("/api/v1/sign-up", json={"name": "ann", "password": password})
        assert (answer.status_code, answer.json()["code"]) == (422, code)
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
