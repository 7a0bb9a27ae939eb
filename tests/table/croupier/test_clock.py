"""What a table does when time begins to run, when it is up, and after an outage."""

from typing import Any

import pytest

from openfelt.rules import DecidedBy, Phase, Spot
from openfelt.rules.dealing import Street
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.rules.refusal import Refusal
from openfelt.rules.round_events import DecisionMade
from openfelt.table.commands import (
    SYSTEM,
    BuyIn,
    ChangeRules,
    CloseTable,
    DeclineBank,
    EndTime,
    LeaveSeat,
    OpenBets,
    ReopenTable,
    ResumeClock,
    TableCommand,
    TakeBank,
    TakeSeat,
)
from openfelt.table.croupier.clock import clock_wanted
from openfelt.table.events import BankDeclined, ClockStarted
from openfelt.table.incidents import ClockFor
from openfelt.table.refusal import TableCode
from openfelt.table.state import RunningClock
from tests.kit.own_houses import own_house
from tests.kit.tables import SECONDS, Pit, replayed

ONE, TWO = Spot(1, 1), Spot(2, 1)


def timed(*, turns: str = "together") -> Pit:
    house = own_house("washington", {"table.dealer": "virtual", "table.turns": turns})
    return Pit(house, clock=SECONDS).sit("ann", 1, 500).sit("bob", 2, 500)


def running(pit: Pit) -> RunningClock | None:
    return pit.table.clock


def decisions(pit: Pit) -> list[tuple[str, str, DecidedBy]]:
    made = (event for event in pit.events if isinstance(event, DecisionMade))
    return [(str(event.spot), str(event.decision), event.by) for event in made]


@pytest.mark.clause("S.1")
def test_the_first_wager_starts_the_clock_and_later_ones_do_not() -> None:
    pit = timed()
    assert running(pit) is None
    pit.bet("ann", "1.1", "ante 10")
    assert running(pit) == RunningClock(1, ClockFor.WAGERS, 25_000)
    pit.bet("bob", "2.1", "ante 10").bet("ann", "1.1", "ante 20")
    assert pit.names.count("ClockStarted") == 1


@pytest.mark.clause("S.1", "R.10")
def test_when_every_clock_runs_out_bets_close_and_hands_check_check_and_fold() -> None:
    pit = timed().bet("ann", "1.1", "ante 10").bet("bob", "2.1", "ante 10").time_ends()
    assert running(pit) == RunningClock(2, ClockFor.DECISIONS, 15_000)
    pit.choose("bob", "2.1", "4x")
    assert pit.table.clocks == 2
    pit.time_ends().time_ends()
    assert pit.round.street is Street.ON_RIVER
    pit.time_ends()
    assert pit.phase is Phase.SETTLED
    assert decisions(pit) == [
        ("2.1", "bet 4x", DecidedBy.PLAYER),
        ("1.1", "check", DecidedBy.CLOCK),
        ("1.1", "check", DecidedBy.CLOCK),
        ("1.1", "fold", DecidedBy.CLOCK),
    ]
    assert running(pit) is None


def test_a_street_on_which_all_players_have_decided_needs_no_clock() -> None:
    pit = timed().bet("ann", "1.1", "ante 10").time_ends().choose("ann", "1.1", "check")
    assert running(pit) == RunningClock(3, ClockFor.DECISIONS, 15_000)
    pit.choose("ann", "1.1", "2x")
    assert (pit.phase, running(pit)) == (Phase.SETTLED, None)


@pytest.mark.clause("R.10")
def test_where_hands_decide_in_order_the_clock_decides_for_all_of_them() -> None:
    pit = timed(turns="in_order").bet("bob", "2.1", "ante 10").bet("ann", "1.1", "ante 10")
    pit.time_ends().time_ends()
    assert [spot for spot, *_ in decisions(pit)] == ["1.1", "2.1"]


@pytest.mark.clause("R.27")
def test_in_draw_the_clock_plays_the_house_way() -> None:
    house = own_house("draw", {"table.dealer": "virtual"})
    tops = {"table": "As Ah 4c 8d Jc"}
    pit = Pit(house, clock=SECONDS, tops=tops).sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    pit.time_ends().time_ends()
    assert decisions(pit) == [("1.1", "hold As Ah", DecidedBy.CLOCK)]


def test_the_end_of_an_old_clock_is_refused() -> None:
    pit = timed().bet("ann", "1.1", "ante 10").time_ends()
    pit.refuses(EndTime(1), SYSTEM, TableCode.CLOCK_PASSED)
    pit.choose("ann", "1.1", "check")
    pit.refuses(EndTime(2), SYSTEM, TableCode.CLOCK_PASSED)
    pit.choose("ann", "1.1", "2x")
    pit.refuses(EndTime(3), SYSTEM, TableCode.CLOCK_PASSED)


