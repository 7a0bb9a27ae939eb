"""A progressive link: what it refuses, how its meter lives, and that its money adds up."""

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
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import Refusal, Settlement, WagerKind, settle
from openfelt.table import Link, apply_link, decide_link
from openfelt.table.link import LinkPhase, link_moves, replay_link
from openfelt.table.link_events import (
    LinkEvent,
    LinkOpened,
    LinkPaused,
    LinkResumed,
    LinkRetired,
    Rates,
    RatesChanged,
    RoundCounted,
    TableJoined,
    TableLeft,
)
from openfelt.table.link_referee import (
    ChangeRates,
    CountRound,
    JoinTable,
    LeaveTable,
    LinkCode,
    LinkCommand,
    OpenLink,
    PauseLink,
    ResumeLink,
    RetireLink,
    count_round,
)
from tests.cases import case
from tests.felt import Felt, played
from tests.own_houses import own_house
from tests.random_rounds import random_round

OPEN = OpenLink(link="main", contribution=Fraction(1, 4), seed_cents=10_000)
JOIN = JoinTable("felt-1")
FOLD = "check, check, fold"


def after(*commands: LinkCommand, link: Link | None = None) -> Link:
    """The link after commands that it takes."""
    for command in commands:
        for event in decide_link(link, command):
            link = apply_link(link, event)
    assert link is not None
    return link


def joined(**rates: Any) -> Link:
    """An open link that one table feeds."""
    return after(replace(OPEN, **rates), JOIN)


def round_of(link: Link, **amounts: int) -> CountRound:
    """The next round of the first table, with one wager of a dollar and no winner."""
    wagered_cents = amounts.pop("wagered_cents", 100)
    found: dict[str, int] = {
        "round": link.last_rounds.get("felt-1", 0) + 1,
        "meter_cents": link.meter_cents_with(wagered_cents),
        "awarded_cents": amounts.get("from_meter_cents", 0),
        "envied_cents": 0,
        "from_meter_cents": 0,
        "winners": 1 if amounts.get("from_meter_cents") or amounts.get("awarded_cents") else 0,
    }
    return CountRound(table="felt-1", wagered_cents=wagered_cents, **(found | amounts))


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


# Refusals --------------------------------------------------------------------------------


def paused() -> Link:
    return after(PauseLink("The end."), link=joined())


def retired() -> Link:
    return after(LeaveTable("felt-1"), RetireLink(), link=paused())


def counted() -> Link:
    link = joined()
    return after(replace(round_of(link), round=7), link=link)


def open_with(**changes: Any) -> OpenLink:
    return replace(OPEN, **changes)


def counting(link: Link | None = None, **amounts: Any) -> CountRound:
    return replace(round_of(link or joined()), **amounts)


