"""Mailboxes: waiting requests share a transaction, and every request is answered."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import pytest
from _pytest.logging import LogCaptureFixture

from openfelt.catalog import load_house
from openfelt.rules import CloseBets, MakeDecision, SetWagers
from openfelt.rules.fingerprints import house_with
from openfelt.rules.house import ClockRule, DealerMode, Deck
from openfelt.runtime.clock import SystemClock
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.tables import mailbox as mailboxes
from openfelt.runtime.tables.mailbox import Mailbox
from openfelt.runtime.tables.watchers import Change
from openfelt.table.commands import SYSTEM, BuyIn, Collect, EndTime, TakeSeat
from openfelt.table.croupier import croupier
from tests.kit.felt import decision_of, spot_of, wagers_of
from tests.kit.floors import Desk, Shift, StandingClock, check_books, request, until

ANTE = SetWagers(spot_of("1.1"), wagers_of("ante 10"))


@asynccontextmanager
async def opened(
    desk: Desk, *, executor: Executor | None = None, **options: Any
) -> AsyncIterator[Mailbox]:
    """A mailbox of the desk's worker, closed at the end."""
    with ThreadPoolExecutor(1) as own:
        mailbox = Mailbox(desk.worker, executor or own, **options)
        try:
            yield mailbox
        finally:
            await mailbox.close()


