"""Progressive links that many tables in many processes feed."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from _pytest.logging import LogCaptureFixture

from openfelt.rules import Confirm, Refusal, SetWagers
from openfelt.runtime.audit import audit
from openfelt.runtime.links import links
from openfelt.runtime.links.versioned_link import VersionedLink
from openfelt.table.commands import ChangeLink, OpenBets, Person, Role
from openfelt.table.links.link import Link
from openfelt.table.links.link_referee import (
    ChangeRates,
    JoinTable,
    LeaveTable,
    OpenLink,
    PauseLink,
    ResumeLink,
    RetireLink,
)
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import Desk, Shift, check_books
from tests.kit.tables import FLOOR

OPEN = OpenLink(link="main", contribution=Fraction(1, 4), seed_cents=1_000_000)


@pytest.fixture
def main(shift: Shift) -> Shift:
    """A process on a store with a link."""
    shift.worker_services.links.command("main", OPEN)
    return shift


def linked(shift: Shift, name: str = "table-1", player: str = "ann") -> Desk:
    """A table of the link with one player, in a process of its own."""
    desk = shift.beside().open_table("washington", name=name, link="main").sit(player, 1, 500)
    if name != "table-1":
        desk.dealer = Person(Role.DEALER, f"dealer-of-{name}")
    return desk


def ready(desk: Desk, cards: str = "2c 7d Kc Kd", board: str = "2s 2d 9h Js 3c") -> Desk:
    """A round with a progressive wager that only waits for the dealer to confirm it."""
    player = desk.table.seats[1].player
    desk.do(OpenBets(), "dan").bet(player, "1.1", "ante 10, progressive 1").close().deal(cards)
    return desk.choose(player, "1.1", "4x").deal(board).turn()


def royal(desk: Desk) -> Desk:
    """A round that wins the whole meter once it is confirmed."""
    return ready(desk, "As Ks 2h 2d", "Qs Js Ts 3c 4d")


def link_of(shift: Shift) -> Link:
    """The link as a process shows it that has never seen it."""
    link = shift.beside().worker_services.links.shown("main")
    assert link is not None
    return link


def streams_of(desk: Desk) -> list[str]:
    """The streams that the last commit of a table's process has written to."""
    commit = desk.shift.store.commits[-1]
    return [append.stream for append in commit.appends if append.events]


# Rounds that are counted --------------------------------------------------------------------


def test_a_round_waits_in_the_feed_of_its_table_until_the_link_is_folded(main: Shift) -> None:
    desk = ready(linked(main)).confirm()
    assert streams_of(desk) == ["table/table-1", "feed/main/table-1"]
    link = link_of(main)
    assert (link.rounds, link.last_rounds) == (1, {"table-1": 1})
    assert link.meter.display_cents == 1_000_025
    recorded = main.beside().worker_services.links.get("main").link
    assert recorded is not None
    assert (recorded.rounds, recorded.meter.display_cents) == (0, 1_000_000)
    # A progressive wager of a dollar won nine for one: the table's account lends it.
    assert (main.cents("reserve:main/table-1"), main.cents("reserve:main")) == (100 - 900, 0)
    check_books(main, desk)
    assert audit(main.store).clean
    assert main.beside().worker_services.links.fold("main") == 1
    assert main.beside().worker_services.links.get("main").link == link
    assert main.cents("reserve:main/table-1") == 0
    assert main.cents("reserve:main") == 100 - 900 - 25
    check_books(main, desk)
    assert audit(main.store).clean


def test_what_is_folded_is_folded_once(main: Shift) -> None:
    desk = ready(linked(main)).confirm()
    before = link_of(main)
    first, second = main.beside(), main.beside()
    assert second.worker_services.links.get("main").waiting
    # The second process has read the feed, and the first one is faster.
    second.store.meanwhile = [lambda: first.worker_services.links.fold("main")]
    assert second.worker_services.links.fold("main") == 0
    assert (
        second.worker_services.links.fold("main") == first.worker_services.links.fold("main") == 0
    )
    assert main.names("link/main").count("link_round_counted") == 1
    assert link_of(main) == before
    check_books(main, desk)