@pytest.mark.parametrize(("left_ms", "ms"), [(9_000, 9_000), (0, 0), (-5, 0), (99_000, 25_000)])
def test_after_an_outage_a_clock_continues_with_what_was_left_and_never_with_more(
    left_ms: int, ms: int
) -> None:
    pit = timed().bet("ann", "1.1", "ante 10").do(ResumeClock(left_ms), SYSTEM)
    assert running(pit) == RunningClock(2, ClockFor.WAGERS, ms)
    pit.refuses(EndTime(1), SYSTEM, TableCode.CLOCK_PASSED)
    pit.time_ends()
    assert pit.phase is Phase.PLAYING


def test_when_every_wager_is_taken_back_the_clock_ends_and_the_next_wager_starts_another() -> None:
    pit = timed().bet("ann", "1.1", "ante 10").bet("ann", "1.1", "").do(LeaveSeat(1), "ann")
    pit.time_ends()
    assert (pit.names[-1], running(pit), pit.phase) == ("ClockStopped", None, Phase.WAGERING)
    pit.do(LeaveSeat(2), "bob").sit("cat", 4, 500).bet("cat", "4.1", "ante 10")
    assert running(pit) == RunningClock(2, ClockFor.WAGERS, 25_000)
    assert pit.table.rounds == 1
    pit.time_ends()
    assert list(pit.round.hands) == [Spot(4, 1)]


@pytest.mark.clause("S.1")
def test_a_live_stadium_gives_time_for_wagers_and_decisions_too() -> None:
    pit = Pit("stadium", mode=DealerMode.LIVE).sit("ann", 5, 500).do(OpenBets(), "dan")
    assert running(pit) is None
    pit.bet("ann", "5.1", "ante 10")
    assert isinstance(pit.events[-1], ClockStarted)
    pit.time_ends()
    assert (pit.phase, running(pit)) == (Phase.PLAYING, None)
    pit.deal("9c Td Jh 3s 4s Kc Kd")
    assert running(pit) == RunningClock(2, ClockFor.DECISIONS, 15_000)
    pit.time_ends()
    assert running(pit) is None
    pit.turn()
    assert running(pit) == RunningClock(3, ClockFor.DECISIONS, 15_000)


def test_a_void_stops_the_clock() -> None:
    pit = timed().bet("ann", "1.1", "ante 10").void()
    assert running(pit) is None


def test_a_choice_has_its_whole_time_after_the_cards_before_it_are_shown() -> None:
    house = own_house("washington", {"table.dealer": "virtual"})
    pit = Pit(house, clock=SECONDS, reveal_ms=2000).sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    assert running(pit) == RunningClock(1, ClockFor.WAGERS, 25_000)
    pit.time_ends()
    assert running(pit) == RunningClock(2, ClockFor.DECISIONS, 15_000 + 2000)
    offered = (
        Pit(own_house("california", {"table.dealer": "virtual"}), clock=SECONDS, reveal_ms=2000)
        .sit("ann", 1, 500)
        .sit("bob", 2, 500)
    )
    assert running(offered) == RunningClock(1, ClockFor.BANK, 15_000 + 2000)
    assert replayed(pit.opened, pit.events) == pit.table


@pytest.mark.parametrize("reveal_ms", [-1, 10_001, 1.5, True, None])
def test_cards_are_shown_within_ten_seconds(reveal_ms: Any) -> None:
    with pytest.raises(Refusal) as refused:
        Pit("online", clock=SECONDS, mode=DealerMode.VIRTUAL, reveal_ms=reveal_ms)
    assert refused.value.code is TableCode.BAD_TABLE


def test_a_private_table_waits_for_its_player_though_its_house_has_a_clock() -> None:
    house = own_house("stadium", {"table.dealer": "virtual"})
    assert house.clock is not None
    pit = Pit(house, private_to="ann", reveal_ms=2000)
    assert (pit.opened.clock, pit.opened.reveal_ms) == (None, 0)
    assert Pit(house, private_to="ann", clock=SECONDS).opened.clock == SECONDS


def test_a_table_without_a_clock_never_wants_one() -> None:
    pit = Pit("online", private_to="ann").sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    assert clock_wanted(pit.table) == ()
    assert clock_wanted(pit.close("ann").table) == ()


# The offered bank ------------------------------------------------------------------------


def cardroom(*players: str, clock: ClockRule | None = SECONDS) -> Pit:
    """A cardroom table dealt by the program, the players at seats 1, 2 and so on."""
    pit = Pit(own_house("california", {"table.dealer": "virtual"}), clock=clock)
    for seat, player in enumerate(players, start=1):
        pit.sit(player, seat, 500)
    return pit


def bank_clock(number: int) -> RunningClock:
    return RunningClock(number, ClockFor.BANK, 15_000)


@pytest.mark.clause("R.19")
def test_an_unanswered_bank_offer_passes_on_until_all_have_been_asked() -> None:
    pit = cardroom("ann", "bob", "cat")
    for number, seat in enumerate((1, 2, 3), start=1):
        assert (pit.table.bank_offered_to, running(pit)) == (seat, bank_clock(number))
        pit.time_ends()
        assert BankDeclined(seat) in pit.events
    assert (pit.table.bank_offered_to, running(pit), pit.table.playing) == (None, None, None)
    assert pit.names.count("ClockStarted") == 3
    # The bank is free to take now, and then the same goes on before the next round.
    pit.do(TakeBank(2, 10_000), "bob").void()
    assert (pit.table.bank_offered_to, running(pit)) == (2, bank_clock(4))


