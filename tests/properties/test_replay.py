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
    DecidedBy,
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
from openfelt.rules.round_actions import Action
from openfelt.rules.round_events import DecisionMade, Event, RoundVoided, WagersSet
from tests.kit.strategies import Story, few, quick, stories


@few
@given(stories())
def test_replaying_any_part_of_the_record_gives_the_state_of_that_moment(story: Story) -> None:
    for number, state in enumerate(story.states, start=1):
        assert replay(story.house, story.events[:number]) == state


# Actions that make sense or do not ----------------------------------------------------

SPOTS: st.SearchStrategy[Any] = st.one_of(
    st.builds(Spot, st.integers(-1, 8), st.integers(-1, 4)),
    st.sampled_from([Spot(1.0, 1), Spot(True, 1), Spot(None, []), (1, 1), "1.1", None, []]),  # type: ignore[arg-type]
)
CARDS = st.sampled_from(FULL_DECK)
AMOUNTS: st.SearchStrategy[Any] = st.one_of(
    st.integers(-5, 5),
    st.integers(1, 120).map(lambda dollars: dollars * 100),
    st.sampled_from([1.5, 1000.0, True, None, "1000", 10**13, 10**40]),
)
KINDS: st.SearchStrategy[Any] = st.sampled_from([*WagerKind, "ante", "unknown"])
BENEFICIARIES: st.SearchStrategy[Any] = st.sampled_from(
    [*Beneficiary, *Beneficiary, "dealer", None]
)
WAGERS: st.SearchStrategy[Any] = st.one_of(
    st.builds(Wager, KINDS, AMOUNTS, st.sampled_from(Beneficiary)),
    st.builds(Wager, KINDS, AMOUNTS, BENEFICIARIES),
    st.sampled_from([None, ("ante", 1000), 1000]),
)
SOME_WAGERS: st.SearchStrategy[Any] = st.one_of(
    st.lists(WAGERS, max_size=4).map(tuple),
    st.lists(WAGERS, max_size=2),
    st.sampled_from([None, "ante 10", 1000]),
)
DECISIONS: st.SearchStrategy[Any] = st.one_of(
    st.just(Check()),
    st.just(Fold()),
    st.builds(Bet, st.integers(-1, 6)),
    st.builds(Bet, st.sampled_from([1.0, 4.0, True])),
    st.builds(Hold, st.lists(CARDS, max_size=6).map(tuple)),
    st.builds(Hold, st.lists(CARDS, max_size=6)),
    st.sampled_from([Hold(None), Hold("As"), Hold(("As", [])), "check", None, []]),  # type: ignore[arg-type]
)
DECIDERS: st.SearchStrategy[Any] = st.sampled_from([*DecidedBy, *DecidedBy, "clock", None])
METERS: st.SearchStrategy[Any] = st.sampled_from([None, 0, 10_000, -1, 1.5, True, "1", 10**40])
REASONS: st.SearchStrategy[Any] = st.one_of(
    st.text(max_size=3), st.sampled_from(["a card was exposed", "x" * 201, " ", None, 7])
)
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.builds(SetWagers, SPOTS, SOME_WAGERS),
    st.just(CloseBets()),
    st.builds(DealCard, st.one_of(CARDS, st.sampled_from(["As", None, []]))),
    st.just(TurnCards()),
    st.builds(MakeDecision, SPOTS, DECISIONS, DECIDERS),
    st.builds(Confirm, METERS),
    st.builds(VoidRound, REASONS),
    st.sampled_from([None, "void", Spot(1, 1), Confirm]),
)


def whole_numbers_only(state: Round) -> bool:
    return all(
        type(wager.cents) is int and wager.cents > 0
        for hand in state.hands.values()
        for wager in hand.wagers
    )


def well_formed(found: Event) -> bool:
    """What goes into the record is what the types say, whatever came in."""
    match found:
        case DecisionMade(spot, decision, by):
            known = type(decision) in (Check, Bet, Fold, Hold) and isinstance(by, DecidedBy)
            return type(spot) is Spot and known
        case RoundVoided(reason):
            return 0 < len(reason) <= 200 and reason == reason.strip()
        case WagersSet(spot, wagers):
            whom = [isinstance(wager.beneficiary, Beneficiary) for wager in wagers]
            return type(spot) is Spot and type(wagers) is tuple and all(whom)
    return True


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
            assert all(well_formed(one) for one in found)
            after = apply(state, found[0])
            assert after != state or isinstance(action, SetWagers)
            assert whole_numbers_only(after)
            view(after, seat=1)
        assert state == replay(story.house, story.events[: number + 1])
