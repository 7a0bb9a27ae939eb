"""A dealer uses a supervisor's approval twice, for another action, at another table or in a later
round, or after the supervisor was barred; or goes to another table with the session of a PIN.
"""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection

from openfelt.protocol.merge_patch import apply_patch
from openfelt.runtime.audit.database import audit
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from tests.kit.attacks.server_under_attack import (
    PASSWORD,
    ServerUnderAttack,
    ask,
    get,
    post,
    receive,
    sign_in,
)

PIN, OWN_PIN = "730184", "520937"
VOID = {"kind": "void_round", "reason": "Misdeal."}
CORRECT = {"kind": "correct_card", "lies": "hand", "spot": "1.1", "position": 1, "card": "2c"}


def dealers_terminal(
    server: ServerUnderAttack, table: str, dealer: str, badge: str
) -> httpx.Client:
    """The terminal of a new live table, at which a new dealer has signed on by PIN."""
    eve = server.supervisor()
    server.open_table(table, "washington", dealer_mode="live")
    account = {"name": dealer, "password": PASSWORD, "role": "dealer", "public_name": dealer}
    post(eve, "/accounts", account)
    post(eve, f"/accounts/{dealer}/badge", {"badge": badge, "pin": PIN})
    browser = server.browser()
    sign_in(browser, "supervisor")
    post(browser, "/terminals", {"label": table, "table": table})
    post(browser, "/sign-out")
    post(browser, "/dealer/sign-on", {"badge": badge, "pin": PIN, "new_pin": OWN_PIN})
    # Only the newest session of the supervisor's is valid.
    sign_in(eve, "supervisor")
    return browser


def approved(
    browser: httpx.Client, act: str, table: str, command: dict[str, Any] | None = None
) -> str:
    form = {"act": act, "table": table, "name": "supervisor", "password": PASSWORD}
    if command is not None:
        form["command"] = json.dumps(command)
    token = post(browser, "/dealer/approvals", form)["approval"]
    assert isinstance(token, str)
    return token


async def give(
    socket: ClientConnection, command_id: str, command: dict[str, Any], approval: str
) -> str | None:
    """The code of the refusal of a command that carries an approval, None if it is accepted."""
    asked = {"type": "command", "id": command_id, "command": command, "approval": approval}
    await socket.send(json.dumps(asked))
    while (answer := await receive(socket, "answer"))["id"] != command_id:
        pass
    refused: str | None = answer["refused"]
    return refused


async def bet_and_deal(
    server: ServerUnderAttack, dealer: ClientConnection, table: str, player: httpx.Client
) -> None:
    """A round in which one card is dealt to a player."""
    number = len(table)
    assert (await ask(dealer, f"open {number}", {"kind": "open_bets"}))["refused"] is None
    async with server.terminal(player, table) as terminal:
        if terminal.private.seat is None:
            await terminal.sit(buy_in_cents=50_000)
        await terminal.until(lambda now: "set_wagers" in now.private.may)
        await terminal.bet(ante=1000)
    assert (await ask(dealer, f"close {number}", {"kind": "close_bets"}))["refused"] is None
    dealt = await ask(dealer, f"card {number}", {"kind": "deal_card", "card": "As"})
    assert dealt["refused"] is None


async def test_an_approval_is_good_for_one_act_at_one_table(
    server: ServerUnderAttack, tmp_path: Path
) -> None:
    dora = dealers_terminal(server, "pit-1", "dora", "4711")
    dan = dealers_terminal(server, "pit-22", "dan", "4712")
    ann, ben = server.person("guest"), server.person("guest")
    async with server.socket(dora, "pit-1") as here, server.socket(dan, "pit-22") as there:
        await bet_and_deal(server, here, "pit-1", ann)
        await bet_and_deal(server, there, "pit-22", ben)
        assert (await ask(here, "alone", VOID))["refused"] == "needs_supervisor"
        # Where the kind of action is not enough, the approval covers the content.
        with pytest.raises(AssertionError, match="complete command"):
            approved(dora, "irregularity", "pit-1")
        few = {"kind": "irregularity", "irregularity": "too_few_cards", "about": "dealer"}
        other = approved(dora, "irregularity", "pit-1", few | {"about": "common"})
        assert await give(here, "other cards", few, other) == "needs_supervisor"
        with pytest.raises(AssertionError, match="complete command"):
            approved(dora, "correct_card", "pit-1")
        another = approved(dora, "correct_card", "pit-1", CORRECT | {"card": "2d"})
        assert await give(here, "other card", CORRECT, another) == "needs_supervisor"
        token = approved(dora, "void_round", "pit-1")
        assert await give(here, "invented", VOID, "invented") == "needs_supervisor"
        assert await give(there, "elsewhere", VOID, token) == "needs_supervisor"
        assert await give(here, "other act", CORRECT, token) == "needs_supervisor"
        assert await give(here, "void", VOID, token) is None
        # The same command may come again when its answer was lost; another one may not.
        assert await give(here, "void", VOID, token) is None
        assert await give(here, "twice", VOID, token) == "needs_supervisor"
        # Nor does the same id with other content set the approval free.
        assert await give(here, "void", VOID | {"reason": "Another."}, token) == "id_reused"
        assert await give(here, "thrice", VOID, token) == "needs_supervisor"
        # An approval of one round is none for the next.
        late = approved(dan, "void_round", "pit-22")
        now = approved(dan, "void_round", "pit-22")
        assert await give(there, "first", VOID, now) is None
        assert (await ask(there, "next", {"kind": "open_bets"}))["refused"] is None
        assert await give(there, "later round", VOID, late) == "needs_supervisor"
    answer = dora.post("/api/v1/dealer/approvals", json={"act": "void_round", "table": "pit-22"})
    assert answer.status_code in (401, 403)
    with server.store(tmp_path) as store:
        record = [(event.name, event.cause.actor) for event in store.record("table/pit-1", after=0)]
        assert record[-2:] == [("act_approved", "dealer:dora"), ("round_voided", "dealer:dora")]
        (body,) = (
            event.open_body
            for event in store.record("table/pit-1", after=0)
            if event.name == "act_approved"
        )
        assert json.loads(body) == {"supervisor": "supervisor", "act": "void_round"}
        assert not audit(store, others=ACCOUNT_AUDITS).findings


