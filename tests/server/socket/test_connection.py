"""A terminal's socket: greetings, commands, answers, and what is refused."""

import asyncio
import itertools
import json
import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from openfelt.client import Refused, Terminal, TerminalClosed
from openfelt.ledger import Account
from openfelt.protocol.messages import (
    PROTOCOL,
    Bet,
    BuyIn,
    Check,
    CloseBets,
    PauseTable,
    SetWagers,
    TakeSeat,
    WagerAsked,
)
from openfelt.rules.house import DealerMode
from openfelt.runtime.clock import SystemClock
from openfelt.server.limits.message_pace import MessagePace
from openfelt.server.limits.rates import Rate
from openfelt.server.socket import connection
from openfelt.server.socket.commands import table_command
from openfelt.storage.door import Commit, Unavailable, Unknown
from openfelt.table.commands import Role
from tests.kit.server.halls import DOLLARS, Hall, open_hall


async def test_a_whole_round_by_the_client(hall: Hall) -> None:
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        assert table.private.wallet_cents == DOLLARS
        assert await table.sit(buy_in_cents=50_000) == 1
        await table.bet(ante=1000, trips=500)
        await table.deal()
        await table.until(lambda now: "decide" in now.private.may)
        assert len(table.private.hands["1.1"].cards) == 2
        await table.decide(Bet(multiple=4))
        await table.until(
            lambda now: now.public.round is not None and now.public.round.phase == "settled"
        )
        net = table.private.net_cents
        assert table.private.credit_cents == 50_000 + net
        await table.collect()
        await table.until(lambda now: now.private.wallet_cents == DOLLARS + net)


async def test_a_connection_that_is_lost_comes_back_to_the_same_moment(hall: Hall) -> None:
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        await table.sit(buy_in_cents=50_000)
        await table.bet(ante=1000)
        await table.deal()
        await table.until(lambda now: "decide" in now.private.may)
        cards = table.private.hands["1.1"].cards
        await table.drop()
        await table.decide(Check())
        await table.until(
            lambda now: now.public.round is not None and now.public.round.street == "on_flop"
        )
        assert table.private.hands["1.1"].cards == cards


