"""A progressive link: how its meter lives, and that its money adds up."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.ledger import Account, AccountKind, Book, Reason, Transfer
from openfelt.ledger.accounts import feed_account
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import Settlement, WagerKind, settle
from openfelt.table import Link, apply_link, decide_link
from openfelt.table.links.link import LinkPhase, link_moves, replay_link
from openfelt.table.links.link_events import (
    LinkEvent,
    LinkOpened,
    LinkPaused,
    LinkReceived,
    LinkResumed,
    LinkRetired,
    Rates,
    RatesChanged,
    RoundCounted,
    TableJoined,
    TableLeft,
)
from openfelt.table.links.link_referee import (
    ChangeRates,
    CountRound,
    JoinTable,
    LeaveTable,
    LinkCommand,
    OpenLink,
    PauseLink,
    ReceiveLink,
    ResumeLink,
    RetireLink,
    count_round,
)
from tests.kit.cases import case
from tests.kit.links import JOIN, OPEN, after, joined, round_of
from tests.kit.own_houses import own_house
from tests.kit.random_rounds import random_round


def cents(*amounts: Fraction) -> list[int]:
    """Amounts that are whole cents."""
    assert all(amount.denominator == 1 for amount in amounts)
    return [int(amount) for amount in amounts]


# The course of a link ----------------------------------------------------------------


def test_a_link_opens_at_its_seed() -> None:
    assert decide_link(None, OPEN) == (
        LinkOpened(link="main", contribution=Fraction(1, 4), seed_cents=10_000),
    )
    link = after(OPEN)
    assert (link.id, link.phase, link.takes_wagers) == ("main", LinkPhase.OPEN, True)
    assert (link.rates, link.waiting) == (
        Rates(contribution=Fraction(1, 4), seed_cents=10_000),
        None,
    )
    assert cents(link.meter.amount, link.meter.reserve) == [10_000, 0]
    assert link.tables == frozenset()


def test_tables_join_and_leave() -> None:
    link = after(OPEN, JOIN, JoinTable("draw-2"))
    assert link.tables == {"felt-1", "draw-2"}
    assert after(LeaveTable("felt-1"), link=link).tables == {"draw-2"}


@pytest.mark.clause("R.23")
def test_a_round_feeds_the_meter_and_then_pays_from_it() -> None:
    link = joined(contribution=Fraction(333, 1000))
    won = round_of(link, wagered_cents=300, from_meter_cents=1_009, envied_cents=40)
    assert won.meter_cents == 10_099
    link = after(replace(won, awarded_cents=1_509), link=link)
    assert link.meter.amount == 10_000 + Fraction(9, 10)
    assert link.meter.reserve == Fraction(2001, 10) - 500 - 40
    assert cents(link.meter.seeded, link.meter.contributed) == [10_910, 300]
    assert cents(link.meter.awarded, link.meter.envied) == [1_509, 40]
    assert (link.rounds, link.wins, link.last_rounds) == (1, 1, {"felt-1": 1})


def test_a_paused_link_takes_no_wagers_but_counts_rounds_that_were_bet_on_before() -> None:
    link = after(PauseLink("  The display is dark. "), link=joined())
    assert (link.phase, link.takes_wagers) == (LinkPhase.PAUSED, False)
    assert link.pause_reason == "The display is dark."
    link = after(round_of(link, from_meter_cents=500), link=link)
    assert link.rounds == 1
    assert link.meter.awarded == 500
    link = after(ResumeLink(), link=link)
    assert (link.takes_wagers, link.pause_reason) == (True, None)


@pytest.mark.clause("R.23")
def test_a_meter_holds_at_its_ceiling_until_it_is_won() -> None:
    link = joined(contribution=Fraction(1, 2), ceiling_cents=10_070)
    for shown_cents, reserve in [(10_050, 50), (10_070, 130), (10_070, 230)]:
        assert link.meter_cents_with(100) == shown_cents
        link = after(round_of(link), link=link)
        assert link.meter.display_cents == shown_cents
        assert link.meter.reserve == reserve
    link = after(round_of(link, from_meter_cents=10_070), link=link)
    assert link.meter.display_cents == 10_000
    assert link.meter_cents_with(100) == 10_050


def test_a_link_without_a_ceiling_has_that_of_every_amount() -> None:
    link = joined(seed_cents=AMOUNT_MAX_CENTS, contribution=Fraction(1))
    assert after(round_of(link), link=link).meter.display_cents == AMOUNT_MAX_CENTS


def test_a_link_ends_with_nothing() -> None:
    link = joined()
    link = after(round_of(link), LeaveTable("felt-1"), PauseLink("The end."), link=link)
    link = after(ChangeRates(contribution=Fraction(1), seed_cents=5), link=link)
    link = after(RetireLink(), link=link)
    assert (link.phase, link.takes_wagers, link.waiting) == (LinkPhase.RETIRED, False, None)
    assert cents(link.meter.amount, link.meter.reserve, link.meter.handed_back) == [0, 0, 10_100]


@pytest.mark.clause("R.23")
@pytest.mark.parametrize(("fixed_cents", "reserve"), [(0, "309/4"), (900, "-3/4")])
def test_a_link_retired_into_another_takes_every_fraction_along(
    fixed_cents: int, reserve: str
) -> None:
    """The next meter has all of it; a debt of the reserve stays with the house."""
    old = joined()
    won = replace(round_of(old, wagered_cents=103), awarded_cents=fixed_cents, winners=1)
    old = after(won, LeaveTable("felt-1"), PauseLink("The end."), link=old)
    amount, behind = old.meter.leaving
    assert (str(amount), str(behind)) == ("40103/4", reserve)
    next_link = after(ReceiveLink(link=old.id, meter=amount, reserve=behind), link=joined())
    ended = after(RetireLink("next", "The hall closes."), link=old)
    assert next_link.meter.moved_in == ended.meter.moved_out == amount + behind
    assert next_link.meter.amount == 10_000 + amount
    assert ended.meter.handed_back == old.meter.amount + old.meter.reserve - amount - behind
    for meter in (next_link.meter, ended.meter):
        came = meter.seeded + meter.contributed + meter.moved_in
        went = meter.awarded + meter.envied + meter.handed_back + meter.moved_out
        assert came == meter.amount + meter.reserve + went


# Rates that wait -------------------------------------------------------------------------

NEW = ChangeRates(contribution=Fraction(1, 2), seed_cents=20_000, ceiling_cents=30_000)


def test_new_rates_wait_for_a_share_of_the_meter_to_be_won() -> None:
    old = joined()
    link = after(NEW, link=old)
    new = Rates(contribution=Fraction(1, 2), seed_cents=20_000, ceiling_cents=30_000)
    assert (link.rates, link.waiting) == (old.rates, new)
    # A fixed award is no win of the meter.
    link = after(round_of(link, awarded_cents=900), link=link)
    assert (link.rates, link.waiting) == (old.rates, new)
    assert link.meter.amount == 10_025
    # The wagers of the winning round come in by the old rates; the new seed tops up.
    link = after(round_of(link, wagered_cents=200, from_meter_cents=1_007), link=link)
    assert (link.rates, link.waiting) == (new, None)
    assert link.meter.amount == 20_000
    assert link.meter.seeded == 10_000 + 20_000 - (10_075 - 1_007)
    assert after(round_of(link), link=link).meter.amount == 20_050


def test_a_lowered_ceiling_takes_nothing_from_the_meter() -> None:
    link = joined(seed_cents=20_000)
    link = after(
        ChangeRates(contribution=Fraction(1, 4), seed_cents=5_000, ceiling_cents=6_000), link=link
    )
    link = after(round_of(link, from_meter_cents=2_000), link=link)
    assert link.meter.amount == 18_025
    assert after(round_of(link), link=link).meter.amount == 18_025


def test_rates_that_wait_can_be_changed_and_taken_back() -> None:
    link = after(NEW, link=joined())
    link = after(replace(NEW, seed_cents=15_000), link=link)
    assert link.waiting is not None
    assert link.waiting.seed_cents == 15_000
    link = after(ChangeRates(contribution=Fraction(1, 4), seed_cents=10_000), link=link)
    assert link.waiting is None


# The record ----------------------------------------------------------------------------

OPENED = LinkOpened(link="main", contribution=Fraction(1, 4), seed_cents=10_000)


def test_a_record_begins_with_one_opening() -> None:
    with pytest.raises(ValueError, match="begins with its opening"):
        replay_link([])
    with pytest.raises(ValueError, match="begins with its opening"):
        replay_link([TableJoined("felt-1")])
    with pytest.raises(ValueError, match="opens once"):
        replay_link([OPENED, OPENED])
    with pytest.raises(ValueError, match="begins with its opening"):
        link_moves(None, LinkRetired())


def test_a_record_is_applied_without_further_checks() -> None:
    """What a stricter check would refuse today has happened all the same."""
    link = replay_link(
        [
            replace(OPENED, contribution=Fraction(1, 3)),
            RoundCounted(
                table="felt-1",
                round=1,
                wagered_cents=100,
                awarded_cents=99_999,
                envied_cents=0,
                from_meter_cents=99_999,
            ),
        ]
    )
    assert link.meter.amount == 10_000 + Fraction(1, 3)


# The money -----------------------------------------------------------------------------

METER = Account(AccountKind.METER, "main")
RESERVE = Account(AccountKind.RESERVE, "main")
HOUSE = Account(AccountKind.HOUSE, "main")
TABLE = Account(AccountKind.CASH, "tables")
"""Stands for the felt and the players, whose side of a round the table books."""
TABLES = ("felt-1", "felt-2", "draw-3")


def table_side(event: LinkEvent) -> Iterable[Transfer]:
    """What a table books of a round: wagers to its account at the link, awards and Envy from it."""
    if isinstance(event, RoundCounted):
        paid_cents = event.awarded_cents + event.envied_cents
        feed = feed_account("main", event.table)
        for debit, credit, cents in [
            (TABLE, feed, event.wagered_cents),
            (feed, TABLE, paid_cents),
        ]:
            if cents:
                yield Transfer(debit=debit, credit=credit, cents=cents, reason=Reason.WAGER)


@dataclass
class Books:
    """A link, its record and the ledger beside it, compared after every event."""

    link: Link | None = None
    book: Book = field(default_factory=Book)
    record: list[LinkEvent] = field(default_factory=list)

    def do(self, command: LinkCommand) -> Link:
        for event in decide_link(self.link, command):
            moves = link_moves(self.link, event)
            self.check_moves(moves, event)
            self.link = apply_link(self.link, event)
            self.record.append(event)
            self.check()
        assert self.link is not None
        return self.link

    def check_moves(self, moves: tuple[Transfer, ...], event: LinkEvent) -> None:
        """No move is empty, and the meter's account is below zero at no moment."""
        self.book = self.book.post([*table_side(event)])
        for move in moves:
            assert type(move.cents) is int
            assert move.cents > 0
            assert move.clause == "R.23"
            self.book = self.book.post([move])

    def check(self) -> None:
        assert self.link is not None
        meter = self.link.meter
        put_in = meter.seeded + meter.contributed
        paid = meter.awarded + meter.envied + meter.handed_back
        assert put_in == meter.amount + meter.reserve + paid
        assert meter.amount >= 0
        assert meter.seeded.denominator == 1
        assert self.book.balance(METER) == meter.amount // 1
        behind = meter.amount + meter.reserve - meter.amount // 1
        assert self.book.balance(RESERVE) == behind == meter.reserve_cents
        assert self.book.balance(HOUSE) == meter.handed_back - meter.seeded
        # What is counted has left the accounts of the tables.
        assert not any(self.book.balance(feed_account("main", name)) for name in TABLES)
        assert self.book.balance(TABLE) == meter.awarded + meter.envied - meter.contributed