async def test_a_lost_answer_does_not_set_an_approval_free(server: ServerUnderAttack) -> None:
    """The line is cut after the command, so no answer says that it was carried out."""
    table = "pit-lost"
    dina = dealers_terminal(server, table, "dina", "4715")
    async with server.socket(dina, table) as socket:
        await bet_and_deal(server, socket, table, server.person("guest"))
    async with server.socket(dina, table) as socket:
        await receive(socket, "welcome")
        token = approved(dina, "void_round", table)
        asked = {"type": "command", "id": "first", "command": VOID, "approval": token}
        with closing(sqlite3.connect(server.folder / "felt.db")) as slow_disk:
            slow_disk.execute("BEGIN IMMEDIATE")
            await socket.send(json.dumps(asked))
            await asyncio.sleep(1)
            await socket.close()
    async with server.socket(dina, table) as socket:
        public = (await receive(socket, "welcome"))["public"]
        async with asyncio.timeout(30):
            while public["round"]["phase"] != "voided":
                change = await receive(socket, "change")
                public = apply_patch(public, change.get("public", {}))
        # The id is known, so this is refused; it tells nothing about the first command.
        assert await give(socket, "first", VOID | {"reason": "Other."}, token) == "id_reused"
        assert await give(socket, "second", VOID, token) == "needs_supervisor"


@pytest.mark.parametrize(
    ("name", "badge", "path", "form"),
    [
        ("sue", "4716", "/accounts/sue/bar", {"reason": "Fraud."}),
        ("sam", "4717", "/accounts/sam/role", {"role": "dealer"}),
    ],
)
async def test_an_approval_ends_with_the_role_of_its_giver(
    server: ServerUnderAttack, name: str, badge: str, path: str, form: dict[str, str]
) -> None:
    table, eve = f"pit-of-{name}", server.supervisor()
    dealer = dealers_terminal(server, table, f"dealer-of-{name}", badge)
    account = {"name": name, "password": PASSWORD, "role": "supervisor", "temporary": False}
    post(eve, "/accounts", account)
    async with server.socket(dealer, table) as socket:
        await bet_and_deal(server, socket, table, server.person("guest"))
        asked = {"act": "void_round", "table": table, "name": name, "password": PASSWORD}
        token = post(dealer, "/dealer/approvals", asked)["approval"]
        post(eve, path, form)
        assert await give(socket, "void", VOID, token) == "needs_supervisor"


def test_a_table_is_not_handed_over_to_a_dealer_who_was_barred_meanwhile(
    server: ServerUnderAttack,
) -> None:
    eve, outgoing = server.supervisor(), dealers_terminal(server, "pit-over", "olga", "4718")
    account = {"name": "hal", "password": PASSWORD, "role": "dealer", "public_name": "hal"}
    post(eve, "/accounts", account)
    post(eve, "/accounts/hal/badge", {"badge": "4719", "pin": PIN})
    incoming = {"badge": "4719", "pin": PIN, "new_pin": OWN_PIN}
    agreed = post(outgoing, "/dealer/handover", incoming)["approval"]
    post(eve, "/accounts/hal/bar", {"reason": "Fraud."})
    answer = outgoing.post("/api/v1/dealer/handover/confirm", json={"approval": agreed})
    assert (answer.status_code, answer.json()["code"]) == (409, "needs_supervisor")
    # The outgoing dealer has the table as before.
    assert get(outgoing, "/me")["table"] == "pit-over"
    assert get(outgoing, "/dealer/shift")["ended_ms"] is None


async def test_the_session_of_a_pin_deals_at_no_other_table(server: ServerUnderAttack) -> None:
    carl = dealers_terminal(server, "pit-333", "carl", "4713")
    server.open_table("pit-free", "washington", dealer_mode="live")
    async with server.socket(carl, "pit-free") as socket:
        welcome = await receive(socket, "welcome")
        assert welcome["private"]["may"] == []
        sign_on = {"kind": "change_dealer", "dealer": "carl"}
        assert (await ask(socket, "sign on", sign_on))["refused"] == "signed_out"
    async with server.socket(carl, "pit-333") as socket:
        sign_off = {"kind": "change_dealer", "dealer": None}
        assert (await ask(socket, "sign off", sign_off))["refused"] is None
        await socket.wait_closed()
    assert get(carl, "/me")["name"] is None


def test_no_pin_stands_in_the_log_or_in_the_record(
    server: ServerUnderAttack, tmp_path: Path
) -> None:
    dealers_terminal(server, "pit-log", "lea", "4714")
    assert not [line for line in server.log_lines() if PIN in line or OWN_PIN in line]
    with server.store(tmp_path) as store:
        bodies = [event.open_body for event in store.record("account/lea", after=0)]
    assert not [body for body in bodies if PIN in body or OWN_PIN in body]