@pytest.fixture
def arena(shift: Shift) -> Desk:
    """Two thousand seats at a live dealer who deals all cards, so that no deck is shuffled."""
    house = house_with(load_house("stadium"), deck=Deck.SHARED)
    return shift.open_table(house, mode=DealerMode.LIVE)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a table that has stopped look at its store all the time."""
    monkeypatch.setattr(mailboxes, "RETRY_MS", 1)


class Gate:
    """A thread in which nothing happens until the gate is opened."""

    def __init__(self) -> None:
        self.executor = ThreadPoolExecutor(1)
        self._open = threading.Event()
        self.executor.submit(self._open.wait)

    def open(self) -> None:
        """Let everything happen."""
        self._open.set()

    def close(self) -> None:
        """Open the gate and end the thread."""
        self.open()
        self.executor.shutdown()


async def together(mailbox: Mailbox, *asks: Coroutine[Any, Any, Answer]) -> list[str | None]:
    """Ask several things at once, and get what was refused."""
    return [answer.refused for answer in await asyncio.gather(*asks)]


# Batches -----------------------------------------------------------------------------------


async def test_requests_that_come_together_share_commits(shift: Shift, arena: Desk) -> None:
    before = len(shift.store.commits)
    async with opened(arena) as mailbox:
        asks = [mailbox.ask(request(TakeSeat(n), f"player-{n}")) for n in range(1, 301)]
        assert await together(mailbox, *asks) == [None] * 300
    assert len(arena.table.seats) == 300
    assert len(shift.store.commits) - before <= 10


async def test_a_batch_has_a_limit(
    shift: Shift, arena: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailboxes, "BATCH_MAX", 4)
    before = len(shift.store.commits)
    async with opened(arena) as mailbox:
        asks = [mailbox.ask(request(TakeSeat(n), f"player-{n}")) for n in range(1, 21)]
        assert await together(mailbox, *asks) == [None] * 20
    written = shift.store.commits[before:]
    assert len(written) >= 5
    assert max(len(commit.appends[0].events) for commit in written) == 4


async def test_an_answer_comes_after_its_commit(shift: Shift, arena: Desk) -> None:
    other = shift.beside().store

    async def ask(mailbox: Mailbox, number: int) -> None:
        answer = await mailbox.ask(request(TakeSeat(number), f"player-{number}"))
        assert answer.accepted
        assert other.head("table/table-1").version >= answer.version

    async with opened(arena) as mailbox:
        await asyncio.gather(*(ask(mailbox, number) for number in range(1, 30)))


async def test_a_full_mailbox_refuses_at_once(arena: Desk) -> None:
    gate = Gate()
    async with opened(arena, executor=gate.executor, waiting_max=2) as mailbox:
        asks = [
            asyncio.create_task(mailbox.ask(request(TakeSeat(n), f"player-{n}"))) for n in (1, 2)
        ]
        await asyncio.sleep(0)
        refused = await mailbox.ask(request(TakeSeat(3), "player-3"))
        assert refused.refused == "busy"
        assert refused.sentence == "The table is busy; retry with the same id."
        gate.open()
        assert all(answer.accepted for answer in await asyncio.gather(*asks))
        assert (await mailbox.ask(request(TakeSeat(3), "player-3"))).accepted
    gate.close()


async def test_a_cancelled_request_does_not_disturb_the_others(arena: Desk) -> None:
    gate = Gate()
    async with opened(arena, executor=gate.executor) as mailbox:
        gone = asyncio.create_task(mailbox.ask(request(TakeSeat(1), "ann", id="a")))
        other = asyncio.create_task(mailbox.ask(request(TakeSeat(2), "bob")))
        await asyncio.sleep(0)
        gone.cancel()
        gate.open()
        assert (await other).accepted
        assert (await mailbox.ask(request(TakeSeat(1), "ann", id="a"))).accepted
    gate.close()
    assert set(arena.table.seats) == {1, 2}


async def test_a_fault_in_one_command_does_not_hurt_the_others(
    shift: Shift, arena: Desk, monkeypatch: pytest.MonkeyPatch, caplog: LogCaptureFixture
) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError("a fault in a rule")

    monkeypatch.setitem(croupier._COMMANDS, Collect, break_down)
    async with opened(arena) as mailbox:
        refused = await together(
            mailbox,
            mailbox.ask(request(TakeSeat(1), "ann")),
            mailbox.ask(request(Collect(1), "ann")),
            mailbox.ask(request(TakeSeat(2), "bob")),
            mailbox.ask(request(TakeSeat(2), "cat")),
        )
        assert refused == [None, "failed", None, "seat_taken"]
        assert (await mailbox.ask(request(TakeSeat(3), "cat"))).accepted
    assert "a batch failed: ZeroDivisionError in test_mailbox.py" in caplog.text
    assert shift.names().count("seat_taken") == 3


# Watchers ----------------------------------------------------------------------------------


async def test_a_watcher_sees_every_change_once_and_in_order(shift: Shift, arena: Desk) -> None:
    seen: list[Change] = []

    async with opened(arena) as mailbox:
        end = mailbox.watch(seen.append)
        for first in range(1, 60, 20):
            asks = [
                mailbox.ask(request(TakeSeat(n), f"player-{n % 45}"))
                for n in range(first, first + 20)
            ]
            await asyncio.gather(*asks)
        end()
        end()
        await mailbox.ask(request(TakeSeat(99), "late"))
    codec = shift.worker_services.codec
    record = [codec.decode(stored) for stored in shift.record()]
    assert [event for change in seen for event in change.events] == record[1:-1]
    version = 1
    for change in seen:
        version += len(change.events)
        assert change.version == version


async def test_a_watcher_is_told_before_the_answer_is_given(arena: Desk) -> None:
    seen: list[Change] = []
    async with opened(arena) as mailbox:
        mailbox.watch(seen.append)
        answer = await mailbox.ask(request(TakeSeat(1), "ann"))
        assert [change.version for change in seen] == [answer.version]
        await mailbox.ask(request(TakeSeat(1), "bob"))
        assert len(seen) == 1


async def test_a_watcher_that_fails_changes_no_answer(
    arena: Desk, caplog: LogCaptureFixture
) -> None:
    seen: list[Change] = []

    def fail(_: Change) -> None:
        raise ZeroDivisionError("a fault in a screen")

    async with opened(arena) as mailbox:
        mailbox.watch(fail)
        mailbox.watch(seen.append)
        assert (await mailbox.ask(request(TakeSeat(1), "ann"))).accepted
        assert (await mailbox.ask(request(TakeSeat(2), "bob"))).accepted
    assert len(seen) == 2
    assert caplog.text.count("a watcher failed") == 2


# Closing -----------------------------------------------------------------------------------


async def test_closing_answers_what_has_come_in(shift: Shift, arena: Desk) -> None:
    async with opened(arena) as mailbox:
        asks = [
            asyncio.create_task(mailbox.ask(request(TakeSeat(n), f"player-{n}")))
            for n in range(1, 51)
        ]
        await asyncio.sleep(0)
        await mailbox.close()
        assert all(answer.accepted for answer in await asyncio.gather(*asks))
        late = await mailbox.ask(request(TakeSeat(51), "late"))
        assert late.refused == "moved"
        assert late.sentence == "This table is no longer run here."
    assert len(shift.work_at().table.seats) == 50


async def test_closing_does_not_wait_for_decks_that_are_shuffled_ahead(shift: Shift) -> None:
    desk = shift.open_table("stadium", mode=DealerMode.VIRTUAL)
    for seat in range(1, 60):
        desk.sit(f"player-{seat}", seat)

    for _ in range(20):
        async with opened(desk) as mailbox:
            await asyncio.sleep(0.001)
            async with asyncio.timeout(60):
                await mailbox.close()


async def test_a_mailbox_is_idle_without_requests_watchers_and_a_clock(
    shift: Shift,
) -> None:
    desk = shift.open_table("online", clock=ClockRule(wager_seconds=25, decision_seconds=15))
    desk.sit("ann", 1, 500)

    async with opened(desk) as mailbox:
        idle = [mailbox.idle]
        end = mailbox.watch(lambda change: None)
        idle.append(mailbox.idle)
        end()
        idle.append(mailbox.idle)
        ask = asyncio.create_task(mailbox.ask(request(ANTE, "ann")))
        await asyncio.sleep(0)
        idle.append(mailbox.idle)
        assert (await ask).accepted
        idle.append(mailbox.idle)
        assert idle == [True, False, True, False, False]


# Time --------------------------------------------------------------------------------------


class SkippingClock(StandingClock):
    """The machine's clock, of which a test may skip some time."""

    def wall_ms(self) -> int:
        """What the wall clock shows."""
        return SystemClock().wall_ms() + self.wall

    def monotonic_ms(self) -> int:
        """How long the machine runs."""
        return SystemClock().monotonic_ms() + self.monotonic


