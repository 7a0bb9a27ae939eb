"""An attacker gets into another person's session: by a cookie planted before the sign-in, a token
that was used up, guessed, cut from another account or meant for something else, or one read from
the log or the database."""

from collections.abc import Callable
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest

from openfelt.protocol.api_prefix import API
from tests.kit.attacks.server_under_attack import (
    PASSWORD,
    ServerUnderAttack,
    get,
    post,
    sign_in,
)


def token_of(browser: httpx.Client) -> str:
    """The token of the session that a browser holds."""
    (token,) = [cookie.value for cookie in browser.cookies.jar if "session" in cookie.name]
    assert token is not None
    return token


def cookie_name(browser: httpx.Client) -> str:
    """The name of the cookie of a session."""
    (name,) = [cookie.name for cookie in browser.cookies.jar if "session" in cookie.name]
    return name


def whoami(server: ServerUnderAttack, token: str) -> Any:
    """Whose session a token opens; None for none."""
    headers = {"Authorization": f"Bearer {token}"}
    answer = httpx.get(f"{server.address}{API}/me", headers=headers, verify=False, timeout=60)
    assert answer.status_code == 200
    return answer.json()["name"]


# Fixation ----------------------------------------------------------------------------------


def test_a_cookie_planted_before_the_sign_in_is_not_taken_over(
    shared_server: ServerUnderAttack,
) -> None:
    attacker = shared_server.person("guest")
    planted = token_of(attacker)
    victim = shared_server.browser()
    account = {"name": "fixed", "password": PASSWORD}
    post(victim, "/sign-up", account)
    post(victim, "/sign-out")
    for forged in (planted, "fixed." + "A" * 43, "fixed.x"):
        victim.cookies.clear()
        victim.cookies.set(cookie_name(attacker), forged, domain="127.0.0.1")
        answer = victim.post(f"{API}/sign-in", json=account)
        assert answer.status_code == 200
        new = SimpleCookie(answer.headers["set-cookie"])[cookie_name(attacker)].value
        assert new != forged
        assert whoami(shared_server, new) == "fixed"
        assert whoami(shared_server, forged) != "fixed"
    assert get(attacker, "/me")["guest"]


def test_a_guest_who_signs_up_gets_another_token(shared_server: ServerUnderAttack) -> None:
    guest = shared_server.person("guest")
    before = token_of(guest)
    post(guest, "/sign-up", {"name": "stayed", "password": PASSWORD})
    answer = get(guest, "/me")
    assert answer["name"] == "stayed"
    assert whoami(shared_server, before) is None


# Tokens --------------------------------------------------------------------------------------


def test_a_token_ends_with_its_session(shared_server: ServerUnderAttack) -> None:
    supervisor = shared_server.supervisor()
    ends: dict[str, Callable[[httpx.Client, str], object]] = {
        "sign out": lambda browser, name: post(browser, "/sign-out"),
        "sign in elsewhere": lambda browser, name: sign_in(shared_server.browser(), name),
        "a new password": lambda browser, name: post(
            browser, "/password", {"password": PASSWORD, "new_password": PASSWORD + "!"}
        ),
        "signed out by staff": lambda browser, name: post(supervisor, f"/accounts/{name}/sign-out"),
        "barred": lambda browser, name: post(
            supervisor, f"/accounts/{name}/bar", {"reason": "Test."}
        ),
        "another role": lambda browser, name: post(
            supervisor, f"/accounts/{name}/role", {"role": "auditor"}
        ),
    }
    for why, end in ends.items():
        browser = shared_server.person("player")
        name, token = get(browser, "/me")["name"], token_of(browser)
        assert whoami(shared_server, token) == name
        end(browser, name)
        assert (why, whoami(shared_server, token)) == (why, None)


