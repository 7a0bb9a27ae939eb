"""A player uses both gateways of a cluster at once: one command id, one wallet, one seat, one
voucher and one session, each at two doors in the same moment.

Whatever wins, every command is carried out once, every cent is where it belongs, and who is shut
out at one door is shut out at the other.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, closing
from functools import partial
from typing import Any

import httpx
import pyotp
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from openfelt.protocol.api_prefix import API
from openfelt.runtime.audit import audit
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.server.settings import AttemptLimits
from openfelt.storage.addresses import open_store
from tests.kit.attacks.gateways import TwoGateways, two_gateways
from tests.kit.attacks.server_under_attack import PASSWORD, ask, get, post, receive, sign_in
from tests.kit.attacks.watched_table import WatchedTable
from tests.kit.cluster.processes import FloorProcess
from tests.kit.server.seen_cards import leaks, record

PLAY_MONEY_CENTS = 100_000
RACES = 10
PATIENCE_S = 60


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def house() -> Iterator[TwoGateways]:
    """A cluster whose terminals give and take vouchers; its record is whole in the end."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("OPENFELT_VOUCHERS", "1")
        with two_gateways(tables=2) as house:
            yield house
            with closing(open_store(house.house.database)) as store:
                report = audit(store, others=ACCOUNT_AUDITS)
                assert report.clean, "\n".join(map(str, report.findings))
                assert sum(store.balances().values()) == 0


async def sockets(
    house: TwoGateways, stack: AsyncExitStack, browser: httpx.Client, table: str, each: int = 1
) -> list[ClientConnection]:
    """So many sockets of one browser at a table through each gateway, all welcomed."""
    opened = [
        await stack.enter_async_context(gateway.socket(browser, table))
        for _ in range(each)
        for gateway in house.both
    ]
    for socket in opened:
        await receive(socket, "welcome")
    return opened


async def all_ask(
    asked: list[tuple[ClientConnection, str, dict[str, Any]]],
) -> list[dict[str, Any]]:
    """Give every command in the same moment."""
    return list(await asyncio.gather(*(ask(*one) for one in asked)))


def at_both(house: TwoGateways, browser: httpx.Client, path: str, *forms: object) -> list[Any]:
    """Post forms through both gateways in the same moment; gives all answers."""
    twins = [gateway.twin(browser) for gateway in house.both]
    with ThreadPoolExecutor(8) as pool:
        sent = [(twin, form) for form in forms for twin in twins]
        return list(pool.map(lambda one: one[0].post(f"{API}{path}", json=one[1]), sent))


def wallet(browser: httpx.Client) -> int:
    """What the player's wallet holds."""
    cents: int = get(browser, "/me")["wallet_cents"]
    return cents


def until(condition: Callable[[], bool], words: str) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, words
        time.sleep(0.02)


# Money -----------------------------------------------------------------------------------


async def test_one_command_at_both_gateways_is_carried_out_once(house: TwoGateways) -> None:
    guest = house.east.person("guest")
    async with AsyncExitStack() as stack:
        lines = await sockets(house, stack, guest, "stadium-1", 2)
        seats = await all_ask(
            [(line, f"sit {number}", {"kind": "take_seat"}) for number, line in enumerate(lines)]
        )
        assert sum(answer["accepted"] for answer in seats) == 1
        seat = next(line["own_seat"] for line in get(guest, "/tables") if line["own_seat"])
        for race in range(RACES):
            buy_in = {"kind": "buy_in", "seat": seat, "cents": 700}
            answers = await all_ask([(line, f"in {race}", buy_in) for line in lines])
            assert {(answer["accepted"], answer["version"]) for answer in answers} == {
                (True, answers[0]["version"])
            }
        assert wallet(guest) == PLAY_MONEY_CENTS - RACES * 700
        outs = [
            (line, f"out {number}", {"kind": "collect", "seat": seat})
            for number, line in enumerate(lines)
        ]
        assert sum(answer["accepted"] for answer in await all_ask(outs)) == 1
    assert wallet(guest) == PLAY_MONEY_CENTS


async def test_one_wallet_is_spent_once(house: TwoGateways) -> None:
    """At two tables, and as a voucher, through two gateways."""
    guest, tables = house.east.person("guest"), ("stadium-1", "draw-1")
    async with AsyncExitStack() as stack:
        lines = []
        for gateway, table in zip(house.both, tables, strict=True):
            line = await stack.enter_async_context(gateway.socket(guest, table))
            await receive(line, "welcome")
            assert (await ask(line, f"sit {table}", {"kind": "take_seat"}))["accepted"]
            lines.append(line)
        seats = [
            line["own_seat"]
            for table in tables
            for line in get(guest, "/tables")
            if line["table"] == table
        ]
        for race in range(RACES):
            asked = [
                (
                    line,
                    f"all {race} {number}",
                    {"kind": "buy_in", "seat": seats[number], "cents": PLAY_MONEY_CENTS},
                )
                for number, line in enumerate(lines)
            ]
            vouchers = asyncio.to_thread(
                at_both, house, guest, "/vouchers", {"id": f"v {race}", "cents": PLAY_MONEY_CENTS}
            )
            answers, issued = await asyncio.gather(all_ask(asked), vouchers)
            codes = {one.json()["code"] for one in issued if one.status_code == 200}
            assert sum(answer["accepted"] for answer in answers) + len(codes) == 1, (
                answers,
                issued,
            )
            assert wallet(guest) == 0
            for code in codes:
                post(guest, "/vouchers/redeem", {"id": f"redeem {race}", "code": code})
            home = [
                (line, f"home {race} {number}", {"kind": "collect", "seat": seats[number]})
                for number, line in enumerate(lines)
            ]
            await all_ask(home)
            assert wallet(guest) == PLAY_MONEY_CENTS


