"""The books of progressive links: exact, checked against the ledger, bounded in what they read."""

from fractions import Fraction

import pytest

from openfelt.runtime.rounds.record import RoundReader
from openfelt.server.errors import Denied
from openfelt.server.supervision.jackpots import link_books
from openfelt.server.supervision.jackpots.link_books import NO_METER, LinkAccountant
from openfelt.server.supervision.jackpots.link_record import LinkRecord
from openfelt.table.commands import OpenBets
from openfelt.table.links.link_events import RoundCounted
from openfelt.table.links.link_referee import ChangeRates, OpenLink
from tests.kit.audit.audited_floors import tamper
from tests.kit.floors import Desk, Shift

DAY_MS = 86_400_000
OPEN = OpenLink(link="main", contribution=Fraction(1, 8), seed_cents=1_000_000, reason="A hall.")


@pytest.fixture
def main(shift: Shift) -> Shift:
    """A process on a store with a link."""
    shift.worker_services.links.command("main", OPEN)
    return shift


def accountant(shift: Shift) -> LinkAccountant:
    """An accountant who knows nothing yet."""
    worker_services = shift.worker_services
    return LinkAccountant(shift.store, worker_services.codec, shift.clock, worker_services.links)


def linked(shift: Shift) -> Desk:
    return shift.open_table("washington", link="main").sit("ann", 1, 500)


def play(
    desk: Desk, cards: str = "2c 7d Kc Kd", board: str = "3s 8d 9h Js 4c", *, fold: bool = True
) -> None:
    desk.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10, progressive 1").close().deal(cards)
    desk.choose("ann", "1.1", "4x").deal(board).turn().confirm()
    if fold:
        desk.shift.worker_services.links.fold("main")


def royal(desk: Desk) -> None:
    play(desk, "As Ks 2h 2d", "Qs Js Ts 3c 4d")


def test_the_books_have_every_fraction_and_agree_with_the_ledger(main: Shift) -> None:
    watch, desk = accountant(main), linked(main)
    for _ in range(3):
        play(desk)
    books = watch.of("main")
    assert (books.since_ms, books.opening) == (None, NO_METER)
    assert books.link.meter.amount == 1_000_000 + Fraction(3 * 100, 8)
    assert books.reconciliation.difference_cents == 0
    assert books.reconciliation.meter_ledger_cents == main.cents("meter:main") == 1_000_037
    assert accountant(main).of("main").link == books.link


def test_the_reserve_has_what_waits_in_the_feeds(main: Shift) -> None:
    watch, desk = accountant(main), linked(main)
    play(desk, board="2s 2d 9h Js 3c", fold=False)
    waits = watch.of("main").reconciliation
    assert (waits.meter_cents, waits.reserve_cents) == (1_000_000, 100 - 900)
    assert waits.difference_cents == 0
    main.worker_services.links.fold("main")
    counted = watch.of("main").reconciliation
    assert (counted.meter_cents, counted.reserve_cents) == (1_000_012, 100 - 900 - 12)
    assert counted.difference_cents == 0
    main.store._write("UPDATE balances SET cents = 5 WHERE account = ?", ("reserve:main/table-1",))
    assert watch.of("main").reconciliation.difference_cents == 5


def test_the_books_of_a_day_open_with_the_meter_of_midnight(main: Shift) -> None:
    running, desk = accountant(main), linked(main)
    play(desk)
    evening = running.of("main").link.meter
    main.clock.pass_ms(DAY_MS)
    assert running.of("main").opening == evening
    royal(desk)
    for watch in (running, accountant(main)):
        books = watch.of("main")
        assert books.since_ms == DAY_MS + main.clock.wall_ms() // DAY_MS * DAY_MS - DAY_MS
        assert books.opening == evening
        assert books.link.meter.seeded > evening.seeded
        assert books.reconciliation.difference_cents == 0


def test_a_long_record_is_not_read_again(main: Shift, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = linked(main)
    play(desk)
    monkeypatch.setattr(link_books, "REPLAYED_MAX", 2)
    watch = accountant(main)
    assert watch.of("main").since_ms == main.clock.wall_ms()
    before = watch.of("main").opening
    play(desk)
    assert watch.of("main").opening == before
    assert watch.of("main").link.rounds == 2


def test_a_cent_that_the_ledger_has_more_is_a_difference(main: Shift) -> None:
    play(linked(main))
    watch = accountant(main)
    watch.of("main")
    tamper(main.path, "UPDATE balances SET cents = cents + 1 WHERE account = 'meter:main'")
    assert watch.of("main").reconciliation.difference_cents == 1


def test_there_is_no_such_link(shift: Shift) -> None:
    assert accountant(shift).all() == []
    with pytest.raises(Denied):
        accountant(shift).of("nowhere")


def test_awards_name_their_hands_and_acts_their_reasons(
    main: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = linked(main)
    play(desk)
    rates = ChangeRates(contribution=Fraction(1, 2), seed_cents=5, reason="A faster meter.")
    main.worker_services.links.command("main", rates)
    main.clock.pass_ms(60_000)
    royal(desk)
    main.clock.pass_ms(60_000)
    play(desk)
    record = LinkRecord(main.store, main.worker_services.codec, RoundReader(main.store))
    entries, older = record.part("main", None)
    assert older is None
    won, changed, joined, opened = entries
    assert isinstance(won.event, RoundCounted)
    assert (won.event.table, won.event.round) == ("table-1", 2)
    (award,) = won.awards
    assert (award.spot.seat, award.player, award.made) == (1, "ann", "Royal flush")
    assert award.cents == won.event.awarded_cents == won.event.from_meter_cents
    assert [getattr(entry.event, "reason", "") for entry in (changed, opened)] == [
        "A faster meter.",
        "A hall.",
    ]
    assert joined.stored.name == "link_table_joined"
    # The same lines come out where only a few are read at a time.
    monkeypatch.setattr("openfelt.server.supervision.jackpots.link_record.READ_MAX", 2)
    found, before = [], None
    while True:
        part, before = record.part("main", before)
        found += part
        if before is None:
            break
    assert [entry.stored.version for entry in found] == [one.stored.version for one in entries]