ROUND = counting()
REFUSALS = [
    # link, command: code, in order of precedence
    case(joined(), OPEN, LinkCode.LINK_EXISTS),
    case(retired(), OPEN, LinkCode.LINK_EXISTS),
    case(None, open_with(link=""), LinkCode.MALFORMED),
    case(None, open_with(link="Main"), LinkCode.MALFORMED),
    case(None, open_with(link="a" * 65), LinkCode.MALFORMED),
    case(None, open_with(link="main:x"), LinkCode.MALFORMED),
    case(None, open_with(link=7), LinkCode.MALFORMED),
    case(None, open_with(contribution=Fraction(-1, 4)), LinkCode.BAD_RATES),
    case(None, open_with(contribution=Fraction(5, 4)), LinkCode.BAD_RATES),
    case(None, open_with(contribution=Fraction(1, 3)), LinkCode.BAD_RATES),
    case(None, open_with(contribution=0.25), LinkCode.BAD_RATES),
    case(None, open_with(contribution=1), LinkCode.BAD_RATES),
    case(None, open_with(seed_cents=-1), LinkCode.BAD_RATES),
    case(None, open_with(seed_cents=1.0), LinkCode.BAD_RATES),
    case(None, open_with(seed_cents=True), LinkCode.BAD_RATES),
    case(None, open_with(seed_cents=AMOUNT_MAX_CENTS + 1), LinkCode.BAD_RATES),
    case(None, open_with(ceiling_cents=9_999), LinkCode.BAD_RATES),
    case(None, open_with(ceiling_cents=AMOUNT_MAX_CENTS + 1), LinkCode.BAD_RATES),
    case(None, open_with(ceiling_cents="20000"), LinkCode.BAD_RATES),
    case(None, open_with(seed_cents=0, ceiling_cents=0), LinkCode.BAD_RATES),
    case(None, open_with(seed_cents=0, contribution=Fraction(0)), LinkCode.BAD_RATES),
    case(None, JOIN, LinkCode.NO_SUCH_LINK),
    case(None, RetireLink(), LinkCode.NO_SUCH_LINK),
    case(retired(), JOIN, LinkCode.LINK_RETIRED),
    case(retired(), ROUND, LinkCode.LINK_RETIRED),
    case(retired(), NEW, LinkCode.LINK_RETIRED),
    case(retired(), ResumeLink(), LinkCode.LINK_RETIRED),
    case(retired(), RetireLink(), LinkCode.LINK_RETIRED),
    case(joined(), JoinTable("a b"), LinkCode.MALFORMED),
    case(joined(), JOIN, LinkCode.TABLE_JOINED),
    case(joined(), LeaveTable("felt-2"), LinkCode.TABLE_NOT_JOINED),
    case(joined(), ChangeRates(contribution=Fraction(2), seed_cents=1), LinkCode.BAD_RATES),
    case(joined(), ChangeRates(contribution=Fraction(1, 4), seed_cents=10_000),
         LinkCode.RATES_UNCHANGED),
    case(after(NEW, link=joined()), NEW, LinkCode.RATES_UNCHANGED),
    case(joined(), PauseLink(" "), LinkCode.MALFORMED),
    case(joined(), PauseLink("x" * 201), LinkCode.MALFORMED),
    case(paused(), PauseLink("Again."), LinkCode.LINK_PAUSED),
    case(joined(), ResumeLink(), LinkCode.LINK_NOT_PAUSED),
    case(after(OPEN), RetireLink(), LinkCode.LINK_NOT_PAUSED),
    case(paused(), RetireLink(), LinkCode.TABLES_REMAIN),
    case(joined(), "pause", LinkCode.MALFORMED),
    case(after(OPEN), ROUND, LinkCode.TABLE_NOT_JOINED),
    case(after(LeaveTable("felt-1"), link=joined()), ROUND, LinkCode.TABLE_NOT_JOINED),
    case(joined(), counting(table="felt-2"), LinkCode.TABLE_NOT_JOINED),
    case(joined(), counting(round=0), LinkCode.MALFORMED),
    case(joined(), counting(round=True), LinkCode.MALFORMED),
    case(counted(), counting(counted(), round=7), LinkCode.ROUND_COUNTED),
    case(counted(), counting(counted(), round=3), LinkCode.ROUND_COUNTED),
    # A table that has been away keeps its count.
    case(after(LeaveTable("felt-1"), JOIN, link=counted()), counting(counted(), round=7),
         LinkCode.ROUND_COUNTED),
    case(joined(), counting(wagered_cents=Fraction(1)), LinkCode.BAD_AMOUNTS),
    case(joined(), counting(wagered_cents=-100), LinkCode.BAD_AMOUNTS),
    case(joined(), counting(envied_cents=-1), LinkCode.BAD_AMOUNTS),
    case(joined(), counting(awarded_cents=1.5), LinkCode.BAD_AMOUNTS),
    case(joined(), counting(wagered_cents=0, meter_cents=10_000), LinkCode.BAD_AMOUNTS),
    case(joined(), counting(meter_cents=10_000), LinkCode.METER_MOVED),
    case(counted(), counting(counted(), round=8, meter_cents=10_025), LinkCode.METER_MOVED),
    case(joined(), counting(from_meter_cents=2, awarded_cents=1, winners=1),
         LinkCode.BAD_AMOUNTS),
    case(joined(), counting(awarded_cents=1), LinkCode.BAD_AMOUNTS),
    case(joined(), counting(envied_cents=1), LinkCode.BAD_AMOUNTS),
    case(joined(), counting(from_meter_cents=10_026, awarded_cents=10_026, winners=1),
         LinkCode.BAD_AMOUNTS),
    case(joined(), counting(from_meter_cents=20_026, awarded_cents=20_026, winners=2),
         LinkCode.BAD_AMOUNTS),
    case(joined(), counting(from_meter_cents=10_025, awarded_cents=10_025), LinkCode.BAD_AMOUNTS),
]  # fmt: skip


