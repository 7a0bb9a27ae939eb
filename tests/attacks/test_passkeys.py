"""A thief has a supervisor's password, and what the supervisor's passkey once signed: sends it
again, from another site, for another challenge, with another account's passkey, with a removed one
or with a copy; or adds and removes passkeys in a browser that was left open."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from openfelt.cli.records.deeds import deeds_in
from openfelt.runtime.audit.database import audit
from openfelt.server.credentials.passkey_answers import encoded
from openfelt.storage.sqlite import SqliteStore
from tests.kit.attacks.server_under_attack import ServerUnderAttack
from tests.kit.attacks.soft_authenticator import PRESENT, VERIFIED, Json, SoftAuthenticator
from tests.kit.attacks.visitors import Visitor, behind_a_proxy
from tests.kit.server.open_house import PASSWORD
from tests.kit.server.seen_cards import copy_of

HERE = "https://felt.example"
NOT_ACCEPTED = (401, "wrong_passkey")
STRANGE = ("", "A", "_" * 8000, "e30", encoded(b"[" * 5000), encoded(b"\xff" * 40))
"""Bytes that no browser sends."""
StartServer = Callable[..., ServerUnderAttack]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A public house whose staff need a second factor."""
    with behind_a_proxy(tmp_path, second_factor=None) as address:
        yield address


@pytest.fixture(scope="module")
def lying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One public house for all lies: each is told by a player of its own."""
    with behind_a_proxy(tmp_path_factory.mktemp("lies")) as address:
        yield address


def visitor(server: str, number: int = 9) -> Visitor:
    return Visitor(server, f"203.0.113.{number}", scheme="https")


def add(
    browser: Visitor, device: SoftAuthenticator, by: SoftAuthenticator | None = None, **lies: Any
) -> tuple[int, str]:
    """Add a passkey, by another one that the account has; gives the code of a refusal."""
    proof = proof_by(browser, by) if by else {}
    begun = browser.post("/passkeys", proof)
    assert begun.status_code == 200, begun.text
    made = device.created(begun.json(), lies.pop("origin", HERE), **lies)
    answer = browser.post("/passkeys/confirm", {"name": "My key"} | made)
    return answer.status_code, "" if answer.status_code == 200 else answer.json()["code"]


def proof_by(browser: Visitor, device: SoftAuthenticator) -> Json:
    """What the owner shows in a session: the password and a passkey."""
    return {"password": PASSWORD, "passkey": device.signed(owner_challenge(browser), HERE)}


def challenge(browser: Visitor, **who: str) -> Json:
    """Send the right password; gives the challenge that is asked for."""
    answer = browser.post("/sign-in", {"name": "supervisor", "password": PASSWORD} | who)
    assert (answer.status_code, answer.json()["code"]) == (401, "passkey_needed"), answer.text
    asked: Json = answer.json()["passkey"]
    return asked


def enter(browser: Visitor, signed: Json, **who: str) -> tuple[int, str]:
    """Sign in with the right password and this answer."""
    form = {"name": "supervisor", "password": PASSWORD, "passkey": signed} | who
    answer = browser.post("/sign-in", form)
    return answer.status_code, answer.json().get("code", "in")


@pytest.fixture
def key(server: str) -> SoftAuthenticator:
    """The supervisor's passkey."""
    eve, device = visitor(server), SoftAuthenticator()
    assert eve.sign_in(PASSWORD) == (200, "in")
    assert eve.ask("GET", "/me").json()["step"] == "second_factor"
    assert add(eve, device) == (200, "")
    assert eve.ask("GET", "/me").json()["step"] is None
    return device


def test_a_passkey_signs_in_and_the_password_alone_does_not(
    server: str, key: SoftAuthenticator
) -> None:
    eve = visitor(server)
    assert enter(eve, key.signed(challenge(eve), HERE)) == (200, "in")
    assert eve.ask("GET", "/terminals").status_code == 200
    assert visitor(server, 7).sign_in(PASSWORD) == (401, "passkey_needed")
    assert visitor(server, 7).sign_in(PASSWORD, code="000000") == (401, "wrong_code")


def test_what_was_signed_once_is_not_accepted_again(server: str, key: SoftAuthenticator) -> None:
    eve, thief = visitor(server), visitor(server, 7)
    signed = key.signed(challenge(eve), HERE)
    with ThreadPoolExecutor(3) as at_once:
        race = list(at_once.map(lambda _: enter(eve, signed), range(3)))
    assert Counter(race) == {(200, "in"): 1, NOT_ACCEPTED: 2}
    assert enter(eve, signed) == NOT_ACCEPTED
    assert enter(thief, signed) == NOT_ACCEPTED
    challenge(thief)
    assert enter(thief, signed) == NOT_ACCEPTED


def test_an_answer_counts_only_in_the_browser_that_was_asked(
    server: str, key: SoftAuthenticator
) -> None:
    eve, thief = visitor(server), visitor(server, 7)
    signed = key.signed(challenge(eve), HERE)
    challenge(thief)
    assert enter(thief, signed) == NOT_ACCEPTED
    # The thief has used up nothing of the owner's.
    assert enter(eve, signed) == (200, "in")


