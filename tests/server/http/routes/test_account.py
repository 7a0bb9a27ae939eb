"""Endpoints of accounts: guests, sign-up, cookies and wallets."""

import asyncio
from pathlib import Path

from tests.kit.floors import StandingClock
from tests.kit.server.open_house import PASSWORD, OpenHouse, name_of, open_house, signed_in

ANN = {"name": "ann", "password": PASSWORD}


async def test_a_guest_begins_with_play_money(house: OpenHouse) -> None:
    client = await house.client()
    signed_out = await client.get("/api/v1/me")
    assert (signed_out.status_code, signed_out.json()) == (
        200,
        {
            "name": None,
            "player": None,
            "role": None,
            "guest": False,
            "wallet_cents": 0,
            "enrolled": True,
            "play_money": True,
            "terminal_of": None,
            "terminal_stopped": "",
            "practice_table": "demo-1",
            "pages": ["practice", "verify"],
        },
    )
    answer = await client.post("/api/v1/guest")
    me = (await client.get("/api/v1/me")).json()
    assert answer.json() == me
    assert me["name"].startswith("guest-")
    assert me == {
        "name": me["name"],
        "player": me["name"],
        "role": "player",
        "guest": True,
        "wallet_cents": 100_000,
        "enrolled": True,
        "play_money": True,
        "step": None,
        "second_factor": False,
        "passkeys": 0,
        "second_factor_required": False,
        "recovery_codes_left": 0,
        "table": None,
        "terminal_of": None,
        "terminal_stopped": "",
        "practice_table": "demo-1",
        "pages": ["lobby", "table", "practice", "verify"],
        "vouchers": False,
    }


async def test_the_life_of_an_account(house: OpenHouse) -> None:
    client, other = await house.client(), await house.client()
    assert (await client.post("/api/v1/sign-up", json=ANN)).json()["wallet_cents"] == 100_000
    assert (await client.get("/api/v1/me")).json()["guest"] is False
    assert (await other.post("/api/v1/sign-in", json=ANN)).json()["name"] == "ann"
    assert not await signed_in(client)
    assert (await other.post("/api/v1/sign-out")).json() == {"done": True}
    assert not await signed_in(other)
    assert (await other.post("/api/v1/sign-out")).status_code == 200


async def test_the_token_of_a_session_that_has_ended_is_invalid(house: OpenHouse) -> None:
    client, thief = await house.client(), await house.client()
    token = (await client.post("/api/v1/sign-up", json=ANN)).cookies["openfelt_session"]
    bearer = {"authorization": f"Bearer {token}"}
    assert await signed_in(thief, bearer)
    await client.post("/api/v1/sign-out")
    assert not await signed_in(thief, bearer)


# Guests who stay ----------------------------------------------------------------------------


async def test_a_guest_who_opens_an_account_keeps_money_seat_and_history(house: OpenHouse) -> None:
    guest = await house.guest()
    player = await name_of(guest)
    own = (await guest.post("/api/v1/tables/private", json={"house": "online"})).json()["table"]
    await house.sit(own, player, 1, 30_000)
    await house.bet(own, 1)
    await house.play(own)
    rounds = (await guest.get(f"/api/v1/tables/{own}/rounds")).json()
    assert len(rounds) == 1
    wallet_cents = (await guest.get("/api/v1/me")).json()["wallet_cents"]
    me = (await guest.post("/api/v1/sign-up", json=ANN)).json()
    assert (me["name"], me["player"]) == ("ann", player)
    assert (me["guest"], me["wallet_cents"]) == (False, wallet_cents)
    elsewhere = await house.client()
    assert (await elsewhere.post("/api/v1/sign-in", json=ANN)).json() == me
    lines = (await elsewhere.get("/api/v1/tables")).json()
    assert [line["own_seat"] for line in lines if line["table"] == own] == [1]
    assert (await elsewhere.get(f"/api/v1/tables/{own}/rounds")).json() == rounds
    for path in ("", "/proof"):
        answer = await elsewhere.get(f"/api/v1/tables/{own}/rounds/1{path}")
        assert answer.status_code == 200
    again = await elsewhere.post("/api/v1/tables/private", json={"house": "online"})
    assert again.json() == {"table": own}


