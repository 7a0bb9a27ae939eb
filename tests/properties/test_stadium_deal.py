"""The deal of a stadium: a card costs the same however many hands there are."""

from datetime import date

import pytest

from openfelt.cards import FULL_DECK
from openfelt.catalog import load_house
from openfelt.rules import (
    CloseBets,
    DealCard,
    Refusal,
    SetWagers,
    Spot,
    Wager,
    WagerKind,
    begin,
    open_round,
)
from openfelt.rules.dealing import Deal, Lies
from openfelt.rules.persistent_map import SMALL, PersistentMap
from openfelt.rules.referee import act
from openfelt.rules.round import Round

HANDS = 2 * SMALL


def closed() -> Round:
    """A stadium whose bets are closed, with too many hands for a plain dict."""
    house = load_house("stadium")
    state = begin(house, open_round(house, number=1, day=date(2026, 1, 1)))
    ante = (Wager(WagerKind.ANTE, 1000),)
    bets = [SetWagers(Spot(seat, 1), ante) for seat in range(1, HANDS + 1)]
    return act(state, *bets, CloseBets())


def test_a_card_is_dealt_without_a_look_at_all_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, hands_dealt = 0, 0
    whole = PersistentMap._whole

    def counted(self: PersistentMap[object, object]) -> dict[object, object]:
        nonlocal looks
        looks += 1
        return whole(self)

    state = closed()
    monkeypatch.setattr(PersistentMap, "_whole", counted)
    of_table = iter(FULL_DECK[:7])
    while isinstance(step := state.current_step, Deal):
        before, place = looks, step.place
        own = place.lies is Lies.HAND
        state = act(state, DealCard(FULL_DECK[6 + place.position] if own else next(of_table)))
        if own and isinstance(state.current_step, Deal):
            hands_dealt += 1
            assert looks == before
    assert hands_dealt == 2 * HANDS - 1


def test_a_card_is_dealt_once_from_the_deck_of_a_terminal() -> None:
    state = act(closed(), *map(DealCard, FULL_DECK[:8]))
    with pytest.raises(Refusal, match="already been dealt"):
        act(state, DealCard(FULL_DECK[7]))
    with pytest.raises(Refusal, match="already been dealt"):
        act(state, DealCard(FULL_DECK[0]))
