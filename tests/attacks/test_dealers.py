"""A dealer acts at a table of another dealer, corrects the dealer's card after all decisions or
searches for hidden cards by correcting others, folds the hand of a player who is there, or signs on
at the last moment and takes the tips.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.cards import FULL_DECK
from openfelt.client import Refused, Terminal
from openfelt.protocol import messages
from openfelt.rules.house import DealerMode
from openfelt.runtime.audit.database import audit
from openfelt.storage.postgres import PostgresStore
from openfelt.table.commands import Role
from tests.kit.attacks.server_under_attack import ServerUnderAttack, get
from tests.kit.postgres_server import PostgresServer
from tests.kit.server.halls import Hall, open_hall

NO_BUS = (
    "servers without --bus share this database: east, west. Players at one of them cannot play "
    "at the tables of another. Start all servers with the same --bus nats://HOST:4222"
)


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    """A floor with two live tables."""
    async with open_hall(tmp_path) as opened:
        await opened.open("live-1", "washington")
        await opened.open("live-2", "washington")
        yield opened


async def refused(terminal: Terminal, command: messages.CommandAsked) -> str | None:
    try:
        await terminal.ask(command)
    except Refused as refusal:
        return refusal.code
    return None


@contextlib.asynccontextmanager
async def dealt(hall: Hall) -> AsyncIterator[tuple[Terminal, Terminal]]:
    """Ann and the dealer Dora, when Ann has to decide."""
    async with hall.terminal("live-1", "ann") as ann, dealer(hall, "dora") as dora:
        await ann.sit(buy_in_cents=50_000)
        await dora.ask(messages.ChangeDealer(dealer="dora"))
        await dora.ask(messages.OpenBets())
        await ann.until(lambda now: "set_wagers" in now.private.may)
        await ann.bet(ante=1000)
        await dora.ask(messages.CloseBets())
        for card in ["As", "Ah", "Kc", "Kd"]:
            await dora.ask(messages.DealCard(card=card))
        await ann.until(lambda now: "decide" in now.private.may)
        yield ann, dora


def dealer(hall: Hall, name: str, table: str = "live-1") -> Terminal:
    return hall.terminal(table, name, Role.DEALER)


async def test_a_dealer_does_nothing_at_a_table_of_another_dealer(hall: Hall) -> None:
    forbidden: list[messages.CommandAsked] = [
        messages.OpenBets(),
        messages.CloseBets(),
        messages.DealCard(card="2c"),
        messages.TurnCards(),
        messages.Confirm(),
        messages.CorrectCard(lies="dealer", position=1, card="2c"),
        messages.VoidRound(reason="Misdeal."),
        messages.Decide(spot="1.1", decision=messages.Check()),
        messages.DeclineBank(seat=1),
        messages.ChangeDealer(dealer=None),
    ]
    async with dealt(hall), dealer(hall, "mallory") as mallory:
        assert mallory.private.may == []
        for command in forbidden:
            assert await refused(mallory, command) == "not_signed_on", command
        take_over = messages.ChangeDealer(dealer="mallory")
        assert await refused(mallory, take_over) == "needs_supervisor"
        assert mallory.public.dealer == "dora"


async def test_cards_are_not_corrected_alone_once_a_hand_has_decided(hall: Hall) -> None:
    async with dealt(hall) as (ann, dora), hall.terminal("live-1", "eve", Role.FLOOR) as eve:
        early = messages.CorrectCard(lies="dealer", position=2, card="Qd")
        assert await refused(dora, early) is None
        await ann.decide(messages.Bet(multiple=4))
        late = messages.CorrectCard(lies="dealer", position=2, card="Ad")
        assert await refused(dora, late) == "needs_supervisor"
        assert "correct_card" not in dora.private.may
        assert await refused(dora, messages.VoidRound(reason="Misdeal.")) == "needs_supervisor"
        assert (
            await refused(eve, messages.CorrectCard(lies="dealer", position=2, card="Jd")) is None
        )
        assert await refused(eve, messages.VoidRound(reason="Misdeal.")) is None


async def test_hidden_cards_are_not_found_by_trying_them_all(hall: Hall) -> None:
    """A card that is dealt already is refused, so corrections could search for hidden ones."""
    async with dealt(hall) as (_, dora):
        tried = [
            messages.CorrectCard(lies="hand", spot="1.1", position=1, card=str(card))
            for card in FULL_DECK
            if str(card) not in ("Ah", "As")
        ]
        answers = [await refused(dora, correction) for correction in tried]
        # Not one of the dealer's kings was found, only that some cards are not dealt.
        assert answers == [None] * 3 + ["needs_supervisor"] * 47


async def test_hidden_cards_are_not_found_by_replacing_cards(hall: Hall) -> None:
    async with hall.terminal("live-1", "ann") as ann, dealer(hall, "dora") as dora:
        await ann.sit(buy_in_cents=50_000)
        await dora.ask(messages.ChangeDealer(dealer="dora"))
        await dora.ask(messages.OpenBets())
        await ann.until(lambda now: "set_wagers" in now.private.may)
        await ann.bet(ante=1000)
        await dora.ask(messages.CloseBets())
        for card in ["As", "Ah"]:
            await dora.ask(messages.DealCard(card=card))
        tried = [
            messages.DeclareIrregularity(irregularity="card_exposed", about="deck", card=card)
            for card in ("2c", "3c", "4c", "Ah", "5c")
        ]
        answers = [await refused(dora, replaced) for replaced in tried]
        assert answers == [None] * 3 + ["needs_supervisor"] * 2


async def test_the_hand_of_a_player_who_is_there_is_not_folded(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.tables.absentees.ABSENT_MS", 100)
    check = messages.Decide(spot="1.1", decision=messages.Check())
    async with dealt(hall) as (ann, dora):
        await asyncio.sleep(0.3)
        assert await refused(dora, check) == "needs_supervisor"
        # A second terminal that leaves does not make the player absent.
        async with hall.terminal("live-1", "ann") as other:
            assert other.private.seat == 1
        await asyncio.sleep(0.3)
        assert await refused(dora, check) == "needs_supervisor"
        await ann.__aexit__(None, None, None)
        async with asyncio.timeout(30):
            while await refused(dora, check) is not None:  # noqa: ASYNC110 (time must pass)
                await asyncio.sleep(0.05)
        record = [stored.name for stored in hall.floor.worker_services.store.events("table/live-1")]
        assert record[-2:] == ["absence_noted", "decision_made"]


async def test_a_dealer_is_at_one_table_even_when_signing_on_at_two_at_once(hall: Hall) -> None:
    for _ in range(5):
        async with dealer(hall, "dora") as one, dealer(hall, "dora", "live-2") as two:
            on = messages.ChangeDealer(dealer="dora")
            answers = await asyncio.gather(refused(one, on), refused(two, on))
            assert sorted(answers, key=str) == [None, "signed_on_elsewhere"]
            here = one if answers[0] is None else two
            await here.ask(messages.ChangeDealer(dealer=None))


async def test_a_dealer_is_at_one_table_of_two_servers_on_one_database(
    postgres: PostgresServer, start_server: Callable[..., ServerUnderAttack]
) -> None:
    """A session counts at both servers, each of which runs one of the two tables.

    They have no bus, as each of them may say once.
    """
    url = postgres.fresh_database()
    first, second = (
        start_server("--database", url, "--name", name, may_log=NO_BUS) for name in ("east", "west")
    )
    here = first.person("dealer")
    first.open_table("live-1", "washington", dealer_mode="live")
    second.open_table("live-2", "washington", dealer_mode="live")
    there = second.browser()
    there.cookies.update(here.cookies)
    name = get(there, "/me")["name"]
    on, off = messages.ChangeDealer(dealer=name), messages.ChangeDealer(dealer=None)
    async with first.terminal(here, "live-1") as one, second.terminal(there, "live-2") as two:
        assert await refused(one, on) is None
        assert await refused(two, on) == "signed_on_elsewhere"
        assert await refused(two, messages.OpenBets()) == "not_signed_on"
        await one.ask(off)
        for _ in range(5):
            answers = await asyncio.gather(refused(one, on), refused(two, on))
            assert sorted(answers, key=str) == [None, "signed_on_elsewhere"]
            await (one if answers[0] is None else two).ask(off)
    with closing(PostgresStore(url)) as store:
        record = [stored.name for stored in store.events(f"dealer/{name}")]
        assert record == ["dealer_signed_on", "dealer_signed_off"] * 6
        assert audit(store).clean


async def test_who_signs_on_late_gets_no_tips(tmp_path: Path) -> None:
    async with open_hall(tmp_path) as hall:
        await hall.open("live-1", "stadium", mode=DealerMode.LIVE)
        async with (
            hall.terminal("live-1", "ann") as ann,
            dealer(hall, "dora") as dora,
            dealer(hall, "mallory") as mallory,
            hall.terminal("live-1", "eve", Role.FLOOR) as eve,
        ):
            await ann.sit(buy_in_cents=50_000)
            await dora.ask(messages.ChangeDealer(dealer="dora"))
            await dora.ask(messages.OpenBets())
            tip = messages.WagerAsked(kind="ante", cents=200, for_dealer=True)
            ante = messages.WagerAsked(kind="ante", cents=1000)
            await ann.ask(messages.SetWagers(spot="1.1", wagers=[ante, tip]))
            await dora.ask(messages.CloseBets())
            for card in ["2c", "7d", "9h", "Js", "3c", "4h", "5s"]:
                await dora.ask(messages.DealCard(card=card))
            await ann.until(lambda now: "decide" in now.private.may)
            await ann.decide(messages.Bet(multiple=4))
            await dora.ask(messages.ChangeDealer(dealer=None))
            await mallory.ask(messages.ChangeDealer(dealer="mallory"))
            while "turn_cards" in mallory.private.may:
                await mallory.ask(messages.TurnCards())
            await mallory.ask(messages.Confirm())
            await eve.until(
                lambda now: now.public.round is None or now.public.round.phase == "settled"
            )
            balances = hall.floor.worker_services.store.balances("tips:")
            assert "tips:mallory" not in {str(account) for account in balances}