async def test_a_guest_who_has_stayed_is_a_guest_no_more(house: OpenHouse) -> None:
    guest = await house.guest()
    name = await name_of(guest)
    bearer = {"authorization": f"Bearer {guest.cookies['openfelt_session']}"}
    assert (await guest.post("/api/v1/sign-up", json=ANN)).status_code == 200
    assert not await signed_in(await house.client(), bearer)
    eve = await house.supervisor()
    for path in ("bar", "sign-out"):
        answer = await eve.post(f"/api/v1/accounts/{name}/{path}", json={"reason": "cheats"})
        assert answer.status_code == 404
        assert "ann" in answer.json()["sentence"]
    assert await name_of(guest) == "ann"
    another = await guest.post("/api/v1/sign-up", json=ANN | {"name": "bob"})
    assert another.json()["wallet_cents"] == 100_000
    assert (await guest.get("/api/v1/tables")).status_code == 200


async def test_a_guest_whose_account_is_refused_stays_a_guest(house: OpenHouse) -> None:
    await (await house.client()).post("/api/v1/sign-up", json=ANN)
    guest = await house.guest()
    name = await name_of(guest)
    for body, code in (
        (ANN, "name_taken"),
        (ANN | {"name": "Bob"}, "bad_name"),
        ({"name": "bob", "password": "short"}, "bad_password"),
    ):
        assert (await guest.post("/api/v1/sign-up", json=body)).json()["code"] == code
    assert await name_of(guest) == name


async def test_two_accounts_never_share_what_one_guest_had(house: OpenHouse) -> None:
    guest = await house.guest()
    bearer = {"authorization": f"Bearer {guest.cookies['openfelt_session']}"}
    clients = [await house.client() for _ in range(6)]
    asking = [
        client.post("/api/v1/sign-up", json=ANN | {"name": f"ann{at}"}, headers=bearer)
        for at, client in enumerate(clients)
    ]
    answers = await asyncio.gather(*asking)
    names = [one.json()["name"] for one in answers if one.status_code == 200]
    accounts = [house.services.accounts.get(name) for name in names]
    shared = [one for one in accounts if one is not None and one.plays_as is not None]
    assert len(shared) == 1


async def test_cookies_are_for_the_server_alone(house: OpenHouse) -> None:
    plain = (await (await house.client()).post("/api/v1/guest")).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(plain.split("; "))
    assert "Secure" not in plain
    secure = await house.client(base="https://127.0.0.1")
    cookie = (await secure.post("/api/v1/guest")).headers["set-cookie"]
    assert cookie.startswith("__Host-openfelt_session=")
    assert {"HttpOnly", "SameSite=strict", "Path=/", "Secure"} <= set(cookie.split("; "))
    signed_up = await (await house.client()).post("/api/v1/sign-up", json=ANN)
    account, device = signed_up.headers.get_list("set-cookie")
    assert account.startswith("openfelt_session=")
    assert "Max-Age" not in account
    assert device.startswith("openfelt_known=device.")


async def test_behind_tls_a_cookie_of_a_neighbouring_host_does_not_count(house: OpenHouse) -> None:
    secure = await house.client(base="https://127.0.0.1")
    token = (await (await house.client()).post("/api/v1/guest")).cookies["openfelt_session"]
    assert not await signed_in(secure, {"cookie": f"openfelt_session={token}"})
    assert await signed_in(secure, {"cookie": f"__Host-openfelt_session={token}"})


async def test_an_account_signs_in_again_after_half_an_hour_and_a_guest_after_a_month(
    house: OpenHouse,
) -> None:
    client, guest = await house.client(), await house.guest()
    await client.post("/api/v1/sign-up", json=ANN)
    house.clock.pass_ms(30 * 60_000 + 1)
    assert not await signed_in(client)
    assert await signed_in(guest)
    house.clock.pass_ms(30 * 86_400_000 + 1)
    assert not await signed_in(guest)


async def test_a_password_is_changed_and_every_session_ends(house: OpenHouse) -> None:
    client = await house.client()
    old = (await client.post("/api/v1/sign-up", json=ANN)).cookies["openfelt_session"]
    body = {"password": PASSWORD, "new_password": "another one entirely"}
    wrong = await client.post("/api/v1/password", json=body | {"password": "not it at all"})
    assert wrong.status_code == 401
    assert (await client.post("/api/v1/password", json=body)).status_code == 200
    assert await signed_in(client)
    bearer = {"authorization": f"Bearer {old}"}
    assert not await signed_in(await house.client(), bearer)
    assert (await client.post("/api/v1/sign-in", json=ANN)).status_code == 401
    again = ANN | {"password": "another one entirely"}
    assert (await client.post("/api/v1/sign-in", json=again)).status_code == 200
    guest = await house.guest()
    assert (await guest.post("/api/v1/password", json=body)).status_code == 403


