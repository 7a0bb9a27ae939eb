"""What the floor does: opening, closing and reopening tables, rules, links and dealers."""

from datetime import date
from typing import Any

import pytest

from openfelt.rules import Phase, Refusal, RefusalCode, SetWagers, Spot
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.table.commands import (
    SYSTEM,
    ChangeDealer,
    ChangeLink,
    ChangeRules,
    CloseTable,
    Collect,
    LeaveSeat,
    OpenBets,
    OpenTable,
    PauseTable,
    Person,
    ReopenTable,
    Role,
    TakeBank,
)
from openfelt.table.croupier.supervision import opening
from openfelt.table.phases import TablePhase
from openfelt.table.refusal import TableCode
from tests.kit.cases import case
from tests.kit.felt import wagers_of
from tests.kit.own_houses import OWN_DECKS, REMOVED, own_house
from tests.kit.tables import DEALER, FLOOR, SECONDS, Pit, person

LIVE, VIRTUAL, EITHER = DealerMode

OPENINGS: list[Any] = [
    # what is asked for; what the refusal says
    case("stadium", {}, "Say whether Stadium Ultimate Texas Hold'em is dealt live or virtually."),
    case("stadium", {"dealer_mode": EITHER}, "Say whether"),
    case("washington", {"dealer_mode": VIRTUAL}, "is not dealt by a virtual dealer"),
    case("online", {"dealer_mode": LIVE}, "is not dealt by a live dealer"),
    case("online", {"dealer_mode": "virtual"}, "The dealer must be live or virtual."),
    case("online", {"table": "Table 1"}, "A table's name"),
    case("online", {"table": ""}, "A table's name"),
    case("online", {"table": "a/b"}, "A table's name"),
    case("online", {"table": "a" * 65}, "A table's name"),
    case("online", {"table": 7}, "A table's name"),
    case("online", {"private_to": "Ann"}, "A player's name"),
    case("washington", {"private_to": "ann"}, "A private table must be dealt virtually."),
    case(
        "online",
        {"clock": ClockRule(wager_seconds=0, decision_seconds=9)},
        "A clock must be between",
    ),
    case(
        "online",
        {"clock": ClockRule(wager_seconds=9, decision_seconds=3601)},
        "A clock must be between",
    ),
    case("online", {"clock": 25}, "A clock must be between"),
    case("online", {"clock": 0}, "A clock must be between"),
    case("washington", {"link": "Link 1"}, "A link's name"),
    case("online", {"link": "link-1"}, "has no progressive wager"),
    case("online", {"house": "online"}, "A table needs the rules of a house."),
    case("online", {"house": None}, "A table needs the rules of a house."),
]


@pytest.mark.parametrize(("house", "options", "sentence"), OPENINGS)
def test_a_table_is_not_opened(house: str, options: dict[str, Any], sentence: str) -> None:
    asked: dict[str, Any] = {"table": "table-1", "house": own_house(house)} | options
    with pytest.raises(Refusal) as caught:
        opening(OpenTable(**asked), by=FLOOR)
    assert caught.value.code is TableCode.BAD_TABLE
    assert sentence in str(caught.value)


def test_the_floor_opens_a_table_and_so_does_the_system_for_a_private_one() -> None:
    asked = OpenTable(table="ann.1", house=own_house("online"), private_to="ann")
    for by in (FLOOR, SYSTEM):
        assert opening(asked, by=by).private_to == "ann"
    for by in (DEALER, person("ann")):
        with pytest.raises(Refusal) as caught:
            opening(asked, by=by)
        assert caught.value.code is TableCode.NOT_ALLOWED


def test_a_table_has_the_house_s_clock_or_one_of_its_own() -> None:
    asked: dict[str, Any] = {
        "table": "table-1",
        "house": own_house("stadium"),
        "dealer_mode": VIRTUAL,
    }
    usual = opening(OpenTable(**asked), by=FLOOR).clock
    assert usual is not None
    assert (usual.wager_seconds, usual.decision_seconds) == (25, 15)
    slow = ClockRule(wager_seconds=60, decision_seconds=30)
    assert opening(OpenTable(**asked, clock=slow), by=FLOOR).clock == slow


# Closing ---------------------------------------------------------------------------------