async def test_a_command_that_fails_is_answered_when_the_terminal_is_back(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        failures = [Unavailable("The store is away."), ValueError("a fault")]

        def failing(asked: Any) -> Any:
            if failures:
                raise failures.pop()
            return table_command(asked)

        monkeypatch.setattr(connection, "table_command", failing)
        async with asyncio.timeout(20):
            await table.ask(TakeSeat())
        assert table.private.seat == 1
        assert failures == []


async def test_the_same_id_again_gets_the_same_answer(hall: Hall) -> None:
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        await table.sit()
        first = await table.ask(BuyIn(seat=1, cents=500), id="one")
        assert await table.ask(BuyIn(seat=1, cents=500), id="one") == first
        with pytest.raises(Refused, match="id_reused"):
            await table.ask(BuyIn(seat=1, cents=900), id="one")
        await table.until(lambda now: now.private.credit_cents == 500)


async def test_two_commands_at_once_leave_the_wallet_as_it_is(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wallet is read after each of them, and the first read may take longer."""
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        await table.sit()
        store, second = hall.rooms.floor.worker_services.store, threading.Event()
        balance, reads = store.balance, itertools.count(1)

        def slow(account: Account) -> int:
            cents = balance(account)
            if threading.current_thread().name.startswith("openfelt"):
                return cents  # the table itself
            if next(reads) == 1:
                second.wait(timeout=0.5)
            else:
                second.set()
            return cents

        monkeypatch.setattr(store, "balance", slow)
        await table.ask(BuyIn(seat=1, cents=500), id="one")
        await table.ask(BuyIn(seat=1, cents=700), id="two")
        async with asyncio.timeout(20):
            await table.until(lambda now: now.private.wallet_cents == DOLLARS - 1_200)
        await asyncio.sleep(0.1)
        assert table.private.wallet_cents == DOLLARS - 1_200


async def test_no_player_acts_for_another(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "ann") as ann, hall.terminal("hall-1", "bob") as bob:
        await ann.sit(buy_in_cents=50_000)
        bet = SetWagers(spot="1.1", wagers=[WagerAsked(kind="ante", cents=1000)])
        with pytest.raises(Refused, match="not_your_seat"):
            await bob.ask(bet)
        with pytest.raises(Refused, match="not_allowed"):
            await bob.ask(CloseBets())


@pytest.mark.clause("S.letter.no_internet")
async def test_who_may_not_sit(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", None) as visitor:
        with pytest.raises(Refused, match="signed_out"):
            await visitor.ask(TakeSeat())
    async with hall.terminal("hall-1", "ann", remote=True) as remote:
        with pytest.raises(Refused, match="not_enrolled"):
            await remote.ask(TakeSeat())
    async with hall.terminal("hall-1", "dan", Role.DEALER) as dealer:
        with pytest.raises(Refused, match="not_allowed"):
            await dealer.ask(TakeSeat())
    counted = hall.rooms.metrics.text().decode()
    assert 'openfelt_turned_away_total{code="signed_out"} 1.0' in counted
    assert 'openfelt_turned_away_total{code="not_enrolled"} 1.0' in counted


async def test_a_table_that_is_not_there_says_so(hall: Hall) -> None:
    with pytest.raises(TerminalClosed, match="no table called nowhere"):
        async with hall.terminal("nowhere", "ann"):
            pass


async def test_two_at_a_table_see_each_others_bets(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "ann") as ann, hall.terminal("hall-1", "bob") as bob:
        await ann.sit(buy_in_cents=50_000)
        await bob.until(lambda now: now.public.players == 1)
        await ann.bet(ante=1000)
        await bob.until(
            lambda now: now.public.round is not None and now.public.round.hands_in_play == 1
        )
        assert bob.public.clock is not None
        assert bob.private.hands == {}


# What is no message -----------------------------------------------------------------


async def _talk(here: Hall, *messages: str | bytes) -> list[dict[str, Any]]:
    """Send messages as they are, and give everything that comes until the socket is quiet."""
    heard: list[dict[str, Any]] = []
    headers = {"X-Name": "mal", "X-Role": "player", "X-Remote": ""}
    url = f"ws://127.0.0.1:{here.port}/ws/tables/hall-1"
    async with connect(url, additional_headers=headers, max_size=None) as socket:
        try:
            for message in messages:
                await socket.send(message)
            async with asyncio.timeout(0.2):
                while True:
                    heard.append(json.loads(await socket.recv()))
        except (TimeoutError, ConnectionClosed):
            pass
    return heard


HELLO = f'{{"type":"hello","protocol":{PROTOCOL}}}'


@pytest.mark.parametrize("protocol", [PROTOCOL - 1, PROTOCOL + 1, 0, -1])
async def test_a_client_of_another_protocol_is_told_so_and_closed(
    hall: Hall, protocol: int
) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    headers = {"X-Name": "mal", "X-Role": "player", "X-Remote": ""}
    url = f"ws://127.0.0.1:{hall.port}/ws/tables/hall-1"
    async with connect(url, additional_headers=headers) as socket:
        await socket.send(json.dumps({"type": "hello", "protocol": protocol, "seen": 4}))
        assert json.loads(await socket.recv()) == {
            "type": "problem",
            "code": "other_protocol",
            "sentence": f"This client speaks protocol {protocol} and the server protocol "
            f"{PROTOCOL}: reload the page, or upgrade the client.",
        }
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        assert socket.close_code == 4002


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        (['{"type":"ping"}'], "no_hello"),
        (['{"type":"hello","protocol":99}'], "other_protocol"),
        ([HELLO, HELLO], "hello_twice"),
        ([HELLO, "{"], "malformed"),
        (['{"type":"hello"'], "no_hello"),
        (['{"type":"hello","protocol":true}'], "no_hello"),
        (["[" * 15_000], "no_hello"),
        ([HELLO, "[" * 15_000], "malformed"),
        ([HELLO, '{"type":"command","id":1,"command":{"kind":"close_bets"}}'], "malformed"),
        ([HELLO, '{"type":"ping","more":1}'], "malformed"),
        ([HELLO, b"\x00\xff"], "malformed"),
        ([HELLO, json.dumps({"type": "ping", "pad": "x" * 20_000})], "too_long"),
        ([HELLO, *["{"] * 30], "too_many_problems"),
    ],
)
async def test_what_is_no_message_gets_a_problem(
    hall: Hall, messages: list[str], code: str
) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    heard = await _talk(hall, *messages)
    assert code in [one.get("code") for one in heard]


@pytest.mark.parametrize(
    "command",
    [
        {"kind": "rob"},
        {"kind": "buy_in", "seat": 1, "cents": 10.5},
        {"kind": "decide", "spot": "1.1", "decision": {"kind": "check"}, "street": "by_the_sea"},
        {"kind": "set_wagers", "spot": "1.1", "wagers": [], "round": "one"},
        None,
    ],
)
async def test_a_command_that_cannot_be_read_is_answered_under_its_id(
    hall: Hall, command: object
) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    asked = json.dumps({"type": "command", "id": "abc", "command": command})
    heard = await _talk(hall, HELLO, asked)
    (answer,) = [one for one in heard if one["type"] == "answer"]
    assert (answer["id"], answer["refused"]) == ("abc", "malformed")


async def test_a_script_that_asks_for_half_a_cent_is_told_so(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "ann") as ann:
        await ann.sit(buy_in_cents=50_000)
        with pytest.raises(Refused, match="malformed"):
            await ann.bet(ante=10.5)  # type: ignore[arg-type]


# What comes too late ------------------------------------------------------------------


async def test_a_decision_counts_for_the_street_that_its_player_saw(hall: Hall) -> None:
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as ann:
        await ann.sit(buy_in_cents=50_000)
        await ann.bet(ante=1000)
        await ann.deal()
        await ann.until(lambda now: street_of(now) == "before_flop")
        # A finger that presses twice, before the screen has changed.
        answers = await asyncio.gather(
            ann.decide(Check()), ann.decide(Check()), return_exceptions=True
        )
        refused = [one for one in answers if isinstance(one, Refused)]
        assert [one.code for one in refused] == ["too_late"]
        await ann.until(lambda now: street_of(now) == "on_flop")


async def test_a_bet_counts_for_the_round_that_its_player_saw(hall: Hall) -> None:
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as ann:
        await ann.sit(buy_in_cents=50_000)
        await ann.bet(ante=1000)
        stale = SetWagers(spot="1.1", wagers=[WagerAsked(kind="ante", cents=9000)], round=1)
        await ann.deal()
        with pytest.raises(Refused, match=r"too_late|wagers_closed"):
            await ann.ask(stale)
        await ann.until(lambda now: street_of(now) == "before_flop")
        await ann.decide(Bet(multiple=4))
        await ann.until(
            lambda now: now.public.round is not None and now.public.round.phase == "settled"
        )
        credit = ann.private.credit_cents
        with pytest.raises(Refused, match="too_late"):
            await ann.ask(stale)
        assert ann.private.credit_cents == credit
        await ann.bet(ante=1000)


def street_of(terminal: Terminal) -> str | None:
    return terminal.public.round.street if terminal.public.round else None


# Who plays from elsewhere ---------------------------------------------------------------


@pytest.mark.clause("S.letter.no_internet")
async def test_who_is_not_at_a_terminal_of_the_house_can_only_end_play(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "ann") as ann:
        await ann.sit(buy_in_cents=50_000)
    async with hall.terminal("hall-1", "ann", remote=True) as remote:
        assert set(remote.private.may) == {"collect", "leave_seat"}
        for command in (
            BuyIn(seat=1, cents=500),
            SetWagers(spot="1.1", wagers=[WagerAsked(kind="ante", cents=1000)]),
            CloseBets(),
        ):
            with pytest.raises(Refused, match="not_enrolled"):
                await remote.ask(command)
        await remote.leave()


async def test_a_stopped_terminal_begins_nothing_and_ends_what_was_begun(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    ante = SetWagers(spot="1.1", wagers=[WagerAsked(kind="ante", cents=1000)])
    async with hall.terminal("hall-1", "ann") as ann:
        await ann.sit(buy_in_cents=50_000)
        await ann.ask(ante)
    async with hall.terminal("hall-1", "ann", stopped="A spill.") as ann:
        for command in (BuyIn(seat=1, cents=500), ante, TakeSeat()):
            with pytest.raises(Refused, match="terminal_stopped"):
                await ann.ask(command)
        # Wagers are taken back and the credit is collected; a hand would be played to its end.
        await ann.ask(SetWagers(spot="1.1", wagers=[]))
        await ann.leave()
    async with hall.terminal("hall-1", "eve", Role.FLOOR, stopped="A spill.") as eve:
        await eve.ask(PauseTable(reason="A spill."))


# A terminal that reads nothing -----------------------------------------------------------


async def test_a_terminal_that_reads_nothing_is_let_go_and_the_others_play_on(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    room = await hall.rooms.room("hall-1")
    headers = {"X-Name": "mal", "X-Role": "player", "X-Remote": ""}
    url = f"ws://127.0.0.1:{hall.port}/ws/tables/hall-1"
    # Compressed, the messages below would be so short that it takes thousands to fill a buffer.
    connecting = connect(
        url, additional_headers=headers, max_queue=1, compression=None, close_timeout=0.1
    )
    async with connecting as deaf:
        await deaf.send(HELLO)
        await deaf.recv()
        (subscription,) = room.subscriptions
        # More than fits into the buffers of both ends, so that a message stands still.
        while not subscription.gone.is_set():
            subscription.send(json.dumps({"type": "pong", "pad": "x" * 16_000}))
            await asyncio.sleep(0)
        async with hall.terminal("hall-1", "ann") as ann:
            await ann.sit(buy_in_cents=50_000)
            await ann.bet(ante=1000)
            while subscription in room.subscriptions:  # noqa: ASYNC110 (a room has no event)
                await asyncio.sleep(0.01)


SLOW = Rate(per_minute=600, burst=3)


@pytest.mark.parametrize("pace", [{"messages": SLOW}, {"commands": SLOW}])
async def test_more_messages_than_people_send_wait_on_the_line(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, pace: dict[str, Rate]
) -> None:
    # What a hall limits is its own; every table that is opened then has the new pace.
    monkeypatch.setattr(hall.rooms, "_pace", MessagePace(SystemClock(), **pace))
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "ann") as ann, hall.terminal("hall-1", "bob") as bob:
        flood = [asyncio.create_task(ann.ask(CloseBets())) for _ in range(8)]
        await bob.sit()
        done = sum(task.done() for task in flood)
        assert done <= 4
        # Nothing is lost: each of them is answered in its turn.
        answers = await asyncio.gather(*flood, return_exceptions=True)
        assert all(isinstance(one, Refused) and one.code == "not_allowed" for one in answers)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
KINDS = st.sampled_from(
    ["take_seat", "set_wagers", "decide", "buy_in", "collect", "deal_card", "void_round", "confirm"]
)
COMMANDS = st.fixed_dictionaries(
    {"type": st.just("command"), "id": st.text(max_size=80)},
    optional={
        "command": st.fixed_dictionaries(
            {"kind": KINDS},
            optional={
                "seat": st.integers() | JSON,
                "cents": st.integers() | JSON,
                "spot": st.sampled_from(["1.1", "2.1", "9.9", ""]) | st.text(max_size=8),
                "wagers": JSON,
                "decision": JSON,
                "card": st.text(max_size=4),
                "reason": st.text(max_size=10),
            },
        )
    },
)


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(COMMANDS | JSON, max_size=15))
async def test_whatever_comes_the_table_goes_on(
    tmp_path_factory: pytest.TempPathFactory, messages: list[Any]
) -> None:
    async with open_hall(tmp_path_factory.mktemp("hall")) as hall:
        await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
        async with hall.terminal("hall-1", "ann") as ann:
            await ann.sit(buy_in_cents=50_000)
            await _talk(hall, HELLO, *(json.dumps(one) for one in messages))
            await ann.bet(ante=1000)
            assert ann.private.credit_cents == 50_000 - 2000


async def test_a_command_that_a_stopped_table_cannot_answer_is_answered_when_it_goes_on(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.socket.connection.STOPPED_WAIT_SECONDS", 0.01)

    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        await table.sit()
        store = hall.floor.worker_services.store
        plain = store.commit
        failures: list[object] = []

        def written_but_unknown(commit: Commit) -> Any:
            if len(failures) < 3:
                failures.append(plain(commit) if not failures else None)
                raise Unknown("The line broke.")
            return plain(commit)

        monkeypatch.setattr(store, "commit", written_but_unknown)
        await table.ask(BuyIn(seat=1, cents=500))
        await table.until(lambda now: now.private.credit_cents == 500)


async def test_a_table_that_stays_stopped_gives_no_answer_but_ends_the_socket(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.socket.connection.STOPPED_WAIT_SECONDS", 0.01)
    monkeypatch.setattr("openfelt.server.socket.connection.STOPPED_TRIES_MAX", 3)

    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        await table.sit()
        store = hall.floor.worker_services.store
        plain = store.commit

        def full(commit: Commit) -> Any:
            raise Unavailable("The disk is full.")

        monkeypatch.setattr(store, "commit", full)
        asking = asyncio.create_task(table.ask(BuyIn(seat=1, cents=500), id="one"))
        await asyncio.sleep(0.5)
        assert not asking.done()
        monkeypatch.setattr(store, "commit", plain)
        await asking
        await table.until(lambda now: now.private.credit_cents == 500)
