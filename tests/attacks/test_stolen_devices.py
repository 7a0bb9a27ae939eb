"""A thief has the token of a card reader, or a dealer's terminal that is enrolled, and calls
everything with it; or tries all cards under an id that the reader has used.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from openfelt.cards import FULL_DECK
from openfelt.protocol.api_prefix import API
from openfelt.server.http.dependencies import SESSION_COOKIE
from openfelt.table.role_permissions import PERMISSIONS, CallerKind
from tests.attacks.test_permissions import PARTS
from tests.kit.attacks.commands import SAMPLES, sample
from tests.kit.attacks.server_under_attack import (
    PASSWORD,
    ServerUnderAttack,
    ask,
    get,
    post,
    receive,
    sign_in,
)

TABLE = "pit-3"
BADGE, PIN, OWN_PIN = "4711", "730184", "520937"


@dataclass(frozen=True)
class Stolen:
    """What the thief has, and the browsers of those who have not noticed."""

    reader: httpx.Client
    device: httpx.Client
    """The dealer's terminal, in which no dealer is signed on."""
    dealer: httpx.Client
    """The same terminal with Dora's session, while she deals."""
    player: httpx.Client


@pytest.fixture(scope="module")
def stolen(server: ServerUnderAttack) -> Stolen:
    """A live table with a dealer's terminal and a card reader."""
    eve = server.supervisor()
    server.open_table(TABLE, "washington", dealer_mode="live")
    account = {"name": "dora", "password": PASSWORD, "role": "dealer", "public_name": "Dora"}
    post(eve, "/accounts", account)
    post(eve, "/accounts/dora/badge", {"badge": BADGE, "pin": PIN})
    token = post(eve, "/readers", {"table": TABLE, "label": "Shoe"})["token"]
    dealer = server.browser()
    sign_in(dealer, "supervisor")
    post(dealer, "/terminals", {"label": "Pit 3", "table": TABLE})
    post(dealer, "/dealer/sign-on", {"badge": BADGE, "pin": PIN, "new_pin": OWN_PIN})
    device = server.browser()
    device.cookies.update(dealer.cookies)
    device.cookies.delete(SESSION_COOKIE)
    sign_in(eve, "supervisor")
    reader = server.browser(Authorization=f"Bearer {token}")
    return Stolen(reader, device, dealer, server.person("guest"))


def admitted(thief: httpx.Client, *, reader: bool) -> list[str]:
    """The endpoints that a thief is admitted to, of those that are not for every caller."""
    found = []
    for endpoint, permission in PERMISSIONS.items():
        method, path = endpoint.split(" ", 1)
        if method == "WEBSOCKET" or permission.this_machine:
            continue
        if permission.callers == frozenset(CallerKind):
            continue
        for part, value in (PARTS | {"{table}": TABLE, "{reader}": "0" * 64}).items():
            path = path.replace(part, value)
        body: Any = None if method in ("GET", "DELETE") else {}
        if thief.request(method, path, json=body).status_code not in (401, 403):
            assert reader == permission.reader_token, endpoint
            found.append(endpoint)
    return found


def test_the_token_of_a_reader_opens_the_two_endpoints_of_its_table_only(stolen: Stolen) -> None:
    cards = f"{API}/tables/{{table}}/cards"
    assert admitted(stolen.reader, reader=True) == [f"GET {cards}", f"POST {cards}"]
    assert stolen.reader.get(f"{API}/tables/washington-1/cards").status_code == 401
    assert get(stolen.reader, "/me")["name"] is None


def test_a_dealers_terminal_without_a_dealer_opens_nothing(stolen: Stolen) -> None:
    assert admitted(stolen.device, reader=False) == []
    me = get(stolen.device, "/me")
    assert (me["name"], me["terminal_of"]) == (None, TABLE)