def seated() -> Pit:
    return Pit("washington").sit("ann", 1, 500).sit("bob", 2, 500)


def table_phase(pit: Pit) -> TablePhase:
    return pit.table.phase


def test_between_rounds_a_table_closes_at_once_and_players_collect() -> None:
    pit = seated().do(CloseTable("It is late"), "eve")
    assert (pit.names[-1], table_phase(pit)) == ("TableClosed", TablePhase.CLOSED)
    pit.do(Collect(1), "ann").do(LeaveSeat(2), "bob")
    assert (pit.cents("wallet:ann"), pit.cents("wallet:bob")) == (50_000, 50_000)
    pit.do(LeaveSeat(1), "eve")
    assert not pit.table.seats


def test_in_the_middle_of_a_round_a_table_closes_after_it() -> None:
    pit = seated().do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    pit.do(CloseTable("It is late"), "eve").bet("bob", "2.1", "ante 10").close()
    assert table_phase(pit) is TablePhase.CLOSING
    pit.deal("As Ah 2s 7h Kc Kd").choose("ann", "1.1", "4x").choose("bob", "2.1", "4x")
    pit.deal("Ac 7d 9h Js 3c").turn().confirm()
    assert table_phase(pit) is TablePhase.CLOSED
    pit.refuses(OpenBets(), "dan", TableCode.TABLE_CLOSED)


def test_a_void_ends_the_last_round_too() -> None:
    pit = seated().do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    pit.do(CloseTable("It is late"), "eve").void()
    assert table_phase(pit) is TablePhase.CLOSED


def test_a_round_without_bets_does_not_keep_a_table_open() -> None:
    pit = Pit("california").sit("ann", 1, 500).do(TakeBank(1, 10_000), "ann")
    pit.do(CloseTable("It is late"), "eve")
    assert pit.names[-2:] == ["RoundVoided", "TableClosed"]
    assert pit.credit("ann") == 50_000


@pytest.mark.clause("R.44")
def test_between_rounds_a_table_pauses_at_once_and_players_keep_their_seats() -> None:
    pit = seated().do(PauseTable("A spill"), "eve")
    assert (pit.names[-1], table_phase(pit)) == ("TablePaused", TablePhase.PAUSED)
    assert pit.table.paused_for == "A spill"
    pit.refuses(OpenBets(), "dan", TableCode.TABLE_PAUSED)
    pit.refuses(PauseTable("Again"), "eve", TableCode.TABLE_PAUSED)
    pit.sit("cat", 3, 100).do(Collect(1), "ann")
    pit.do(ReopenTable(), "eve").do(OpenBets(), "dan")
    assert table_phase(pit) is TablePhase.OPEN
    assert not pit.table.paused_for


@pytest.mark.clause("R.44")
def test_in_the_middle_of_a_round_a_table_pauses_after_it_for_the_same_reason() -> None:
    pit = seated().do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    pit.do(PauseTable("A spill"), "eve").bet("bob", "2.1", "ante 10").close()
    assert table_phase(pit) is TablePhase.PAUSING
    pit.deal("As Ah 2s 7h Kc Kd").choose("ann", "1.1", "4x").choose("bob", "2.1", "4x")
    pit.deal("Ac 7d 9h Js 3c").turn().confirm()
    assert (table_phase(pit), pit.table.paused_for) == (TablePhase.PAUSED, "A spill")


def test_a_round_without_bets_does_not_delay_a_pause_and_a_paused_table_is_closed() -> None:
    pit = seated().do(OpenBets(), "dan").do(PauseTable("A spill"), "eve")
    assert pit.names[-2:] == ["RoundVoided", "TablePaused"]
    pit.do(CloseTable("It is late"), "eve")
    assert table_phase(pit) is TablePhase.CLOSED
    assert not pit.table.paused_for


def test_a_table_is_reopened_after_closing_and_while_it_closes() -> None:
    pit = seated().do(CloseTable("A drill"), "eve").do(ReopenTable(), "eve").do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").do(CloseTable("Again"), "eve").do(ReopenTable(), "eve").void()
    assert table_phase(pit) is TablePhase.OPEN


# Rules, links, dealers -------------------------------------------------------------------


