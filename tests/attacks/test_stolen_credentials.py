"""An attacker tries common passwords, has a dealer's password but not the second factor, uses a
code again, guesses codes, or keeps a session of staff for ever."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pyotp
import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from openfelt.protocol.api_prefix import API
from openfelt.protocol.messages import PROTOCOL
from openfelt.server.settings import Limits
from tests.kit.attacks.server_under_attack import PASSWORD as KIT_PASSWORD
from tests.kit.attacks.server_under_attack import ServerUnderAttack, ask, post, sign_in
from tests.kit.attacks.visitors import Visitor, behind_a_proxy
from tests.kit.server.open_house import PASSWORD, SUPERVISOR, open_house, settings_in
from tests.kit.server.real_server import served

COMMON = (
    *("password", "12345678", "qwertyuiop", "iloveyou1", "letmein123", "Passw0rd!", "P@ssw0rd2024"),
    *("openfelt1", "aaaaaaaaaaaa", "abcabcabcabc", "qazwsxedcrfv", "1q2w3e4r5t6y", "monkeymonkey"),
    *("casino123456", "19900101", "drowssap", "passwordpassword", "1234567890123456"),
)


# Passwords -----------------------------------------------------------------------------------


@pytest.mark.parametrize("password", COMMON)
def test_common_passwords_are_refused(server: ServerUnderAttack, password: str) -> None:
    body = {"name": "victim", "password": password}
    answer = server.browser().post(f"{API}/sign-up", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "easy_password")
    staff = body | {"role": "dealer"}
    answer = server.supervisor().post(f"{API}/accounts", json=staff)
    assert answer.status_code == 422


def test_the_account_name_is_not_a_password_and_staff_need_twelve_characters(
    server: ServerUnderAttack,
) -> None:
    own = {"name": "annabella.rossi", "password": "annabella.rossi"}
    assert server.browser().post(f"{API}/sign-up", json=own).json()["code"] == "easy_password"
    short = {"name": "dan", "password": "k7wq-2mfz", "role": "dealer"}
    answer = server.supervisor().post(f"{API}/accounts", json=short)
    assert answer.json()["sentence"] == "A password must have 12 to 128 characters."
    player = {"name": "dan-the-player", "password": "k7wq-2mfz"}
    assert server.browser().post(f"{API}/sign-up", json=player).status_code == 200


def test_a_player_who_becomes_staff_chooses_a_longer_password_first(
    server: ServerUnderAttack,
) -> None:
    browser = server.browser()
    body = {"name": "pia", "password": "k7wq-2mfz"}
    browser.post(f"{API}/sign-up", json=body)
    server.supervisor().post(f"{API}/accounts/pia/role", json={"role": "dealer"})
    assert browser.post(f"{API}/sign-in", json=body).json()["step"] == "password"
    change = {"password": body["password"], "new_password": PASSWORD}
    assert browser.post(f"{API}/password", json=change).json()["step"] is None


# The second factor -----------------------------------------------------------------------------


def set_up(visitor: Visitor) -> tuple[str, str, list[str]]:
    """Set a second factor up; gives its secret, the code that was used, and recovery codes."""
    secret = visitor.post("/second-factor", {}).json()["secret"]
    code = pyotp.TOTP(secret).now()
    confirmed = visitor.post("/second-factor/confirm", {"code": code})
    recovery: list[str] = confirmed.json()["recovery_codes"]
    return secret, code, recovery


def test_staff_can_do_nothing_before_their_second_factor_is_set_up(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path, second_factor=None) as server:
        eve = Visitor(server, "203.0.113.9")
        assert eve.post("/sign-in", SUPERVISOR).json()["step"] == "second_factor"
        for method, path in (("GET", "/terminals"), ("POST", "/terminals"), ("POST", "/tables")):
            refused = eve.ask(method, path, {} if method == "POST" else None)
            assert (refused.status_code, refused.json()["code"]) == (403, "second_factor_step")
        set_up(eve)
        assert eve.ask("GET", "/me").json()["step"] is None
        assert eve.ask("GET", "/terminals").status_code == 200


async def test_a_dealer_without_a_second_factor_is_a_visitor_at_the_table(
    start_server: Callable[..., ServerUnderAttack],
) -> None:
    server = start_server("--second-factor")
    eve, dora = server.browser(), server.browser()
    for browser, name in ((eve, "supervisor"), (dora, "dora")):
        sign_in(browser, name)
        if browser is eve:
            confirm_factor(eve)
            staff = {"name": "dora", "password": KIT_PASSWORD, "role": "dealer", "temporary": False}
            post(eve, "/accounts", staff)
            post(eve, "/tables", {"table": "live-1", "house": "washington", "dealer_mode": "live"})
    sign_on = {"kind": "change_dealer", "dealer": "dora"}
    async with server.socket(dora, "live-1") as socket:
        assert (await ask(socket, "on", sign_on))["refused"] == "signed_out"
    confirm_factor(dora)
    async with server.socket(dora, "live-1") as socket:
        assert (await ask(socket, "on", sign_on)).get("refused") is None


def confirm_factor(browser: httpx.Client) -> None:
    """Set one-time codes up in a browser that has signed in."""
    secret = post(browser, "/second-factor", {})["secret"]
    post(browser, "/second-factor/confirm", {"code": pyotp.TOTP(secret).now()})


def test_a_password_alone_does_not_sign_in_and_no_code_counts_twice(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path) as server:
        eve, thief = Visitor(server, "203.0.113.9"), Visitor(server, "198.51.100.7")
        eve.sign_in(PASSWORD)
        _, used, recovery = set_up(eve)
        assert thief.sign_in(PASSWORD) == (401, "code_needed")
        assert thief.sign_in(PASSWORD, code="000000") == (401, "wrong_code")
        assert thief.sign_in(PASSWORD, code=used) == (401, "wrong_code")
        with ThreadPoolExecutor(4) as at_once:
            race = list(at_once.map(lambda _: eve.sign_in(PASSWORD, code=recovery[0]), range(4)))
        assert Counter(race)[200, "in"] == 1
        assert thief.sign_in(PASSWORD, code=recovery[0]) == (401, "wrong_code")
        assert eve.sign_in(PASSWORD, code=recovery[1].upper().replace("-", " ")) == (200, "in")
        assert eve.ask("GET", "/me").json()["recovery_codes_left"] == 8


def test_codes_are_not_guessed_fast_by_a_thief_with_the_password(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path) as server:
        eve = Visitor(server, "203.0.113.9")
        eve.sign_in(PASSWORD)
        _, _, recovery = set_up(eve)
        seen = Counter(
            Visitor(server, f"198.51.{number}.7").sign_in(PASSWORD, code=f"{number:06}")
            for number in range(40)
        )
        assert seen[401, "wrong_code"] <= 5
        assert seen[429, "slow_down"] >= 35
        # The owner's device has attempts of its own.
        assert eve.sign_in(PASSWORD, code=recovery[0]) == (200, "in")


def test_waits_do_not_tell_which_codes_are_valid(tmp_path: Path) -> None:
    """While a name makes its attackers wait, a valid code would be answered in another way."""
    with behind_a_proxy(tmp_path) as server:
        eve = Visitor(server, "203.0.113.9")
        eve.sign_in(PASSWORD)
        _, _, recovery = set_up(eve)
        thief = Visitor(server, "198.51.100.7")
        for _ in range(4):
            thief.sign_in("not the password")
        tried = [thief.sign_in("not the password", code=f"{number:06}") for number in range(9)]
        assert set(tried) == {(429, "slow_down")}
        # After a few codes none is looked at any more, the right one neither.
        assert thief.sign_in("not the password", code=recovery[0]) == (429, "slow_down")
        assert eve.sign_in(PASSWORD, code=recovery[0]) == (200, "in")


def test_a_copy_of_the_database_gives_no_code(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path) as server:
        eve = Visitor(server, "203.0.113.9")
        eve.sign_in(PASSWORD)
        secret, _, recovery = set_up(eve)
    with sqlite3.connect(tmp_path / "felt.db") as database:
        dump = "\n".join(database.iterdump())
    assert secret not in dump
    assert not [code for code in recovery if code in dump or code.replace("-", "") in dump]


def test_a_new_password_needs_the_second_factor(tmp_path: Path) -> None:
    """A thief with a session and its password cannot shut the owner out."""
    with behind_a_proxy(tmp_path) as server:
        eve = Visitor(server, "203.0.113.9")
        eve.sign_in(PASSWORD)
        _, used, recovery = set_up(eve)
        body = {"password": PASSWORD, "new_password": "the thief's own words"}
        for code, why in ((None, "code_needed"), (used, "wrong_code"), ("000000", "wrong_code")):
            answer = eve.ask("POST", "/password", body | ({"code": code} if code else {}))
            assert (answer.status_code, answer.json()["code"]) == (401, why)
        assert eve.ask("POST", "/password", body | {"code": recovery[0]}).status_code == 200
        assert eve.ask("GET", "/me").json()["name"] == "supervisor"


# Sessions ----------------------------------------------------------------------------------------


async def test_a_new_password_gives_a_session_of_staff_no_more_time(tmp_path: Path) -> None:
    quarter_ms = Limits().staff_session_ms // 4
    # Sessions that are in use, without an end for idle ones.
    limits = Limits(idle_ms=2 * quarter_ms)
    async with open_house(tmp_path, limits=limits) as house:
        client = await house.client()
        assert (await client.post(f"{API}/sign-in", json=SUPERVISOR)).status_code == 200
        password = SUPERVISOR["password"]
        for number in range(3):
            house.clock.pass_ms(quarter_ms)
            body = {"password": password, "new_password": f"a new password, number {number}"}
            assert (await client.post(f"{API}/password", json=body)).status_code == 200
            password = body["new_password"]
        house.clock.pass_ms(quarter_ms)
        assert (await client.get(f"{API}/me")).json()["name"] is None


async def test_an_open_socket_of_staff_is_closed_when_the_session_is_over(tmp_path: Path) -> None:
    limits = Limits(staff_session_ms=4000)
    with served(settings_in(tmp_path, port=0, limits=limits)) as address:
        async with httpx.AsyncClient(base_url=address, verify=False) as client:
            assert (await client.post(f"{API}/sign-in", json=SUPERVISOR)).status_code == 200
            token = client.cookies["openfelt_session"]
        headers = {"Cookie": f"openfelt_session={token}"}
        url = f"{address.replace('http', 'ws')}/ws/tables/draw-1"
        async with connect(url, origin=Origin(address), additional_headers=headers) as socket:
            await socket.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
            await socket.wait_closed()
            assert (socket.close_code, socket.close_reason) == (4001, "signed_out")
        async with httpx.AsyncClient(base_url=address, verify=False) as client:
            me = await client.get(f"{API}/me", headers=headers)
        assert me.json()["name"] is None