def moved_on(desk: Desk, number: int) -> Callable[[], bool]:
    """Whether a different clock runs, or none."""
    return lambda: desk.table.clock is None or desk.table.clock.number != number


async def test_clocks_end_by_themselves(shift: Shift) -> None:
    clock = SkippingClock()
    process = Shift(shift.path, clock=clock)
    rule = ClockRule(wager_seconds=25, decision_seconds=15)
    desk = process.open_table("online", clock=rule).sit("ann", 1, 500)

    async with opened(desk) as mailbox:
        assert (await mailbox.ask(request(ANTE, "ann"))).accepted
        while (running := desk.table.clock) is not None:
            while not moved_on(desk, running.number)():
                # A clock gives back what passes during a write, so more may have to be skipped.
                clock.pass_ms(max(0, (desk.worker.time_left_ms or 0) - 5))
                await mailbox.ask(request(TakeSeat(1), "bob"))
                await asyncio.sleep(0.05)
    assert desk.phase == "settled"
    decided = [stored.name for stored in process.record() if stored.name == "decision_made"]
    assert len(decided) == 3
    check_books(process, desk)
    process.close()


async def test_a_tick_that_changes_nothing_is_not_tried_without_end(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = shift.open_table("online", clock=ClockRule(wager_seconds=1, decision_seconds=1))
    desk.sit("ann", 1, 500).do(ANTE, "ann")
    ticks: list[int] = []
    monkeypatch.setattr(desk.worker, "tick", lambda: ticks.append(1))
    monkeypatch.setattr(mailboxes, "RETRY_MS", 600_000)
    shift.clock.pass_ms(1000)

    async with opened(desk) as mailbox:
        await until(lambda: bool(ticks))
        await asyncio.sleep(0.02)
        assert len(ticks) == 1
        assert (await mailbox.ask(request(BuyIn(1, 1), "ann"))).refused == "wallet_short"


@pytest.mark.usefixtures("quick")
async def test_a_chore_that_fails_does_not_end_the_table(
    shift: Shift, monkeypatch: pytest.MonkeyPatch, caplog: LogCaptureFixture
) -> None:
    desk = shift.open_table("online", clock=ClockRule(wager_seconds=1, decision_seconds=1))
    desk.sit("ann", 1, 500).do(ANTE, "ann")

    def break_down() -> None:
        monkeypatch.undo()
        raise ZeroDivisionError("a fault in a chore")

    monkeypatch.setattr(desk.worker, "tick", break_down)
    shift.clock.pass_ms(1000)

    async with opened(desk) as mailbox:
        await until(lambda: "a chore failed: ZeroDivisionError" in caplog.text)
        assert (await mailbox.ask(request(BuyIn(1, 1), "ann"))).refused == "wallet_short"
        await until(lambda: desk.phase == "playing")


async def test_shuffling_ahead_that_fails_does_not_end_the_table(
    shift: Shift, monkeypatch: pytest.MonkeyPatch, caplog: LogCaptureFixture
) -> None:
    desk = shift.open_table("online").sit("ann", 1, 500)

    def break_down() -> bool:
        raise ZeroDivisionError("a fault in the stock")

    monkeypatch.setattr(desk.worker, "prepare", break_down)

    async with opened(desk) as mailbox:
        await until(lambda: "a chore failed: ZeroDivisionError" in caplog.text)
        assert (await mailbox.ask(request(ANTE, "ann"))).accepted


# A store that fails ------------------------------------------------------------------------


def has_stopped(desk: Desk) -> bool:
    """Whether the table of a desk has stopped."""
    return desk.worker.stopped is not None


async def test_a_full_disk_is_reported_to_all_callers_and_survived(
    shift: Shift, arena: Desk
) -> None:
    async with opened(arena) as mailbox:
        assert (await mailbox.ask(request(TakeSeat(1), "ann"))).accepted
        shift.store.full = True
        asks = [mailbox.ask(request(TakeSeat(n), f"player-{n}", id="a")) for n in range(2, 9)]
        answers = await asyncio.gather(*asks)
        assert {answer.refused for answer in answers} == {"stopped"}
        assert {answer.sentence for answer in answers} == {
            "This table has stopped: The disk is full."
        }
        assert has_stopped(arena)
        shift.store.full = False
        asks = [mailbox.ask(request(TakeSeat(n), f"player-{n}", id="a")) for n in range(2, 9)]
        assert await together(mailbox, *asks) == [None] * 7
        assert not has_stopped(arena)
    assert shift.names().count("seat_taken") == 8


@pytest.mark.usefixtures("quick")
async def test_a_table_comes_back_by_itself(shift: Shift) -> None:
    rule = ClockRule(wager_seconds=25, decision_seconds=15)
    desk = shift.open_table("online", clock=rule).sit("ann", 1, 500).do(ANTE, "ann")
    worker, changes = desk.worker, list[Change]()

    async with opened(desk) as mailbox:
        mailbox.watch(changes.append)
        shift.store.gone = True
        answer = await mailbox.ask(request(CloseBets(), "ann"))
        assert answer.refused == "stopped"
        shift.store.gone = False
        await until(lambda: (worker.stopped, worker.time_left_ms) == (None, 25_000))
    assert [type(event).__name__ for change in changes for event in change.events] == [
        "ClockStarted"
    ]


async def test_watchers_are_told_of_events_written_during_an_outage(
    shift: Shift, arena: Desk
) -> None:
    seen: list[Change] = []

    async with opened(arena) as mailbox:
        mailbox.watch(seen.append)
        shift.store.loses_answer = True
        first = await mailbox.ask(request(TakeSeat(1), "ann", id="a"))
        assert first.refused == "stopped"
        second = await mailbox.ask(request(TakeSeat(1), "ann", id="a"))
        assert second.accepted
    assert [change.version for change in seen] == [2]


async def test_a_lost_table_answers_all_waiting_requests(shift: Shift, arena: Desk) -> None:
    shift.beside().work_at().do(TakeSeat(1), "bob")

    async with opened(arena) as mailbox:
        asks = [mailbox.ask(request(TakeSeat(n), f"player-{n}")) for n in range(1, 20)]
        assert set(await together(mailbox, *asks)) == {"moved"}
        assert mailbox.lost
        assert (await mailbox.ask(request(TakeSeat(2), "cat"))).refused == "moved"
    assert shift.names() == ["table_opened", "seat_taken"]


# The end of the clock ------------------------------------------------------------------------


def deciding(shift: Shift) -> Desk:
    """Ann and Bob have to decide, and a clock runs."""
    clock = ClockRule(wager_seconds=10, decision_seconds=10)
    desk = shift.open_table("stadium", mode=DealerMode.VIRTUAL, clock=clock)
    desk.sit("ann", 1, 500).sit("bob", 2, 500)
    desk.bet("ann", "1.1", "ante 10").bet("bob", "2.1", "ante 10")
    assert desk.table.clock is not None
    desk.do(EndTime(desk.table.clock.number), SYSTEM)
    return desk


def bets(name: str, spot: str) -> Request:
    return request(MakeDecision(spot_of(spot), decision_of("4x")), name)


async def asked(mailbox: Mailbox, wanted: Request) -> "asyncio.Task[Answer]":
    """A request that lies in the mailbox."""
    asking = asyncio.create_task(mailbox.ask(wanted))
    await asyncio.sleep(0)
    return asking


async def test_a_decision_that_arrived_in_time_counts_and_a_late_one_does_not(shift: Shift) -> None:
    desk = deciding(shift)

    async with opened(desk) as mailbox:
        await asyncio.sleep(0.05)
        ann = await asked(mailbox, bets("ann", "1.1"))
        # The clock runs out before the mailbox gets to work.
        shift.clock.pass_ms(10_001)
        assert (await ann).accepted
        assert not (await mailbox.ask(bets("bob", "2.1"))).accepted
    state = desk.table.round
    assert state is not None
    assert [str(hand.decisions[0].by) for hand in state.hands.values()] == ["player", "clock"]


async def test_players_get_the_time_back_for_which_a_thread_or_the_store_was_waited_for(
    shift: Shift,
) -> None:
    desk, gate = deciding(shift), Gate()
    try:
        async with opened(desk, executor=gate.executor) as mailbox:
            ann = await asked(mailbox, bets("ann", "1.1"))
            await asyncio.sleep(0.05)
            shift.clock.pass_ms(60_000)
            # Bob presses a minute later, and the table has not answered for a minute.
            bob = await asked(mailbox, bets("bob", "2.1"))
            gate.open()
            assert (await ann).accepted
            assert (await bob).accepted
    finally:
        gate.close()
    check_books(shift)


async def test_a_table_that_has_ended_unexpectedly_is_put_down_all_the_same(
    shift: Shift, arena: Desk, caplog: LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken() -> None:
        raise ValueError("the next card is As")

    async with opened(arena) as mailbox:
        monkeypatch.setattr(mailbox, "_work", broken)
        assert (await mailbox.ask(request(TakeSeat(1), "ann"))).refused == "moved"
        await until(lambda: mailbox.lost)
    assert "table table-1 has ended: ValueError in test_mailbox.py" in caplog.text
    assert "As" not in caplog.text