async def loses(house: OpenHouse, player: str) -> None:
    """A player has $400 left of the first $1,000."""
    cashier = house.services.floor.cashier
    await asyncio.to_thread(lambda: cashier.withdraw(player, 60_000, id=f"lost {player}"))


async def test_a_guest_is_topped_up_once_for_each_id(house: OpenHouse) -> None:
    guest = await house.guest()
    name = await name_of(guest)
    await loses(house, name)
    assert (await guest.get("/api/v1/me")).json()["wallet_cents"] == 40_000
    for _ in range(2):
        answer = await guest.post("/api/v1/wallet/top-up", json={"id": "first"})
        assert answer.json() == {"wallet_cents": 100_000, "fills_up_to_cents": 100_000}
    headers = {"idempotency-key": "second"}
    assert (await guest.post("/api/v1/wallet/top-up", headers=headers)).status_code == 200
    assert (await guest.get("/api/v1/me")).json()["wallet_cents"] == 100_000
    # What is at a table is not lost.
    await house.sit("draw-1", name, 1, 30_000)
    answer = await guest.post("/api/v1/wallet/top-up", json={"id": "third"})
    assert answer.json()["wallet_cents"] == 70_000
    assert (await guest.post("/api/v1/wallet/top-up")).json()["code"] == "bad_id"
    client = await house.client()
    assert (await client.post("/api/v1/wallet/top-up", json={"id": "x"})).status_code == 401
    eve = await house.supervisor()
    assert (await eve.post("/api/v1/wallet/top-up", json={"id": "x"})).status_code == 403


async def test_an_account_is_topped_up_in_a_house_of_play_money_alone(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        ann = await house.client()
        await ann.post("/api/v1/sign-up", json=ANN)
        await loses(house, "ann")
        answer = await ann.post("/api/v1/wallet/top-up", json={"id": "first"})
        assert answer.json() == {"wallet_cents": 100_000, "fills_up_to_cents": 100_000}
    async with open_house(tmp_path, play_money=False) as house:
        ann = await house.client()
        await ann.post("/api/v1/sign-in", json=ANN)
        assert (await ann.post("/api/v1/wallet/top-up", json={"id": "second"})).status_code == 403


async def test_many_top_ups_at_once_give_no_more_than_one(house: OpenHouse) -> None:
    guest = await house.guest()
    await loses(house, await name_of(guest))
    asking = [guest.post("/api/v1/wallet/top-up", json={"id": "same"}) for _ in range(8)]
    assert {answer.status_code for answer in await asyncio.gather(*asking)} == {200}
    assert (await guest.get("/api/v1/me")).json()["wallet_cents"] == 100_000


async def test_many_top_ups_under_ids_of_their_own_fill_the_wallet_once(house: OpenHouse) -> None:
    guest = await house.guest()
    await loses(house, await name_of(guest))
    asking = [guest.post("/api/v1/wallet/top-up", json={"id": f"{n}"}) for n in range(8)]
    assert {answer.status_code for answer in await asyncio.gather(*asking)} == {200}
    assert (await guest.get("/api/v1/me")).json()["wallet_cents"] == 100_000


async def test_without_play_money_there_are_no_guests_and_no_top_ups(
    tmp_path: Path,
) -> None:
    async with open_house(tmp_path, play_money=False) as house:
        client = await house.client()
        assert (await client.post("/api/v1/guest")).json()["code"] == "no_guests"
        assert (await client.post("/api/v1/sign-up", json=ANN)).json()["wallet_cents"] == 0


async def test_a_restart_keeps_sessions_accounts_and_wallets(tmp_path: Path) -> None:
    clock, kept = StandingClock(), dict[str, str]()
    async with open_house(tmp_path, clock=clock) as house:
        client, guest = await house.client(), await house.guest()
        kept["ann"] = (await client.post("/api/v1/sign-up", json=ANN)).cookies["openfelt_session"]
        kept["guest"] = guest.cookies["openfelt_session"]
        await house.sit("draw-1", await name_of(guest), 2, 30_000)
    clock.pass_ms(60_000)
    async with open_house(tmp_path, clock=clock) as house:
        client = await house.client()
        for who, cents in (("ann", 100_000), ("guest", 70_000)):
            headers = {"authorization": f"Bearer {kept[who]}"}
            assert (await client.get("/api/v1/me", headers=headers)).json()["wallet_cents"] == cents
        headers = {"authorization": f"Bearer {kept['guest']}"}
        lines = (await client.get("/api/v1/tables", headers=headers)).json()
        assert [line["own_seat"] for line in lines if line["table"] == "draw-1"] == [2]
        assert (await client.post("/api/v1/sign-in", json=ANN)).status_code == 200
