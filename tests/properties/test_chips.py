"""No chip is lost: what holds for the settlement of every round."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from openfelt.catalog import load_documents
from openfelt.rules import Beneficiary, Phase, Settlement, settle
from openfelt.rules.house import BankKind, Cover, SettlementOrder
from openfelt.rules.lines import Line, PaidBy, Result
from tests.kit.strategies import Story, quick, stories

CLAUSES = {clause.id for document in load_documents() for clause in document.clauses}


def settlement_of(story: Story) -> Settlement:
    assert story.end.settlement is not None
    return story.end.settlement


@quick
@given(stories())
def test_every_chip_ends_somewhere(story: Story) -> None:
    settlement = settlement_of(story)
    event(f"{story.house.id} {story.end.phase}")
    for line in settlement.lines:
        amounts = (
            line.stake_cents,
            line.returned_cents,
            line.payout_cents,
            line.uncovered_cents,
            line.over_aggregate_cents,
        )
        assert all(type(cents) is int for cents in amounts)
        assert 0 <= line.returned_cents <= line.stake_cents
        assert line.payout_cents >= 0
        assert line.uncovered_cents >= 0
        assert line.over_aggregate_cents >= 0
    players = sum(
        line.returned_cents + line.payout_cents - line.stake_cents for line in settlement.lines
    )
    assert players + settlement.bank_net_cents + settlement.link_net_cents == 0
    tips = sum(
        line.payout_cents for line in settlement.lines if line.beneficiary is Beneficiary.DEALER
    )
    seats = {line.spot.seat for line in settlement.lines}
    assert sum(settlement.net_cents(seat) for seat in seats) == players - tips


@quick
@given(stories())
def test_every_wager_is_settled_exactly_once(story: Story) -> None:
    placed = Counter(
        (spot, wager.kind.value, wager.beneficiary, wager.cents)
        for spot, hand in story.end.hands.items()
        for wager in hand.wagers
    )
    settled = Counter(
        (line.spot, line.wager, line.beneficiary, line.stake_cents)
        for line in settlement_of(story).lines
        if line.wager not in ("ante_bonus", "envy")
    )
    assert settled == placed
    for line in settlement_of(story).lines:
        if line.wager in ("ante_bonus", "envy"):
            assert (line.stake_cents, line.returned_cents) == (0, 0)


def check_result(line: Line, unit_cents: int) -> None:
    """The money of a line agrees with its result."""
    if line.result is Result.LOSE:
        assert line.payout_cents == 0
        assert line.taken_cents == line.stake_cents - line.uncovered_cents
    elif line.result in (Result.PUSH, Result.RETURNED):
        assert (line.taken_cents, line.payout_cents) == (0, 0)
    elif line.paid_by is PaidBy.BANK:
        assert line.taken_cents == 0
        assert line.odds is not None
        stake = line.stake_cents
        if line.wager != "ante_bonus":
            full = line.odds.payout_cents(stake, unit_cents=unit_cents)
            assert line.payout_cents + line.uncovered_cents + line.over_aggregate_cents == full
    else:
        assert line.returned_cents == 0


def outcome_fits(line: Line) -> bool:
    """The outcome names the wager, or says that it was not in action."""
    if line.outcome in ("void", "uncovered"):
        return line.result is Result.RETURNED
    wager, _, ending = line.outcome.partition(".")
    fits = {"win": Result.WIN, "lose": Result.LOSE, "push": Result.PUSH}.get(ending, line.result)
    return wager == line.wager and line.result is fits is not Result.RETURNED


@quick
@given(stories())
def test_money_agrees_with_the_result_and_a_clause_says_so(story: Story) -> None:
    for line in settlement_of(story).lines:
        check_result(line, story.house.rounding_unit_cents)
        assert line.clause in CLAUSES
        assert line.clause == story.end.clause(line.outcome)
        assert outcome_fits(line), line
        assert line.because.endswith((".", ")"))


@pytest.mark.clause("R.18", "C.19", "C.betting.4")
@quick
@given(stories())
def test_a_banker_never_pays_or_wins_more_than_the_bank_wager(story: Story) -> None:
    banker = story.end.opened.banker
    settlement = settlement_of(story)
    if story.house.bank.kind is BankKind.HOUSE:
        assert settlement.cover_left_cents is None
        return
    assert banker is not None
    assert settlement.cover_left_cents is not None
    bank = [line for line in settlement.lines if line.paid_by is PaidBy.BANK]
    paid = sum(line.payout_cents for line in bank)
    taken = sum(line.taken_cents for line in bank)
    event(f"{story.house.bank.cover} uncovered {any(line.uncovered_cents for line in bank)}")
    used = paid + taken if story.house.bank.cover is Cover.ACTION else paid
    assert settlement.cover_left_cents == banker.cover_cents - used >= 0
    assert paid <= banker.cover_cents
    if story.house.bank.cover is Cover.ACTION:
        assert abs(settlement.bank_net_cents) <= banker.cover_cents


@pytest.mark.clause("W.additional.3", "R.36")
@quick
@given(stories())
def test_no_round_pays_more_than_an_aggregate_and_only_then_less_than_is_due(story: Story) -> None:
    limits = story.house.limits_on(story.end.opened.day)
    for wager in {line.wager for line in settlement_of(story).lines}:
        lines = [line for line in settlement_of(story).lines if line.wager == wager]
        paid = sum(line.payout_cents for line in lines)
        over = sum(line.over_aggregate_cents for line in lines)
        most = limits.payout_aggregate_cents(wager) if limits else None
        event(f"{wager} cut {over > 0}")
        if most is None:
            assert over == 0
        else:
            assert paid <= most
            unpaid = most - paid
            assert not over or unpaid < len(lines) * story.house.rounding_unit_cents


@quick
@given(stories())
def test_cover_is_used_up_before_anything_goes_back(story: Story) -> None:
    """Once a wager was not covered whole, no later one takes or pays a chip."""
    if story.end.phase is Phase.VOIDED or story.end.opened.banker is None:
        return
    short = False
    for line in settlement_of(story).lines:
        if line.paid_by is PaidBy.BANK:
            assert not (short and (line.taken_cents or line.payout_cents))
            short = short or line.uncovered_cents > 0


@pytest.mark.clause("R.21", "R.24")
@quick
@given(stories())
def test_shares_never_exceed_the_meter_unless_it_was_won_and_seeded_again(story: Story) -> None:
    settlement = settlement_of(story)
    jackpots = [line for line in settlement.lines if line.wager == "progressive"]
    whole = sum("100% of the meter" in line.because for line in jackpots)
    seed_cents = story.house.progressive.seed_cents if story.house.progressive else 0
    assert 0 <= settlement.meter_paid_cents <= story.meter_cents + whole * seed_cents
    assert settlement.meter_paid_cents <= sum(line.payout_cents for line in jackpots)


@pytest.mark.clause("R.13")
@quick
@given(stories())
def test_a_void_pays_nothing_and_returns_everything(story: Story) -> None:
    if story.end.phase is not Phase.VOIDED:
        return
    for line in settlement_of(story).lines:
        assert (line.returned_cents, line.payout_cents) == (line.stake_cents, 0)


@quick
@given(stories(may_void=False))
def test_settling_a_settled_round_again_gives_its_record(story: Story) -> None:
    if story.end.phase is not Phase.SETTLED:
        return
    settlement = settlement_of(story)
    assert settle(story.end, meter_cents=story.meter_cents) == settlement
    assert settle(story.end) == settlement
    in_progressive = any(line.wager == "progressive" for line in settlement.lines)
    assert settlement.meter_cents == (story.meter_cents if in_progressive else None)


@pytest.mark.clause("R.14")
@quick
@given(stories(may_void=False), st.sampled_from(SettlementOrder))
def test_a_bank_that_cannot_run_out_pays_the_same_in_any_order(
    story: Story, order: SettlementOrder
) -> None:
    if story.end.phase is not Phase.SETTLED or story.end.opened.banker is not None:
        return
    turned = replace(story.end, house=replace(story.house, settlement_order=order))
    lines = settle(turned, meter_cents=story.meter_cents).lines
    assert Counter(_of_the_bank(lines)) == Counter(_of_the_bank(settlement_of(story).lines))


def _of_the_bank(lines: tuple[Line, ...]) -> list[Line]:
    return [line for line in lines if line.paid_by is PaidBy.BANK]
