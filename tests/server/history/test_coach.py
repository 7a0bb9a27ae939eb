"""The coach: exact values of the decisions of one player, from what that player saw."""

import asyncio
import threading
from dataclasses import replace
from typing import Any

import pytest

import openfelt.maths
from openfelt.cards import UNKNOWN_CARD, Category, Rank
from openfelt.maths import Advice, advise, terms_of
from openfelt.maths.wagers.house_figures import with_paytable
from openfelt.rules import House, WagerKind
from openfelt.rules.house import GameName
from openfelt.rules.paytable import EVEN_MONEY, HandMinimum, HandRow
from openfelt.rules.round_events import CardDealt, DecisionMade
from openfelt.runtime.rounds.recorded_round import RecordedRound
from openfelt.server.history.coach import Coach, PlayedDecision, Question, played_decisions
from tests.kit.floors import Shift
from tests.kit.server.played_rounds import HOUSES, PLAYERS, played, recorded_for, states, visible

HOLDEM = [name for name, house in HOUSES.items() if house.game is GameName.ULTIMATE_HOLDEM]


def cards_of(question: Question) -> list[str]:
    groups = (question.hole, question.board, question.seen, question.dealer)
    return [str(card) for group in groups for card in group]


@pytest.mark.parametrize("house", HOLDEM)
def test_a_question_has_every_card_that_the_player_saw_and_no_other(
    shift: Shift, house: str
) -> None:
    desk = played(shift, HOUSES[house])
    for player in PLAYERS[: HOUSES[house].seats]:
        recorded, seat = recorded_for(desk, player)
        # What was to be seen just before each decision of the seat.
        moments = [recorded.opened, *states(recorded)]
        seen = [
            visible(moments[at], seat)
            for at, (event, _) in enumerate(recorded.events)
            if isinstance(event, DecisionMade) and event.spot.seat == seat
        ]
        asked = played_decisions(recorded, seat=seat)
        assert len(asked) == len(seen)
        for decision, cards in zip(asked, seen, strict=True):
            assert decision.question is not None
            assert decision.spot.seat == seat
            assert sorted(cards_of(decision.question)) == sorted(cards)


async def test_each_decision_has_the_adviser_s_values_and_its_cost(shift: Shift) -> None:
    recorded, seat = recorded_for(played(shift, HOUSES["online"]), "ann")
    coach = Coach()
    try:
        looked = await coach.look_at(recorded, seat=seat, player="ann")
    finally:
        coach.close()
    terms = terms_of(recorded.opened.house)
    asked = played_decisions(recorded, seat=seat)
    assert [line.street for line in looked.decisions] == ["before_flop", "on_flop", "on_river"]
    for line, decision in zip(looked.decisions, asked, strict=True):
        question = decision.question
        assert question is not None
        values = advise(question.hole, question.board, terms=terms).values
        chosen = line.choices[line.chosen]
        assert {choice.ev_fraction for choice in line.choices} == set(map(str, values.values()))
        assert chosen.kind == str(decision.decision)
        best = max(values.values())
        assert (line.choices[0].ev, line.choices[0].cost) == (float(best), 0)
        assert chosen.cost == pytest.approx(float(best - values[chosen.kind]))
        assert line.ante_cents == 100


async def test_nothing_is_computed_before_the_mathematics_is_compiled(shift: Shift) -> None:
    recorded, seat = recorded_for(played(shift, HOUSES["online"]), "ann")
    compiled = asyncio.Event()

    async def ready() -> None:
        await compiled.wait()

    coach = Coach(ready=ready)
    drawn = with_house(recorded, HOUSES["draw"])
    looking = asyncio.ensure_future(coach.look_at(drawn, seat=seat, player="ann"))
    for _ in range(100):
        await asyncio.sleep(0)
    assert not looking.done()
    compiled.set()
    assert (await looking).missing == "game"
    coach.close()


async def test_a_house_without_exact_advice_says_why(shift: Shift) -> None:
    coach = Coach()
    recorded, seat = recorded_for(played(shift, HOUSES["online"]), "ann")
    drawn = with_house(recorded, HOUSES["draw"])
    looked = await coach.look_at(drawn, seat=seat, player="ann")
    assert (looked.missing, looked.decisions) == ("game", [])
    other = with_house(recorded, unsolved(recorded.opened.house))
    looked = await coach.look_at(other, seat=seat, player="ann")
    assert (looked.missing, looked.decisions) == ("terms", [])
    purged = await coach.look_at(without_hole_cards(recorded), seat=seat, player="ann")
    assert (purged.missing, purged.decisions) == ("cards", [])
    coach.close()


def with_house(recorded: RecordedRound, house: House) -> RecordedRound:
    return replace(recorded, opened=replace(recorded.opened, house=house))


def unsolved(house: House) -> House:
    """A house whose Blind pays by the rank of a pair, which is not solved."""
    table = house.hand_table(WagerKind.BLIND)
    by_rank = HandRow(HandMinimum(Category.PAIR, Rank.ACE), EVEN_MONEY, "Aces")
    return with_paytable(house, replace(table, rows=(*table.rows, by_rank)))


def without_hole_cards(recorded: RecordedRound) -> RecordedRound:
    """A round whose mucked hand has been purged."""
    events = tuple(
        (replace(event, card=UNKNOWN_CARD), at_ms)
        if isinstance(event, CardDealt) and event.place.spot is not None
        else (event, at_ms)
        for event, at_ms in recorded.events
    )
    return replace(recorded, events=events)


async def test_work_ends_when_its_viewer_has_gone(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three hands before the flop take the adviser seconds: the only slow question."""
    begun, gone, steps = asyncio.Event(), threading.Event(), list[int]()
    loop = asyncio.get_running_loop()

    def watched(*cards: Any, progress: Any, **options: Any) -> Advice:
        def step(done: int, total: int, /) -> None:
            steps.append(total)
            loop.call_soon_threadsafe(begun.set)
            gone.wait()
            progress(done, total)

        return advise(*cards, progress=step, **options)

    monkeypatch.setattr(openfelt.maths, "advise", watched)
    recorded, seat = recorded_for(played(shift, HOUSES["stadium"]), "ann")
    first: PlayedDecision = played_decisions(recorded, seat=seat)[0]
    assert first.question is not None
    assert len(first.question.seen) == 4
    coach = Coach()
    looking = asyncio.create_task(coach.look_at(recorded, seat=seat, player="ann"))
    await begun.wait()
    looking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await looking
    gone.set()
    # The thread is free for the next caller, after one of the many steps.
    quick = with_house(recorded, HOUSES["draw"])
    assert (await coach.look_at(quick, seat=seat, player="bob")).missing == "game"
    coach.close()
    assert len(steps) == 1
    assert steps[0] > 40
