"""Passkeys of accounts: added, listed, used, removed, and kept over a restart."""

from pathlib import Path

import httpx

from openfelt.server.accounts.passkeys import PASSKEYS_MAX
from openfelt.server.credentials.challenges import CHALLENGE_MS
from openfelt.server.process.account_tools import reset_second_factor
from tests.kit.attacks.soft_authenticator import Json, SoftAuthenticator
from tests.kit.floors import StandingClock
from tests.kit.server.open_house import PASSWORD, SUPERVISOR, OpenHouse, open_house

HERE = "http://localhost"
API = "/api/v1"


async def browser(house: OpenHouse) -> httpx.AsyncClient:
    """A browser that has come to localhost by name."""
    return await house.client(base=HERE)


async def supervisor(house: OpenHouse) -> httpx.AsyncClient:
    client = await browser(house)
    assert (await client.post(f"{API}/sign-in", json=SUPERVISOR)).status_code == 200
    return client


async def added(
    client: httpx.AsyncClient,
    device: SoftAuthenticator,
    name: str = "key",
    *,
    by: SoftAuthenticator | None = None,
) -> Json:
    """Add a passkey, by another one that the account has; gives the answer."""
    proof: Json = {}
    if by is not None:
        challenge = (await client.post(f"{API}/passkeys/challenge")).json()
        proof = {"password": PASSWORD, "passkey": by.signed(challenge, HERE)}
    begun = await client.post(f"{API}/passkeys", json=proof)
    if begun.status_code != 200:
        return dict(begun.json())
    made = device.created(begun.json(), HERE)
    answer = await client.post(f"{API}/passkeys/confirm", json={"name": name} | made)
    return {"status": answer.status_code, "json": answer.json()}


async def asked(client: httpx.AsyncClient, who: dict[str, str] = SUPERVISOR) -> Json:
    """The challenge after the right password."""
    answer = (await client.post(f"{API}/sign-in", json=who)).json()
    assert answer["code"] == "passkey_needed"
    challenge: Json = answer["passkey"]
    return challenge


async def test_passkeys_are_named_listed_and_kept_over_a_restart(tmp_path: Path) -> None:
    clock, phone, stick = StandingClock(), SoftAuthenticator(counts=False), SoftAuthenticator()
    async with open_house(tmp_path, clock=clock) as house:
        eve = await supervisor(house)
        await added(eve, phone, "Phone")
        assert (await added(eve, stick, "Stick in the drawer", by=phone))["status"] == 200
        listed = (await eve.get(f"{API}/passkeys")).json()
        assert [(passkey["name"], passkey["site"]) for passkey in listed] == [
            ("Phone", "localhost"),
            ("Stick in the drawer", "localhost"),
        ]
        assert (await eve.get(f"{API}/me")).json()["passkeys"] == 2
    async with open_house(tmp_path, clock=clock) as house:
        eve = await browser(house)
        for device in (phone, phone, stick, phone):
            challenge = await asked(eve)
            assert set(challenge["passkeys"]) == {phone.id, stick.id}
            form = SUPERVISOR | {"passkey": device.signed(challenge, HERE)}
            assert (await eve.post(f"{API}/sign-in", json=form)).status_code == 200
        listed = (await eve.get(f"{API}/passkeys")).json()
        assert all(passkey["used_ms"] is not None for passkey in listed)


async def test_a_player_may_have_a_passkey(house: OpenHouse) -> None:
    ann, device = await browser(house), SoftAuthenticator()
    who = {"name": "ann", "password": PASSWORD}
    assert (await ann.post(f"{API}/sign-up", json=who)).status_code == 200
    assert (await added(ann, device))["status"] == 200
    form = who | {"passkey": device.signed(await asked(ann, who), HERE)}
    assert (await ann.post(f"{API}/sign-in", json=form)).json()["name"] == "ann"


async def test_a_challenge_ends(house: OpenHouse) -> None:
    eve, device = await supervisor(house), SoftAuthenticator()
    begun = (await eve.post(f"{API}/passkeys", json={})).json()
    house.clock.pass_ms(CHALLENGE_MS + 1)
    made = {"name": "late"} | device.created(begun, HERE)
    assert (await eve.post(f"{API}/passkeys/confirm", json=made)).json()["code"] == "no_setup"
    await added(eve, device)
    challenge = await asked(eve)
    house.clock.pass_ms(CHALLENGE_MS + 1)
    form = SUPERVISOR | {"passkey": device.signed(challenge, HERE)}
    assert (await eve.post(f"{API}/sign-in", json=form)).json()["code"] == "wrong_passkey"


async def test_an_account_has_so_many_passkeys_and_none_twice(house: OpenHouse) -> None:
    eve, first = await supervisor(house), SoftAuthenticator()
    await added(eve, first)
    assert (await added(eve, first, by=first))["json"]["code"] == "passkey_exists"
    for _ in range(PASSKEYS_MAX - 1):
        await added(eve, SoftAuthenticator(), by=first)
    assert (await added(eve, SoftAuthenticator(), by=first))["code"] == "too_many_passkeys"


async def test_a_passkey_works_only_at_the_name_that_it_was_made_for(house: OpenHouse) -> None:
    eve = await supervisor(house)
    await added(eve, SoftAuthenticator())
    by_number = await house.client()
    answer = (await by_number.post(f"{API}/sign-in", json=SUPERVISOR)).json()
    assert (answer["code"], answer["passkey"], answer["codes"]) == ("passkey_needed", None, False)
    guest = await house.guest()
    assert (await guest.get(f"{API}/passkeys")).status_code == 403


async def test_an_operator_removes_passkeys_of_an_owner_who_has_lost_them(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        eve = await supervisor(house)
        await added(eve, SoftAuthenticator())
        reset_second_factor(house.services.settings.database, "supervisor")
        house.clock.pass_ms(2000)
        assert (await eve.get(f"{API}/me")).json()["name"] is None
        assert (await eve.post(f"{API}/sign-in", json=SUPERVISOR)).status_code == 200