LIES: dict[str, Json] = {
    "another site": {"origin": "https://fe1t.example"},
    "without TLS": {"origin": "http://felt.example"},
    "another port": {"origin": "https://felt.example:8443"},
    "a site below": {"origin": "https://www.felt.example"},
    "no origin": {"origin": ""},
    "for another name": {"rp_id": "example"},
    "another challenge": {"challenge": encoded(bytes(32))},
    "no challenge": {"challenge": ""},
    "a new key's answer": {"type": "webauthn.create"},
    "owner not verified": {"flags": PRESENT},
    "no person": {"flags": VERIFIED},
    "within a frame": {"cross_origin": True},
}


def player(server: str, name: str) -> tuple[Visitor, dict[str, str], SoftAuthenticator]:
    """A player with a passkey of their own."""
    browser, device = visitor(server), SoftAuthenticator()
    who = {"name": name, "password": PASSWORD}
    assert browser.post("/sign-up", who).status_code == 200
    assert add(browser, device) == (200, "")
    return browser, who, device


@pytest.mark.parametrize("lie", LIES)
def test_answers_with_a_lie_are_not_accepted(lying: str, lie: str) -> None:
    browser, who, device = player(lying, f"player-{list(LIES).index(lie)}")
    lies = dict(LIES[lie])
    origin = lies.pop("origin", HERE)
    if "type" not in lies:
        assert add(browser, SoftAuthenticator(), device, origin=origin, **lies) == NOT_ACCEPTED
    signed = device.signed(challenge(browser, **who), origin, **lies)
    assert enter(browser, signed, **who) == NOT_ACCEPTED
    assert enter(browser, device.signed(challenge(browser, **who), HERE), **who) == (200, "in")


def test_bytes_that_no_browser_sends_are_refused(lying: str) -> None:
    for number, strange in enumerate(STRANGE):
        browser, who, device = player(lying, f"strange-{number}")
        right = device.signed(challenge(browser, **who), HERE)
        for field in ("client_data", "authenticator_data", "signature", "id"):
            status, code = enter(browser, right | {field: strange}, **who)
            assert (status, code) in (NOT_ACCEPTED, (422, "malformed")), (field, strange[:20])
            challenge(browser, **who)
        begun = browser.post("/passkeys", proof_by(browser, device))
        made = SoftAuthenticator().created(begun.json(), HERE)
        for field in ("client_data", "attestation", "id"):
            answer = browser.post("/passkeys/confirm", {"name": "k"} | made | {field: strange})
            assert answer.status_code in (401, 409, 422), (field, strange[:20], answer.text)


def test_another_account_s_passkey_does_not_count(server: str, key: SoftAuthenticator) -> None:
    mallory, who, own = player(server, "mallory")
    asked = challenge(mallory)
    assert enter(mallory, own.signed(asked, HERE)) == NOT_ACCEPTED
    # The id of the supervisor's passkey, signed with the key of another one.
    forged = own.signed(challenge(mallory), HERE, id=key.id)
    assert enter(mallory, forged) == NOT_ACCEPTED
    # A challenge of the attacker's own account, answered for the supervisor's.
    signed = own.signed(challenge(mallory, **who), HERE)
    assert enter(mallory, signed) == NOT_ACCEPTED


def test_a_removed_passkey_does_not_count(server: str, key: SoftAuthenticator) -> None:
    eve, spare = visitor(server), SoftAuthenticator()
    enter(eve, key.signed(challenge(eve), HERE))
    assert add(eve, spare, key) == (200, "")
    late = key.signed(challenge(eve), HERE)
    assert eve.post(f"/passkeys/{key.id}/remove", proof_by(eve, spare)).status_code == 200
    # Neither an answer to an open challenge, nor a new one.
    assert enter(eve, late) == NOT_ACCEPTED
    assert enter(eve, key.signed(challenge(eve), HERE)) == NOT_ACCEPTED
    assert enter(eve, spare.signed(challenge(eve), HERE)) == (200, "in")


def test_a_copy_of_a_passkey_is_found_by_its_count(
    server: str, key: SoftAuthenticator, tmp_path: Path
) -> None:
    eve, thief = visitor(server), visitor(server, 7)
    for _ in range(3):
        assert enter(eve, key.signed(challenge(eve), HERE)) == (200, "in")
    for count in (3, 2, 0):
        copied = key.signed(challenge(thief), HERE, count=count)
        assert enter(thief, copied) == NOT_ACCEPTED
    with sqlite3.connect(tmp_path / "felt.db") as database:
        ((doubts,),) = database.execute(
            "SELECT count(*) FROM events WHERE name = 'account_passkey_doubted'"
        )
    assert doubts == 3


