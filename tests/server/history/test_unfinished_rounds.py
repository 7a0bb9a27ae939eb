"""Unfinished rounds are counted from the record: dealt, left, and refunded."""

from collections.abc import Iterator
from typing import Any

import pytest

from openfelt.rules import CloseBets
from openfelt.runtime.requests import Request
from openfelt.server.history.unfinished_rounds import UnfinishedRounds, WalkedAway
from openfelt.storage.door import StoredEvent, Unavailable
from openfelt.table.commands import SYSTEM, ExpireRound, LeaveSeat
from tests.kit.floors import Desk, Shift
from tests.kit.own_houses import own_house


def expire(desk: Desk) -> None:
    number = desk.table.rounds
    (answer,) = desk.worker.handle([Request(by=SYSTEM, command=ExpireRound(number, 30))])
    assert answer.accepted


def walk_away(desk: Desk, player: str, *, dealt: bool = True) -> None:
    desk.bet(player, "1.1", "ante 10")
    if dealt:
        desk.do(CloseBets(), player)
    expire(desk)


def test_refunds_are_counted_by_player_and_read_once(shift: Shift) -> None:
    one = shift.open_table("online", name="one").sit("ann", 1, 500)
    two = shift.open_table("online", name="two").sit("ann", 1, 500)
    rounds = UnfinishedRounds(shift.store, shift.worker_services.codec)
    assert rounds.read() == ()
    walk_away(one, "ann")
    walk_away(two, "ann")
    assert rounds.read() == (WalkedAway(player="ann", rounds=2, returned_cents=4000),)
    two.do(LeaveSeat(1), "ann").sit("bob", 1, 500)
    for _ in range(3):
        walk_away(two, "bob")
    assert rounds.read() == (
        WalkedAway(player="bob", rounds=3, returned_cents=6000),
        WalkedAway(player="ann", rounds=2, returned_cents=4000),
    )
    assert (rounds.flagged(2), rounds.flagged(3), rounds.flagged(4)) == (2, 1, 0)
    # Another process counts the same from the record.
    assert UnfinishedRounds(shift.store, shift.worker_services.codec).read() == rounds.counts


def test_a_store_that_fails_on_the_way_has_no_round_counted_twice(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = shift.open_table("online").sit("ann", 1, 500)
    for _ in range(2):
        walk_away(desk, "ann")
    rounds, events = UnfinishedRounds(shift.store, shift.worker_services.codec), shift.store.events

    def failing(*place: Any, **rest: Any) -> Iterator[StoredEvent]:
        for stored in events(*place, **rest):
            yield stored
            if stored.name == "round_voided":
                raise Unavailable("The database server cannot be reached.")

    with monkeypatch.context() as patch:
        patch.setattr(shift.store, "events", failing)
        for _ in range(2):
            with pytest.raises(Unavailable):
                rounds.read()
    assert rounds.read() == (WalkedAway(player="ann", rounds=2, returned_cents=4000),)


def test_other_voids_and_bets_that_were_never_closed_are_not_counted(shift: Shift) -> None:
    desk = shift.open_table("online").sit("ann", 1, 500)
    desk.bet("ann", "1.1", "ante 10").do(CloseBets(), "ann").void()
    walk_away(desk, "ann", dealt=False)
    settled = shift.open_table(own_house("online", {"unfinished": "clock"}), name="clock")
    walk_away(settled.sit("bob", 1, 500), "bob")
    washington = shift.open_table("washington", name="live").sit("cat", 1, 500)
    assert washington.table.seats
    assert UnfinishedRounds(shift.store, shift.worker_services.codec).read() == ()


def test_a_seat_that_was_taken_before_the_database_begins_hides_no_player(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where old history was archived, the player of a private table may have sat down in it."""
    desk = shift.open_table("online").sit("ann", 1, 500)
    archived, events = desk.worker.head.version, shift.store.events

    def kept(stream: str, *, after: int = 0, **rest: Any) -> Iterator[StoredEvent]:
        return events(stream, after=max(after, archived), **rest)

    monkeypatch.setattr(shift.store, "events", kept)
    walk_away(desk, "ann")
    rounds = UnfinishedRounds(shift.store, shift.worker_services.codec)
    assert rounds.read() == (WalkedAway(player="ann", rounds=1, returned_cents=2000),)
