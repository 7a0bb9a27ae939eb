"""A table is changed by its supervisor: from the next round on, with a reason."""

from openfelt.rules import CloseBets
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.table.changes import ChangeKind, ClockChanged, LinkChanged, RulesChanged
from openfelt.table.commands import ChangeClock, ChangeLink, ChangeRules, OpenBets
from openfelt.table.refusal import TableCode
from tests.kit.own_houses import REMOVED, own_house
from tests.kit.tables import SECONDS, Pit

SLOW = ClockRule(wager_seconds=90, decision_seconds=60)


def test_another_house_of_the_same_game_takes_the_table_over() -> None:
    other = own_house("washington", {"id": "other", "wagers.ante.max_cents": 1500})
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    before = pit.table.house
    pit.bet("ann", "1.1", "ante 10").do(ChangeRules(other, "A quiet evening."), "eve")
    assert pit.round.house == before
    assert pit.events[-1] == RulesChanged(other, before.fingerprint, "A quiet evening.")
    pit.void().do(OpenBets(), "dan")
    assert pit.round.opened.house == "other"


def test_a_clock_is_changed_for_the_next_round_and_the_running_one_runs_on() -> None:
    pit = Pit("stadium", mode=DealerMode.VIRTUAL, clock=SECONDS).sit("ann", 1, 500)
    pit.bet("ann", "1.1", "ante 10")
    running = pit.table.clock
    pit.do(ChangeClock(SLOW, "A slow evening."), "eve")
    assert pit.table.clock == running
    assert (pit.table.clock_rule, pit.table.terms.clock_later) == (SECONDS, SLOW)
    assert pit.events[-1] == ClockChanged(SLOW, SECONDS, "A slow evening.")
    # The round keeps its own times on every street.
    pit.do(CloseBets(), "ann")
    assert pit.table.clock is not None
    assert pit.table.clock.ms == SECONDS.decision_seconds * 1000
    pit.void()
    assert pit.table.clock_rule == SLOW
    pit.bet("ann", "1.1", "ante 10")
    assert pit.table.clock.ms == SLOW.wager_seconds * 1000


def test_a_clock_that_is_changed_twice_in_a_round_leaves_the_round_alone() -> None:
    pit = Pit("stadium", mode=DealerMode.VIRTUAL, clock=SECONDS).sit("ann", 1, 500)
    pit.bet("ann", "1.1", "ante 10")
    pit.do(ChangeClock(SLOW, "A slow evening."), "eve").do(ChangeClock(None, "No hurry."), "eve")
    assert pit.table.clock_rule == SECONDS
    pit.do(CloseBets(), "ann")
    assert pit.table.clock is not None
    assert pit.table.clock.ms == SECONDS.decision_seconds * 1000
    pit.void()
    assert pit.table.clock_rule is None


def test_a_link_is_changed_when_the_round_is_over() -> None:
    pit = Pit("washington", link="link-1").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.do(ChangeLink("link-2", "A new link."), "eve")
    assert (pit.table.link, pit.table.link_next) == ("link-1", "link-2")
    # Rules without a progressive wager would leave the announced link without one.
    dry = own_house("washington", {"wagers.progressive": REMOVED, "progressive": REMOVED})
    pit.refuses(ChangeRules(dry, "No progressive."), "eve", TableCode.BAD_TABLE)
    pit.void()
    assert pit.table.link == "link-2"
    assert LinkChanged("link-2", "link-1", "A new link.") in pit.events


def notice(pit: Pit) -> tuple[int, tuple[ChangeKind, ...]] | None:
    """The round for which players are told of changes, and of which."""
    told = pit.table.terms.notice
    return None if told is None else (told.round, told.kinds)


def test_players_are_told_what_staff_have_changed_for_which_round() -> None:
    pit = Pit("washington", link="link-1").do(OpenBets(), "dan")
    assert notice(pit.do(ChangeRules(own_house("washington")), "eve")) is None
    pit.do(ChangeRules(own_house("washington"), "Lower limits."), "eve")
    pit.do(ChangeClock(SLOW, "A slow evening."), "eve").do(ChangeClock(None, "None."), "eve")
    assert notice(pit) == (2, (ChangeKind.RULES, ChangeKind.CLOCK))
    pit.void().do(OpenBets(), "dan").do(ChangeLink(None, "It is retired."), "eve")
    assert notice(pit) == (3, (ChangeKind.LINK,))
