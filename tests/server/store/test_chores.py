"""Chores of a running server."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.ledger.vouchers import UNCLAIMED
from openfelt.runtime.clock import DAY_MS
from openfelt.server.store import chores
from tests.kit.floors import StandingClock
from tests.kit.server.open_house import open_house


async def test_decks_are_purged_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chores, "PAUSE_SECONDS", 0)
    clock = StandingClock()
    async with open_house(tmp_path, clock=clock) as house:
        floor = house.services.floor
        await floor.in_thread(lambda: floor.cashier.deposit("ann", 1_000_000, id="1"))
        await house.sit("draw-1", "ann", 1)
        await house.bet("draw-1", 1)
        await house.play("draw-1")
        assert "1/table" in house.services.store.secret_names("table/draw-1")
    clock.pass_ms(31 * DAY_MS)
    async with open_house(tmp_path, clock=clock, keep_decks_days=30) as house:
        async with asyncio.timeout(60):
            while house.services.store.secret_names("table/draw-1", "1/"):  # noqa: ASYNC110 (no bell rings)
                await asyncio.sleep(0.02)
        names = house.services.store.secret_names("table/draw-1")
        assert "key/1" not in names


async def test_accounts_that_hold_nothing_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chores, "PAUSE_SECONDS", 0)
    # The first server looks for none, at whatever moment of the round it would.
    monkeypatch.setattr(chores, "BALANCE_STEPS_MAX", 0)
    async with open_house(tmp_path) as house:
        floor = house.services.floor
        await floor.in_thread(lambda: floor.cashier.deposit("ann", 1_000_000, id="1"))
        await house.sit("draw-1", "ann", 1)
        await house.bet("draw-1", 1)
        await house.play("draw-1")
        assert empty_accounts(tmp_path)
        before = house.services.store.balances()
    monkeypatch.setattr(chores, "BALANCE_STEPS_MAX", 10_000)
    async with open_house(tmp_path) as house:
        async with asyncio.timeout(60):
            while empty_accounts(tmp_path):  # noqa: ASYNC110 (no bell rings)
                await asyncio.sleep(0.02)
        assert house.services.store.balances() == before


async def test_vouchers_expire_by_themselves(tmp_path: Path) -> None:
    clock = StandingClock()
    async with open_house(tmp_path, clock=clock) as house:
        floor, vouchers = house.services.floor, house.services.cage.vouchers
        await floor.in_thread(lambda: floor.cashier.deposit("ann", 1_000, id="1"))
        await floor.in_thread(lambda: vouchers.issue("ann", 700, id="2"))
    clock.pass_ms(90 * DAY_MS)
    async with open_house(tmp_path, clock=clock) as house:
        async with asyncio.timeout(60):
            while house.services.cage.vouchers.liability().vouchers:  # noqa: ASYNC110 (no bell rings)
                await asyncio.sleep(0.02)
        assert house.services.store.balance(UNCLAIMED) == 700


def empty_accounts(folder: Path) -> list[str]:
    """The accounts that are stored and hold nothing."""
    with closing(sqlite3.connect(folder / "felt.db")) as connection:
        query = "SELECT account FROM balances WHERE cents = 0"
        return [account for (account,) in connection.execute(query)]


async def test_refusals_of_earlier_versions_are_removed(tmp_path: Path) -> None:
    async with open_house(tmp_path):
        pass
    refused = '{"version":1,"refused":"seat_taken","sentence":"Seat 1 is taken."}'
    with closing(sqlite3.connect(tmp_path / "felt.db")) as connection:
        for number in range(5):
            body = refused if number else '{"version":1}'
            row = ("table/draw-1", "player:ann", str(number), "0" * 64, body)
            connection.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", row)
        connection.commit()
    async with open_house(tmp_path) as house:
        async with asyncio.timeout(60):
            while len(list(house.services.store.old_answers("table/draw-1"))) > 1:  # noqa: ASYNC110 (no bell rings)
                await asyncio.sleep(0.02)