def test_one_voucher_and_one_top_up_are_paid_once(house: TwoGateways) -> None:
    guest = house.east.person("guest")
    for race in range(3):
        code = post(guest, "/vouchers", {"id": f"v {race}", "cents": 40_000})["code"]
        forms = [{"id": f"{race} {number}", "code": code} for number in range(3)]
        statuses = [one.status_code for one in at_both(house, guest, "/vouchers/redeem", *forms)]
        # One id counts once, whichever gateway it came through, and is answered at both.
        assert statuses.count(200) == 2, statuses
        assert set(statuses) <= {200, 409, 429}, statuses
        assert wallet(guest) == PLAY_MONEY_CENTS
    post(guest, "/vouchers", {"id": "kept", "cents": 60_000})
    forms = [{"id": name} for name in ("same", "other", "third")]
    assert {one.status_code for one in at_both(house, guest, "/wallet/top-up", *forms)} == {200}
    assert wallet(guest) == PLAY_MONEY_CENTS


def test_the_cage_keeps_a_limit_and_pays_once(house: TwoGateways) -> None:
    """Two cashiers take deposits at once, and one payout is paid through both gateways."""
    ann, cashiers = house.east.person("player"), [one.person("cashier") for one in house.both]
    player = get(ann, "/me")["player"]
    for number, cashier in enumerate(cashiers):
        count = [{"denomination_cents": 100_000, "pieces": 10}]
        post(cashier, f"/cage/drawers/w{number}/open", {"id": "open", "count": count})
    drawer = "/cage/drawers/w0"
    post(cashiers[0], f"{drawer}/cash-in", {"id": "rich", "player": player, "cents": 300_000})
    post(cashiers[0], f"{drawer}/payouts", {"id": "ask", "player": player, "cents": 350_000})
    post(house.east.supervisor(), f"{drawer}/payouts/1/approve", {"id": "yes"})
    forms = [{"id": f"pay {number}"} for number in range(3)]
    paid = at_both(house, cashiers[0], f"{drawer}/payouts/1/pay", *forms)
    # The two with one id are one.
    assert [one.status_code for one in paid].count(200) == 2
    assert wallet(ann) == PLAY_MONEY_CENTS - 50_000
    most = {"kind": "deposit", "period": "day", "most": 450_000}
    post(ann, "/limits", {"id": "limit"} | most)
    with ThreadPoolExecutor(2) as pool:
        form = {"id": "more", "player": player, "cents": 40_000}
        answers = pool.map(
            lambda number: cashiers[number].post(
                f"{API}/cage/drawers/w{number}/cash-in", json=form
            ),
            range(2),
        )
        assert sorted(one.status_code for one in answers) == [200, 409]
    assert wallet(ann) == PLAY_MONEY_CENTS - 10_000


# Cards -------------------------------------------------------------------------------------


async def test_no_gateway_sends_a_hidden_card_while_a_table_moves(house: TwoGateways) -> None:
    """Players, a dealer and strangers at both gateways, while the table's process ends."""
    table = WatchedTable(house, "watched")
    await table.come()
    ended: FloorProcess | None = None
    while table.rounds < 3:
        await table.play()
        if ended is None and table.rounds == 2 and table.dealt:
            ended = table.owner()
            await asyncio.to_thread(ended.end)
    await table.leave()
    assert ended is not None
    with closing(open_store(house.house.database)) as store:
        seen = {table.name: record(store, table.name)}
    frames = table.findings.frames
    assert list(leaks(frames, seen)) == []
    hiding = [
        frame
        for frame in frames
        if "version" in frame.message and seen[table.name].moments[frame.message["version"]].hidden
    ]
    assert len(hiding) > 50
    assert len(seen[table.name].rounds) >= 2


# Accounts ----------------------------------------------------------------------------------


def test_one_name_and_one_guest_become_one_account(house: TwoGateways) -> None:
    form = {"name": "twin", "password": PASSWORD}
    answers = [
        gateway.browser().post(f"{API}/sign-up", json=form).status_code for gateway in house.both
    ]
    assert sorted(answers) == [200, 409]
    guest = house.east.person("guest")
    player = get(guest, "/me")["player"]
    forms = [{"name": f"heir-{number}", "password": PASSWORD} for number in range(2)]
    opened = [one.json().get("player") for one in at_both(house, guest, "/sign-up", *forms)]
    assert opened.count(player) == 1