MOVES = [
    # events before, event: debit, credit, cents, reason
    case([], OPENED, [("house", "meter", 10_000, "seed")], proves="R.23"),
    case([OPENED], TableJoined("felt-1"), []),
    case([OPENED, TableJoined("felt-1")], TableLeft("felt-1"), []),
    case([OPENED], RatesChanged(contribution=Fraction(1), seed_cents=5), []),
    case([OPENED], LinkPaused("The end."), []),
    case([OPENED, LinkPaused("The end.")], LinkResumed(), []),
    case([OPENED], {"wagered_cents": 3}, [], proves="R.23"),
    case([OPENED], {"wagered_cents": 7}, [("reserve", "meter", 1, "contribution")], proves="R.23"),
    case([OPENED], {"wagered_cents": 100, "awarded_cents": 900, "envied_cents": 50},
         [("reserve", "meter", 25, "contribution")], proves="R.23"),
    case([OPENED], {"wagered_cents": 103, "awarded_cents": 1_900, "from_meter_cents": 1_002},
         [("reserve", "meter", 25, "contribution"),
          ("house", "meter", 977, "seed"),
          ("meter", "reserve", 1_002, "award")], proves="R.23"),
    case([OPENED], {"wagered_cents": 100, "awarded_cents": 900, "envied_cents": 50, "fed": 1},
         [("reserve", "reserve", 100, "contribution"),
          ("reserve", "reserve", 900, "award"),
          ("reserve", "reserve", 50, "envy"),
          ("reserve", "meter", 25, "contribution")], proves="R.23"),
    case([OPENED], LinkRetired(), [("meter", "house", 10_000, "retirement")], proves="R.23"),
    case([OPENED, {"wagered_cents": 103}], LinkRetired(into="next"),
         [("meter", "meter", 10_025, "retirement"), ("reserve", "reserve", 78, "retirement")],
         proves="R.23"),
    case([OPENED, {"wagered_cents": 103, "awarded_cents": 900}], LinkRetired(into="next"),
         [("house", "reserve", 822, "retirement"), ("meter", "meter", 10_025, "retirement")],
         proves="R.23"),
    case([OPENED, {"wagered_cents": 103}],
         LinkReceived(link="old", meter=Fraction(41, 4), reserve=Fraction(3, 4)),
         [("reserve", "meter", 1, "retirement")], proves="R.23"),
    case([OPENED], LinkReceived(link="old", meter=Fraction(41, 4), reserve=Fraction(3, 4)),
         [], proves="R.23"),
    case([OPENED, {"wagered_cents": 103}], LinkRetired(),
         [("meter", "house", 10_025, "retirement"), ("reserve", "house", 78, "retirement")],
         proves="R.23"),
    case([OPENED, {"wagered_cents": 103, "awarded_cents": 900}], LinkRetired(),
         [("meter", "house", 10_025, "retirement"), ("house", "reserve", 822, "retirement")],
         proves="R.23"),
]  # fmt: skip


