"""Pages about people: guests, accounts, cookies, wallets, and who sees whose."""

import asyncio
from pathlib import Path

from tests.floors import StandingClock
from tests.server.open_house import PASSWORD, OpenHouse, name_of, tell

ANN = {"name": "ann", "password": PASSWORD}


def test_a_guest_comes_in_with_play_money(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        client = await house.client()
        refused = await client.get("/api/me")
        assert (refused.status_code, refused.json()["code"]) == (401, "signed_out")
        answer = await client.post("/api/guest")
        me = (await client.get("/api/me")).json()
        assert answer.json() == me
        assert me["name"].startswith("guest-")
        assert me == {
            "name": me["name"],
            "role": "player",
            "guest": True,
            "wallet_cents": 100_000,
            "enrolled": True,
            "play_money": True,
        }

    tell(tmp_path, story)


def test_the_life_of_an_account(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        client, other = await house.client(), await house.client()
        assert (await client.post("/api/sign-up", json=ANN)).json()["wallet_cents"] == 100_000
        assert (await client.get("/api/me")).json()["guest"] is False
        assert (await other.post("/api/sign-in", json=ANN)).json()["name"] == "ann"
        assert (await client.get("/api/me")).status_code == 401
        assert (await other.post("/api/sign-out")).json() == {"done": True}
        assert (await other.get("/api/me")).status_code == 401
        assert (await other.post("/api/sign-out")).status_code == 200

    tell(tmp_path, story)


def test_a_token_of_a_session_that_has_ended_is_worth_nothing(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        client, thief = await house.client(), await house.client()
        token = (await client.post("/api/sign-up", json=ANN)).cookies["openfelt_session"]
        bearer = {"authorization": f"Bearer {token}"}
        assert (await thief.get("/api/me", headers=bearer)).status_code == 200
        await client.post("/api/sign-out")
        assert (await thief.get("/api/me", headers=bearer)).status_code == 401

    tell(tmp_path, story)


def test_cookies_are_for_the_server_alone(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        plain = (await (await house.client()).post("/api/guest")).headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(plain.split("; "))
        assert "Secure" not in plain
        secure = await house.client(base="https://127.0.0.1")
        assert "; Secure" in (await secure.post("/api/guest")).headers["set-cookie"]
        account = (await (await house.client()).post("/api/sign-up", json=ANN)).headers[
            "set-cookie"
        ]
        assert "Max-Age" not in account

    tell(tmp_path, story)


def test_an_account_signs_in_again_after_half_an_hour_and_a_guest_after_a_month(
    tmp_path: Path,
) -> None:
    async def story(house: OpenHouse) -> None:
        client, guest = await house.client(), await house.guest()
        await client.post("/api/sign-up", json=ANN)
        house.clock.pass_ms(30 * 60_000 + 1)
        assert (await client.get("/api/me")).status_code == 401
        assert (await guest.get("/api/me")).status_code == 200
        house.clock.pass_ms(30 * 86_400_000 + 1)
        assert (await guest.get("/api/me")).status_code == 401

    tell(tmp_path, story)


def test_a_password_is_changed_and_every_session_ends(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        client = await house.client()
        old = (await client.post("/api/sign-up", json=ANN)).cookies["openfelt_session"]
        body = {"password": PASSWORD, "new_password": "another one entirely"}
        wrong = await client.post("/api/password", json=body | {"password": "not it at all"})
        assert wrong.status_code == 401
        assert (await client.post("/api/password", json=body)).status_code == 200
        assert (await client.get("/api/me")).status_code == 200
        bearer = {"authorization": f"Bearer {old}"}
        assert (await (await house.client()).get("/api/me", headers=bearer)).status_code == 401
        assert (await client.post("/api/sign-in", json=ANN)).status_code == 401
        again = ANN | {"password": "another one entirely"}
        assert (await client.post("/api/sign-in", json=again)).status_code == 200
        guest = await house.guest()
        assert (await guest.post("/api/password", json=body)).status_code == 403

    tell(tmp_path, story)


def test_a_guest_is_topped_up_once_for_each_id(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        guest = await house.guest()
        name = await name_of(guest)
        await house.sit("draw-1", name, 1, 60_000)
        assert (await guest.get("/api/me")).json()["wallet_cents"] == 40_000
        for _ in range(2):
            answer = await guest.post("/api/wallet/top-up", json={"id": "first"})
            assert answer.json() == {"wallet_cents": 100_000}
        headers = {"idempotency-key": "second"}
        assert (await guest.post("/api/wallet/top-up", headers=headers)).status_code == 200
        assert (await guest.get("/api/me")).json()["wallet_cents"] == 100_000
        assert (await guest.post("/api/wallet/top-up")).json()["code"] == "bad_id"
        client = await house.client()
        assert (await client.post("/api/wallet/top-up", json={"id": "x"})).status_code == 401
        await client.post("/api/sign-up", json=ANN)
        assert (await client.post("/api/wallet/top-up", json={"id": "x"})).status_code == 403

    tell(tmp_path, story)


def test_many_top_ups_at_once_give_no_more_than_one(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        guest = await house.guest()
        await house.sit("draw-1", await name_of(guest), 1, 60_000)
        asking = [guest.post("/api/wallet/top-up", json={"id": "same"}) for _ in range(8)]
        assert {answer.status_code for answer in await asyncio.gather(*asking)} == {200}
        assert (await guest.get("/api/me")).json()["wallet_cents"] == 100_000

    tell(tmp_path, story)


def test_without_play_money_there_are_no_guests_and_nobody_is_given_anything(
    tmp_path: Path,
) -> None:
    async def story(house: OpenHouse) -> None:
        client = await house.client()
        assert (await client.post("/api/guest")).json()["code"] == "no_guests"
        assert (await client.post("/api/sign-up", json=ANN)).json()["wallet_cents"] == 0

    tell(tmp_path, story, play_money=False)


def test_a_restart_keeps_sessions_accounts_and_wallets(tmp_path: Path) -> None:
    clock, kept = StandingClock(), dict[str, str]()

    async def before(house: OpenHouse) -> None:
        client, guest = await house.client(), await house.guest()
        kept["ann"] = (await client.post("/api/sign-up", json=ANN)).cookies["openfelt_session"]
        kept["guest"] = guest.cookies["openfelt_session"]
        await house.sit("draw-1", await name_of(guest), 2, 30_000)

    async def after(house: OpenHouse) -> None:
        client = await house.client()
        for who, cents in (("ann", 100_000), ("guest", 70_000)):
            headers = {"authorization": f"Bearer {kept[who]}"}
            assert (await client.get("/api/me", headers=headers)).json()["wallet_cents"] == cents
        headers = {"authorization": f"Bearer {kept['guest']}"}
        lines = (await client.get("/api/tables", headers=headers)).json()
        assert [one["own_seat"] for one in lines if one["table"] == "draw-1"] == [2]
        assert (await client.post("/api/sign-in", json=ANN)).status_code == 200

    tell(tmp_path, before, clock=clock)
    clock.pass_ms(60_000)
    tell(tmp_path, after, clock=clock)
