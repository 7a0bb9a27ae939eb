"""A round with approved actions is dealt, replayed and audited like any other."""

from openfelt.cards import parse_cards
from openfelt.rules import CloseBets, Confirm, CorrectCard, DealCard, MakeDecision, TurnCards
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import Bet
from openfelt.rules.wagers import Spot
from openfelt.runtime.audit.database import audit
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.server.live_tables.dealer_desk import give
from openfelt.table.commands import ChangeDealer, OpenBets, Person, ReopenBets, Role, TableCommand
from tests.kit.server.dealers_terminals import live_table
from tests.kit.server.open_house import PASSWORD, OpenHouse

DORA, EVE = Person(Role.DEALER, "dora"), Person(Role.FLOOR, "eve")


async def approved(house: OpenHouse, command: TableCommand) -> None:
    await give(house.services, "live-1", command, DORA, terminal="device:1", approved_by=EVE)


async def test_bets_opened_again_and_a_card_corrected_late(house: OpenHouse) -> None:
    await live_table(house, "live-1")
    ann = await house.client()
    await ann.post("/api/v1/sign-up", json={"name": "ann", "password": PASSWORD})
    await house.sit("live-1", "ann", 1)
    await house.do("live-1", ChangeDealer("dora"), DORA)
    await house.do("live-1", OpenBets(), DORA)
    await house.bet("live-1", 1)
    await house.do("live-1", CloseBets(), DORA)
    await approved(house, ReopenBets())
    await house.bet("live-1", 1)
    await house.do("live-1", CloseBets(), DORA)
    for card in parse_cards("As Kh 2c 7d"):
        await house.do("live-1", DealCard(card), DORA)
    await house.do("live-1", MakeDecision(Spot(1, 1), Bet(4)), "ann")
    (king,) = parse_cards("Kd")
    await approved(house, CorrectCard(Place(Lies.HAND, Spot(1, 1), 2), king))
    for card in parse_cards("Th Js Qd 3s 4s"):
        await house.do("live-1", DealCard(card), DORA)
    while (await house.ask("live-1", TurnCards(), DORA)).accepted:
        pass
    await house.do("live-1", Confirm(), DORA)
    replay = await ann.get("/api/v1/tables/live-1/rounds/1")
    assert replay.status_code == 200, replay.text
    assert "Kd" in replay.text
    assert not audit(house.services.store, others=ACCOUNT_AUDITS).findings
    names = [event.name for event in house.services.store.record("table/live-1", after=0)]
    assert names.count("act_approved") == 2
