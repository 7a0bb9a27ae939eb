"""Players who have gone without standing up."""

import pytest

from openfelt.protocol import messages
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.server.tables.computer_players import NAMES
from openfelt.table.commands import Role
from tests.kit.server.halls import Hall


async def test_a_terminal_that_is_gone_gives_its_seat_and_credit_back(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.tables.absence_rules.SEAT_MS", 200)

    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "bob") as bob:
        await bob.sit(buy_in_cents=1000)
        async with hall.terminal("hall-1", NAMES[0]) as house:
            await house.sit()
        async with hall.terminal("hall-1", "ann") as ann:
            await ann.sit(buy_in_cents=50_000)
            await bob.until(lambda now: now.public.players == 3)
        await bob.until(lambda now: now.public.players == 2)
    assert hall.floor.cashier.balance("ann") == 100_000


async def test_players_are_told_that_their_dealer_is_gone(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.tables.absence_rules.DEALER_MS", 200)

    await hall.open("hall-1", "washington")
    async with hall.terminal("hall-1", "ann") as ann:
        await ann.sit(buy_in_cents=50_000)
        async with hall.terminal("hall-1", "dora", Role.DEALER) as dora:
            await dora.ask(messages.ChangeDealer(dealer="dora"))
            await dora.ask(messages.OpenBets())
            await ann.until(lambda now: now.public.dealer == "dora")
            await ann.bet(ante=500)
        await ann.until(lambda now: now.public.dealer is None)
        assert ann.private.bet_cents == 1000
        async with hall.terminal("hall-1", "dan", Role.DEALER) as dan:
            await dan.ask(messages.ChangeDealer(dealer="dan"))
            await dan.ask(messages.CloseBets())
            await ann.until(lambda now: now.public.dealer == "dan")


async def test_one_who_is_there_and_does_not_answer_is_passed_over_by_the_clock(hall: Hall) -> None:
    clock = ClockRule(wager_seconds=60, decision_seconds=1)
    await hall.open("room-1", "california", clock=clock)
    async with hall.terminal("room-1", "ann") as ann, hall.terminal("room-1", "bob") as bob:
        await ann.sit(buy_in_cents=50_000)
        assert (ann.public.bank_offered_to, ann.public.clock) == (1, None)
        await bob.sit(buy_in_cents=50_000)
        await bob.until(lambda now: now.public.bank_offered_to is None)
        assert bob.public.clock is None
        # All players have been asked, so one who thinks again may bank.
        await ann.ask(messages.TakeBank(seat=1, cover_cents=10_000))
        await bob.until(lambda now: now.public.round is not None)
    record = [stored.name for stored in hall.floor.worker_services.store.events("table/room-1")]
    asked = record[record.index("clock_started") :]
    assert asked.count("clock_started") == asked.count("bank_declined") == 2
    assert asked[-2:] == ["bank_declined", "round_opened"]


async def test_a_terminal_is_told_of_the_clock_of_the_bank(hall: Hall) -> None:
    clock = ClockRule(wager_seconds=60, decision_seconds=600)
    await hall.open("room-1", "california", clock=clock)
    async with hall.terminal("room-1", "ann") as ann, hall.terminal("room-1", "bob") as bob:
        await ann.sit()
        await bob.sit()
        await bob.until(lambda now: now.public.clock is not None)
        seen = bob.public.clock
        assert seen is not None
        assert (seen.gives_time_for, seen.total_ms) == ("bank", 600_000)
        assert bob.public.bank_offered_to == 1
        assert "take_bank" not in bob.private.may
        await ann.ask(messages.DeclineBank(seat=1))
        await bob.until(lambda now: "decline_bank" in now.private.may)
        assert bob.public.clock is not None
        assert bob.public.clock.number == seen.number + 1
