"""A player does the same thing many times at once: one id on many sockets, one wallet at two
tables, one seat's credit collected twice, one top-up asked for twice.

Whatever wins, every command is carried out once, and every cent is where it belongs.
"""

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection

from openfelt.protocol.api_prefix import API
from tests.kit.attacks.server_under_attack import (
    PASSWORD,
    ServerUnderAttack,
    ask,
    get,
    post,
    receive,
)

AT_ONCE = 8
"""As many sockets as one account may have."""
PLAY_MONEY_CENTS = 100_000
RACES = 15
"""How often a wallet is spent at once; without the store's check, one in a few succeeds twice."""


async def sockets_of(
    server: ServerUnderAttack, stack: AsyncExitStack, browser: httpx.Client, table: str, count: int
) -> list[ClientConnection]:
    """So many sockets of one browser at a table, all welcomed."""
    sockets = [await stack.enter_async_context(server.socket(browser, table)) for _ in range(count)]
    for socket in sockets:
        await receive(socket, "welcome")
    return sockets


async def all_ask(
    sockets: list[ClientConnection], ids: list[str], commands: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Give a command on every socket in the same moment."""
    asked = zip(sockets, ids, commands, strict=True)
    return list(await asyncio.gather(*(ask(*one) for one in asked)))


async def seated(server: ServerUnderAttack, browser: httpx.Client, table: str) -> int:
    """Let a player sit down; gives the seat."""
    async with server.terminal(browser, table) as terminal:
        return await terminal.sit()


def credit_at(browser: httpx.Client, table: str) -> int:
    """The credit at the player's own seat."""
    (line,) = [line for line in get(browser, "/tables") if line["table"] == table]
    return int(line["own_credit_cents"] or 0)


def wallet(browser: httpx.Client) -> int:
    """What a player's wallet holds."""
    return int(get(browser, "/me")["wallet_cents"])


# Ids -----------------------------------------------------------------------------------------


async def test_one_id_on_many_sockets_is_carried_out_once(
    shared_server: ServerUnderAttack,
) -> None:
    guest = shared_server.person("guest")
    seat = await seated(shared_server, guest, "stadium-1")
    command = {"kind": "buy_in", "seat": seat, "cents": 1000}
    async with AsyncExitStack() as stack:
        sockets = await sockets_of(shared_server, stack, guest, "stadium-1", AT_ONCE)
        answers = await all_ask(sockets, ["once"] * AT_ONCE, [command] * AT_ONCE)
        assert {answer["accepted"] for answer in answers} == {True}
        assert len({answer["version"] for answer in answers}) == 1
        again = await ask(sockets[0], "once", command)
        assert again["version"] == answers[0]["version"]
    assert credit_at(guest, "stadium-1") == 1000
    assert wallet(guest) == PLAY_MONEY_CENTS - 1000


async def test_one_id_for_different_commands_is_carried_out_for_one_of_them(
    shared_server: ServerUnderAttack,
) -> None:
    guest = shared_server.person("guest")
    seat = await seated(shared_server, guest, "stadium-1")
    commands = [{"kind": "buy_in", "seat": seat, "cents": 1000 + n} for n in range(AT_ONCE)]
    async with AsyncExitStack() as stack:
        sockets = await sockets_of(shared_server, stack, guest, "stadium-1", AT_ONCE)
        answers = await all_ask(sockets, ["mine"] * AT_ONCE, commands)
    outcomes = Counter(answer["refused"] for answer in answers)
    assert outcomes == {None: 1, "id_reused": AT_ONCE - 1}
    (won,) = [n for n, answer in enumerate(answers) if answer["accepted"]]
    assert credit_at(guest, "stadium-1") == 1000 + won


async def test_a_command_id_belongs_to_its_player(
    shared_server: ServerUnderAttack,
) -> None:
    guests = [shared_server.person("guest") for _ in range(2)]
    async with AsyncExitStack() as stack:
        for guest in guests:
            (socket,) = await sockets_of(shared_server, stack, guest, "stadium-1", 1)
            answer = await ask(socket, "shared", {"kind": "take_seat"})
            assert answer["accepted"], answer
    seats = {line["own_seat"] for guest in guests for line in get(guest, "/tables")} - {None}
    assert len(seats) == 2


# Money ---------------------------------------------------------------------------------------


async def test_one_wallet_is_not_spent_at_two_tables(shared_server: ServerUnderAttack) -> None:
    guest = shared_server.person("guest")
    tables = ("stadium-1", "stadium-2", "draw-1")
    whole = PLAY_MONEY_CENTS
    async with AsyncExitStack() as stack:
        sockets, buy_ins, collects = [], [], []
        for table in tables:
            seat = await seated(shared_server, guest, table)
            sockets += await sockets_of(shared_server, stack, guest, table, 1)
            buy_ins.append({"kind": "buy_in", "seat": seat, "cents": whole})
            collects.append({"kind": "collect", "seat": seat})
        for attempt in range(RACES):
            ids = [f"all in {attempt}-{n}" for n in range(len(sockets))]
            answers = await all_ask(sockets, ids, buy_ins)
            assert sum(answer["accepted"] for answer in answers) == 1
            assert sum(credit_at(guest, table) for table in tables) == whole
            assert wallet(guest) == 0
            await all_ask(sockets, [f"home {name}" for name in ids], collects)
            assert wallet(guest) == whole


async def test_one_credit_is_not_collected_twice(shared_server: ServerUnderAttack) -> None:
    guest = shared_server.person("guest")
    seat = await seated(shared_server, guest, "stadium-1")
    collect = {"kind": "collect", "seat": seat}
    async with AsyncExitStack() as stack:
        sockets = await sockets_of(shared_server, stack, guest, "stadium-1", AT_ONCE)
        answer = await ask(sockets[0], "in", {"kind": "buy_in", "seat": seat, "cents": 40_000})
        assert answer["accepted"]
        commands = [collect] * (AT_ONCE - 2) + [{"kind": "leave_seat", "seat": seat}] * 2
        answers = await all_ask(sockets, [f"out {n}" for n in range(AT_ONCE)], commands)
    assert any(answer["accepted"] for answer in answers)
    assert wallet(guest) == PLAY_MONEY_CENTS
    assert credit_at(guest, "stadium-1") == 0


async def test_top_ups_at_once_give_nothing_for_money_at_a_table(
    shared_server: ServerUnderAttack,
) -> None:
    guest = shared_server.person("guest")
    async with shared_server.terminal(guest, "stadium-1") as terminal:
        await terminal.sit(buy_in_cents=70_000)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        ids = ["same"] * (AT_ONCE // 2) + [f"other {n}" for n in range(AT_ONCE // 2)]
        answers = list(pool.map(lambda name: post(guest, "/wallet/top-up", {"id": name}), ids))
    # What lies at the table still belongs to the player. Wallets that lack money are filled once in
    # test_small_thefts.
    assert {answer["wallet_cents"] for answer in answers} == {PLAY_MONEY_CENTS - 70_000}
    assert wallet(guest) == PLAY_MONEY_CENTS - 70_000


def test_a_guest_does_not_become_two_accounts(shared_server: ServerUnderAttack) -> None:
    guest = shared_server.person("guest")
    name, cookies = get(guest, "/me")["player"], dict(guest.cookies)

    def plays_as(number: int) -> Any:
        """Whose wallet the account has that was opened with the guest's cookie."""
        form = {"name": f"twin-{number}", "password": PASSWORD}
        with httpx.Client(base_url=shared_server.address, cookies=cookies) as browser:
            return browser.post(f"{API}/sign-up", json=form).json().get("player")

    with ThreadPoolExecutor(4) as pool:
        players = list(pool.map(plays_as, range(4)))
    assert players.count(name) == 1


# The books -------------------------------------------------------------------------------------


def test_every_cent_is_in_the_books_afterwards(
    shared_server: ServerUnderAttack, tmp_path: Path
) -> None:
    with shared_server.store(tmp_path) as store:
        balances = store.balances()
    assert sum(balances.values()) == 0
    assert not [
        account for account, cents in balances.items() if cents < 0 and not account.kind.may_owe
    ]