def test_a_fold_that_is_interrupted_before_its_commit_has_not_happened(main: Shift) -> None:
    desk = ready(linked(main)).confirm()
    before, dying = link_of(main), main.beside()

    def die() -> None:
        raise KeyboardInterrupt

    dying.store.meanwhile = [die]
    with pytest.raises(KeyboardInterrupt):
        dying.worker_services.links.fold("main")
    assert main.names("link/main").count("link_round_counted") == 0
    assert main.worker_services.links.fold("main") == 1
    assert link_of(main) == before
    check_books(main, desk)


def test_the_process_of_the_first_table_that_waits_folds_and_others_if_it_does_not(
    main: Shift,
) -> None:
    desk = ready(linked(main)).confirm()
    own, other, viewer = (
        main.beside().worker_services,
        main.beside().worker_services,
        main.beside().worker_services,
    )
    for _ in range(3):
        # A gateway runs no tables and only reads.
        viewer.links.get("main")
        viewer.links.refresh()
    other.links.refresh({"main": ["table-2"]})
    assert viewer.links.get("main").waiting
    own.links.refresh({"main": ["table-1"]})
    viewer.links.refresh()
    assert not viewer.links.get("main").waiting
    ready(desk).confirm()
    for waiting in (1, 0):
        other.links.refresh({"main": ["table-2"]})
        assert len(main.beside().worker_services.links.get("main").waiting) == waiting
    check_books(main, desk)


def test_tables_of_one_link_do_not_wait_for_one_another(main: Shift) -> None:
    """A confirmation without a share of the meter finds no conflict, whatever others confirm."""
    first, second = ready(linked(main)), ready(linked(main, "table-2", "bob"))
    second.shift.store.meanwhile = [first.confirm]
    commits = len(second.shift.store.commits)
    second.confirm()
    assert len(second.shift.store.commits) == commits + 1
    accounts = {
        str(account)
        for stored in main.store.transfers()
        if stored.stream.startswith("table/")
        for account in (stored.transfer.debit, stored.transfer.credit)
    }
    assert not {"reserve:main", "meter:main"} & accounts
    assert link_of(main).meter.display_cents == 1_000_050
    check_books(main, first, second)


def test_a_share_of_the_meter_is_counted_at_once_after_all_that_waits(main: Shift) -> None:
    first, second = ready(linked(main)).confirm(), royal(linked(main, "table-2", "bob"))
    second.confirm()
    assert meter_paid(second) == 1_000_050
    assert streams_of(second) == ["table/table-2", "feed/main/table-2", "link/main"]
    assert main.names("link/main")[-2:] == ["link_round_counted"] * 2
    assert not main.beside().worker_services.links.get("main").waiting
    check_books(main, first, second)
    assert audit(main.store).clean


def test_a_table_that_leaves_has_been_counted(main: Shift) -> None:
    desk = ready(linked(main)).confirm()
    desk.do(ChangeLink(None), FLOOR)
    assert main.names("link/main")[-2:] == ["link_round_counted", "link_table_left"]
    desk.do(ChangeLink("main"), FLOOR)
    ready(desk).confirm()
    main.worker_services.links.fold("main")
    assert link_of(main).folded == {"table-1": 2}
    check_books(main, desk)
    assert audit(main.store).clean


def test_a_table_that_comes_back_continues_its_feed(main: Shift) -> None:
    """A process that ran a table before remembers an older feed, and reads it again."""
    desk = ready(linked(main)).confirm()
    ready(main.beside().work_at("table-1")).confirm()
    back = ready(desk.shift.work_at("table-1")).confirm()
    assert main.names("feed/main/table-1") == ["link_round_fed"] * 3
    main.worker_services.links.fold("main")
    assert link_of(main).folded == {"table-1": 3}
    check_books(main, back)
    assert audit(main.store).clean


