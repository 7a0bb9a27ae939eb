"""The chips of a live table by its endpoints, and the money of a shift as the floor sees it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openfelt.cards import parse_cards
from openfelt.rules import (
    CloseBets,
    Confirm,
    DealCard,
    MakeDecision,
    SetWagers,
    TurnCards,
    clock_decision,
)
from openfelt.rules.dealing import Turn
from openfelt.runtime.audit import audit
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.table.commands import ChangeDealer, Collect, OpenBets, Person, Role
from tests.independent.record import check_record
from tests.kit.felt import spot_of, wagers_of
from tests.kit.server.open_house import OpenHouse, name_of, open_house
from tests.server.http.routes.test_cage import call, refused, staff

TABLE = "demo-1"
TRAY = f"/tables/{TABLE}/tray"
OPENING = [{"denomination_cents": 10_000, "pieces": 20}, {"denomination_cents": 500, "pieces": 100}]
DAN, FLOOR = Person(Role.DEALER, "dan"), Person(Role.FLOOR, "supervisor")


def reds(pieces: int) -> list[dict[str, int]]:
    """Chips of five dollars."""
    return [{"denomination_cents": 500, "pieces": pieces}]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """A starter floor, whose table demo-1 has a live dealer."""
    async with open_house(tmp_path) as house:
        yield house


async def played_round(house: OpenHouse, player: str) -> None:
    """One round of a player who loses an Ante, a Blind and a Trips wager of $10 each."""
    await house.do(TABLE, OpenBets(), DAN)
    await house.do(TABLE, SetWagers(spot_of("1.1"), wagers_of("ante 10, trips 10")), player)
    await house.do(TABLE, CloseBets(), DAN)
    cards = iter(parse_cards("2c 7d As Ad Kh 9c 8s 4h 3d"))
    while (state := (await house.state(TABLE)).playing) is not None and state.phase != "ready":
        if state.pending:
            spot = min(state.pending)
            await house.do(TABLE, MakeDecision(spot, clock_decision(state, spot)), player)
        elif isinstance(state.current_step, Turn):
            await house.do(TABLE, TurnCards(), DAN)
        else:
            await house.do(TABLE, DealCard(next(cards)), DAN)
    await house.do(TABLE, Confirm(), DAN)


async def test_a_shift_from_count_to_count(house: OpenHouse) -> None:  # noqa: PLR0915
    cal, dan = await staff(house, "cal", "cashier"), await staff(house, "dan", "dealer")
    eve, ann = await house.supervisor(), await house.guest()
    before = (await eve.get("/api/v1/shift")).json()
    line = next(one for one in before["tables"] if one["table"] == TABLE)
    assert (line["live"], line["covers"], line["shift"]) == (True, "day", None)
    # A dealer who is not signed on there has no say.
    answer = await dan.post(f"/api/v1{TRAY}/counts", json={"id": "0", "moment": "opening"})
    assert answer.status_code in (403, 422)
    assert (await dan.get(f"/api/v1{TRAY}")).status_code == 403
    await house.do(TABLE, ChangeDealer("dan"), FLOOR)
    counted = await call(dan, f"{TRAY}/counts", id="1", moment="opening", count=OPENING)
    assert (counted["waiting"]["by"], counted["book_cents"]) == ("dan", None)
    assert await refused(dan, f"{TRAY}/counts/1/sign", id="2") == "own_request"
    opened = await call(eve, f"{TRAY}/counts/1/sign", id="3")
    assert (opened["open"], opened["book_cents"]) == (True, 250_000)
    # A fill: the floor requests it, the chip bank gives it with slip 1, the dealer receives it.
    await call(eve, f"{TRAY}/chips", id="4", kind="fill", count=reds(40), note="reds")
    waiting = (await cal.get("/api/v1/cage/chips")).json()
    assert [(move["cents"], move["given_by"]) for move in waiting["moves"]] == [(20_000, None)]
    given = await call(cal, f"{TRAY}/chips/1/give", id="5")
    assert given["moves"][0]["slip"] == 1
    await call(dan, f"{TRAY}/chips/1/receive", id="6")
    # Play: a buy-in of $500, a loss of $30, and what is left goes back.
    player = await name_of(ann)
    await house.sit(TABLE, player, 1)
    await played_round(house, player)
    await house.do(TABLE, Collect(1), player)
    # A credit the other way, of which the dealer makes the request and the supervisor gives.
    await call(dan, f"{TRAY}/chips", id="7", kind="credit", count=reds(10))
    await call(eve, f"{TRAY}/chips/2/give", id="8")
    await call(cal, f"{TRAY}/chips/2/receive", id="9")
    board = (await eve.get("/api/v1/shift")).json()
    line = next(one for one in board["tables"] if one["table"] == TABLE)
    play = line["play"]
    assert (play["bought_in_cents"], play["win_cents"]) == (50_000, 3_000)
    assert {one["wager"]: one["win_cents"] for one in line["wagers"]} == {
        "ante": 1_000,
        "blind": 1_000,
        "trips": 1_000,
    }
    assert (line["stakes_cents"], line["rounds"], line["covers"]) == (3_000, 1, "shift")
    assert play["collected_cents"] == 47_000
    # What was bought has come back, as chips of the player or of the house.
    book_cents = 250_000 + 20_000 - 5_000
    assert line["shift"]["book_cents"] == book_cents
    assert line["shift"]["closing"] is line["shift"]["counted_win_cents"] is None
    short = [{"denomination_cents": 100, "pieces": book_cents // 100 - 5}]
    closing = {"moment": "closing", "count": short}
    assert await refused(eve, f"{TRAY}/counts", id="10", **closing) == "difference_unexplained"
    await call(eve, f"{TRAY}/counts", id="11", **closing, reason="a red chip is missing")
    closed = await call(dan, f"{TRAY}/counts/2/sign", id="12")
    assert not closed["open"]
    told = (await eve.get(f"/api/v1/tables/{TABLE}/shift")).json()
    shift = told["now"]["shift"]
    assert shift["closing"]["difference_cents"] == -500
    assert shift["closing"]["reason"] == "a red chip is missing"
    assert shift["opening"]["difference_cents"] is None
    # Closing + credits + drop - opening - fills: what was counted lacks the chip.
    assert shift["counted_win_cents"] == told["now"]["play"]["win_cents"] - 500
    assert told["before"] == [shift]
    assert [(slip["slip"], slip["kind"]) for slip in told["slips"]] == [(2, "credit"), (1, "fill")]
    people = ("requested_by", "given_by", "received_by")
    assert [[slip[who] for who in people] for slip in told["slips"]] == [
        ["dan", "supervisor", "cal"],
        ["supervisor", "cal", "dan"],
    ]
    store = house.services.store
    assert audit(store, others=ACCOUNT_AUDITS).clean
    check_record(house.services.settings.database)


async def test_virtual_and_unknown_tables_have_no_tray(house: OpenHouse) -> None:
    eve = await house.supervisor()
    form = {"id": "1", "moment": "opening", "count": OPENING}
    assert await refused(eve, "/tables/stadium-1/tray/counts", **form) == "not_found"
    assert await refused(eve, "/tables/nowhere/tray/counts", **form) == "not_found"
    board = (await eve.get("/api/v1/shift")).json()
    line = next(one for one in board["tables"] if one["table"] == "stadium-1")
    assert (line["live"], line["covers"], line["shift"]) == (False, "day", None)
