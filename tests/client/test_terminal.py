"""A terminal for scripts, where its connection is not what it should be."""

import pytest

from openfelt.client import Refused, Terminal, TerminalClosed
from openfelt.protocol.messages import Bet, BuyIn
from openfelt.rules.refusal import Refusal
from openfelt.runtime.requests import RuntimeCode
from openfelt.server.tables.room import Room
from tests.kit.server.halls import Hall


async def test_a_command_that_is_given_while_the_line_is_down_is_carried_out_once(
    hall: Hall,
) -> None:
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        await table.sit()
        for number in range(5):
            await table.drop()
            await table.ask(BuyIn(seat=1, cents=100), id=f"b{number}")
        await table.until(lambda now: now.private.credit_cents == 500)


async def test_who_does_not_sit_cannot_bet(hall: Hall) -> None:
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        with pytest.raises(Refused, match="not_seated"):
            await table.decide(Bet(multiple=4))


async def test_a_terminal_that_was_closed_says_so(hall: Hall) -> None:
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        pass
    with pytest.raises(TerminalClosed):
        await table.ask(BuyIn(seat=1, cents=100))


async def test_a_server_that_cannot_be_reached_is_given_up_after_a_while() -> None:
    terminal = Terminal(
        "ws://127.0.0.1:9/ws/tables/t",
        origin="http://127.0.0.1:9",
        headers={},
        patience_seconds=0.2,
    )
    with pytest.raises(TerminalClosed, match="cannot be reached"):
        async with terminal:
            pass


async def test_a_terminal_that_connects_while_no_process_has_its_table_waits_for_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the seconds after a process was killed, until another one takes over its tables."""
    await hall.open("mine", "online", private_to="ann")
    room, refusals = hall.rooms.room, [RuntimeCode.MOVED, RuntimeCode.STOPPED, RuntimeCode.MOVED]

    async def without_owner(table: str) -> Room:
        if refusals:
            raise Refusal(refusals.pop(), "No process has this table for the moment.")
        return await room(table)

    monkeypatch.setattr(hall.rooms, "room", without_owner)
    async with hall.terminal("mine", "ann") as table:
        assert not refusals
        await table.sit(buy_in_cents=500)
        assert table.private.credit_cents == 500


async def test_a_terminal_says_whether_it_is_connected(hall: Hall) -> None:
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        assert table.connected
    assert not table.connected
