"""What a progressive link refuses, and what it counts of a settlement."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import Refusal, WagerKind
from openfelt.table import Link, decide_link
from openfelt.table.links.link_referee import (
    ChangeRates,
    CountRound,
    JoinTable,
    LeaveTable,
    LinkCode,
    OpenLink,
    PauseLink,
    ReceiveLink,
    ResumeLink,
    RetireLink,
    count_round,
)
from tests.kit.cases import case
from tests.kit.felt import Felt, played
from tests.kit.links import JOIN, OPEN, after, joined, round_of
from tests.kit.own_houses import own_house

NEW = ChangeRates(contribution=Fraction(1, 2), seed_cents=20_000, ceiling_cents=30_000)

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


def received(meter: Fraction | int) -> ReceiveLink:
    return ReceiveLink(link="old", meter=Fraction(meter), reserve=Fraction(0))


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
    case(after(OPEN, PauseLink("x")), RetireLink("main"), LinkCode.BAD_SUCCESSOR),
    case(after(OPEN, PauseLink("x")), RetireLink("No Name"), LinkCode.MALFORMED),
    case(after(OPEN, PauseLink("x")), RetireLink("next", "two\nlines"), LinkCode.MALFORMED),
    case(after(OPEN, PauseLink("x")), ResumeLink("two\nlines"), LinkCode.MALFORMED),
    case(retired(), received(100), LinkCode.LINK_RETIRED),
    case(joined(ceiling_cents=10_099), received(100), LinkCode.BAD_SUCCESSOR),
    case(joined(), received(AMOUNT_MAX_CENTS), LinkCode.BAD_SUCCESSOR),
    case(joined(), received(Fraction(1, 2)), LinkCode.BAD_AMOUNTS),
    case(joined(), received(-1), LinkCode.BAD_AMOUNTS),
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
    assert after(again, link=link).meter.awarded == 10_025


# Settlements ---------------------------------------------------------------------------

FOLD = "check, check, fold"
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
