"""The record is the round: replay, and refusals that leave no trace."""

from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st

from openfelt.cards import FULL_DECK
from openfelt.rules import (
    Beneficiary,
    Bet,
    Check,
    CloseBets,
    Confirm,
    DealCard,
    Fold,
    Hold,
    MakeDecision,
    Refusal,
    Round,
    SetWagers,
    Spot,
    TurnCards,
    VoidRound,
    Wager,
    WagerKind,
    apply,
    decide,
    replay,
    view,
)
from openfelt.rules.referee import Action
from tests.strategies import Story, few, quick, stories


@few
@given(stories())
def test_replaying_any_part_of_the_record_gives_the_state_of_that_moment(story: Story) -> None:
    for number, state in enumerate(story.states, start=1):
        assert replay(story.house, story.events[:number]) == state


# Actions that make sense or do not ----------------------------------------------------

SPOTS = st.builds(Spot, st.integers(-1, 8), st.integers(-1, 4))
CARDS = st.sampled_from(FULL_DECK)
AMOUNTS: st.SearchStrategy[Any] = st.one_of(
    st.integers(-5, 5),
    st.integers(1, 120).map(lambda dollars: dollars * 100),
    st.sampled_from([1.5, 1000.0, True, None, "1000", 10**13, 10**40]),
)
KINDS: st.SearchStrategy[Any] = st.sampled_from([*WagerKind, "ante", "unknown"])
WAGERS = st.builds(Wager, KINDS, AMOUNTS, st.sampled_from(Beneficiary))
DECISIONS: st.SearchStrategy[Any] = st.one_of(
    st.just(Check()),
    st.just(Fold()),
    st.builds(Bet, st.integers(-1, 6)),
    st.builds(Bet, st.sampled_from([1.0, 4.0, True])),
    st.builds(Hold, st.lists(CARDS, max_size=6).map(tuple)),
    st.sampled_from(["check", None]),
)
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.builds(SetWagers, SPOTS, st.lists(WAGERS, max_size=4).map(tuple)),
    st.just(CloseBets()),
    st.builds(DealCard, CARDS),
    st.just(TurnCards()),
    st.builds(MakeDecision, SPOTS, DECISIONS),
    st.builds(Confirm, st.sampled_from([None, 0, 10_000, -1, 1.5])),
    st.builds(VoidRound, st.just("")),
)


def whole_numbers_only(state: Round) -> bool:
    return all(
        type(wager.cents) is int and wager.cents > 0
        for hand in state.hands.values()
        for wager in hand.wagers
    )


@quick
@given(stories(), st.data())
def test_a_refusal_changes_nothing_and_an_event_is_always_applied(
    story: Story, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(story.states) - 1))
    state = story.states[number]
    credit = data.draw(st.sampled_from([None, 0, 2999, 100_000]))
    for action in data.draw(st.lists(ACTIONS, min_size=1, max_size=8)):
        try:
            found = decide(state, action, credit_cents=credit)
        except Refusal as refusal:
            event(refusal.code.value)
        else:
            event(f"allowed {type(action).__name__}")
            after = apply(state, found[0])
            assert after != state or isinstance(action, SetWagers)
            assert whole_numbers_only(after)
            view(after, seat=1)
        assert state == replay(story.house, story.events[: number + 1])
