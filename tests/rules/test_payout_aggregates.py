"""Payout aggregates: proportion, rounding, and what is never cut."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import Beneficiary, Settlement, Spot
from openfelt.rules.house import DatedLimits, PayoutAggregate
from openfelt.rules.lines import Line, PaidBy, Result, Why
from openfelt.rules.payout_aggregates import cut_payouts
from openfelt.rules.reasons import Reasons
from openfelt.rules.wagers import WagerKind
from tests.kit.aggregate_rounds import aggregate_round
from tests.kit.cases import case
from tests.kit.own_houses import own_house
from tests.kit.strategies import quick


def limits_of(most_cents: int) -> DatedLimits:
    return DatedLimits(
        since=date(2021, 6, 14),
        single_wager_max_cents=None,
        optional_wager_max_cents=None,
        wagers_per_hand_max=None,
        table_aggregate_max_cents=None,
        source="law",
        payout_aggregates=(PayoutAggregate(WagerKind.TRIPS, most_cents),),
    )


def line_of(seat: int, due_cents: int, wager: str = "trips") -> Line:
    return Line(
        spot=Spot(seat, 1),
        wager=wager,
        beneficiary=Beneficiary.PLAYER,
        stake_cents=700,
        outcome=f"{wager}.win" if due_cents else f"{wager}.lose",
        result=Result.WIN if due_cents else Result.LOSE,
        returned_cents=700 if due_cents else 0,
        payout_cents=due_cents,
        paid_by=PaidBy.BANK,
        clause="X.1",
        because="Because.",
        why=Why(),
    )


def cut(dues: Sequence[int], most_cents: int, unit_cents: int = 1) -> tuple[Line, ...]:
    lines = [line_of(seat, due) for seat, due in enumerate(dues, 1)]
    return cut_payouts(lines, limits_of(most_cents), unit_cents=unit_cents, clause="R.36")


CUTS = [
    # payouts due, aggregate, unit: paid
    case([400, 600], 1000, 1, [400, 600]),
    case([400, 600], 500, 1, [200, 300], proves="R.36"),
    case([50_000], 5_000, 1, [5_000], proves="R.36"),
    case([1, 1, 1], 2, 1, [0, 0, 0], proves="R.15 R.36"),
    case([100, 100, 100], 200, 1, [66, 66, 66], proves="R.15 R.36"),
    case([1000, 2000], 2000, 100, [600, 1300], proves="R.15 R.36"),
    case([0, 900, 0, 300], 600, 1, [0, 450, 0, 150], proves="R.36"),
]


@pytest.mark.parametrize(("dues", "most", "unit", "paid"), CUTS)
def test_payouts_are_cut_in_proportion(
    dues: list[int], most: int, unit: int, paid: list[int]
) -> None:
    lines = cut(dues, most, unit)
    assert [line.payout_cents for line in lines] == paid
    assert [line.payout_cents + line.over_aggregate_cents for line in lines] == dues


@pytest.mark.clause("R.36")
def test_a_line_that_is_cut_keeps_its_stake_its_result_and_says_why() -> None:
    lost, won = cut([0, 90_000], 25_000)
    assert lost == line_of(1, 0)
    assert (won.result, won.returned_cents, won.clause) == (Result.WIN, 700, "X.1")
    assert won.because == (
        "Because. All Trips wagers of a round are paid at most $250.00 together, "
        "so this one is paid $250.00 (R.36)."
    )
    assert won.why == Why(aggregate_cents=25_000)


@pytest.mark.clause("R.36")
def test_other_wagers_are_paid_in_full() -> None:
    lines = [line_of(1, 9000), line_of(1, 9000, "blind"), line_of(1, 9000, "ante")]
    found = cut_payouts(lines, limits_of(100), unit_cents=1, clause="R.36")
    assert [line.payout_cents for line in found] == [100, 9000, 9000]


_DUES = st.lists(st.integers(0, AMOUNT_MAX_CENTS), min_size=1, max_size=12)


@pytest.mark.clause("R.36")
@quick
@given(_DUES, st.integers(1, 10**9), st.sampled_from([1, 5, 50, 100]))
def test_the_aggregate_is_paid_to_within_a_unit_for_each_hand(
    dues: list[int], units: int, unit_cents: int
) -> None:
    most_cents = units * unit_cents
    lines = cut(dues, most_cents, unit_cents)
    paid = [line.payout_cents for line in lines]
    if sum(dues) <= most_cents:
        assert paid == dues
        return
    assert most_cents - len(dues) * unit_cents < sum(paid) <= most_cents
    for due, cents in zip(dues, paid, strict=True):
        share = Fraction(due * most_cents, sum(dues))
        assert share - unit_cents < cents <= share
    backwards = cut(dues[::-1], most_cents, unit_cents)
    assert [line.payout_cents for line in backwards] == paid[::-1]


# Whole rounds ------------------------------------------------------------------------


@pytest.mark.clause("W.additional.3", "R.36")
def test_the_limits_of_the_day_decide() -> None:
    felt = aggregate_round()
    paid = [felt.line(hand, "trips").payout_cents for hand in ("1.1", "2.1")]
    assert paid == [2500, 2500]
    assert "(W.additional.3)" in felt.line("1.1", "trips").because
    earlier = own_house("washington", {"limits.0.payout_aggregates": {"trips": 500_000}})
    assert earlier.limits_on(date(2023, 8, 19)) != earlier.limits_on(date(2023, 8, 18))
    today = earlier.limits_on(date(2026, 1, 1))
    assert today is not None
    assert today.payout_aggregate_cents("trips") is None


@pytest.mark.clause("R.36")
def test_the_aggregate_is_named_again_for_a_round_from_a_store() -> None:
    state = aggregate_round().state
    assert isinstance(state.settlement, Settlement)
    lines = state.settlement.of_hand(Spot(1, 1))
    told = Reasons(state).of_hand([_without_values(line) for line in lines])
    assert told == [line.why for line in lines]
    assert [why.aggregate_cents for why in told] == [None, None, None, 5000]


def _without_values(line: Line) -> Line:
    return replace(line, why=None)