def test_only_its_own_token_opens_an_account(shared_server: ServerUnderAttack) -> None:
    guest = shared_server.person("guest")
    name, _, secret = token_of(guest).rpartition(".")
    post(shared_server.supervisor(), "/terminals", {"label": "By the window"})
    (device,) = [
        cookie.value
        for cookie in shared_server.supervisor().cookies.jar
        if "terminal" in cookie.name
    ]
    forged = [
        *(f"supervisor.{secret}", f"supervisor.{'A' * 43}", "supervisor.", ".", secret, name),
        *(
            f"{name}.{secret[:-1]}",
            f"{name}.{secret}x",
            f"{name}. {secret}",
            f" {name}.{secret[1:]}",
        ),
        *(f"{name.upper()}.{secret}", f"{name}.{secret.swapcase()}", f"../{name}.{secret}"),
        *(device or "x", f"account/{name}.{secret}", f"{name}%00.{secret}", "null", "undefined"),
        "x" * 5000,
    ]
    for token in forged:
        assert whoami(shared_server, token) is None, token
    assert whoami(shared_server, f"{name}.{secret}") == name


def test_a_token_counts_in_its_header_and_nowhere_else(shared_server: ServerUnderAttack) -> None:
    guest = shared_server.person("guest")
    token, cookie = token_of(guest), cookie_name(guest)
    stranger = shared_server.browser()
    for query in (f"token={token}", f"access_token={token}", f"{cookie}={token}"):
        assert get(stranger, f"/me?{query}")["name"] is None
    for headers in (
        {"Authorization": f"Basic {token}"},
        {"Authorization": token},
        {"X-Session": token},
        {"Cookie": f"x{cookie}={token}"},
        {"Cookie": f"openfelt_terminal={token}"},
        {"X-Openfelt-Terminal": token},
    ):
        answer = stranger.get(f"{API}/me", headers=headers)
        assert answer.json()["name"] is None, headers


def test_the_token_of_a_guest_gives_no_rights_of_staff(shared_server: ServerUnderAttack) -> None:
    guest = shared_server.person("guest")
    for claimed in ({"X-Role": "supervisor"}, {"X-Forwarded-User": "supervisor"}):
        answer = guest.get(f"{API}/terminals", headers=claimed)
        assert answer.status_code == 403
    for body in ({"role": "supervisor"}, {"guest": False}):
        account = {"name": "climber", "password": PASSWORD} | body
        assert guest.post(f"{API}/sign-up", json=account).status_code == 422


# Cookies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["guest", "sign-up", "sign-in"])
def test_a_session_cookie_is_for_the_server_alone(
    shared_server: ServerUnderAttack, page: str
) -> None:
    account = {"name": f"biscuit-{page}", "password": PASSWORD}
    if page == "sign-in":
        post(shared_server.browser(), "/sign-up", account)
    answer = shared_server.browser().post(f"{API}/{page}", json=account)
    assert answer.status_code == 200
    cookies = answer.headers.get_list("set-cookie")
    assert any("session" in cookie for cookie in cookies)
    for cookie in cookies:
        flags = {part.strip().lower() for part in cookie.split(";")[1:]}
        assert {"httponly", "samesite=strict", "path=/"} <= flags, cookie
        assert not any(flag.startswith("domain") for flag in flags)
    assert answer.headers["cache-control"] == "no-store"


def test_no_cache_on_the_way_keeps_what_the_server_says(shared_server: ServerUnderAttack) -> None:
    supervisor = shared_server.supervisor()
    for path in (f"{API}/me", f"{API}/terminals", f"{API}/nothing-here", "/metrics", "/healthz"):
        assert supervisor.get(path).headers["cache-control"] == "no-store", path


# What is kept of a token -----------------------------------------------------------------------


def test_no_token_and_no_password_is_logged_or_stored(
    shared_server: ServerUnderAttack, tmp_path: Path
) -> None:
    guest = shared_server.person("guest")
    secret = token_of(guest).rpartition(".")[2]
    unusual = "an unusual passphrase 4711"
    wrong = "a wrong passphrase 4712"
    browser = shared_server.browser()
    post(browser, "/sign-up", {"name": "careful", "password": unusual})
    answer = browser.post(f"{API}/sign-in", json={"name": "careful", "password": wrong})
    assert answer.status_code == 401
    shared_server.browser().get(f"{API}/me", headers={"Authorization": f"Bearer x.{secret}"})
    log = "\n".join(shared_server.log_lines())
    with shared_server.store(tmp_path) as store:
        assert store.head("account/careful").version > 0
    database = b"".join(path.read_bytes() for path in tmp_path.glob("*.db*"))
    for hidden in (secret, unusual, wrong):
        assert hidden not in log
        assert hidden.encode() not in database
    assert b"careful" in database
