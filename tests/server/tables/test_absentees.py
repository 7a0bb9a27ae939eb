"""Players who have gone without standing up."""

import pytest

from openfelt.protocol import messages
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.server.tables.absentees import BANK_MS, DEALER_MS, SEAT_MS, wanted
from openfelt.server.tables.house_players import NAMES
from openfelt.table.commands import ChangeDealer, DeclineBank, LeaveSeat, Person, Role
from tests.kit.server.halls import Hall
from tests.kit.tables import Pit


def test_a_bank_offer_passes_on_and_then_the_seat_is_given_back() -> None:
    table = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500).table
    assert wanted(table, "ann", BANK_MS - 1) is None
    assert wanted(table, "ann", BANK_MS) == DeclineBank(1)
    assert wanted(table, "bob", BANK_MS) is None
    assert wanted(table, "bob", SEAT_MS) == LeaveSeat(2)
    assert wanted(table, "cat", SEAT_MS) is None


def test_what_lies_on_the_felt_is_played_first() -> None:
    pit = Pit("stadium", mode=DealerMode.VIRTUAL).sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    assert wanted(pit.table, "ann", SEAT_MS) is None


@pytest.fixture
def frequent_refresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms look for absent players every few milliseconds."""
    monkeypatch.setattr("openfelt.server.tables.rooms.REFRESH_SECONDS", 0.05)


@pytest.mark.usefixtures("frequent_refresh")
async def test_a_terminal_that_is_gone_gives_its_seat_and_credit_back(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.tables.absentees.SEAT_MS", 200)

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


def test_a_dealer_who_is_gone_is_signed_off() -> None:
    pit = Pit("washington").sit("ann", 1, 500)
    assert wanted(pit.table, "dora", DEALER_MS) is None
    table = pit.do(ChangeDealer("dora"), by=Person(Role.DEALER, "dora")).table
    assert wanted(table, "dora", DEALER_MS - 1) is None
    assert wanted(table, "dora", DEALER_MS) == ChangeDealer(None)
    assert wanted(table, "ann", DEALER_MS) is None


@pytest.mark.usefixtures("frequent_refresh")
async def test_players_are_told_that_their_dealer_is_gone(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.tables.absentees.DEALER_MS", 200)

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
        # Everybody has been asked, so whoever thinks again may bank.
        await ann.ask(messages.TakeBank(seat=1, cover_cents=10_000))
        await bob.until(lambda now: now.public.round is not None)
    record = [stored.name for stored in hall.floor.tools.store.events("table/room-1")]
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
