"""The worker: what it answers is on disk, happens once, and fails whole."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from openfelt.cards import parse_cards
from openfelt.catalog import load_house
from openfelt.ledger import LedgerRefusal
from openfelt.rules import Check, CloseBets, DealCard, MakeDecision, Refusal, SetWagers, VoidRound
from openfelt.rules.house import ClockRule
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.entropy_health import EntropyFailure
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.stops import Lost, stopped_by
from openfelt.runtime.tables.worker import TableWorker
from openfelt.storage.door import Commit, Fenced, Head, Lease, Unavailable
from openfelt.table.commands import (
    BuyIn,
    ChangeDealer,
    ChangeRules,
    Collect,
    LeaveSeat,
    OpenBets,
    Person,
    Role,
    TakeSeat,
)
from openfelt.table.events import BoughtIn, ClockStarted, SeatTaken
from openfelt.table.incidents import ClockFor
from tests.kit.audit.forgeries import rehash
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import Desk, ShakyStore, Shift, check_books, request
from tests.kit.own_houses import own_house
from tests.kit.tables import FLOOR

ANTE = SetWagers(spot_of("1.1"), wagers_of("ante 10"))
STREAM = table_stream("table-1")
CLOCK = ClockRule(wager_seconds=25, decision_seconds=15)


@pytest.fixture
def desk(shift: Shift) -> Desk:
    """A Washington table, dealt by a person."""
    return shift.open_table("washington")


@pytest.fixture
def online(shift: Shift) -> Desk:
    """A table that the program deals, with a clock and one player."""
    return shift.open_table("online", clock=CLOCK).sit("ann", 1, 500)


def handle(desk: Desk, *requests: Request) -> list[str | None]:
    """Give a batch, and get what was refused of it."""
    return [answer.refused for answer in desk.worker.handle(requests)]


# Answers ------------------------------------------------------------------------------


def test_an_answer_is_on_disk_when_it_is_given(shift: Shift, desk: Desk) -> None:
    other = shift.beside().store
    answer = desk.ask(TakeSeat(1), "ann", id="a")
    kept = other.answers("table/table-1", [("player:ann", "a")])
    assert Answer.from_json(kept["player:ann", "a"].body) == answer == Answer(version=2)
    assert other.head("table/table-1") == desk.worker.head
    assert shift.names() == ["table_opened", "seat_taken"]


def test_the_listener_hears_of_what_is_on_disk_already(shift: Shift, desk: Desk) -> None:
    other, seen = shift.beside().store, []
    desk.worker.listen(lambda events, version: seen.append((events, version, other.head(STREAM))))
    desk.do(TakeSeat(1), "ann")
    assert seen == [((SeatTaken(1, "ann"),), 2, desk.worker.head)]


def test_money_is_on_disk_with_the_answer(shift: Shift, desk: Desk) -> None:
    desk.sit("ann", 1, 500)
    other = shift.beside()
    assert other.cents("credit:table-1/ann") == 50_000
    assert other.cents("wallet:ann") == 0
    check_books(other, desk)


def test_a_refusal_is_remembered_and_repeated(shift: Shift, desk: Desk) -> None:
    shift.cashier.deposit("ann", 1000, id="more")
    first = desk.ask(BuyIn(1, 100), "ann", id="a")
    assert first.refused == "seat_free"
    desk.sit("ann", 1, 500)
    assert desk.ask(BuyIn(1, 100), "ann", id="a") == first
    assert desk.ask(BuyIn(1, 200), "ann", id="a").refused == "id_reused"
    assert desk.credit("ann") == 50_000


def test_another_process_decides_a_refused_command_again_and_carries_it_out_once(
    shift: Shift, desk: Desk
) -> None:
    shift.cashier.deposit("ann", 1000, id="more")
    assert desk.ask(BuyIn(1, 100), "ann", id="a").refused == "seat_free"
    desk.sit("ann", 1, 500)
    other = shift.beside().work_at()
    again = [other.ask(BuyIn(1, 100), "ann", id="a") for _ in range(2)]
    assert again[0].accepted
    assert again[1] == again[0]
    assert other.credit("ann") == 50_100


def test_a_refusal_is_not_written(shift: Shift, desk: Desk) -> None:
    commits = len(shift.store.commits)
    assert desk.ask(BuyIn(1, 100), "ann", id="a").refused == "seat_free"
    assert len(shift.store.commits) == commits


def test_a_worker_that_has_lost_its_table_refuses_nothing(shift: Shift, desk: Desk) -> None:
    shift.beside().work_at().do(TakeSeat(1), "bob")
    with pytest.raises(Lost):
        desk.ask(BuyIn(1, 100), "ann", id="a")


def test_a_refusal_changes_nothing(desk: Desk) -> None:
    desk.refuses(TakeSeat(99), "ann", "no_such_seat")
    assert desk.told == []


def test_answers_name_the_version_after_their_own_command(desk: Desk) -> None:
    answers = desk.worker.handle(
        [
            request(TakeSeat(1), "ann"),
            request(TakeSeat(1), "bob"),
            request(TakeSeat(2), "bob"),
        ]
    )
    assert [answer.version for answer in answers] == [2, 2, 3]


# Batches ------------------------------------------------------------------------------


def test_a_batch_is_one_transaction(shift: Shift, desk: Desk) -> None:
    before = len(shift.store.commits)
    players = [request(TakeSeat(seat), f"player-{seat}") for seat in range(1, 7)]
    assert handle(desk, *players) == [None] * 6
    assert len(shift.store.commits) == before + 1
    assert desk.told == [(tuple(SeatTaken(seat, f"player-{seat}") for seat in range(1, 7)), 7)]


def test_a_batch_carries_out_what_it_can(shift: Shift, desk: Desk) -> None:
    shift.cashier.deposit("ann", 1000, id="1")
    refused = handle(
        desk,
        request(TakeSeat(1), "ann"),
        request(TakeSeat(1), "bob"),
        request(BuyIn(1, 600), "ann"),
        request(BuyIn(1, 600), "ann"),
        request(CloseBets(), "bob"),
        request(BuyIn(1, 400), "ann"),
        request(None, "ann"),  # type: ignore[arg-type]
    )
    assert refused == [
        *(None, "seat_taken", None, "wallet_short", "not_allowed", None),
        "malformed",
    ]
    assert desk.credit("ann") == 1000
    check_books(shift, desk)


def test_an_empty_batch_writes_nothing(shift: Shift, desk: Desk) -> None:
    before = len(shift.store.commits)
    assert handle(desk) == []
    assert len(shift.store.commits) == before


# The same command again ---------------------------------------------------------------


def buy_in(desk: Desk, id: str, cents: int = 100, by: str = "ann") -> Answer:  # noqa: A002
    return desk.ask(BuyIn(1, cents), by, id=id)


def test_the_same_id_again_has_no_second_effect(shift: Shift, desk: Desk) -> None:
    desk.sit("ann", 1)
    shift.cashier.deposit("ann", 1000, id="1")
    first = buy_in(desk, "a")
    desk.do(TakeSeat(2), "bob")
    assert first.accepted
    assert buy_in(desk, "a") == first
    assert desk.credit("ann") == 100
    assert buy_in(desk.restart(), "a") == first
    assert desk.restart().credit("ann") == 100
    check_books(shift, desk)


def test_the_same_id_twice_in_a_batch(shift: Shift, desk: Desk) -> None:
    desk.sit("ann", 1)
    shift.cashier.deposit("ann", 1000, id="1")
    twice = [request(BuyIn(1, 100), "ann", id="a")] * 2
    first, second = desk.worker.handle(twice)
    assert first.accepted
    assert first == second
    assert desk.credit("ann") == 100


def test_the_same_id_for_something_else_is_refused(shift: Shift, desk: Desk) -> None:
    desk.sit("ann", 1)
    shift.cashier.deposit("ann", 1000, id="1")
    first = buy_in(desk, "a")
    assert buy_in(desk, "a", 200).refused == "id_reused"
    assert desk.ask(Collect(1), "ann", id="a").refused == "id_reused"
    assert handle(
        desk, request(BuyIn(1, 100), "ann", id="b"), request(BuyIn(1, 200), "ann", id="b")
    ) == [None, "id_reused"]
    assert buy_in(desk.restart(), "a", 200).refused == "id_reused"
    assert buy_in(desk, "a") == first
    assert desk.credit("ann") == 200


def test_the_same_id_for_another_card_is_refused(desk: Desk) -> None:
    """Although the digest in the record leaves cards out; see `Digests`."""
    dealer = Person(Role.DEALER, "dan")
    early, other = (DealCard(card) for card in parse_cards("8d 2s"))
    refused = desk.ask(early, dealer, id="early")
    assert refused.refused not in (None, "id_reused")
    assert desk.ask(early, dealer, id="early") == refused
    assert desk.ask(other, dealer, id="early").refused == "id_reused"
    desk.sit("ann", 1, 500).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10").close()
    dealt = desk.ask(early, dealer, id="a")
    assert dealt.accepted
    assert desk.ask(early, dealer, id="a") == dealt
    assert desk.ask(other, dealer, id="a").refused == "id_reused"
    # From now on the id tells nothing, not even which card was right.
    assert desk.ask(early, dealer, id="a").refused == "id_reused"
    assert desk.worker.head.version == dealt.version
    # Another process knows the record alone, which leaves the card out: the card is dealt once.
    assert desk.restart().ask(other, dealer, id="a") == dealt


def test_two_people_may_use_the_same_id(desk: Desk) -> None:
    assert desk.ask(TakeSeat(1), "ann", id="1").accepted
    assert desk.ask(TakeSeat(2), "bob", id="1").accepted
    assert desk.ask(TakeSeat(2), "bob", id="1").accepted
    assert {at: seat.player for at, seat in desk.table.seats.items()} == {1: "ann", 2: "bob"}


def test_a_person_and_a_member_of_staff_of_one_name_are_two(desk: Desk) -> None:
    desk.do(TakeSeat(1), "eve2").do(ChangeDealer("ann"), "eve")
    assert desk.ask(OpenBets(), Person(Role.DEALER, "ann"), id="1").accepted
    assert desk.ask(OpenBets(), Person(Role.PLAYER, "ann"), id="1").refused == "not_allowed"


MALFORMED_IDS: list[Any] = ["", "x" * 65, "a\nb", "a\0b", "\ud800", 7, True, b"a", ["a"], {}, None]


@pytest.mark.parametrize("bad", MALFORMED_IDS, ids=repr)
def test_an_invalid_id_refuses_only_its_own_command(desk: Desk, bad: Any) -> None:
    refused = handle(
        desk,
        request(TakeSeat(1), "ann"),
        Request(by=Person(Role.PLAYER, "bob"), command=TakeSeat(2), id=bad),
        request(TakeSeat(3), "cat"),
    )
    assert refused == [None, "bad_id", None]
    assert desk.worker.stopped is None
    assert set(desk.table.seats) == {1, 3}


def test_the_longest_id_is_kept(desk: Desk) -> None:
    assert desk.ask(TakeSeat(1), "ann", id="♠" * 64).accepted
    assert desk.ask(TakeSeat(1), "ann", id="♠" * 64).accepted


@pytest.mark.parametrize("seat", [10**40, "1", 1.0, True, [1]], ids=repr)
def test_a_malformed_command_is_refused_and_its_answer_kept(desk: Desk, seat: Any) -> None:
    first = desk.ask(TakeSeat(seat), "ann", id="a")
    assert first.refused == "no_such_seat"
    assert desk.ask(TakeSeat(seat), "ann", id="a") == first
    assert desk.ask(TakeSeat(1), "ann", id="a").refused == "id_reused"


# What others do meanwhile ----------------------------------------------------------------


def test_a_wallet_that_is_emptied_meanwhile_refuses_the_buy_in(shift: Shift, desk: Desk) -> None:
    desk.sit("ann", 1)
    shift.cashier.deposit("ann", 1000, id="1")
    cashier = shift.beside().cashier
    shift.store.meanwhile = [lambda: cashier.withdraw("ann", 300, id="2")]
    assert handle(
        desk,
        request(BuyIn(1, 800), "ann"),
        request(TakeSeat(2), "bob"),
        request(BuyIn(1, 1), "ann"),
    ) == ["wallet_short", None, None]
    assert (shift.cents("wallet:ann"), desk.credit("ann")) == (699, 1)
    check_books(shift, desk)


def test_a_worker_without_its_lease_is_told_and_changes_nothing(shift: Shift, desk: Desk) -> None:
    old = shift.work_at(lease=shift.lease())
    shift.clock.pass_ms(1001)
    other = shift.beside()
    new = other.work_at(lease=other.lease(owner="two"))
    with pytest.raises(Lost, match="lease 1 is over"):
        old.ask(TakeSeat(1), "ann", id="a")
    new.do(TakeSeat(1), "bob")
    answer = old.ask(TakeSeat(2), "cat", id="b")
    assert answer.refused == "moved"
    assert answer.sentence == "Another process now runs this table."
    assert not old.worker.try_again()
    assert shift.names() == ["table_opened", "seat_taken"]
    assert new.ask(TakeSeat(2), "ann", id="a").accepted


def test_without_leases_a_faster_writer_is_noticed_too(shift: Shift, desk: Desk) -> None:
    shift.beside().work_at().do(TakeSeat(1), "bob")
    with pytest.raises(Lost, match="table/table-1 is at version 2, not at 1"):
        desk.ask(TakeSeat(1), "ann")


def test_the_same_owner_may_take_the_table_again(shift: Shift, desk: Desk) -> None:
    first = shift.work_at(lease=shift.lease())
    second = shift.work_at(lease=shift.lease()).sit("ann", 1)
    with pytest.raises(Lost):
        first.ask(TakeSeat(2), "bob")
    assert second.restart().table == second.table


# A store that fails -----------------------------------------------------------------------


def test_a_full_disk_stops_the_table_with_a_sentence(shift: Shift, online: Desk) -> None:
    table, head = online.table, online.worker.head
    shift.store.full = True
    answers = online.worker.handle([request(ANTE, "ann"), request(Collect(1), "ann")])
    for answer in (*answers, online.ask(Collect(1), "ann")):
        assert answer.refused == "stopped"
        assert answer.sentence == "This table has stopped: The disk is full."
        assert answer.version == head.version
    assert (online.table, online.worker.head) == (table, head)
    assert shift.store.head(STREAM) == head
    assert list(shift.store.secrets(STREAM)) == ["1/table"]


def test_a_stopped_table_continues_once_the_store_is_back(shift: Shift, online: Desk) -> None:
    online.do(ANTE, "ann")
    decks, left_ms = online.decks, online.worker.time_left_ms
    shift.store.gone = True
    assert online.ask(CloseBets(), "ann", id="a").refused == "stopped"
    shift.clock.pass_ms(3_600_000)
    assert not online.worker.try_again()
    online.worker.tick()
    shift.store.gone = False
    assert online.ask(CloseBets(), "ann", id="a").refused == "stopped"
    assert online.worker.try_again()
    assert online.worker.time_left_ms == left_ms == 25_000
    assert online.decks == decks
    assert online.ask(CloseBets(), "ann", id="a").accepted
    assert online.round.hands[spot_of("1.1")].cards == decks["table"].cards[:2]
    check_books(shift, online)


def test_a_table_that_works_has_nothing_to_try_again(online: Desk) -> None:
    table = online.table
    assert online.worker.try_again()
    assert online.table is table


def test_what_is_left_of_the_clock_counts_from_the_last_event(shift: Shift, online: Desk) -> None:
    online.do(ANTE, "ann")
    shift.clock.pass_ms(4_000)
    online.bet("ann", "1.1", "ante 20")
    shift.clock.pass_ms(3_000)
    assert online.worker.time_left_ms == 18_000
    shift.store.full = True
    online.ask(CloseBets(), "ann")
    shift.store.full = False
    assert online.worker.try_again()
    assert online.worker.time_left_ms == 21_000


def test_an_unknown_outcome_is_read_from_the_store(shift: Shift, online: Desk) -> None:
    online.do(ANTE, "ann")
    shift.store.loses_answer = True
    assert online.ask(CloseBets(), "ann", id="a").refused == "stopped"
    heard = len(online.told)
    assert online.worker.try_again()
    assert online.round.street is not None
    assert online.ask(CloseBets(), "ann", id="a").accepted
    assert shift.names().count("bets_closed") == 1
    assert online.decks == online.restart().decks
    told = [type(event).__name__ for events, _ in online.told[heard:] for event in events]
    assert told[0] == "BetsClosed"
    assert [version for _, version in online.told[heard:]] == [
        online.worker.head.version - 1,
        online.worker.head.version,
    ]
    check_books(shift, online)


# A commit of which nothing is known -------------------------------------------------------


def leased(shift: Shift) -> Desk:
    """A table under a lease, with a bet whose commit is still under way when it is tried again."""
    shift.open_table("online")
    desk = shift.work_at(lease=shift.lease(ttl_ms=60_000)).sit("ann", 1, 500)
    shift.store.delays = True
    assert desk.ask(ANTE, "ann", id="a").refused == "stopped"
    return desk


def test_a_lost_commit_is_shut_out_before_the_record_is_read_again(shift: Shift) -> None:
    desk = leased(shift)
    assert desk.worker.try_again()
    shift.worker_services.held_houses.why = {"online": "a test"}
    assert desk.ask(ANTE, "ann", id="a").refused is not None
    with pytest.raises(Fenced):
        shift.store.carry_out()
    assert shift.store.answers(STREAM, [("player:ann", "a")]) == {}
    # The new lease lasts as long as the old one, and is the one that is written under.
    assert desk.worker.lease is not None
    assert (desk.worker.lease.fence, desk.worker.lease.ttl_ms) == (2, 60_000)
    desk.do(Collect(1), "ann")
    check_books(shift, desk)


def test_a_lost_commit_that_comes_first_is_found_in_the_record(shift: Shift) -> None:
    desk = leased(shift)
    shift.store.carry_out()
    assert desk.worker.try_again()
    shift.worker_services.held_houses.why = {"online": "a test"}
    assert desk.ask(ANTE, "ann", id="a").accepted
    assert shift.names().count("wagers_set") == 1


def test_a_table_whose_lease_cannot_be_taken_anew_stays_stopped(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object, **__: object) -> Lease:
        raise Unavailable("Another writer has held a lock for too long.")

    desk = leased(shift)
    with monkeypatch.context() as waiting:
        waiting.setattr(shift.store, "take_lease", locked)
        assert not desk.worker.try_again()
        assert desk.ask(ANTE, "ann", id="a").refused == "stopped"
    shift.store.carry_out()
    assert desk.worker.try_again()
    assert desk.ask(ANTE, "ann", id="a").accepted


@pytest.mark.parametrize("owner", ["one", "two"])
def test_a_table_that_has_moved_during_a_doubt_is_not_taken_back(shift: Shift, owner: str) -> None:
    """Not even from a process of the same name, which may have been started meanwhile."""
    desk = leased(shift)
    shift.clock.pass_ms(60_001)
    other = shift.beside()
    theirs = other.work_at(lease=other.lease(owner=owner, ttl_ms=60_000))
    with pytest.raises(Lost):
        desk.worker.try_again()
    assert desk.ask(ANTE, "ann", id="a").refused == "moved"
    theirs.do(ANTE, "ann")


class BrokenAfterwards(ShakyStore):
    """A store that writes a commit, and fails unexpectedly afterwards."""

    broken = False

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write, and fail once."""
        heads = super().commit(commit)
        if self.broken:
            self.broken = False
            raise RuntimeError("the next card is As")
        return heads