def test_a_thief_of_the_password_does_not_keep_the_owner_s_passkey_out(
    server: str, key: SoftAuthenticator
) -> None:
    eve, thief = visitor(server), visitor(server, 7)
    asked = challenge(eve)
    for number in range(8):
        stranger = visitor(server, number + 100)
        forged = SoftAuthenticator().signed(challenge(stranger), HERE, id=key.id)
        assert enter(stranger, forged) == NOT_ACCEPTED
    seen = Counter(thief.sign_in(PASSWORD, code=f"{number:06}") for number in range(12))
    assert seen[429, "slow_down"] >= 7
    # With an open challenge of their own, wrong passwords have attempts of their own too.
    forged = SoftAuthenticator().signed(challenge(visitor(server, 8)), HERE)
    for number in range(12):
        enter(visitor(server, number + 50), forged, password="not the password")
    assert enter(eve, key.signed(asked, HERE)) == (200, "in")


def test_a_browser_left_open_adds_and_removes_no_passkey(
    server: str, key: SoftAuthenticator
) -> None:
    eve = visitor(server)
    assert enter(eve, key.signed(challenge(eve), HERE)) == (200, "in")
    # Its owner has gone for coffee, and a thief who knows the password sits down.
    tried = [
        eve.post("/passkeys", {}),
        eve.post("/passkeys", {"password": PASSWORD}),
        eve.post("/second-factor", {"password": PASSWORD}),
        eve.post(f"/passkeys/{key.id}/remove", {"password": PASSWORD}),
        eve.post(f"/passkeys/{key.id}/remove", {"password": PASSWORD, "code": "000000"}),
    ]
    assert [answer.json()["code"] for answer in tried] == [
        *("password_needed", "passkey_needed", "passkey_needed", "passkey_needed"),
        "wrong_code",
    ]
    # A new password needs the passkey too. It opens a session that proves no more than the old one.
    new = "another felt and fourteen chairs"
    change: Json = {"password": PASSWORD, "new_password": new}
    assert eve.post("/password", change).json()["code"] == "passkey_needed"
    change |= {"passkey": key.signed(owner_challenge(eve), HERE)}
    assert eve.post("/password", change).status_code == 200
    assert eve.post("/passkeys", {}).json()["code"] == "password_needed"
    assert eve.post("/passkeys", {"password": new}).json()["code"] == "passkey_needed"
    # What was signed to sign in is no proof within a session, and the other way round.
    proof = {"password": new, "passkey": key.signed(challenge(eve, password=new), HERE)}
    assert eve.post(f"/passkeys/{key.id}/remove", proof).status_code == 401
    signed = key.signed(owner_challenge(eve), HERE)
    assert enter(eve, signed, password=new) == NOT_ACCEPTED


def test_a_page_at_another_port_cannot_pass_answers_on(start_server: StartServer) -> None:
    """On one machine all ports share a name. The origin is not taken from the request alone."""
    server = start_server()
    here, evil = f"http://localhost:{server.port}", f"http://localhost:{server.port + 1}"
    browser = server.browser(Host=here[7:], Origin=here)
    who = {"name": "ann", "password": PASSWORD}
    assert browser.post("/api/v1/sign-up", json=who).status_code == 200
    begun = browser.post("/api/v1/passkeys", json={})
    device = SoftAuthenticator()
    made = {"name": "k"} | device.created(begun.json(), here)
    assert browser.post("/api/v1/passkeys/confirm", json=made).status_code == 200
    relay = server.browser(Host=evil[7:], Origin=evil)
    asked = relay.post("/api/v1/sign-in", json=who).json()
    assert asked["passkey"] is None
    asked = browser.post("/api/v1/sign-in", json=who).json()["passkey"]
    relay.cookies.update(browser.cookies)
    signed = device.signed(asked, evil)
    form = who | {"passkey": signed}
    assert relay.post("/api/v1/sign-in", json=form).json()["code"] == "no_passkeys_here"
    assert browser.post("/api/v1/sign-in", json=form).json()["code"] == "wrong_passkey"
    asked = browser.post("/api/v1/sign-in", json=who).json()["passkey"]
    form = who | {"passkey": device.signed(asked, here)}
    assert browser.post("/api/v1/sign-in", json=form).status_code == 200


def test_added_and_removed_passkeys_are_in_the_record_with_their_actor(
    server: str, key: SoftAuthenticator, tmp_path: Path
) -> None:
    eve, spare = visitor(server), SoftAuthenticator()
    enter(eve, key.signed(challenge(eve), HERE))
    add(eve, spare, key)
    assert eve.post(f"/passkeys/{key.id}/remove", proof_by(eve, spare)).status_code == 200
    with closing(copy_of(tmp_path / "felt.db", tmp_path / "copy.db")) as store:
        deeds = [deed.event for deed in deeds_in(store, ("floor:supervisor",), "account/")]
        assert deeds.count("account_passkey_added") == 2
        assert deeds.count("account_passkey_removed") == 1
        assert audit(store).findings == ()
    # The key of a thief in the place of the supervisor's is found.
    with sqlite3.connect(tmp_path / "copy.db") as database:
        database.execute(
            "UPDATE events SET body = replace(body, ?, ?)", (spare.id, SoftAuthenticator().id)
        )
    with closing(SqliteStore(tmp_path / "copy.db")) as store:
        assert audit(store).findings


def owner_challenge(browser: Visitor) -> Json:
    asked: Json = browser.post("/passkeys/challenge").json()
    return asked