def test_a_single_player_has_no_clock_and_a_second_player_starts_it() -> None:
    pit = cardroom("ann")
    assert (pit.table.bank_offered_to, running(pit)) == (1, None)
    pit.sit("bob", 2)
    assert running(pit) == bank_clock(1)


def test_what_leaves_the_offer_where_it_is_leaves_its_clock_alone() -> None:
    pit = cardroom("ann", "bob").sit("cat", 3, 500).fund("bob", 5).do(BuyIn(2, 500), "bob")
    pit.do(LeaveSeat(3), "cat")
    assert running(pit) == bank_clock(1)


@pytest.mark.parametrize(
    ("command", "by", "offered", "clock"),
    [
        (DeclineBank(2), "bob", 3, bank_clock(3)),
        (DeclineBank(2), "eve", 3, bank_clock(3)),
        (LeaveSeat(2), "bob", 3, bank_clock(3)),
        (TakeBank(2, 10_000), "bob", 2, None),
        (CloseTable("late"), "eve", 2, None),
    ],
    ids=str,
)
def test_the_clock_of_an_offer_lives_as_long_as_the_offer(
    command: TableCommand, by: str, offered: int, clock: RunningClock | None
) -> None:
    pit = cardroom("ann", "bob", "cat").do(DeclineBank(1), "ann")
    assert (pit.table.bank_offered_to, running(pit)) == (2, bank_clock(2))
    pit.do(command, by)
    assert (pit.table.bank_offered_to, running(pit)) == (offered, clock)
    pit.refuses(EndTime(2), SYSTEM, TableCode.CLOCK_PASSED)


def test_a_newcomer_to_whom_the_offer_comes_first_has_a_whole_clock() -> None:
    pit = cardroom("ann", "bob", "cat").do(DeclineBank(1), "ann").do(LeaveSeat(2), "bob")
    assert (pit.table.bank_offered_to, running(pit)) == (3, bank_clock(3))
    pit.do(TakeSeat(2), "dot")
    assert (pit.table.bank_offered_to, running(pit)) == (2, bank_clock(4))


def test_when_the_others_have_left_the_offer_has_no_clock() -> None:
    pit = cardroom("ann", "bob").do(LeaveSeat(2), "bob")
    assert (pit.table.bank_offered_to, running(pit)) == (1, None)
    pit.refuses(EndTime(1), SYSTEM, TableCode.CLOCK_PASSED)


@pytest.mark.clause("C.20", "R.19")
def test_no_clock_runs_if_no_player_may_bank() -> None:
    pit = cardroom("ann", "bob")
    for _ in range(2):
        pit.do(TakeBank(1, 10_000), "ann").void()
    pit.time_ends()
    assert (pit.table.bank_offered_to, running(pit)) == (None, None)
    pit.refuses(TakeBank(1, 10_000), "ann", TableCode.NOT_YOUR_BANK)


def test_other_rules_may_move_the_offer_and_its_clock() -> None:
    pit = cardroom("ann", "bob").do(TakeBank(1, 10_000), "ann").void()
    assert (pit.table.bank_offered_to, running(pit)) == (1, bank_clock(2))
    once = own_house("california", {"table.dealer": "virtual", "bank.rounds_in_a_row_max": 1})
    pit.do(ChangeRules(once), "eve")
    assert (pit.table.bank_offered_to, running(pit)) == (2, bank_clock(3))


def test_a_table_that_opens_again_offers_its_bank_again() -> None:
    pit = cardroom("ann", "bob").do(CloseTable("late"), "eve").do(ReopenTable(), "eve")
    assert (pit.table.bank_offered_to, running(pit)) == (1, bank_clock(2))


def test_after_an_outage_the_offer_continues_with_what_was_left_of_its_clock() -> None:
    pit = cardroom("ann", "bob").do(ResumeClock(4_000), SYSTEM)
    assert running(pit) == RunningClock(2, ClockFor.BANK, 4_000)
    pit.time_ends()
    assert (pit.table.bank_offered_to, running(pit)) == (2, bank_clock(3))


def test_a_bank_without_bets_against_it_waits_without_a_clock() -> None:
    pit = cardroom("ann", "bob").do(TakeBank(1, 10_000), "ann")
    assert (pit.phase, running(pit)) == (Phase.WAGERING, None)
    pit.bet("bob", "2.1", "ante 10")
    assert running(pit) == RunningClock(2, ClockFor.WAGERS, 25_000)


def test_a_cardroom_without_a_clock_waits_for_the_answer() -> None:
    pit = cardroom("ann", "bob", clock=None)
    assert (pit.table.bank_offered_to, running(pit)) == (1, None)


def test_the_record_of_an_offer_that_passed_gives_the_same_table() -> None:
    pit = cardroom("ann", "bob", "cat").time_ends().do(LeaveSeat(2), "bob").time_ends()
    assert replayed(pit.opened, pit.events) == pit.table
    assert running(pit) is None