@pytest.mark.clause("W.intro.2")
def test_other_limits_apply_from_the_next_round_on() -> None:
    lower = own_house("washington", {"wagers.ante.max_cents": 1500, "version": 2})
    pit = seated().do(OpenBets(), "dan").bet("ann", "1.1", "ante 10").do(ChangeRules(lower), "eve")
    pit.bet("ann", "1.1", "ante 20")
    assert pit.round.house == own_house("washington")
    pit.void().do(OpenBets(), "dan")
    assert pit.round.opened.fingerprint == lower.fingerprint
    twenty = SetWagers(Spot(1, 1), wagers_of("ante 20"))
    pit.refuses(twenty, "ann", RefusalCode.ABOVE_MAXIMUM)


def test_more_seats_are_for_the_next_round() -> None:
    larger = own_house("washington", {"table.seats": 8})
    pit = seated().do(OpenBets(), "dan").do(ChangeRules(larger), "eve").sit("cat", 8, 500)
    eight = SetWagers(Spot(8, 1), wagers_of("ante 10"))
    pit.refuses(eight, "cat", RefusalCode.NO_SUCH_SPOT)
    assert pit.void().do(OpenBets(), "dan").do(eight, "cat").round.hands


def test_the_system_changes_the_rules_of_private_tables_only() -> None:
    three = ChangeRules(own_house("online", {"table.hands_per_seat": 3}))
    assert Pit("online", private_to="ann").do(three, SYSTEM).table.house == three.house
    Pit("online").refuses(three, SYSTEM, TableCode.NOT_ALLOWED)
    Pit("online", private_to="ann").refuses(three, "ann", TableCode.NOT_ALLOWED)


CHANGES: list[Any] = [
    case(
        "washington",
        OWN_DECKS,
        "The bank and the deck of a table cannot be changed",
    ),
    case("draw", {}, "open another table for draw"),
    case("washington", {"table.dealer": "virtual"}, "This table keeps its live dealer."),
]


@pytest.mark.parametrize(("base", "changes", "sentence"), CHANGES)
def test_a_table_does_not_become_another_one(
    base: str, changes: dict[str, Any], sentence: str
) -> None:
    other = ChangeRules(own_house(base, changes))
    assert sentence in seated().refuses(other, "eve", TableCode.BAD_TABLE)


def test_a_table_on_a_link_keeps_its_progressive() -> None:
    dry = own_house("washington", {"wagers.progressive": REMOVED, "progressive": REMOVED})
    pit = Pit("washington", link="link-1").do(ChangeLink("link-2"), "eve")
    assert pit.table.link == "link-2"
    pit.refuses(ChangeRules(dry), "eve", TableCode.BAD_TABLE)
    pit.do(ChangeLink(None), "eve").do(ChangeRules(dry), "eve")
    pit.refuses(ChangeLink("link-1"), "eve", TableCode.BAD_TABLE)


@pytest.mark.clause("W.intro.2")
def test_the_day_decides_the_limits_of_a_round_that_opens() -> None:
    pit = Pit("washington", day=date(2023, 8, 18)).sit("ann", 1, 900).do(OpenBets(), "dan")
    hundred = SetWagers(Spot(1, 1), wagers_of("ante 100"))
    pit.refuses(hundred, "ann", RefusalCode.ABOVE_MAXIMUM)
    pit.told(day=date(2023, 8, 19))
    pit.refuses(hundred, "ann", RefusalCode.ABOVE_MAXIMUM)
    assert pit.void().do(OpenBets(), "dan").do(hundred, "ann").phase is Phase.WAGERING


def test_dealers_relieve_each_other() -> None:
    pit, dealers = seated(), list[str | None]()
    for dealer, by in (
        ("dan", "dan"),
        ("dot", "eve"),
        (None, Person(Role.DEALER, "dot")),
        # Signed off, the next dealer takes the table without a supervisor.
        ("dan", "dan"),
    ):
        dealers.append(pit.do(ChangeDealer(dealer), by).table.dealer)
    assert dealers == ["dan", "dot", None, "dan"]


def test_a_stadium_with_a_clock_of_its_own_keeps_it_through_a_change_of_rules() -> None:
    pit = Pit("stadium", mode=VIRTUAL, clock=SECONDS)
    pit.do(ChangeRules(own_house("stadium", {"clock.wager_seconds": 40})), "eve")
    assert pit.table.opened.clock == SECONDS
