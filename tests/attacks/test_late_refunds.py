"""A player walks away from an online round, and tries to get more than the stake back when its
thirty days are over: by deciding, collecting and leaving at the moment of the refund, by two
refunds at once, by a server that stops in between, or as a player whom the house has barred.
"""

import asyncio
from pathlib import Path

import pytest

from openfelt.rules import CloseBets, MakeDecision
from openfelt.rules.decisions import Bet, Check, Fold
from openfelt.rules.wagers import Spot
from openfelt.runtime.audit import audit
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.requests import Request
from openfelt.runtime.streams import table_stream
from openfelt.table.commands import SYSTEM, BuyIn, Collect, ExpireRound, LeaveSeat
from tests.kit.attacks.server_under_attack import PASSWORD
from tests.kit.floors import Shift, StandingClock, check_books, request
from tests.kit.own_houses import own_house
from tests.kit.server.open_house import OpenHouse, open_house

HAND = Spot(1, 1)
BUY_IN_CENTS = 50_000
STAKE_CENTS = 300
"""What the smallest round of the house puts on the felt."""
ACTS = (
    MakeDecision(HAND, Check()),
    MakeDecision(HAND, Fold()),
    Collect(1),
    LeaveSeat(1),
    BuyIn(1, 100),
    CloseBets(),
)


async def dealt(house: OpenHouse) -> tuple[str, str]:
    """A player who has seen the cards at a private table; gives the player and the table."""
    guest = await house.guest()
    player = (await guest.get("/api/v1/me")).json()["player"]
    services = house.services
    table = await services.lobby.private_table(services.catalog.house("online"), player)
    await house.sit(table, player, 1, BUY_IN_CENTS)
    await house.bet(table, 1)
    await house.do(table, CloseBets(), player)
    return player, table


def owned_cents(house: OpenHouse, player: str) -> int:
    """All money of a player: in the wallet, at the seat and on the felt."""
    return sum(
        cents
        for account, cents in house.services.floor.worker_services.store.balances().items()
        if player in str(account)
    )


def endings(house: OpenHouse, table: str) -> list[str]:
    """How the rounds of a table have ended."""
    events = house.services.floor.worker_services.store.events(table_stream(table))
    return [event.name for event in events if event.name in ("round_voided", "round_settled")]


@pytest.mark.parametrize("days", [29, 30])
async def test_everything_at_once_when_the_days_are_over(tmp_path: Path, days: int) -> None:
    """Until then the player decides, and no refund comes; from then on it is the reverse."""
    async with open_house(tmp_path) as house:
        player, table = await dealt(house)
        before = owned_cents(house, player)
        house.clock.pass_ms(days * DAY_MS)
        asked = [house.ask(table, act, player) for act in ACTS for _ in range(3)]
        sweeps = [house.services.floor.sweep() for _ in range(3)]
        answers, _ = await asyncio.gather(asyncio.gather(*asked), asyncio.gather(*sweeps))
        decided = [answer for answer in answers[:6] if answer.accepted]
        if days == 30:
            assert decided == []
            assert endings(house, table) == ["round_voided"]
            assert owned_cents(house, player) == before
        else:
            assert endings(house, table) in ([], ["round_settled"])
            assert decided
        store = house.services.floor.worker_services.store
        assert sum(store.balances().values()) == 0
        report = audit(store)
        assert report.clean, "\n".join(map(str, report.findings))


async def test_a_server_that_stops_at_that_moment_refunds_once(tmp_path: Path) -> None:
    clock = StandingClock()
    async with open_house(tmp_path, clock=clock) as house:
        player, table = await dealt(house)
        before = owned_cents(house, player)
        clock.pass_ms(30 * DAY_MS)
    for _ in range(2):
        async with open_house(tmp_path, clock=clock) as house:
            late = await house.ask(table, MakeDecision(HAND, Check()), player)
            assert not late.accepted
            await house.services.floor.sweep()
            assert endings(house, table) == ["round_voided"]
            assert owned_cents(house, player) == before


async def test_a_barred_player_gets_the_stake_back_and_nothing_else(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        browser = await house.client()
        form = {"name": "ann", "password": PASSWORD}
        assert (await browser.post("/api/v1/sign-up", json=form)).status_code == 200
        services = house.services
        table = await services.lobby.private_table(services.catalog.house("online"), "ann")
        await house.sit(table, "ann", 1, BUY_IN_CENTS)
        await house.bet(table, 1)
        await house.do(table, CloseBets(), "ann")
        before = owned_cents(house, "ann")
        eve = await house.supervisor()
        barred = await eve.post("/api/v1/accounts/ann/bar", json={"reason": "A fight."})
        assert barred.status_code == 200
        house.clock.pass_ms(30 * DAY_MS)
        await services.floor.sweep()
        assert endings(house, table) == ["round_voided"]
        assert owned_cents(house, "ann") == before
        eve = await house.supervisor()
        (line,) = (await eve.get("/api/v1/unfinished")).json()
        assert (line["player"], line["returned_cents"]) == ("ann", STAKE_CENTS)


def test_where_the_clock_decides_the_player_no_longer_does(shift: Shift) -> None:
    """A player who comes back after the last day, and would raise a hand that has won, cannot."""
    desk = shift.open_table(own_house("online", {"unfinished": "clock"})).sit("ann", 1, 500)
    desk.bet("ann", "1.1", "ante 10").do(CloseBets(), "ann")
    shift.clock.pass_ms(30 * DAY_MS)
    for act in (MakeDecision(HAND, Bet(4)), MakeDecision(HAND, Check()), Collect(1), LeaveSeat(1)):
        assert not desk.ask(act, "ann").accepted
    expired = Request(by=SYSTEM, command=ExpireRound(1, 30))
    answers = desk.worker.handle([expired, request(MakeDecision(HAND, Bet(4)), "ann"), expired])
    assert [answer.accepted for answer in answers] == [True, False, False]
    assert shift.names().count("round_settled") == 1
    assert desk.credit("ann") == BUY_IN_CENTS - 2_000
    check_books(shift, desk)