def as_event(given: Any) -> LinkEvent:
    """An event; amounts alone stand for a round."""
    if not isinstance(given, dict):
        event: LinkEvent = given
        return event
    nothing = {"awarded_cents": 0, "envied_cents": 0, "from_meter_cents": 0}
    return RoundCounted(table="felt-1", round=1, **(nothing | given))


@pytest.mark.parametrize(("before", "event", "moves"), MOVES)
def test_the_moves_of_an_event(
    before: list[Any], event: Any, moves: list[tuple[str, str, int, str]]
) -> None:
    link = replay_link(map(as_event, before)) if before else None
    found = link_moves(link, as_event(event))
    assert [(m.debit.kind, m.credit.kind, m.cents, m.reason) for m in found] == moves
    owners = {m.debit.owner for m in found} | {m.credit.owner for m in found}
    fed = isinstance(event, dict) and event.get("fed")
    others = {"next"} if getattr(event, "into", None) else {"main/felt-1"} if fed else set()
    assert owners <= {"main"} | others
    assert {m.round for m in found} <= {"felt-1/1" if isinstance(event, dict) else None}


# Long histories --------------------------------------------------------------------------

Draw = Callable[[st.SearchStrategy[Any]], Any]

contributions = st.integers(0, 10**8).map(lambda parts: Fraction(parts, 10**8)) | st.sampled_from(
    [Fraction(0), Fraction(1, 4), Fraction(333, 1000), Fraction(1)]
)