async def test_a_session_that_ends_at_one_gateway_ends_at_the_other(house: TwoGateways) -> None:
    """By signing out, or because a supervisor bars the account or ends its sessions."""
    supervisor = house.east.supervisor()
    for number, ends in enumerate(("sign out", "bar", "sign-out by a supervisor")):
        ann = house.east.browser()
        name = f"leaver-{number}"
        post(ann, "/sign-up", {"name": name, "password": PASSWORD})
        twin = house.west.twin(ann)
        assert get(twin, "/me")["name"] == name
        async with house.west.socket(ann, "stadium-1") as socket:
            await receive(socket, "welcome")
            assert (await ask(socket, "sit", {"kind": "take_seat"}))["accepted"]
            match ends:
                case "sign out":
                    post(ann, "/sign-out")
                case "bar":
                    post(supervisor, f"/accounts/{name}/bar", {"reason": "A fight."})
                case _:
                    post(supervisor, f"/accounts/{name}/sign-out")
            with pytest.raises(ConnectionClosed):
                await asyncio.wait_for(read_on(socket), PATIENCE_S)
        await asyncio.to_thread(until, partial(is_signed_out, twin), f"{ends} at the other door")
        refused = twin.post(f"{API}/wallet/top-up", json={"id": "late"})
        assert refused.status_code in (401, 403), refused.text


def is_signed_out(browser: httpx.Client) -> bool:
    """Whether no account is signed in in a browser any more."""
    return get(browser, "/me")["name"] is None


async def read_on(socket: ClientConnection) -> None:
    """Read until the socket is closed."""
    while True:
        await socket.recv()


def test_a_role_that_was_taken_away_at_one_gateway_is_gone_at_the_other(
    house: TwoGateways,
) -> None:
    sue = house.west.browser()
    form = {"name": "sue", "password": PASSWORD}
    post(house.east.supervisor(), "/accounts", form | {"role": "supervisor", "temporary": False})
    sign_in(sue, "sue")
    assert sue.get(f"{API}/servers").status_code == 200
    post(house.east.supervisor(), "/accounts/sue/role", {"role": "dealer"})
    until(lambda: sue.get(f"{API}/servers").status_code in (401, 403), "the role to be gone")
    mule = {"name": "mule", "password": PASSWORD, "role": "supervisor"}
    assert sue.post(f"{API}/accounts", json=mule).status_code in (401, 403)


def test_a_one_time_code_counts_once_at_both(house: TwoGateways) -> None:
    ann = house.east.browser()
    form = {"name": "otto", "password": PASSWORD}
    post(ann, "/sign-up", form)
    secret = post(ann, "/second-factor", {"password": PASSWORD})["secret"]
    used = pyotp.TOTP(secret).now()
    recovery = post(ann, "/second-factor/confirm", {"code": used})["recovery_codes"]
    assert [
        gateway.browser().post(f"{API}/sign-in", json=form | {"code": used}).status_code
        for gateway in house.both
    ] == [401, 401]
    doors = [gateway.browser() for gateway in house.both for _ in range(3)]
    with ThreadPoolExecutor(6) as pool:
        codes = form | {"code": recovery[0]}
        race = list(pool.map(lambda door: door.post(f"{API}/sign-in", json=codes), doors))
    assert sum(one.status_code == 200 for one in race) == 1


def test_wrong_passwords_are_counted_over_both(house: TwoGateways) -> None:
    """Otherwise a guesser would have as many free attempts as there are gateways."""
    post(house.east.browser(), "/sign-up", {"name": "vic", "password": PASSWORD})
    wrong = {"name": "vic", "password": "not the password"}
    free = AttemptLimits().free
    for _ in range(free):
        assert house.east.browser().post(f"{API}/sign-in", json=wrong).status_code == 401
    # The other gateway is told while the first one answers.
    time.sleep(1)
    tried = [house.west.browser().post(f"{API}/sign-in", json=wrong) for _ in range(free)]
    assert 429 in [one.status_code for one in tried]


def test_servers_are_shown_to_staff_and_a_table_process_answers_nobody(
    house: TwoGateways,
) -> None:
    for role in ("anonymous", "guest", "player", "dealer", "cashier"):
        refused = house.west.person(role).get(f"{API}/servers")
        assert refused.status_code in (401, 403), (role, refused.text)
    inside = next(process for process in house.house.tables if process.running)
    cookies = {one.name: one.value or "" for one in house.east.supervisor().cookies.jar}
    with httpx.Client(base_url=inside.address, cookies=cookies, timeout=60) as caller:
        for path in (f"{API}/me", f"{API}/tables", f"{API}/servers", f"{API}/accounts", "/"):
            assert caller.get(path).status_code in (403, 404), path
        assert caller.post(f"{API}/sign-in", json={}).status_code in (403, 404, 405)