def test_what_two_threads_know_of_a_link_is_put_together(main: Shift) -> None:
    first, second = ready(linked(main)), ready(linked(main, "table-2", "bob"))
    links = main.worker_services.links
    first.confirm()
    one = main.beside().worker_services.links.get("main")
    second.confirm()
    both = main.beside().worker_services.links.get("main")
    main.worker_services.links.fold("main")
    folded = main.beside().worker_services.links.get("main")
    for order in ((one, both, folded), (folded, both, one), (both, one, folded), (one, folded)):
        links._links.clear()
        for reading in order:
            links.keep("main", reading)
        assert links.get("main") == folded
    links._links.clear()
    assert links.keep("main", both) == links.keep("main", one) == both


def test_a_round_without_a_progressive_wager_leaves_the_link_alone(main: Shift) -> None:
    desk = linked(main).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10").close()
    desk.deal("2c 7d Kc Kd").choose("ann", "1.1", "4x").deal("2s 5d 9h Js 3c").turn().confirm()
    assert link_of(main).rounds == 0
    assert main.names("link/main") == ["link_opened", "link_table_joined"]


def test_a_void_round_never_contributed(main: Shift) -> None:
    desk = ready(linked(main)).void()
    assert link_of(main).meter.display_cents == 1_000_000
    assert desk.credit("ann") == 50_000
    check_books(main, desk)


def test_the_second_table_settles_by_the_new_meter(main: Shift) -> None:
    first, second = ready(linked(main)), royal(linked(main, "table-2", "bob"))
    first.confirm()
    commits = len(second.shift.store.commits)
    second.confirm()
    assert len(second.shift.store.commits) == commits + 1
    assert second.round.settlement is not None
    assert second.round.settlement.meter_cents == 1_000_050
    assert link_of(main).last_rounds == {"table-1": 1, "table-2": 1}
    check_books(main, first, second)


def test_another_process_that_counts_between_reading_and_writing(main: Shift) -> None:
    first, second = ready(linked(main)), royal(linked(main, "table-2", "bob"))
    second.shift.worker_services.links.reload("main")
    second.shift.store.meanwhile = [first.confirm]
    second.confirm()
    assert second.round.settlement is not None
    assert second.round.settlement.meter_cents == 1_000_050
    check_books(main, first, second)


def test_two_jackpots_at_once(main: Shift) -> None:
    first, second = royal(linked(main)), royal(linked(main, "table-2", "bob"))
    second.shift.store.meanwhile = [first.confirm]
    second.confirm()
    assert (meter_paid(first), meter_paid(second)) == (1_000_025, 1_000_025)
    assert first.credit("ann") == second.credit("bob") > 1_000_000
    link = link_of(main)
    assert (link.wins, link.meter.display_cents) == (2, 1_000_000)
    check_books(main, first, second)


def meter_paid(desk: Desk) -> int:
    """What the last round of a table has won from the meter."""
    assert desk.round.settlement is not None
    return desk.round.settlement.meter_paid_cents


def test_a_jackpot_survives_a_restart_before_it_is_confirmed(main: Shift) -> None:
    desk = royal(linked(main)).restart()
    desk.confirm()
    assert desk.credit("ann") > 1_000_000
    check_books(main, desk)


