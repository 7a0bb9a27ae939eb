"""The client against a real server: people, tables, and the program of the documentation."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples import client, dealer
from openfelt.client import Casino, CasinoError, Terminal
from openfelt.protocol.messages import Check, Decide, Fold
from tests.kit.server.open_house import SUPERVISOR, settings_in
from tests.kit.server.real_server import served

PASSWORD = "correct horse battery"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of a real server on an empty file."""
    with served(settings_in(tmp_path, port=0)) as address:
        yield address


async def test_the_example_plays_a_hand(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    await client.main(address)
    said = capsys.readouterr().out
    assert {"ante", "blind", "play", "trips"} == {
        line.split()[0] for line in said.splitlines()[:-1]
    }
    assert "Net result:" in said


async def test_people_come_and_go(address: str) -> None:
    async with Casino(address) as casino:
        assert (await casino.me())["name"] is None
        with pytest.raises(CasinoError) as refused:
            await casino.private_table()
        assert refused.value.status == 401
        await casino.sign_up("ann", PASSWORD)
        assert (await casino.me())["name"] == "ann"
        await casino.sign_out()
        with pytest.raises(CasinoError):
            await casino.sign_in("ann", "wrong")
        await casino.sign_in("ann", PASSWORD)
        tables = {table["table"] for table in await casino.tables()}
        assert "stadium-1" in tables


async def test_a_finished_round_has_a_proof(address: str) -> None:
    async with Casino(address) as casino:
        await casino.guest()
        name = await casino.private_table()
        async with casino.table(name) as table:
            await table.sit(buy_in_cents=50_000)
            await table.bet(ante=1000)
            await table.deal()
            while "decide" in table.private.may:
                (hand,) = table.private.hands.values()
                kinds = [choice.kind for choice in hand.choices]
                await table.ask(client_decision(kinds))
            proof = await casino.proof(name, 1)
            checked = await casino.post("/api/v1/verify", proof)
        assert checked["ok"], checked


def client_decision(kinds: list[str]) -> Decide:
    decision = Check() if "check" in kinds else Fold()
    return Decide(spot="1.1", decision=decision)


async def test_the_example_deals_rounds_from_a_real_deck(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer, "BETTING_SECONDS", 0)

    async def play() -> None:
        async with Casino(address) as casino:
            await casino.guest()
            async with casino.table("pit-1") as table:
                await table.sit(buy_in_cents=50_000)
                for number in (1, 2):
                    await table.until(lambda now: "set_wagers" in now.private.may)
                    await table.bet(ante=500)
                    while not _settled(table, number):
                        await table.until(
                            lambda now, number=number: (
                                "decide" in now.private.may  # type: ignore[misc]
                                or _settled(now, number)
                            )
                        )
                        if "decide" in table.private.may:
                            (hand,) = table.private.hands.values()
                            await table.ask(client_decision([one.kind for one in hand.choices]))
                    assert table.public.dealer == "Dora"
                    assert table.public.commitments == {}

    async with Casino(address) as supervisor:
        await supervisor.sign_in(**SUPERVISOR)
        account = {
            "name": "dora",
            "password": PASSWORD,
            "role": "dealer",
            "public_name": "Dora",
            "temporary": False,
        }
        await supervisor.post("/api/v1/accounts", account)
        asked = {"table": "pit-1", "house": "washington", "dealer_mode": "live"}
        await supervisor.post("/api/v1/tables", asked)
    dealing = asyncio.create_task(dealer.main(address, "pit-1", "dora", PASSWORD))
    async with asyncio.timeout(60):
        await play()
    dealing.cancel()
    await asyncio.gather(dealing, return_exceptions=True)


def _settled(table: Terminal, number: int) -> bool:
    return any(result.number == number for result in table.public.results)