@pytest.mark.parametrize(("link", "command", "code"), REFUSALS)
def test_a_link_refuses(link: Link | None, command: Any, code: LinkCode) -> None:
    with pytest.raises(Refusal) as refused:
        decide_link(link, command)
    assert refused.value.code is code
    assert refused.value.sentence.endswith(".")


def test_every_code_has_a_case() -> None:
    assert {row.values[2] for row in REFUSALS} == set(LinkCode)


@pytest.mark.clause("R.24")
@pytest.mark.parametrize(("winners", "most_cents"), [(1, 10_025), (2, 20_025), (3, 30_025)])
def test_each_further_winner_may_take_another_seed(winners: int, most_cents: int) -> None:
    link = joined()
    won = round_of(link, from_meter_cents=most_cents, winners=winners)
    link = after(won, link=link)
    assert link.meter.amount == 10_000
    assert link.meter.seeded == 10_000 * (winners + 1)


def test_of_two_tables_that_settle_by_the_same_meter_one_settles_again() -> None:
    """The meter that a round was settled by is the guard, beside the version of the stream."""
    link = after(JoinTable("felt-2"), link=joined())
    first = round_of(link)
    second = replace(
        first, table="felt-2", from_meter_cents=10_025, awarded_cents=10_025, winners=1
    )
    link = after(first, link=link)
    with pytest.raises(Refusal) as refused:
        decide_link(link, second)
    assert refused.value.code is LinkCode.METER_MOVED
    again = replace(second, meter_cents=link.meter_cents_with(100))
    assert after(again, link=link).meter.amount == 10_025


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


def test_a_record_is_applied_without_another_question() -> None:
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


# Settlements ---------------------------------------------------------------------------

ROYAL_AND_STRAIGHT_FLUSH = {
    "1.1": "As Ks",
    "2.1": "8s 9s",
    "3.1": "2d 2h",
    "dealer": "Ac Kd",
    "common": "Qs Js Ts 2c 3c",
}


def bets_with_progressive() -> dict[str, str]:
    return dict.fromkeys(("1.1", "2.1", "3.1"), "ante 10, progressive 1")


def progressive_cents(felt: Felt) -> int:
    hands = felt.state.hands.values()
    return sum(hand.stake_cents(WagerKind.PROGRESSIVE) for hand in hands)


