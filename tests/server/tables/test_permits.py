"""What a screen may offer is what the table would accept."""

import pytest

from openfelt.rules import VoidRound
from openfelt.rules.house import DealerMode
from openfelt.server.tables.permits import may
from openfelt.table.commands import CloseTable, OpenBets, Person, Role
from openfelt.table.croupier import direct
from openfelt.table.refusal import TableCode
from tests.kit.own_houses import own_house
from tests.kit.tables import DEALER, FLOOR, SECONDS, Pit

VIRTUAL = own_house("washington", {"table.dealer": "either"})


def player(name: str) -> Person:
    return Person(Role.PLAYER, name)


def virtual() -> Pit:
    return Pit(VIRTUAL, mode=DealerMode.VIRTUAL, clock=SECONDS)


def test_a_visitor_may_nothing() -> None:
    assert may(virtual().table, None) == []


def test_who_stands_may_sit_and_who_sits_may_bet() -> None:
    pit = virtual()
    assert may(pit.table, player("ann")) == ["take_seat"]
    pit.sit("ann", 1, 500)
    assert may(pit.table, player("ann")) == ["buy_in", "set_wagers", "collect", "leave_seat"]
    pit.bet("ann", "1.1", "ante 10")
    assert may(pit.table, player("ann")) == ["buy_in", "set_wagers", "close_bets"]
    pit.time_ends()
    assert may(pit.table, player("ann")) == ["buy_in", "decide"]


def test_a_table_of_somebody_elses_offers_no_seat() -> None:
    pit = Pit("online", private_to="ann")
    assert may(pit.table, player("bob")) == []


def test_a_table_that_is_full_or_closed_offers_no_seat() -> None:
    pit = virtual().do(CloseTable("late"), "eve")
    assert may(pit.table, player("ann")) == []
    assert "reopen_table" in may(pit.table, FLOOR)


def test_the_bank_is_offered_to_one_after_the_other() -> None:
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500)
    assert {"take_bank", "decline_bank"} <= set(may(pit.table, player("ann")))
    assert not {"take_bank", "decline_bank"} & set(may(pit.table, player("bob")))


def test_a_live_dealer_is_led_through_the_round() -> None:
    pit = Pit("washington").sit("ann", 1, 500)
    assert may(pit.table, DEALER) == ["open_bets"]
    pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    assert may(pit.table, DEALER) == ["close_bets", "void_round"]
    pit.close()
    assert may(pit.table, DEALER) == ["void_round", "deal_card"]
    pit.deal("As Ah Kc Kd")
    assert may(pit.table, DEALER) == ["void_round", "correct_card"]
    pit.choose("ann", "1.1", "4x").deal("2c 7d 9h Js 3c")
    assert may(pit.table, DEALER) == ["turn_cards", "void_round", "correct_card"]
    pit.turn()
    assert may(pit.table, DEALER) == ["void_round", "correct_card", "confirm"]


def private() -> Pit:
    return Pit("online", private_to="ann").sit("ann", 1, 500).bet("ann", "1.1", "ante 10")


@pytest.mark.parametrize(
    ("pit", "offered"),
    [
        (virtual().sit("ann", 1, 500).bet("ann", "1.1", "ante 10"), []),
        (virtual().sit("ann", 1, 500).bet("ann", "1.1", "ante 10").time_ends(), []),
        (private(), []),
        (private().close("ann"), []),
        (Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan"), ["void_round"]),
    ],
)
def test_a_dealer_is_offered_nothing_at_a_table_that_the_program_deals(
    pit: Pit, offered: list[str]
) -> None:
    assert may(pit.table, DEALER) == offered
    assert "void_round" in may(pit.table, FLOOR)
    assert "void_round" not in may(pit.table, player("ann"))
    void = VoidRound("A card was exposed.")
    for who in (DEALER, FLOOR, player("ann")):
        if "void_round" in may(pit.table, who):
            direct(pit.table, void, by=who, outside=pit.outside)
        else:
            pit.refuses(void, who, TableCode.NOT_ALLOWED)


@pytest.mark.parametrize("who", [DEALER, FLOOR])
def test_nobody_deals_by_hand_at_a_virtual_table(who: Person) -> None:
    pit = virtual().sit("ann", 1, 500).bet("ann", "1.1", "ante 10").time_ends()
    assert not {"deal_card", "turn_cards", "confirm", "correct_card"} & set(may(pit.table, who))
