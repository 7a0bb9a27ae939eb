"""May I, and do it: what is offered is accepted, and what is not is refused."""

from itertools import combinations

from hypothesis import event, given
from hypothesis import strategies as st

from openfelt.cards import FULL_DECK
from openfelt.rules import (
    Bet,
    Check,
    Fold,
    Hold,
    MakeDecision,
    Refusal,
    Round,
    Spot,
    choices,
    clock_decision,
    decide,
)
from openfelt.rules.decisions import Decision
from openfelt.rules.ultimate_holdem import play_cost_cents
from openfelt.rules.wagers import total_cents
from tests.kit.strategies import Story, few, quick, stories

CREDITS = st.sampled_from([None, 0, 1, 999, 3000, 10_000, 10**9])


def accepted(state: Round, spot: Spot, decision: Decision, credit_cents: int | None) -> bool:
    try:
        decide(state, MakeDecision(spot, decision), credit_cents=credit_cents)
    except Refusal:
        return False
    return True


@few
@given(stories(), CREDITS)
def test_what_is_offered_is_accepted_and_nothing_else(
    story: Story, credit_cents: int | None
) -> None:
    imaginable: list[Decision] = [Check(), Fold(), *(Bet(multiple) for multiple in range(-1, 7))]
    for state in story.states:
        for spot in [*state.hands, Spot(1, 1), Spot(9, 9)]:
            offered = choices(state, spot, credit_cents=credit_cents)
            listed = [choice.decision for choice in offered.options]
            for decision in imaginable:
                assert accepted(state, spot, decision, credit_cents) == (decision in listed)
            assert accepted(state, spot, Hold(()), credit_cents) == offered.may_hold


@quick
@given(stories())
def test_any_cards_of_the_hand_may_be_held_and_no_others(story: Story) -> None:
    for state in story.states:
        for spot in state.pending:
            if not choices(state, spot).may_hold:
                continue
            own = state.hands[spot].cards
            event("a hold")
            for size in (1, 4, 5):
                for held in combinations(own, size):
                    assert accepted(state, spot, Hold(held), None)
            foreign = next(card for card in FULL_DECK if card not in own)
            assert not accepted(state, spot, Hold((*own, foreign)), None)
            assert not accepted(state, spot, Hold((foreign,)), None)
            assert not accepted(state, spot, Hold((own[0], own[0])), None)


@quick
@given(stories())
def test_what_the_clock_decides_is_always_open_without_credit(story: Story) -> None:
    for state in story.states:
        for spot in state.pending:
            if choices(state, spot):
                assert accepted(state, spot, clock_decision(state, spot), 0)


@quick
@given(stories())
def test_a_choice_costs_what_it_puts_on_the_table(story: Story) -> None:
    for state in story.states:
        for spot in state.pending:
            for choice in choices(state, spot).options:
                if isinstance(choice.decision, Bet):
                    hand = state.hands[spot]
                    cost = play_cost_cents(hand, choice.decision.multiple)
                    antes = [wager for wager in hand.wagers if wager.kind == "ante"]
                    assert choice.cost_cents == cost
                    assert cost == choice.decision.multiple * total_cents(antes)
