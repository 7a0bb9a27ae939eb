"""What the house does for a player or dealer who is gone, and after how long."""

import json

from openfelt.rules import CloseBets, Phase
from openfelt.rules.house import DealerMode
from openfelt.rules.round_actions import MakeDecision, SetWagers, VoidRound
from openfelt.rules.wagers import Spot
from openfelt.server.tables.absence_rules import (
    ABSENCE,
    ABSENT_MS,
    BANK_MS,
    DEALER_MS,
    LEFT,
    ROUND_MS,
    SEAT_MS,
    Next,
    next_step,
)
from openfelt.table.commands import (
    SYSTEM,
    ChangeDealer,
    DeclineBank,
    LeaveSeat,
    OpenBets,
    TableCommand,
    TakeBank,
)
from tests.kit.own_houses import own_house
from tests.kit.repository import ROOT
from tests.kit.tables import Pit


def wanted(pit: Pit, person: str, gone_ms: int) -> TableCommand | None:
    return next_step(pit.table, person, gone_ms).command


def test_a_bank_offer_passes_on_and_then_the_seat_is_given_back() -> None:
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500)
    assert next_step(pit.table, "ann", BANK_MS - 1) == Next(in_ms=1)
    assert next_step(pit.table, "ann", BANK_MS) == Next(DeclineBank(1), SEAT_MS - BANK_MS)
    assert next_step(pit.table, "bob", BANK_MS) == Next(in_ms=SEAT_MS - BANK_MS)
    assert next_step(pit.table, "bob", SEAT_MS) == Next(LeaveSeat(2))
    assert next_step(pit.table, "cat", SEAT_MS) == Next()


def test_what_lies_on_the_felt_is_played_by_the_clock_first() -> None:
    pit = Pit("stadium", mode=DealerMode.VIRTUAL).sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    assert next_step(pit.table, "ann", SEAT_MS) == Next(in_ms=ROUND_MS)
    pit.time_ends()
    assert next_step(pit.table, "ann", SEAT_MS) == Next(in_ms=ROUND_MS)


def test_without_a_clock_the_house_takes_wagers_back_and_decides() -> None:
    house = own_house("online", {"unfinished_days": 30})
    pit = Pit(house).sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    assert wanted(pit, "ann", SEAT_MS - 1) is None
    assert wanted(pit, "ann", SEAT_MS) == SetWagers(Spot(1, 1), ())
    back = Pit(house).sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    back.do(SetWagers(Spot(1, 1), ()), SYSTEM)
    assert back.credit("ann") == 50_000
    assert wanted(back, "ann", SEAT_MS) == LeaveSeat(1)
    pit.do(CloseBets(), "ann")
    while pit.table.playing is not None:
        command = wanted(pit, "ann", SEAT_MS)
        assert isinstance(command, MakeDecision)
        pit.do(command, ABSENCE)
    assert pit.round.phase is Phase.SETTLED
    assert wanted(pit, "ann", SEAT_MS) == LeaveSeat(1)


def test_a_live_table_without_a_clock_does_not_wait_for_a_player_who_is_gone() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    # The dealer closes the bets; chips on a live table are not taken back.
    assert wanted(pit, "ann", SEAT_MS) is None
    pit.close().deal("As Ah Kc Kd")
    assert isinstance(wanted(pit, "ann", SEAT_MS), MakeDecision)


def test_wagers_on_a_live_table_that_its_dealer_has_left_go_back_before_the_deal() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    pit.do(ChangeDealer(None), "dan")
    assert wanted(pit, "ann", SEAT_MS - 1) is None
    command = wanted(pit, "ann", SEAT_MS)
    assert command == SetWagers(Spot(1, 1), ())
    pit.do(command, SYSTEM)
    assert wanted(pit, "ann", SEAT_MS) == LeaveSeat(1)
    pit.do(LeaveSeat(1), ABSENCE)
    assert pit.table.seat_of("ann") is None


def test_cards_on_a_live_table_wait_for_the_next_dealer() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    pit.close().deal("As")
    pit.do(ChangeDealer(None), "dan")
    assert wanted(pit, "ann", SEAT_MS) is None


def test_a_banker_who_leaves_before_any_bet_gets_the_bank_wager_back() -> None:
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500).do(TakeBank(1, 10_000), "ann")
    assert wanted(pit, "ann", SEAT_MS) == VoidRound(LEFT)
    pit.do(VoidRound(LEFT), ABSENCE)
    assert pit.credit("ann") == 50_000


def test_a_dealer_who_is_gone_is_signed_off() -> None:
    pit = Pit("washington", dealer=None).sit("ann", 1, 500)
    assert wanted(pit, "dora", DEALER_MS) is None
    pit.do(ChangeDealer("dora"), "eve")
    assert next_step(pit.table, "dora", DEALER_MS - 1) == Next(in_ms=1)
    assert wanted(pit, "dora", DEALER_MS) == ChangeDealer(None)
    assert wanted(pit, "ann", DEALER_MS) is None
    assert ABSENT_MS > DEALER_MS


def test_the_dialog_in_the_browser_promises_what_the_house_does() -> None:
    assert SEAT_MS == 180_000
    promised = {"en": "3 minutes after the hand", "es": "3 minutos después de la mano"}
    for language, words in promised.items():
        file = ROOT / "web" / "src" / "words" / f"{language}.json"
        assert words in json.loads(file.read_text(encoding="utf-8"))["leave.kept"]
