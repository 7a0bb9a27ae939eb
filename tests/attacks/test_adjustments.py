"""Staff move money by adjustments of payouts: twice, to themselves, more than there is, alone, or
for a round that was never confirmed.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.cards import FULL_DECK
from openfelt.rules import Confirm, DealCard, MakeDecision, TurnCards, clock_decision
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.round import Phase
from openfelt.runtime.audit.database import audit
from openfelt.runtime.requests import Request
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.chips import wallet_of
from openfelt.table.commands import (
    ApproveAdjustment,
    ChangeDealer,
    LeaveSeat,
    Person,
    ProposeAdjustment,
    Role,
)
from tests.kit.server.dealers_terminals import dealt, live_table
from tests.kit.server.open_house import PASSWORD, OpenHouse, open_house

TABLE = "pit-3"
DORA, ANN_DEALS = Person(Role.DEALER, "dora"), Person(Role.DEALER, "ann")
EVE, ADA, ANN = (Person(Role.FLOOR, name) for name in ("eve", "ada", "ann"))


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """A live table at which ann has played a round, which Dora has dealt and confirmed."""
    async with open_house(tmp_path) as house:
        await live_table(house, TABLE)
        await house.do(TABLE, ChangeDealer("dora"), DORA)
        await played(house)
        yield house


async def played(house: OpenHouse) -> None:
    """Deal a round in which ann decides as the clock would, and confirm it."""
    await dealt(house, TABLE, dealer="dora", cards="")
    deck = iter(FULL_DECK)
    while (state := (await house.state(TABLE)).playing) is not None:
        match state.current_step:
            case Deal():
                await house.do(TABLE, DealCard(next(deck)), DORA)
            case Turn():
                await house.do(TABLE, TurnCards(), DORA)
            case _ if state.phase is Phase.READY:
                await house.do(TABLE, Confirm(), DORA)
            case _:
                spot = min(state.pending)
                await house.do(TABLE, MakeDecision(spot, clock_decision(state, spot)), "ann")


def wallet_cents(house: OpenHouse) -> int:
    return house.services.store.balance(wallet_of("ann"))


async def test_an_approved_adjustment_moves_its_money_once(floor: OpenHouse) -> None:
    """Two supervisors approve at the same moment, and both answers are lost and asked for again."""
    before = wallet_cents(floor)
    await floor.do(TABLE, ProposeAdjustment(1, 1, 700, "Trips paid as a pair."), DORA)
    requests = [
        Request(by=by, command=ApproveAdjustment(1), id=f"{by.name} {number}")
        for by in (EVE, ADA)
        for number in range(3)
    ]
    asked = [floor.services.floor.ask(TABLE, request) for request in (*requests, *requests)]
    answers = await asyncio.gather(*asked)
    # One command was carried out, and told so under the same id again.
    assert [answer.refused for answer in answers].count(None) == 2
    assert {answer.refused for answer in answers} == {None, "not_adjustable"}
    assert wallet_cents(floor) == before + 700


async def test_nobody_adjusts_a_round_of_their_own(floor: OpenHouse) -> None:
    """Ann has become a dealer or a supervisor since she played."""
    mine = ProposeAdjustment(1, 1, 50_000, "I should have won.")
    assert (await floor.ask(TABLE, mine, ANN)).refused == "needs_supervisor"
    await floor.do(TABLE, ChangeDealer(None), DORA)
    await floor.do(TABLE, ChangeDealer("ann"), ANN_DEALS)
    assert (await floor.ask(TABLE, mine, ANN_DEALS)).refused == "needs_supervisor"
    await floor.do(TABLE, mine, EVE)
    assert (await floor.ask(TABLE, ApproveAdjustment(1), ANN)).refused == "needs_supervisor"
    assert (await floor.ask(TABLE, ApproveAdjustment(1), EVE)).refused == "needs_supervisor"


async def test_a_dealer_moves_no_money_and_no_wallet_pays_more_than_it_holds(
    floor: OpenHouse, tmp_path: Path
) -> None:
    before = wallet_cents(floor)
    await floor.do(TABLE, ProposeAdjustment(1, 1, -before - 1, "Overpaid."), DORA)
    assert (await floor.ask(TABLE, ApproveAdjustment(1), DORA)).refused == "not_allowed"
    assert (await floor.ask(TABLE, ApproveAdjustment(1), "ann")).refused == "not_allowed"
    assert (await floor.ask(TABLE, ApproveAdjustment(1), EVE)).refused == "wallet_short"
    # What she takes home later may be charged, once and to the cent, although she has left.
    await floor.do(TABLE, LeaveSeat(1), "ann")
    home = wallet_cents(floor)
    await floor.do(TABLE, ApproveAdjustment(1), EVE)
    assert wallet_cents(floor) == home - before - 1
    later = ProposeAdjustment(2, 1, 500, "A round to come.")
    assert (await floor.ask(TABLE, later, DORA)).refused == "not_adjustable"
    with closing(SqliteStore(tmp_path / "felt.db")) as store:
        assert not audit(store, others=ACCOUNT_AUDITS).findings


async def test_a_supervisor_with_two_accounts_stands_in_the_record_under_both(
    floor: OpenHouse,
) -> None:
    """No program knows who sits before it: what remains is who opened which account."""
    supervisor = await floor.supervisor()
    second = {"name": "second", "password": PASSWORD, "role": "supervisor"}
    assert (await supervisor.post("/api/v1/accounts", json=second)).status_code == 200
    await floor.do(TABLE, ProposeAdjustment(1, 1, 700, "A gift."), Person(Role.FLOOR, "supervisor"))
    await floor.do(TABLE, ApproveAdjustment(1), Person(Role.FLOOR, "second"))
    store = floor.services.store
    opened = next(iter(store.record("account/second", after=0)))
    assert (opened.name, opened.cause.actor) == ("account_opened", "floor:supervisor")
    deeds = [
        (event.name, event.cause.actor)
        for event in store.record(f"table/{TABLE}", after=0)
        if event.name.startswith("adjustment")
    ]
    assert deeds == [
        ("adjustment_proposed", "floor:supervisor"),
        ("adjustment_made", "floor:second"),
    ]
