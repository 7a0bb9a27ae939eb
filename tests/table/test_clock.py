"""What a table does when time begins to run, when it is up, and after an outage."""

import pytest

from openfelt.rules import DecidedBy, Phase, Spot
from openfelt.rules.dealing import Street
from openfelt.rules.house import DealerMode
from openfelt.rules.round import DecisionMade
from openfelt.table.clock import clock_wanted
from openfelt.table.commands import SYSTEM, EndTime, LeaveSeat, OpenBets, ResumeClock
from openfelt.table.events import ClockFor, ClockStarted
from openfelt.table.refusal import TableCode
from openfelt.table.state import RunningClock
from tests.own_houses import own_house
from tests.tables import SECONDS, Pit

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


def test_a_street_on_which_everybody_has_decided_needs_no_clock() -> None:
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
def test_after_an_outage_a_clock_goes_on_with_what_was_left_and_never_with_more(
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


def test_a_table_without_a_clock_never_wants_one() -> None:
    pit = Pit("online", private_to="ann").sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    assert clock_wanted(pit.table) == ()
    assert clock_wanted(pit.close("ann").table) == ()
