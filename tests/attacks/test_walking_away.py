"""A player walks away from every losing round and waits until the stake is returned. A supervisor
sees how often, and a house may let the clock's decisions settle such rounds instead.
"""

from pathlib import Path

import pytest

from openfelt.rules import CloseBets, Phase
from openfelt.rules.decisions import DecidedBy
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.requests import Request
from openfelt.server.tables.lobby import private_table_name
from openfelt.table.commands import SYSTEM, ExpireRound
from tests.kit.floors import Desk, Shift, check_books
from tests.kit.own_houses import own_house
from tests.kit.server.open_house import OpenHouse, open_house

STAKE_CENTS = 300
"""What the smallest round of the house puts on the felt."""


async def test_a_supervisor_sees_who_leaves_rounds_unfinished(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        guest = await house.guest()
        player = (await guest.get("/api/v1/me")).json()["player"]
        for _ in range(3):
            await leaves_a_round(house, player)
        eve = await house.supervisor()
        assert (await eve.get("/api/v1/unfinished")).json() == [
            {"player": player, "rounds": 3, "returned_cents": 3 * STAKE_CENTS, "flagged": True}
        ]
        other = await house.guest()
        assert (await other.get("/api/v1/unfinished")).status_code == 403
        metrics = house.services.metrics.text().decode()
        assert "openfelt_unfinished_refunds_total 3.0" in metrics
        assert "openfelt_players_flagged 1.0" in metrics


async def leaves_a_round(house: OpenHouse, player: str) -> None:
    """Bet at the private table, see the cards, and stay away for thirty days."""
    services = house.services
    table = await services.lobby.private_table(services.catalog.house("online"), player)
    assert table == private_table_name("online", player)
    if (await services.lobby.table(table)).seat_of(player) is None:
        await house.sit(table, player, 1, 50_000)
    await house.bet(table, 1)
    await house.do(table, CloseBets(), player)
    house.clock.pass_ms(30 * DAY_MS)
    await services.floor.sweep()


def expire(desk: Desk) -> None:
    """The sweeper ends the round of a player who has been away for thirty days."""
    (answer,) = desk.worker.handle([Request(by=SYSTEM, command=ExpireRound(1, 30))])
    assert answer.accepted


@pytest.mark.clause("R.32")
def test_the_clock_settles_an_unfinished_round_where_the_house_says_so(shift: Shift) -> None:
    house = own_house("online", {"unfinished": "clock"})
    desk = shift.open_table(house).sit("ann", 1, 500)
    desk.bet("ann", "1.1", "ante 10").do(CloseBets(), "ann")
    expire(desk)
    state = desk.table.round
    assert state is not None
    assert state.phase is Phase.SETTLED
    decisions = next(iter(state.hands.values())).decisions
    assert [decision.by for decision in decisions] == [DecidedBy.CLOCK] * 3
    assert desk.table.seats[1].credit_cents == 50_000 - 2_000
    check_books(shift)


def test_bets_that_were_never_closed_go_back_even_there(shift: Shift) -> None:
    house = own_house("online", {"unfinished": "clock"})
    desk = shift.open_table(house).sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    expire(desk)
    assert desk.table.seats[1].credit_cents == 50_000
