"""Decks cut for a round."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from openfelt.cards import FULL_DECK, Card
from openfelt.rules.dealing import Deal, Lies, Place
from openfelt.rules.house import Deck
from openfelt.rules.wagers import Spot
from openfelt.table import cards_for_round, dealt_from, deck_of, next_card, shuffled
from openfelt.table.deck import cards_left, deck_places, seat_decks
from tests.kit.felt import Felt
from tests.kit.own_houses import own_house


def test_every_order_comes_from_exactly_one_row_of_draws() -> None:
    """So with fair draws every order is equally likely."""
    cards = FULL_DECK[:4]
    orders: Counter[tuple[Card, ...]] = Counter()
    for draws in product(range(4), range(3), range(2)):
        by_limit = dict(zip((4, 3, 2), draws, strict=True))
        orders[shuffled(cards, by_limit.__getitem__)] += 1
    assert len(orders) == 24
    assert set(orders.values()) == {1}


def test_each_draw_is_below_the_number_of_cards_left() -> None:
    limits = []

    def highest(limit: int) -> int:
        limits.append(limit)
        return limit - 1

    assert shuffled(FULL_DECK, highest) == FULL_DECK
    assert limits == list(range(52, 1, -1))


def test_a_shuffle_keeps_every_card_and_leaves_its_input_alone() -> None:
    cards = list(FULL_DECK)
    found = shuffled(cards, random.Random(1).randrange)
    assert sorted(found) == list(FULL_DECK) == cards
    assert list(found) != cards
    assert shuffled([], random.Random(1).randrange) == ()


def places(felt: Felt) -> Iterator[Place]:
    return (step.place for step in felt.state.plan if isinstance(step, Deal))


@pytest.mark.clause("R.11", "R.28", "O.1")
@pytest.mark.parametrize(
    ("base", "seats", "cards"), [("washington", 22, 51), ("draw", 8, 50), ("online", 1, 9)]
)
def test_a_shared_deck_deals_every_card_once(base: str, seats: int, cards: int) -> None:
    felt = Felt(own_house(base, {"table.seats": seats}))
    for seat in range(1, seats + 1):
        felt.bet(f"{seat}.1", "ante 10")
    dealt = cards_for_round(felt.close().state, random.Random(2).randrange)
    assert len(dealt) == len(set(dealt)) == cards == len(list(places(felt)))


@pytest.mark.clause("R.11", "S.overview.single_deck")
@pytest.mark.parametrize("seed", range(5))
def test_each_terminal_draws_from_its_own_copy_of_the_cards_left(seed: int) -> None:
    felt = Felt("stadium")
    assert felt.state.house.deck is Deck.PER_TERMINAL
    for seat in range(1, 161):
        for hand in range(1, 1 + seat % 4):
            felt.bet(f"{seat}.{hand}", "ante 10")
    dealt = cards_for_round(felt.close().state, random.Random(seed).randrange)
    table: list[Card] = []
    by_seat: dict[int, list[Card]] = {}
    for place, card in zip(places(felt), dealt, strict=True):
        pile = by_seat.setdefault(place.spot.seat, []) if place.spot else table
        pile.append(card)
    assert len(set(table)) == len(table) == 7
    for cards in by_seat.values():
        assert len(set(cards)) == len(cards)
        assert not set(cards) & set(table)
    assert len(set().union(*by_seat.values())) == 45


def test_terminals_can_hold_the_same_card() -> None:
    felt = Felt("stadium").bet("1.1", "ante 10").bet("2.1", "ante 10").close()
    seen: Counter[bool] = Counter()
    rng = random.Random(3)
    for _ in range(300):
        dealt = cards_for_round(felt.state, rng.randrange)
        assert len(set(dealt[:7])) == 7
        seen[len(set(dealt[7:9]) & set(dealt[9:11])) > 0] += 1
    assert seen[True] > 0
    assert seen[False] > 0


@pytest.mark.parametrize("base", ["washington", "california", "draw", "stadium"])
def test_the_cards_of_a_round_can_be_dealt_by_its_plan(base: str) -> None:
    house = own_house(base, {"bank.kind": "house", "table.settlement_order": "left_to_right"})
    felt = Felt(house).bet("1.1", "ante 10").bet("2.1", "ante 10").close()
    dealt = cards_for_round(felt.state, random.Random(4).randrange)
    for number, place in enumerate(places(felt)):
        if felt.state.pending:
            for spot in list(felt.state.pending):
                felt.choose(str(spot), "check")
        step = felt.state.current_step
        assert isinstance(step, Deal)
        assert step.place == place
        felt.deal(str(dealt[number]))
    assert len(felt.state.common) == 5
    assert all(place.lies is not Lies.COMMON or place.spot is None for place in places(felt))


@pytest.mark.clause("R.11")
def test_a_place_has_its_deck() -> None:
    hand, dealer = Place(Lies.HAND, Spot(17, 2), 1), Place(Lies.DEALER, None, 1)
    common = Place(Lies.COMMON, None, 5)
    shared, own = Felt("online").state.house, Felt("stadium").state.house
    assert [deck_of(shared, place) for place in (hand, dealer, common)] == ["table"] * 3
    assert [deck_of(own, place) for place in (hand, dealer, common)] == [
        "seat-17",
        "table",
        "table",
    ]
    assert seat_decks(shared, [1, 2]) == ()
    assert seat_decks(own, [1, 17]) == ("seat-1", "seat-17")


def test_a_shared_deck_is_dealt_in_the_order_of_the_plan() -> None:
    felt = Felt("washington").bet("1.1", "ante 10").bet("4.1", "ante 10").close()
    assert [dealt_from(felt.state, place) for place in places(felt)] == [
        ("table", index) for index in range(11)
    ]


@pytest.mark.clause("R.11")
def test_each_deck_of_a_stadium_is_dealt_from_its_top() -> None:
    felt = Felt("stadium").bet("3.1", "ante 10").bet("3.2", "ante 10").bet("17.1", "ante 10")
    felt.close()
    lay = [dealt_from(felt.state, place) for place in places(felt)]
    assert lay[:7] == [("table", index) for index in range(7)]
    assert lay[7:11] == [("seat-3", index) for index in range(4)]
    assert lay[11:] == [("seat-17", 0), ("seat-17", 1)]


def test_a_place_that_the_round_does_not_deal_comes_from_nowhere() -> None:
    felt = Felt("online").bet("1.1", "ante 10").close()
    with pytest.raises(LookupError, match=r"deals no hand 2\.1 card 1"):
        dealt_from(felt.state, Place(Lies.HAND, Spot(2, 1), 1))


@pytest.mark.parametrize(("base", "left"), [("stadium", 45), ("online", 45), ("draw", 42)])
def test_the_cards_left_are_those_that_the_table_does_not_deal(base: str, left: int) -> None:
    deck = shuffled(FULL_DECK, random.Random(5).randrange)
    found = cards_left(Felt(own_house(base)).state.house, deck)
    assert list(found) == sorted(deck[-left:])


@pytest.mark.parametrize("base", ["washington", "california", "draw", "online", "stadium"])
@pytest.mark.parametrize("procedure", [0, -1])
def test_the_next_card_is_the_one_that_the_plan_takes_from_its_deck(
    base: str, procedure: int
) -> None:
    house = own_house(base, {"bank.kind": "house", "table.settlement_order": "left_to_right"})
    felt = Felt(house, procedure=house.procedures[procedure]).bet("1.1", "ante 10")
    if house.seats > 1:
        felt.bet("3.1", "ante 10")
    if house.hands_per_seat > 1:
        felt.bet("1.2", "ante 10").bet("1.3", "ante 10")
    felt.close()
    rng = random.Random(6)
    decks = {"table": shuffled(FULL_DECK, rng.randrange)}
    for name in seat_decks(house, (1, 3)):
        decks[name] = shuffled(cards_left(house, decks["table"]), rng.randrange)
    for deck, index in deck_places(house, felt.state.plan).values():
        while felt.state.pending:
            spot = next(spot for spot in felt.state.hands if spot in felt.state.pending)
            felt.choose(str(spot), "check")
        card = next_card(felt.state, decks)
        assert card is decks[deck][index]
        felt.deal(str(card))
    with pytest.raises(ValueError, match="deals no card now"):
        next_card(felt.state, decks)


def test_a_deck_that_is_missing_or_used_up_has_no_next_card() -> None:
    felt = Felt("stadium").bet("1.1", "ante 10").close()
    with pytest.raises(LookupError, match="the deck table has no card 1"):
        next_card(felt.state, {})
    felt.deal("2c 3c 4c 5c 6c 7c 8c")
    with pytest.raises(LookupError, match="the deck seat-1 has no card 1"):
        next_card(felt.state, {"table": FULL_DECK, "seat-1": ()})