def _broken_store(desk: Desk, _: pytest.MonkeyPatch) -> None:
    desk.shift.store.__class__ = BrokenAfterwards
    desk.shift.store.broken = True  # type: ignore[attr-defined]


def _once(desk: Desk, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    def broken(*_: object) -> None:
        monkeypatch.undo()
        raise RuntimeError("the next card is As")

    monkeypatch.setattr(where, broken)


def _broken_memory(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    _once(desk, monkeypatch, "openfelt.runtime.tables.worker_services.WorkerServices.remember")


def _broken_draft(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    _once(desk, monkeypatch, "openfelt.runtime.tables.draft.Draft.keep_others")


@pytest.mark.parametrize("breaks", [_broken_store, _broken_memory, _broken_draft])
def test_an_unexpected_error_after_a_commit_never_tells_that_nothing_has_changed(
    shift: Shift,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    breaks: Callable[[Desk, pytest.MonkeyPatch], None],
) -> None:
    shift.open_table("online")
    desk = shift.work_at(lease=shift.lease()).sit("ann", 1, 500)
    breaks(desk, monkeypatch)
    answer = desk.ask(ANTE, "ann", id="a")
    assert answer.refused == "stopped"
    assert answer.sentence == (
        "This table has stopped: An internal error occurred during a commit."
    )
    assert "RuntimeError in test_worker.py" in caplog.text
    assert "As" not in caplog.text
    assert desk.worker.try_again()
    assert desk.ask(ANTE, "ann", id="a").accepted
    assert shift.names().count("wagers_set") == 1
    check_books(shift, desk)


def test_an_unexpected_error_before_a_commit_is_none_of_its(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = shift.open_table("online").sit("ann", 1, 500)
    _once(desk, monkeypatch, "openfelt.runtime.tables.draft.Draft.take")
    with pytest.raises(RuntimeError):
        desk.ask(ANTE, "ann", id="a")
    assert desk.worker.stopped is None
    assert desk.ask(ANTE, "ann", id="a").accepted


def test_a_clock_whose_end_was_written_during_an_outage_is_over(shift: Shift, online: Desk) -> None:
    online.do(ANTE, "ann")
    online.bet("ann", "1.1", "")
    shift.clock.pass_ms(25_000)
    shift.store.loses_answer = True
    online.worker.tick()
    assert online.worker.stopped is not None
    assert online.worker.try_again()
    assert online.table.clock is None
    assert online.worker.time_left_ms is None


def test_a_store_that_fails_again_while_going_on_keeps_the_table_stopped(
    shift: Shift, online: Desk
) -> None:
    online.do(ANTE, "ann")
    shift.store.full = True
    online.ask(CloseBets(), "ann")
    assert not online.worker.try_again()
    assert online.worker.stopped is not None
    shift.store.full = False
    assert online.worker.try_again()


def test_an_invalid_transfer_fails_the_whole_batch(
    shift: Shift, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.sit("ann", 1, 500)
    monkeypatch.setattr("openfelt.table.croupier.croupier._COMMANDS", {BuyIn: _no_buy_in})
    table = desk.table
    with pytest.raises(LedgerRefusal, match="above zero, not -100000"):
        desk.ask(BuyIn(1, 100), "ann", id="a")
    assert desk.table == table
    assert shift.store.answers(STREAM, [("player:ann", "a")]) == {}


def _no_buy_in(*_: object) -> tuple[BoughtIn, ...]:
    return (BoughtIn(1, -100_000),)


# A shuffler that fails ---------------------------------------------------------------------


class BrokenShuffler(Shuffler):
    """A shuffler whose source has failed its test."""

    def shuffle(self, round_id: str, deck: str, cards: Any) -> SecretDeck:
        """Fail."""
        raise EntropyFailure("The byte 0 came up more than 9 times in a row.")


def test_a_failed_shuffler_stops_the_table_until_the_operator_acts(
    shift: Shift, online: Desk
) -> None:
    online.do(ANTE, "ann")
    broken = shift.beside(shuffler=BrokenShuffler(SeededEntropy(1))).work_at()
    # A round is brought to its end: it needs no other deck. The next one does.
    answers = broken.worker.handle([request(VoidRound("misdeal"), "eve"), request(ANTE, "ann")])
    assert [answer.refused for answer in answers] == [None, "deck_not_sealed"]
    answer = broken.ask(ANTE, "ann")
    assert answer.sentence == (
        "The shuffler has failed its self-test: The byte 0 came up more than 9 times in a row."
    )
    assert not broken.worker.try_again()
    assert broken.ask(BuyIn(1, 100), "ann").refused == "shuffler_failed"
    again = shift.beside().work_at()
    assert again.ask(ANTE, "ann").accepted


def test_a_table_whose_shuffler_fails_at_the_start_takes_no_wager(shift: Shift) -> None:
    shift.open_table("online")
    with closing(sqlite3.connect(shift.path)) as connection:
        connection.execute("DELETE FROM events WHERE name = 'deck_committed'")
        connection.execute("DELETE FROM secrets")
        rehash(connection, "table/table-1")
        connection.commit()
    broken = shift.beside(shuffler=BrokenShuffler(SeededEntropy(1)))
    assert broken.work_at().ask(TakeSeat(1), "ann").refused == "shuffler_failed"


def test_money_is_returned_even_if_the_shuffler_has_failed(shift: Shift, online: Desk) -> None:
    online.do(ANTE, "ann")
    broken = shift.beside(shuffler=BrokenShuffler(SeededEntropy(1))).work_at()
    failure = EntropyFailure("The byte 0 came up again.")
    broken.worker.stopped = stopped_by(failure, "table-1")
    assert broken.ask(SetWagers(spot_of("1.1"), ()), "ann").refused == "shuffler_failed"
    assert broken.ask(Collect(1), "ann").refused == "in_play"
    assert broken.ask(VoidRound("malfunction"), "eve").accepted
    credit_cents = broken.worker.table.seats[1].credit_cents
    assert credit_cents == online.worker.table.seats[1].credit_cents + 2000
    assert broken.ask(LeaveSeat(1), "ann").accepted
    assert broken.worker.stopped is not None
    assert not broken.worker.table.seats


# Time ----------------------------------------------------------------------------------------


def test_a_clock_ends_at_its_time(shift: Shift, online: Desk) -> None:
    online.do(ANTE, "ann")
    shift.clock.pass_ms(24_999)
    online.worker.tick()
    assert online.phase == "wagering"
    assert online.worker.time_left_ms == 1
    shift.clock.pass_ms(1)
    online.worker.tick()
    assert online.phase == "playing"
    assert online.worker.time_left_ms == 15_000


@pytest.mark.parametrize("jump_ms", [-86_400_000, 86_400_000])
def test_a_wall_clock_that_jumps_gives_and_takes_no_time(
    shift: Shift, online: Desk, jump_ms: int
) -> None:
    online.do(ANTE, "ann")
    shift.clock.jump_ms(jump_ms)
    online.worker.tick()
    assert online.worker.time_left_ms == 25_000
    shift.clock.pass_ms(25_000)
    online.worker.tick()
    assert online.worker.time_left_ms == 15_000
    times = [stored.at_ms for stored in shift.record()]
    assert times == sorted(times)


def test_without_a_clock_no_time_runs(shift: Shift) -> None:
    desk = shift.open_table("online").sit("ann", 1, 500).do(ANTE, "ann")
    shift.clock.pass_ms(10**9)
    desk.worker.tick()
    assert desk.worker.time_left_ms is None
    assert desk.phase == "wagering"


def test_a_decision_starts_the_clock_anew(shift: Shift, online: Desk) -> None:
    online.do(ANTE, "ann").do(CloseBets(), "ann")
    shift.clock.pass_ms(5_000)
    online.do(MakeDecision(spot_of("1.1"), Check()), "ann")
    assert online.worker.time_left_ms == 15_000
    shift.clock.pass_ms(15_000)
    online.worker.tick()
    shift.clock.pass_ms(15_000)
    online.worker.tick()
    assert online.phase == "settled"
    assert online.table.clock is None
    check_books(shift, online)


def test_a_clock_that_ran_out_before_a_restart_ends_at_once(shift: Shift, online: Desk) -> None:
    online.do(ANTE, "ann")
    shift.clock.pass_ms(25_000)
    online.bet("ann", "1.1", "ante 20")
    again = online.restart()
    assert again.worker.time_left_ms == 0
    again.worker.tick()
    assert again.phase == "playing"


# Starting ------------------------------------------------------------------------------------


def test_a_missing_table_is_refused(shift: Shift) -> None:
    with pytest.raises(Refusal, match="There is no table called nowhere"):
        TableWorker.start(shift.worker_services, "nowhere", None)


def test_a_table_without_a_clock_starts_without_an_event(shift: Shift, desk: Desk) -> None:
    desk.sit("ann", 1, 500)
    before = shift.store.head(STREAM)
    again = desk.restart()
    assert (again.table, again.worker.head) == (desk.table, before)


def test_a_table_with_a_clock_records_that_it_continues(shift: Shift, online: Desk) -> None:
    online.do(ANTE, "ann")
    online.restart()
    stored = shift.record()[-1]
    assert shift.worker_services.codec.decode(stored) == ClockStarted(ClockFor.WAGERS, 25_000)


# Rules -----------------------------------------------------------------------------------------


def test_rules_that_were_changed_by_hand_are_refused(shift: Shift, desk: Desk) -> None:
    forged = replace(load_house("washington"), seats=3)
    desk.refuses(ChangeRules(forged), FLOOR, "bad_table")
    with pytest.raises(Refusal, match="The fingerprint of washington is not that of its rules"):
        shift.open_table(forged, name="table-2")
    desk.do(ChangeRules(own_house("washington", {"wagers.ante.max_cents": 5000})), FLOOR)
