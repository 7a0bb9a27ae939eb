"""Returns of houses: claimed by the documents, and computed exactly."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from openfelt.cards import Category
from openfelt.catalog import load_house
from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.holdem.solver import solve_holdem
from openfelt.protocol.rest import (
    ReturnView,
)
from openfelt.rules.fingerprints import house_with
from openfelt.rules.paytable import HandMinimum, HandRow, Odds
from openfelt.server.tables.house_returns import (
    Computed,
    HouseReturns,
    claimed_returns,
    exact_returns,
)
from tests.kit.server.open_house import open_house


def test_what_the_documents_claim() -> None:
    claimed = {line.label: line.value for line in claimed_returns(load_house("online"))}
    assert claimed.items() >= load_house("online").claimed_returns.items()
    assert {line.source for line in claimed_returns(load_house("washington"))} == {"document"}


@pytest.mark.slow
def test_exact_returns_are_the_figures_of_the_reference() -> None:
    exact = {line.label: line.value for line in exact_returns(load_house("washington"))}
    assert exact["Ante, Blind and Play, best play"] == "99.4738%"
    assert exact["Trips"] == "99.0982%"
    assert exact["Bad Beat"] == "85.2132%"
    assert exact["Ultimate Pairs"] == "91.4594%"


@pytest.mark.slow
def test_draw_poker_returns_what_its_best_holds_are_worth() -> None:
    exact = {line.of: line.value for line in exact_returns(load_house("draw"))}
    assert exact == {"game": "101.5439%", "bonus": "99.2380%"}


def test_a_game_without_exact_figures_has_no_exact_returns() -> None:
    draw = load_house("draw")
    pair = HandRow(HandMinimum(Category.PAIR), Odds(1), "Pair")
    assert draw.ante_bonus is not None
    table = replace(draw.ante_bonus, rows=(*draw.ante_bonus.rows, pair))
    unknown = house_with(draw, ante_bonus=table, wagers=draw.wagers[:1])
    assert exact_returns(unknown) == []


@pytest.mark.slow
def test_a_game_with_other_terms_is_solved() -> None:
    washington = load_house("washington")
    assert washington.play is not None
    once = house_with(washington, play=replace(washington.play, before_flop=(3,)))
    exact = {line.of: line.value for line in exact_returns(once)}
    solution = solve_holdem(terms_of(once))
    share = 1 + solution.ev_per_ante / solution.units_staked
    assert exact["game"] == f"{float(share):.4%}" != "99.4738%"


async def test_returns_are_computed_once_in_the_background() -> None:
    house = load_house("online")
    exact = ReturnView(
        label="Game", of="game", measure="return", value="99%", source="exact", basis="staked"
    )
    calls: list[int] = []

    async def run(_: object) -> Computed:
        calls.append(1)
        await asyncio.sleep(0)
        return [exact]

    returns = HouseReturns(run)
    assert exact not in returns.of(house)
    assert exact not in returns.of(house)
    assert returns.is_pending(house)
    for _ in range(5):
        await asyncio.sleep(0)
    assert exact in returns.of(house)
    assert not returns.is_pending(house)
    assert len(calls) == 1
    await returns.close()


async def test_closing_cancels_the_computation(tmp_path: Path) -> None:
    async def never(_: object) -> Computed:
        await asyncio.Event().wait()
        return []

    async with open_house(tmp_path) as house:
        house.services.returns = HouseReturns(never)
        answer = await (await house.client()).get("/api/v1/houses/online")
        assert answer.status_code == 200
        assert answer.json()["returns"]


async def test_nothing_is_computed_while_the_mathematics_is_compiled() -> None:
    calls: list[int] = []
    compiled = asyncio.Event()

    async def run(_: object) -> Computed:
        calls.append(1)
        return []

    async def ready() -> None:
        await compiled.wait()

    returns = HouseReturns(run, ready=ready)
    returns.of(load_house("online"))
    for _ in range(5):
        await asyncio.sleep(0)
    assert calls == []
    compiled.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert calls == [1]
    await returns.close()
