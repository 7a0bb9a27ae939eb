"""The progressive link: shares, splits, and books that balance to the last fraction."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from openfelt.cards import Category, evaluate, parse_cards
from openfelt.rules import Beneficiary, Line, Round, Spot
from openfelt.rules.house import ProgressiveRule, SeveralWinners
from openfelt.rules.lines import PaidBy, Result
from openfelt.rules.paytable import ProgressiveRow
from openfelt.rules.progressive import Entry, Meter, progressive_lines
from tests.kit.felt import Felt
from tests.kit.own_houses import own_house
from tests.kit.strategies import quick

ANY_HAND = evaluate(parse_cards("As Ks Qs Js Ts"))
PARTS = st.fractions(0, 1, max_denominator=1000)


@st.composite
def rows(draw: st.DrawFn) -> ProgressiveRow:
    share = draw(st.none() | PARTS)
    return ProgressiveRow(
        category=Category.ROYAL_FLUSH,
        share=share,
        for_one=None if share is not None else draw(st.integers(1, 500)),
        share_text=None if share is None else str(share),
        envy_for_one=draw(st.sampled_from([0, 0, 1, 400])),
        label="Royal flush",
    )


@st.composite
def entered(draw: st.DrawFn) -> list[Entry]:
    """Hands in the progressive, some of them with the same award."""
    awards = [None, *draw(st.lists(rows(), min_size=1, max_size=3))]
    spots = draw(
        st.lists(st.builds(Spot, st.integers(1, 4), st.integers(1, 3)), unique=True, max_size=8)
    )
    return [Entry(spot, 100, ANY_HAND, draw(st.sampled_from(awards))) for spot in spots]


def table(several: SeveralWinners, unit_cents: int) -> Round:
    house = own_house("washington")
    assert house.progressive is not None
    state = Felt(house).state
    rule = replace(house.progressive, several_winners=several)
    return replace(state, house=replace(house, progressive=rule, rounding_unit_cents=unit_cents))


@pytest.mark.clause("R.24", "R.22")
@quick
@given(
    entered(),
    st.integers(0, 10**8),
    st.sampled_from(SeveralWinners),
    st.sampled_from([1, 5, 100]),
)
def test_shares_together_never_exceed_the_meter_and_its_new_seeds(
    found: list[Entry], meter_cents: int, several: SeveralWinners, unit_cents: int
) -> None:
    state = table(several, unit_cents)
    lines, paid = progressive_lines(state, found, meter_cents=meter_cents)
    awards = {line.spot: line.payout_cents for line in lines if line.wager == "progressive"}
    sharing = [entry for entry in found if entry.row and entry.row.share is not None]
    event(f"winners of a share: {min(len(sharing), 3)}")
    assert state.house.progressive is not None
    seeded_again = sum(entry.row.share == 1 for entry in sharing if entry.row)
    assert 0 <= paid <= meter_cents + seeded_again * state.house.progressive.seed_cents
    assert paid == sum(awards[entry.spot] for entry in sharing)
    assert all(awards[entry.spot] % unit_cents == 0 for entry in sharing)
    if several is SeveralWinners.SPLIT:
        for entry in sharing:
            alike = [awards[one.spot] for one in sharing if one.row == entry.row]
            assert len(set(alike)) == 1
    for line in lines:
        if line.wager == "envy":
            winners = {entry.spot.seat for entry in found if entry.row and entry.row.envy_for_one}
            assert winners - {line.spot.seat}
    pairs = [
        (winner, other)
        for winner in found
        for other in found
        if winner.row and winner.row.envy_for_one and winner.spot.seat != other.spot.seat
    ]
    assert sum(line.wager == "envy" for line in lines) == len(pairs)


def award(cents: int, *, envy: bool) -> Line:
    return Line(
        spot=Spot(1, 1),
        wager="envy" if envy else "progressive",
        beneficiary=Beneficiary.PLAYER,
        stake_cents=0 if envy else 100,
        outcome="envy.win" if envy else "progressive.win",
        result=Result.WIN,
        returned_cents=0,
        payout_cents=cents,
        paid_by=PaidBy.LINK,
        clause="R.21",
        because="",
    )


RULES = st.builds(
    ProgressiveRule,
    contribution=PARTS,
    seed_cents=st.integers(0, 10**6),
    several_winners=st.sampled_from(SeveralWinners),
)
STEPS = st.lists(
    st.tuples(
        st.integers(0, 10_000),  # wagered
        st.none() | PARTS,  # the part of the meter that a round wins, if any
        st.integers(0, 5_000),  # a fixed award
        st.integers(0, 5_000),  # Envy
    ),
    max_size=25,
)


@pytest.mark.clause("R.23")
@quick
@given(RULES, STEPS)
def test_the_books_of_a_link_balance_after_any_history(
    rule: ProgressiveRule, steps: list[tuple[int, Fraction | None, int, int]]
) -> None:
    meter = Meter.fresh(rule)
    wagered = awarded = envied = 0
    for bet, won, fixed, envy in steps:
        meter = meter.contribute(rule, bet)
        share = int(meter.display_cents * won) if won is not None else 0
        lines = [award(share, envy=False), award(fixed, envy=False), award(envy, envy=True)]
        meter = meter.pay(rule, lines, from_meter_cents=share)
        wagered, awarded, envied = wagered + bet, awarded + share + fixed, envied + envy
        assert meter.contributed == wagered
        assert meter.awarded == awarded
        assert meter.envied == envied
        assert meter.seeded + wagered - awarded - envied == meter.amount + meter.reserve
        assert meter.amount >= rule.seed_cents or not share
        assert meter.amount >= 0
        assert 0 <= meter.amount - meter.display_cents < 1