@pytest.mark.clause("R.23", "R.24")
def test_a_settlement_is_counted_with_its_shares_and_its_envy() -> None:
    house = own_house("washington", {"progressive.seed_cents": 10_000})
    link = joined(contribution=Fraction(1, 3) // Fraction(1, 1000) * Fraction(1, 1000))
    felt = Felt(house)
    for spot, wagers in bets_with_progressive().items():
        felt.bet(spot, wagers)
    felt.close().run(ROYAL_AND_STRAIGHT_FLUSH, dict.fromkeys(bets_with_progressive(), FOLD))
    felt.confirm(link.meter_cents_with(progressive_cents(felt)))
    command = count_round("felt-1", 31, felt.settlement)
    assert command == CountRound(
        table="felt-1",
        round=31,
        meter_cents=10_099,
        wagered_cents=300,
        awarded_cents=10_099 + 1_000,
        envied_cents=120_000,
        from_meter_cents=10_099 + 1_000,
        winners=2,
    )
    link = after(command, link=link)
    assert link.meter.amount == 10_000 + Fraction(9, 10)
    assert link.last_rounds == {"felt-1": 31}


def test_nothing_is_counted_of_a_round_without_the_progressive() -> None:
    felt = played(
        "washington",
        bets={"1.1": "ante 10"},
        cards=ROYAL_AND_STRAIGHT_FLUSH,
        decisions={"1.1": FOLD},
        meter_cents=10_000,
    )
    assert count_round("felt-1", 1, felt.settlement) is None


@pytest.mark.clause("R.13")
def test_a_void_round_never_contributed() -> None:
    felt = Felt("washington").bet("1.1", "ante 10, progressive 1").close().void()
    assert count_round("felt-1", 1, felt.settlement) is None


# The money -----------------------------------------------------------------------------

METER = Account(AccountKind.METER, "main")
RESERVE = Account(AccountKind.RESERVE, "main")
HOUSE = Account(AccountKind.HOUSE, "main")
TABLE = Account(AccountKind.CASH, "tables")
"""Stands for the felt and the players, whose side of a round the table books."""


def table_side(event: LinkEvent) -> Iterable[Transfer]:
    """What a table books of a round: wagers to the reserve, awards and Envy from it."""
    if isinstance(event, RoundCounted):
        paid_cents = event.awarded_cents + event.envied_cents
        for debit, credit, cents in [
            (TABLE, RESERVE, event.wagered_cents),
            (RESERVE, TABLE, paid_cents),
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
        assert self.book.balance(TABLE) == meter.awarded + meter.envied - meter.contributed
        assert replay_link(self.record) == self.link


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
    case([OPENED], LinkRetired(), [("meter", "house", 10_000, "retirement")], proves="R.23"),
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
    assert {m.debit.owner for m in found} | {m.credit.owner for m in found} <= {"main"}
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
    most_cents = meter_cents + max(winners - 1, 0) * link.rates.seed_cents
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
    )


def next_command(draw: Draw, link: Link) -> LinkCommand | None:
    """Something that may happen to the link now; a round more often than anything else."""
    what = draw(st.sampled_from(["round"] * 6 + ["rates", "join", "leave", "pause"]))
    tables = ("felt-1", "felt-2", "draw-3")
    away = [table for table in tables if table not in link.tables]
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
    books.do(RetireLink())
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


@pytest.mark.clause("R.23", "R.24")
@pytest.mark.parametrize("several", ["split", "in_order"])
@pytest.mark.parametrize("seed_cents", [0, 7, 100_000])
def test_rounds_as_they_are_played_never_take_more_than_a_link_gives(
    several: str, seed_cents: int
) -> None:
    """Whole rounds of stacked decks: straight flushes and royal flushes side by side."""
    house = own_house(
        "washington",
        {"progressive.seed_cents": seed_cents, "progressive.several_winners": several},
    )
    books, random = Books(), Random(23)
    books.do(OpenLink(link="main", contribution=Fraction(1, 4), seed_cents=seed_cents))
    link = books.do(JOIN)
    seen: Counter[str] = Counter()
    for number in range(1, 400):
        state, _ = random_round(house, random)
        wagered_cents = sum(
            hand.stake_cents(WagerKind.PROGRESSIVE) for hand in state.hands.values()
        )
        settlement: Settlement = settle(state, meter_cents=link.meter_cents_with(wagered_cents))
        command = count_round("felt-1", number, settlement)
        assert (command is None) == (wagered_cents == 0)
        if command is None:
            continue
        assert command.wagered_cents == wagered_cents
        seen["won"] += command.from_meter_cents > 0
        seen["seeded within"] += command.from_meter_cents > command.meter_cents
        link = books.do(command)
    assert seen["won"] > 3
    assert seen["seeded within"] or not seed_cents
