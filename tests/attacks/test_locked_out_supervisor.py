"""Strangers send wrong passwords for a member of staff, from one address or from hundreds, to lock
the owner out or to guess the password; and a player looks for names to try."""

import json
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

import pyotp

from openfelt.protocol.api_prefix import API
from openfelt.server.limits.rates import Rate
from openfelt.server.settings import AttemptLimits
from tests.kit.attacks.server_under_attack import ServerUnderAttack, ask, receive
from tests.kit.attacks.visitors import Visitor, behind_a_proxy
from tests.kit.server.open_house import PASSWORD, SUPERVISOR

SLOW_TURNS = AttemptLimits(turn_ms=60_000, longest_turn_ms=60_000, turn_wait_ms=200)
"""One attempt of unknown devices in a minute, once a name is under attack."""
LONG_WAIT = AttemptLimits(first_wait_ms=AttemptLimits().longest_wait_ms)
"""A first wait that is not over while the refusals of a guesser, which come late, are awaited."""


def test_wrong_passwords_from_elsewhere_do_not_lock_the_owner_out(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path, attempts=LONG_WAIT) as server:
        stranger, owner = Visitor(server, "198.51.100.7"), Visitor(server, "203.0.113.9")
        seen = Counter(stranger.sign_in("not the password") for _ in range(30))
        assert seen == {(401, "wrong_password"): 3, (429, "slow_down"): 27}
        assert owner.sign_in(PASSWORD) == (200, "in")


def test_a_stranger_at_the_same_address_does_not_stop_a_known_device(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path, attempts=AttemptLimits()) as server:
        owner = Visitor(server, "203.0.113.9")
        assert owner.sign_in(PASSWORD) == (200, "in")
        stranger = Visitor(server, "203.0.113.9")
        for _ in range(10):
            stranger.sign_in("not the password")
        assert stranger.sign_in(PASSWORD) == (429, "slow_down")
        assert owner.sign_in(PASSWORD) == (200, "in")


def test_a_flood_from_the_same_address_does_not_stop_a_known_device(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path, sign_ins=Rate(per_minute=1, burst=5)) as server:
        owner, stranger = Visitor(server, "203.0.113.9"), Visitor(server, "203.0.113.9")
        assert owner.sign_in(PASSWORD) == (200, "in")
        seen = Counter(stranger.sign_in("not it", name=f"p{number}") for number in range(20))
        assert seen[429, "too_many_requests"] == 16
        assert owner.sign_in(PASSWORD) == (200, "in")


def test_hundreds_of_addresses_neither_guess_fast_nor_lock_the_owner_out(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path, attempts=SLOW_TURNS) as server:
        known = Visitor(server, "203.0.113.9")
        assert known.sign_in(PASSWORD) == (200, "in")
        secret = known.post("/second-factor", {}).json()["secret"]
        step = known.post("/second-factor/confirm", {"code": pyotp.TOTP(secret).now()}).json()
        addresses = [f"198.51.{number}.7" for number in range(60)]
        addresses += [f"2001:db8:{number:x}::7" for number in range(40)]
        with ThreadPoolExecutor(40) as attackers:
            guess = lambda address: Visitor(server, address).sign_in("not it")  # noqa: E731
            seen = Counter(attackers.map(guess, addresses))
            # Ten wrong passwords are free, and then one in each turn.
            assert seen[401, "wrong_password"] <= SLOW_TURNS.free_in_all + 1
            assert seen[429, "slow_down"] >= 85
            during = attackers.map(guess, addresses)
            elsewhere = Visitor(server, "192.0.2.55")
            code = step["recovery_codes"][0]
            assert elsewhere.sign_in(PASSWORD, code=code) == (200, "in")
            assert known.sign_in(PASSWORD, code=step["recovery_codes"][1]) == (200, "in")
            assert Counter(during)[429, "slow_down"] >= 95


def test_a_new_address_comes_before_addresses_that_were_wrong(tmp_path: Path) -> None:
    """The owner's turn is the next one. In the order of arrival, six attackers would be served
    before the owner."""
    turns = AttemptLimits(turn_ms=1500, longest_turn_ms=1500, turn_wait_ms=9000, free_in_all=20)
    with behind_a_proxy(tmp_path, attempts=turns) as server, ThreadPoolExecutor(20) as pool:
        attackers = [Visitor(server, f"198.51.{number}.7") for number in range(20)]
        seen = pool.map(lambda attacker: attacker.sign_in("not the password"), attackers)
        assert set(seen) == {(401, "wrong_password")}
        during = [pool.submit(attacker.sign_in, "not the password") for attacker in attackers]
        wait(during, return_when=FIRST_COMPLETED)
        assert Visitor(server, "203.0.113.9").sign_in(PASSWORD) == (200, "in")
        served = [attempt.result() for attempt in during if attempt.done()]
        assert served.count((401, "wrong_password")) <= 4


async def test_a_player_learns_no_name_to_sign_in_with(server: ServerUnderAttack) -> None:
    name = "d.rossi"
    supervisor, dealer, player = server.supervisor(), server.browser(), server.person("guest")
    account = {"name": name, "password": PASSWORD, "role": "dealer", "temporary": False}
    assert supervisor.post(f"{API}/accounts", json=account).status_code == 200
    dealer.post(f"{API}/sign-in", json={"name": name, "password": PASSWORD})
    table = server.open_table("live-1", "washington", dealer_mode="live")
    frames = []
    async with server.socket(player, table) as seen, server.socket(dealer, table) as dealing:
        assert (await ask(dealing, "on", {"kind": "change_dealer", "dealer": name}))["version"]
        frames += [player.get(f"{API}{path}").text for path in ("/tables", "/links", "/me")]
        frames.append(json.dumps(await receive(seen, "welcome")))
        change = await receive(seen, "change")
        frames.append(json.dumps(change))
        assert change["public"]["dealer"].startswith("Dealer ")
    assert not [frame for frame in frames if name in frame or SUPERVISOR["name"] in frame]