def test_a_link_with_constant_conflicts_makes_the_table_busy(
    main: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.runtime.tables.worker.ATTEMPTS_MAX", 3)
    desk, other = royal(linked(main)), main.beside().worker_services.links
    moves: list[Callable[[], object]] = [
        lambda: other.command("main", PauseLink("a test")),
        lambda: other.command("main", ResumeLink()),
        lambda: other.command("main", PauseLink("a test")),
    ]
    desk.shift.store.meanwhile = moves
    answer = desk.ask(Confirm(), "dan", id="a")
    assert answer.refused == "busy"
    assert desk.worker.stopped is None
    assert desk.ask(Confirm(), "dan", id="a").accepted
    check_books(main, desk)


# Joining and leaving -------------------------------------------------------------------------


def test_a_table_joins_and_leaves_in_the_commit_that_says_so(main: Shift) -> None:
    main.worker_services.links.command(
        "other", OpenLink(link="other", contribution=Fraction(1), seed_cents=0)
    )
    desk = linked(main)
    opening = [commit for commit in desk.shift.store.commits if len(commit.appends) > 1]
    assert [append.stream for append in opening[0].appends] == ["table/table-1", "link/main"]
    desk.do(ChangeLink("other"), FLOOR)
    streams = {append.stream for append in desk.shift.store.commits[-1].appends}
    assert streams == {"table/table-1", "link/main", "link/other"}
    assert link_of(main).tables == frozenset()
    assert main.names("link/other") == ["link_opened", "link_table_joined"]
    desk.do(ChangeLink(None), FLOOR)
    assert main.names("link/other")[-1] == "link_table_left"
    assert desk.restart().table.link is None


def test_an_announced_link_that_is_gone_when_the_round_is_over_is_not_joined(main: Shift) -> None:
    other = OpenLink(link="other", contribution=Fraction(1), seed_cents=0)
    main.worker_services.links.command("other", other)
    desk = linked(main).do(OpenBets(), "dan")
    desk.refuses(ChangeLink("nowhere", "A typing error."), FLOOR, "no_such_link")
    desk.do(ChangeLink("other", "A new link."), FLOOR)
    for command in (PauseLink("It ends."), RetireLink()):
        main.worker_services.links.command("other", command)
    desk.void()
    assert desk.table.link == "main"
    assert "link_kept" in main.names()
    assert desk.restart().table.link_next == "main"
    assert audit(main.store).clean


def test_a_table_may_join_its_own_link_again(main: Shift) -> None:
    linked(main).do(ChangeLink("main"), FLOOR)
    assert main.names("link/main")[1:] == [
        "link_table_joined",
        "link_table_left",
        "link_table_joined",
    ]


def test_a_missing_link_is_refused_until_it_is_opened(main: Shift) -> None:
    desk = main.open_table("washington")
    desk.refuses(ChangeLink("later"), FLOOR, "no_such_link")
    later = OpenLink(link="later", contribution=Fraction(1, 10), seed_cents=0)
    main.beside().worker_services.links.command("later", later)
    desk.do(ChangeLink("later"), FLOOR)


def test_no_table_is_opened_at_a_missing_link(main: Shift) -> None:
    with pytest.raises(Refusal, match="There is no such link"):
        main.open_table("washington", link="nowhere")
    assert main.store.streams("table/") == ()


def test_a_table_that_opens_while_the_link_moves(main: Shift) -> None:
    main.worker_services.links.get("main")
    other = main.beside().worker_services.links
    main.store.meanwhile = [lambda: other.command("main", JoinTable("elsewhere"))]
    main.open_table("washington", link="main")
    assert link_of(main).tables == {"elsewhere", "table-1"}


# A supervisor's commands -----------------------------------------------------------------------


def test_a_command_at_a_link_is_written_when_it_returns(main: Shift) -> None:
    paused = main.worker_services.links.command("main", PauseLink("a meter is checked"))
    assert link_of(main) == paused
    assert paused.pause_reason == "a meter is checked"


def test_a_command_that_is_refused_writes_nothing(main: Shift) -> None:
    with pytest.raises(Refusal, match="already exists"):
        main.worker_services.links.command("main", OPEN)
    with pytest.raises(Refusal, match="There is no such link"):
        main.worker_services.links.command("nowhere", ResumeLink())
    assert main.names("link/main") == ["link_opened"]


def test_a_command_is_decided_again_after_a_conflict(main: Shift) -> None:
    other = main.beside().worker_services.links
    main.store.meanwhile = [lambda: other.command("main", JoinTable("table-9"))]
    assert main.worker_services.links.command("main", JoinTable("table-8")).tables == {
        "table-8",
        "table-9",
    }
    main.store.meanwhile = [lambda: other.command("main", PauseLink("a test"))]
    with pytest.raises(Refusal, match="is already paused"):
        main.worker_services.links.command("main", PauseLink("another test"))


def test_a_pause_in_another_process_is_seen_after_a_refresh(main: Shift) -> None:
    desk = linked(main).do(OpenBets(), "dan")
    main.worker_services.links.command("main", PauseLink("a test"))
    desk.shift.worker_services.links.refresh()
    assert desk.ask(wager(), "ann").refused == "link_paused"
    main.worker_services.links.command("main", ResumeLink())
    desk.shift.worker_services.links.refresh()
    assert desk.ask(wager(), "ann").accepted


def wager() -> SetWagers:
    return SetWagers(spot_of("1.1"), wagers_of("ante 10, progressive 1"))


def test_new_rates_apply_after_the_next_win(main: Shift) -> None:
    rates = ChangeRates(contribution=Fraction(1, 2), seed_cents=500_000)
    main.worker_services.links.command("main", rates)
    desk = royal(linked(main)).confirm()
    assert link_of(main).meter.display_cents == 500_000
    check_books(main, desk)


def test_a_link_is_retired_with_its_books_closed(main: Shift) -> None:
    desk = ready(linked(main)).confirm()
    desk.do(ChangeLink(None), FLOOR)
    main.worker_services.links.command("main", PauseLink("the end"))
    main.worker_services.links.command("main", RetireLink())
    assert (main.cents("meter:main"), main.cents("reserve:main")) == (0, 0)
    check_books(main, desk)


def test_a_link_is_retired_into_another_in_one_step(main: Shift) -> None:
    """Both books close to the cent; a successor that refuses leaves both as they were."""
    desk = ready(linked(main)).confirm()
    desk.do(ChangeLink(None), FLOOR)
    links = main.worker_services.links
    tenth = Fraction(1, 10)
    small = OpenLink(link="small", contribution=tenth, seed_cents=1000, ceiling_cents=1000)
    links.command("small", small)
    links.command("next", OpenLink(link="next", contribution=tenth, seed_cents=1000))
    links.command("main", PauseLink("the end"))
    before = link_of(main)
    for refused in ("small", "nowhere"):
        with pytest.raises(Refusal):
            links.command("main", RetireLink(refused, "The hall closes."))
    assert link_of(main) == before
    links.command("main", RetireLink("next", "The hall closes."))
    amount, _ = before.meter.leaving
    received = links.reload("next").link
    assert received is not None
    assert received.meter.amount == 1000 + amount
    assert main.cents("meter:next") == received.meter.display_cents
    assert main.cents("reserve:next") == received.meter.reserve_cents
    assert (main.cents("meter:main"), main.cents("reserve:main")) == (0, 0)
    check_books(main, desk)


# What a process knows ---------------------------------------------------------------------------


def test_a_link_before_its_opening(shift: Shift) -> None:
    assert shift.worker_services.links.get("nowhere") == VersionedLink(None, 0)


def test_a_snapshot_and_the_whole_record_give_the_same_link(
    main: Shift, monkeypatch: pytest.MonkeyPatch, caplog: LogCaptureFixture
) -> None:
    monkeypatch.setattr(links, "LINK_SNAPSHOT_EVERY", 3)
    for table in range(5):
        main.worker_services.links.command("main", JoinTable(f"table-{table}"))
    main.worker_services.links.command("main", LeaveTable("table-3"))
    snapshot = main.store.snapshot("link/main")
    assert snapshot is not None
    assert snapshot.version == 6
    assert link_of(main) == main.worker_services.links.shown("main")
    for body in ('{"id":"main"}', "not JSON", "[]"):
        main.store._write("UPDATE snapshots SET body = ?", (body,))
        assert link_of(main) == main.worker_services.links.shown("main")
    assert caplog.text.count("ignoring the snapshot") == 3
