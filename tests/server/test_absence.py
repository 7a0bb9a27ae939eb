"""Players who have gone without standing up."""

import asyncio
from pathlib import Path

import pytest

from openfelt.rules.house import DealerMode
from openfelt.server.absence import BANK_MS, SEAT_MS, wanted
from openfelt.server.proposition import NAMES
from openfelt.table.commands import DeclineBank, LeaveSeat
from tests.server.halls import hall
from tests.tables import Pit


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


def test_a_terminal_that_is_gone_gives_its_seat_and_credit_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.absence.SEAT_MS", 200)
    monkeypatch.setattr("openfelt.server.rooms.REFRESH_SECONDS", 0.05)

    async def run() -> None:
        async with asyncio.timeout(60), hall(tmp_path) as here:
            await here.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
            async with here.terminal("hall-1", "bob") as bob:
                await bob.sit(buy_in_cents=1000)
                async with here.terminal("hall-1", NAMES[0]) as house:
                    await house.sit()
                async with here.terminal("hall-1", "ann") as ann:
                    await ann.sit(buy_in_cents=50_000)
                    await bob.until(lambda now: now.public.seats_taken == [1, 2, 3])
                await bob.until(lambda now: now.public.seats_taken == [1, 2])
            assert here.floor.cashier.balance("ann") == 100_000

    asyncio.run(run())