@pytest.mark.parametrize("thing", ["reader", "device"])
async def test_neither_gives_a_command_on_a_socket(
    server: ServerUnderAttack, stolen: Stolen, thing: str
) -> None:
    async with server.socket(getattr(stolen, thing), TABLE) as socket:
        assert (await receive(socket, "welcome"))["private"]["may"] == []
        for kind in SAMPLES:
            assert (await ask(socket, kind, sample(kind)))["refused"] == "signed_out", kind


async def test_no_hidden_card_is_found_by_trying_all_under_a_used_id(
    server: ServerUnderAttack, stolen: Stolen
) -> None:
    """A repeated scan is answered as before, so a thief could learn which card was right."""
    async with server.socket(stolen.dealer, TABLE) as dora:
        assert (await ask(dora, "open", {"kind": "open_bets"}))["refused"] is None
        async with server.terminal(stolen.player, TABLE) as ann:
            await ann.sit(buy_in_cents=50_000)
            await ann.until(lambda now: "set_wagers" in now.private.may)
            await ann.bet(ante=1000)
        assert (await ask(dora, "close", {"kind": "close_bets"}))["refused"] is None
        scan(stolen, "0001", "Qh")
        scan(stolen, "0002", "Qd")
        taken = scan(stolen, "0003", "7s")
        assert taken.json()["place"] == "dealer card 1"
        # The reader itself may repeat a call whose answer was lost.
        assert scan(stolen, "0003", "7s").json() == taken.json()
        answers = {str(card): scan(stolen, "0003", str(card)).text for card in FULL_DECK}
        assert len(set(answers.values())) == 1
        assert "id_reused" in answers["7s"]


def scan(stolen: Stolen, name: str, card: str) -> httpx.Response:
    return stolen.reader.post(f"{API}/tables/{TABLE}/cards", json={"id": name, "card": card})


async def test_a_locked_terminal_takes_no_pin_and_begins_no_round(
    server: ServerUnderAttack, stolen: Stolen
) -> None:
    eve = server.supervisor()
    (terminal,) = (line for line in get(eve, "/terminals") if line["table"] == TABLE)
    state = f"/terminals/{terminal['id']}/state"
    post(eve, state, {"state": "locked", "reason": "It is not where it should be."})
    sign_on = {"badge": BADGE, "pin": OWN_PIN}
    approval = {"table": TABLE, "act": "void_round", **sign_on}
    for path, form in (("sign-on", sign_on), ("approvals", approval), ("handover", sign_on)):
        denied = stolen.dealer.post(f"{API}/dealer/{path}", json=form)
        assert (denied.status_code, denied.json()["code"]) == (409, "terminal_stopped"), path
    async with server.socket(stolen.dealer, TABLE) as dora:
        await receive(dora, "welcome")
        answer = await ask(dora, "locked", {"kind": "open_bets"})
        assert answer["refused"] == "terminal_stopped"
        # What has begun comes to its end.
        assert (await ask(dora, "turn", {"kind": "turn_cards"}))["refused"] != "terminal_stopped"
    post(eve, state, {"state": "in_service", "reason": "It is back."})
    async with server.socket(stolen.dealer, TABLE) as dora:
        await receive(dora, "welcome")
        assert (await ask(dora, "back", {"kind": "open_bets"}))["refused"] != "terminal_stopped"


async def test_a_terminal_and_a_reader_that_are_struck_off_end_at_once(
    server: ServerUnderAttack, stolen: Stolen
) -> None:
    eve = server.supervisor()
    async with server.socket(stolen.dealer, TABLE) as dora:
        await receive(dora, "welcome")
        (terminal,) = (line for line in get(eve, "/terminals") if line["table"] == TABLE)
        assert eve.delete(f"{API}/terminals/{terminal['id']}").status_code == 200
        async with asyncio.timeout(20):
            await dora.wait_closed()
        assert dora.close_code == 4001
    assert get(stolen.dealer, "/me")["name"] is None
    (reader,) = get(eve, "/readers")
    assert eve.delete(f"{API}/readers/{reader['id']}").status_code == 200
    assert scan(stolen, "0009", "2c").status_code == 401
