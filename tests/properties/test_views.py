"""No card is leaked: what holds for every view at every moment of every round."""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace

import pytest
from hypothesis import event, given

from openfelt.cards import FULL_DECK, Card
from openfelt.rules import Phase, Round, RoundView, Spot, settle, view
from openfelt.rules.dealing import Lies
from openfelt.rules.round_events import CardDealt, CardsTurned, Event
from tests.kit.strategies import Story, few, quick, stories

CARD_TEXTS = {text: card for card in FULL_DECK for text in (str(card), card.symbol, card.words)}
ANY_CARD = re.compile(
    # The clause O.9c is not the nine of clubs.
    rf"(?<!\w)(?<![A-Z]\.)({'|'.join(sorted(CARD_TEXTS, key=len, reverse=True))})(?!\w)"
)


def cards_in(value: object) -> Iterator[Card]:
    """Every card in a value, however deep, and every card that a text in it spells."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, str):
        yield from (CARD_TEXTS[text] for text in ANY_CARD.findall(value))
    elif is_dataclass(value):
        for one in fields(value):
            yield from cards_in(getattr(value, one.name))
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from cards_in(pair)
    elif isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from cards_in(one)
    else:
        # Anything else must be plain, or the walk would have a blind spot.
        assert value is None or type(value).__module__ in ("builtins", "datetime"), type(value)


def test_the_walk_finds_cards_and_their_texts() -> None:
    found = {"a": ("x", [Card(51)]), "b": "the ace of hearts and the K♦, Ks4s", "c": {"10♣ and 2d"}}
    assert sorted(map(str, cards_in(found))) == ["2d", "Ah", "As", "Kd", "Tc"]
    assert not list(cards_in(("O.9c", "The bank covers $1.00 (O.9d).")))
    assert list(cards_in("The dealer had 9c.")) == [Card.parse("9c")]


def seen_by(events: list[Event], seat: int | None) -> set[Card]:
    """The cards that a viewer may know, from the record alone and not from the state."""
    seen: set[Card] = set()
    hands: dict[Spot, list[Card]] = {}
    dealer: list[Card] = []
    common: list[Card] = []
    for one in events:
        if isinstance(one, CardDealt):
            place = one.place
            pile = dealer if place.lies is Lies.DEALER else common
            if place.spot is not None:
                pile = hands.setdefault(place.spot, [])
            pile.append(one.card)
            if one.face_up or (place.spot is not None and place.spot.seat == seat):
                seen.add(one.card)
        elif isinstance(one, CardsTurned):
            if one.lies is Lies.DEALER:
                seen |= set(dealer)
            elif one.lies is Lies.COMMON:
                seen |= set(common[: one.up_to])
            else:
                seen |= {card for spot in one.spots for card in hands[spot]}
    return seen


def dealt(state: Round) -> set[Card]:
    return {*state.dealer, *state.common}.union(*(hand.cards for hand in state.hands.values()))


def viewers(state: Round) -> list[int | None]:
    """Every seat with a hand, a seat without one, and the room."""
    seats = {spot.seat for spot in state.hands}
    banker = state.opened.banker
    return [None, *sorted(seats | ({banker.seat} if banker else set()) | {6})]


@pytest.mark.clause("W.3", "C.dealing.2", "D.4", "O.3")
@few
@given(stories())
def test_a_view_contains_the_cards_that_the_viewer_may_know_and_no_other(story: Story) -> None:
    for number, state in enumerate(story.states):
        record = story.events[: number + 1]
        for seat in viewers(state):
            found = set(cards_in(shown(state, seat)))
            assert found == seen_by(record, seat), (seat, state.phase)
    event(f"hidden at the end: {len(dealt(story.end) - seen_by(story.events, None)) > 0}")


def with_other_hidden_cards(state: Round, seat: int | None, rng: random.Random) -> Round:
    """The same round for this viewer, but for the cards that the viewer cannot know."""
    known = {*state.common[: state.common_face_up], *(state.dealer if state.dealer_face_up else ())}
    for hand in state.hands.values():
        if hand.face_up or hand.spot.seat == seat:
            known |= set(hand.cards)
    others = [card for card in FULL_DECK if card not in known]
    rng.shuffle(others)
    fresh = iter(others)

    def changed(cards: tuple[Card, ...], known_count: int) -> tuple[Card, ...]:
        return (*cards[:known_count], *(next(fresh) for _ in cards[known_count:]))

    return replace(
        state,
        dealer=changed(state.dealer, len(state.dealer) if state.dealer_face_up else 0),
        common=changed(state.common, state.common_face_up),
        hands={
            spot: replace(
                hand,
                cards=changed(
                    hand.cards, len(hand.cards) if hand.face_up or spot.seat == seat else 0
                ),
            )
            for spot, hand in state.hands.items()
        },
    )


def shown(state: Round, seat: int | None) -> RoundView:
    return view(state, seat=seat, credit_cents=10_000)


@few
@given(stories())
def test_a_view_does_not_depend_on_cards_that_the_viewer_cannot_know(story: Story) -> None:
    """Not even through a name such as "pair of kings", a count, or an order."""
    for state in story.states:
        for seat in viewers(state):
            other = with_other_hidden_cards(state, seat, story.rng)
            assert shown(state, seat) == shown(other, seat)


@quick
@given(stories(may_void=False))
def test_a_settlement_does_not_depend_on_cards_that_stay_hidden(story: Story) -> None:
    if story.end.phase is not Phase.SETTLED:
        return
    other = with_other_hidden_cards(story.end, None, story.rng)
    event(f"something stays hidden: {other != story.end}")
    assert settle(other, meter_cents=story.meter_cents) == story.end.settlement
