"""Rounds played on a server and read back from its replays, as a player's browser gets them."""

from pathlib import Path
from random import Random

import httpx
import pytest

from openfelt.catalog import load_house
from openfelt.rules import MakeDecision, SetWagers, Spot, VoidRound
from openfelt.rules.fingerprints import dealt_by_either
from openfelt.rules.house import DealerMode
from openfelt.server.limits.rates import Rate
from openfelt.server.settings import Limits
from openfelt.server.tables.starter_floor import LINK
from openfelt.table.commands import SYSTEM, EndTime, OpenTable, TakeBank
from tests.kit.server.open_house import OpenHouse, name_of, open_house
from tests.kit.tables import FLOOR, SECONDS
from tests.laboratory.comparison import compare_results
from tests.laboratory.moves import plain_wagers, random_decision, random_wagers
from tests.laboratory.product_houses import HOUSES
from tests.laboratory.referee import settle
from tests.laboratory.referee_ledger import Floor, changes
from tests.laboratory.referee_link import Link
from tests.laboratory.replay import results_of, sheet_of

ROUNDS = 4
CREDIT_CENTS = 900_000
GENEROUS = Limits(heavy=Rate(per_minute=100_000, burst=100_000))


@pytest.mark.parametrize("name", ["online", "washington", "california", "stadium", "draw"])
async def test_what_players_replay_is_what_the_documents_pay(tmp_path: Path, name: str) -> None:
    random = Random(f"replays of {name}")
    async with open_house(tmp_path, limits=GENEROUS, play_money_cents=CREDIT_CENTS) as house:
        table, clients = await seated(house, name)
        link = Link.opened(HOUSES[name].seed_cents) if HOUSES[name].progressive else None
        for number in range(1, ROUNDS + 1):
            await play(house, table, random, void=number == ROUNDS)
            path = f"/api/v1/tables/{table}/rounds/{number}"
            replays = {seat: (await client.get(path)).json() for seat, client in clients.items()}
            sheet = sheet_of(name, list(replays.values()))
            verdict = settle(HOUSES[name], sheet, link)
            found = [result for replay in replays.values() for result in results_of(replay)]
            compare_results(sheet, verdict.results, found)
            players = {seat: str(seat) for seat in clients}
            booked = changes(HOUSES[name], sheet, verdict, Floor(table, players, "tips"))
            for seat, replay in replays.items():
                assert replay["credit_change_cents"] == booked.get(f"credit:{table}/{seat}", 0)


async def seated(house: OpenHouse, name: str) -> tuple[str, dict[int, httpx.AsyncClient]]:
    """A table of the house's own, without computer players, and the browsers of its players."""
    rules = dealt_by_either(load_house(name))
    opening = OpenTable(
        table=f"laboratory-{name}",
        house=rules,
        dealer_mode=DealerMode.VIRTUAL,
        clock=SECONDS,
        link=LINK if rules.progressive else None,
    )
    await house.services.floor.open_table(opening, by=SYSTEM)
    table = opening.table
    clients = {seat: await house.guest() for seat in range(1, min(rules.seats, 3) + 1)}
    for seat, client in clients.items():
        await house.sit(table, await name_of(client), seat, CREDIT_CENTS)
    return table, clients


async def play(house: OpenHouse, table: str, random: Random, *, void: bool) -> None:
    """One round: the players bet and decide as chance will have it, or the clock does.

    A void round ends after the first decision.
    """
    state = await house.state(table)
    if state.player_banked:
        seat = state.bank_offered_to
        assert seat is not None
        cover_cents = random.choice((3_000, 20_000, 200_000))
        await house.do(table, TakeBank(seat, cover_cents), state.seats[seat].player)
        state = await house.state(table)
    for seat, taken in state.seats.items():
        if state.playing is not None and state.playing.banked_by(seat):
            continue
        for hand in range(1, random.randint(1, state.house.hands_per_seat) + 1):
            wagers = random_wagers(state.house, random)
            asked = await house.ask(table, SetWagers(Spot(seat, hand), wagers), taken.player)
            if not asked.accepted:
                plain = SetWagers(Spot(seat, hand), plain_wagers(state.house, random))
                await house.do(table, plain, taken.player)
    clock = (await house.state(table)).clock
    assert clock is not None
    await house.do(table, EndTime(clock.number), SYSTEM)
    while (playing := (state := await house.state(table)).playing) is not None:
        if state.clock is not None and random.random() < 0.1:
            await house.do(table, EndTime(state.clock.number), SYSTEM)
            continue
        spot = min(playing.pending)
        decision = MakeDecision(spot, random_decision(playing, spot, random))
        await house.do(table, decision, state.seats[spot.seat].player)
        if void and (await house.state(table)).playing is not None:
            await house.do(table, VoidRound("the shuffler failed"), FLOOR)
