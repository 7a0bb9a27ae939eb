"""The tips of a dealer's shifts, from the ledger."""

import pytest

from openfelt.cards import parse_cards
from openfelt.rules import CloseBets, Confirm, DealCard, MakeDecision, SetWagers, TurnCards
from openfelt.rules.decisions import Bet, Check
from openfelt.rules.house import DealerMode
from openfelt.rules.wagers import Beneficiary, Spot, Wager, WagerKind
from openfelt.table.commands import ChangeDealer, OpenBets, OpenTable, Person, Role
from tests.kit.own_houses import own_house
from tests.kit.server.dealers_terminals import badge, dealers_terminal, sign_on
from tests.kit.server.open_house import OpenHouse

DORA, DAN = Person(Role.DEALER, "dora"), Person(Role.DEALER, "dan")
EVE = Person(Role.FLOOR, "eve")
TIPS = {
    "dealer_wagers.min_cents": 100,
    "dealer_wagers.max_cents": 10_000,
    "dealer_wagers.multiple_of_cents": 100,
}
"""Washington's document has no wagers for the dealer; this table has."""
STRAIGHT = "As Kh 2c 7d Th Js Qd 3s 4s"
"""Ann's straight; the dealer has queen high."""


@pytest.fixture
async def floor(house: OpenHouse) -> OpenHouse:
    """A live table with a player who sits."""
    rules = own_house("washington", TIPS)
    command = OpenTable(table="live-1", house=rules, dealer_mode=DealerMode.LIVE)
    await house.services.floor.open_table(command, by=EVE)
    house.services.floor.cashier.deposit("ann", 100_000, id="first")
    await house.sit("live-1", "ann", 1)
    return house


async def closed(house: OpenHouse, dealer: Person) -> None:
    """A round whose bets, with a Trips wager for the dealer, this dealer has closed."""
    await house.do("live-1", OpenBets(), dealer)
    wagers = [Wager(WagerKind.ANTE, 500), Wager(WagerKind.BLIND, 500), Wager(WagerKind.TRIPS, 500)]
    tip = Wager(WagerKind.TRIPS, 500, Beneficiary.DEALER)
    await house.do("live-1", SetWagers(Spot(1, 1), (*wagers, tip)), "ann")
    await house.do("live-1", CloseBets(), dealer)


async def settled(house: OpenHouse, dealer: Person) -> None:
    """Deal and settle the round; the Trips win four to one."""
    for number, card in enumerate(parse_cards(STRAIGHT)):
        await house.do("live-1", DealCard(card), dealer)
        if number in (3, 6):
            await house.do("live-1", MakeDecision(Spot(1, 1), Check()), "ann")
    state = (await house.state("live-1")).playing
    assert state is not None
    if state.pending:
        await house.do("live-1", MakeDecision(Spot(1, 1), Bet(1)), "ann")
    while (await house.ask("live-1", TurnCards(), dealer)).accepted:
        pass
    await house.do("live-1", Confirm(), dealer)


@pytest.mark.clause("S.5")
async def test_the_tips_of_a_shift_are_those_of_the_dealer_who_closed_the_bets(
    floor: OpenHouse,
) -> None:
    shifts = floor.services.shifts
    assert shifts.of("dora") == []
    await floor.do("live-1", ChangeDealer("dora"), DORA)
    await closed(floor, DORA)
    floor.clock.pass_ms(1000)
    await settled(floor, DORA)
    (first,) = shifts.of("dora")
    paid_cents = first.tips_cents
    assert (first.table, first.ended_ms, first.tips) == ("live-1", None, 1)
    assert paid_cents > 0
    # Dan takes over in the middle of a round: its tip stays Dora's, and counts for her shift.
    await closed(floor, DORA)
    floor.clock.pass_ms(1000)
    await floor.do("live-1", ChangeDealer("dan"), EVE)
    floor.clock.pass_ms(1000)
    await settled(floor, DAN)
    (first,) = shifts.of("dora")
    assert (first.tips_cents, first.tips) == (2 * paid_cents, 2)
    assert first.ended_ms is not None
    assert [shift.tips_cents for shift in shifts.of("dan")] == [0]
    # A new shift begins with nothing.
    floor.clock.pass_ms(1000)
    await floor.do("live-1", ChangeDealer("dora"), EVE)
    assert [shift.tips for shift in shifts.of("dora")] == [0, 2]
    assert [shift.tips for shift in shifts.of("dora", limit=1)] == [0]


async def test_dealers_see_their_own_shift_and_a_supervisor_sees_all(floor: OpenHouse) -> None:
    await badge(floor, "dora", "4711")
    terminal, eve = await dealers_terminal(floor, "live-1"), await floor.supervisor()
    await sign_on(terminal, "4711")
    own = (await terminal.get("/api/v1/dealer/shift")).json()
    assert (own["table"], own["tips_cents"], own["ended_ms"]) == ("live-1", 0, None)
    assert (await terminal.get("/api/v1/dealers/dora/shifts")).status_code == 403
    assert (await eve.get("/api/v1/dealers/dora/shifts")).json() == [own]
    assert (await eve.get("/api/v1/dealers/none-such/shifts")).json() == []
