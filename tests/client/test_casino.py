"""The client against a real server: people, tables, and the program of the documentation."""

import asyncio
from pathlib import Path

import pytest

from examples import client, dealer
from openfelt.client import Casino, CasinoError, Terminal
from openfelt.protocol.messages import Check, Decide, Fold
from tests.kit.server.open_house import SUPERVISOR, settings_in
from tests.kit.server.real_server import served

PASSWORD = "correct horse battery"


def test_the_example_plays_a_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(settings_in(tmp_path, port=0)) as address:
        asyncio.run(client.main(address))
    said = capsys.readouterr().out
    assert {"ante", "blind", "play", "trips"} == {
        line.split()[0] for line in said.splitlines()[:-1]
    }
    assert "Net result:" in said


def test_people_come_and_go(tmp_path: Path) -> None:
    async def story(address: str) -> None:
        async with Casino(address) as casino:
            assert (await casino.me())["name"] is None
            with pytest.raises(CasinoError) as nobody:
                await casino.private_table()
            assert nobody.value.status == 401
            await casino.sign_up("ann", PASSWORD)
            assert (await casino.me())["name"] == "ann"
            await casino.sign_out()
            with pytest.raises(CasinoError):
                await casino.sign_in("ann", "wrong")
            await casino.sign_in("ann", PASSWORD)
            tables = {table["table"] for table in await casino.tables()}
            assert "stadium-1" in tables

    with served(settings_in(tmp_path, port=0)) as address:
        asyncio.run(story(address))


def test_a_finished_round_has_a_proof(tmp_path: Path) -> None:
    async def story(address: str) -> None:
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

    with served(settings_in(tmp_path, port=0)) as address:
        asyncio.run(story(address))


def client_decision(kinds: list[str]) -> Decide:
    decision = Check() if "check" in kinds else Fold()
    return Decide(spot="1.1", decision=decision)


def test_the_example_deals_rounds_from_a_real_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer, "BETTING_SECONDS", 0)

    async def play(address: str) -> None:
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
                    assert table.public.dealer == "dora"
                    assert table.public.commitments == {}

    async def story(address: str) -> None:
        async with Casino(address) as supervisor:
            await supervisor.sign_in(**SUPERVISOR)
            account = {"name": "dora", "password": PASSWORD, "role": "dealer"}
            await supervisor.post("/api/v1/accounts", account)
            asked = {"table": "pit-1", "house": "washington", "dealer_mode": "live"}
            await supervisor.post("/api/v1/tables", asked)
        dealing = asyncio.create_task(dealer.main(address, "pit-1", "dora", PASSWORD))
        async with asyncio.timeout(60):
            await play(address)
        dealing.cancel()
        await asyncio.gather(dealing, return_exceptions=True)

    with served(settings_in(tmp_path, port=0)) as address:
        asyncio.run(story(address))


def _settled(table: Terminal, number: int) -> bool:
    return any(result.number == number for result in table.public.results)