@st.composite
def rates(draw: st.DrawFn) -> dict[str, Any]:
    """Rates that a link takes."""
    part = draw(contributions)
    seed_cents = draw(st.integers(0 if part else 1, 3_000))
    room = draw(st.none() | st.integers(0, 300))
    ceiling_cents = None if room is None else max(seed_cents + room, 1)
    return {"contribution": part, "seed_cents": seed_cents, "ceiling_cents": ceiling_cents}


def next_round(draw: Draw, link: Link) -> CountRound:
    """A round of any table of the link, with any winners and awards that it may have."""
    table = draw(st.sampled_from(sorted(link.tables)))
    wagered_cents = draw(st.integers(1, 700))
    meter_cents = link.meter_cents_with(wagered_cents)
    winners = draw(st.sampled_from([0, 0, 1, 1, 2, 3]))
    most_cents = meter_cents + max(winners - 1, 0) * link.next_seed_cents
    shares = st.sampled_from([0, meter_cents // 10, meter_cents, most_cents])
    from_meter_cents = draw(shares | st.integers(0, most_cents)) if winners else 0
    fixed_cents = draw(st.integers(0, 5_000)) if winners else 0
    return CountRound(
        table=table,
        round=link.last_rounds.get(table, 0) + draw(st.integers(1, 3)),
        meter_cents=meter_cents,
        wagered_cents=wagered_cents,
        awarded_cents=from_meter_cents + fixed_cents,
        envied_cents=draw(st.integers(0, 5_000)) if winners else 0,
        from_meter_cents=from_meter_cents,
        winners=winners,
        fed=link.folded.get(table, 0) + 1,
    )


def next_command(draw: Draw, link: Link) -> LinkCommand | None:
    """Something that may happen to the link now; a round more often than anything else."""
    what = draw(st.sampled_from(["round"] * 6 + ["rates", "join", "leave", "pause"]))
    away = [table for table in TABLES if table not in link.tables]
    if what == "rates":
        change = ChangeRates(**draw(rates()))
        now = link.waiting or link.rates
        return None if Rates(**vars_of(change)) == now else change
    if what == "pause":
        return PauseLink("For a while.") if link.takes_wagers else ResumeLink()
    if what == "leave" and len(link.tables) > 1:
        return LeaveTable(draw(st.sampled_from(sorted(link.tables))))
    if what == "join" and away:
        return JoinTable(draw(st.sampled_from(away)))
    return next_round(draw, link)


def vars_of(change: ChangeRates) -> dict[str, Any]:
    return {name: getattr(change, name) for name in ("contribution", "seed_cents", "ceiling_cents")}


@pytest.mark.clause("R.23")
@given(st.data())
def test_the_accounts_agree_with_the_link_at_every_step(data: st.DataObject) -> None:
    books = Books()
    books.do(OpenLink(link="main", **data.draw(rates())))
    link = books.do(JOIN)
    for _ in range(data.draw(st.integers(0, 60))):
        command = next_command(data.draw, link)
        if command is not None:
            before, link = link, books.do(command)
            check_step(before, command, link)
    for table in sorted(link.tables):
        link = books.do(LeaveTable(table))
    if link.takes_wagers:
        books.do(PauseLink("The end."))
    assert books.do(RetireLink()) == replay_link(books.record)
    assert (books.book.balance(METER), books.book.balance(RESERVE)) == (0, 0)


def check_step(before: Link, command: LinkCommand, link: Link) -> None:
    """Nothing but a win changes rates or lowers a meter, and a ceiling holds."""
    if not isinstance(command, CountRound):
        assert (link.meter, link.rates) == (before.meter, before.rates)
        return
    if command.from_meter_cents:
        assert link.meter.display_cents >= link.rates.seed_cents
        assert (link.rates, link.waiting) == (before.waiting or before.rates, None)
        return
    assert link.meter.amount >= before.meter.amount
    assert (link.rates, link.waiting) == (before.rates, before.waiting)
    ceiling_cents = before.rates.ceiling_cents
    if ceiling_cents is not None and link.meter.amount > ceiling_cents:
        assert link.meter.amount == before.meter.amount


EASY = """
version = 1
source = "The tests."
[[paytable]]
name = "EASY"
wager = "progressive"
clause = "R.21"
reads = "hole_and_flop"
rows = [
  { hand = "royal flush", share = "100%", envy = 40 },
  { hand = "straight flush", share = "100%", envy = 40 },
  { hand = "four of a kind", for_one = 300 },
  { hand = "full house", share = "100%" },
  { hand = "flush", share = "50%", envy = 20 },
  { hand = "straight", share = "50%" },
  { hand = "three of a kind", share = "10%" },
  { hand = "two pair", share = "50%" },
  { hand = "pair", share = "100%" },
]
"""
"""Awards that come up often, and often together."""


@pytest.mark.clause("R.23", "R.24")
@pytest.mark.parametrize("several", ["split", "in_order"])
@pytest.mark.parametrize("seed_cents", [0, 7, 100_000])
def test_rounds_as_they_are_played_never_take_more_than_a_link_gives(
    several: str, seed_cents: int
) -> None:
    house = own_house(
        "washington",
        {
            "wagers.progressive.paytable": "EASY",
            "progressive.seed_cents": seed_cents,
            "progressive.several_winners": several,
        },
        paytables=EASY,
    )
    books, random = Books(), Random(23)
    books.do(OpenLink(link="main", contribution=Fraction(1, 4), seed_cents=seed_cents))
    link = books.do(JOIN)
    seen: Counter[str] = Counter()
    for number in range(1, 300):
        state, _ = random_round(house, random)
        wagered_cents = sum(
            hand.stake_cents(WagerKind.PROGRESSIVE) for hand in state.hands.values()
        )
        settlement: Settlement = settle(state, meter_cents=link.meter_cents_with(wagered_cents))
        command = count_round("felt-1", number, settlement)
        assert (command is None) == (wagered_cents == 0)
        if command is None:
            continue
        command = replace(command, fed=link.folded.get("felt-1", 0) + 1)
        assert command.meter_cents is not None
        assert command.wagered_cents == wagered_cents
        seen["won"] += command.from_meter_cents > 0
        seen["seeded within"] += command.from_meter_cents > command.meter_cents
        link = books.do(command)
    assert seen["won"] > 20
    assert seen["seeded within"] > 5 or seed_cents == 0
