"""Decks made ready between rounds."""

from openfelt.cards import FULL_DECK
from openfelt.catalog import load_house
from openfelt.rules.house import DealerMode
from openfelt.runtime.shuffle.deck_stock import DeckStock
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.table.commands import OpenTable, Person, Role
from openfelt.table.deck import cards_left
from openfelt.table.events import SeatTaken
from openfelt.table.state import Table, after, open_table
from openfelt.table.supervision import opening


def a_table(house: str, players: int, mode: DealerMode = DealerMode.VIRTUAL) -> Table:
    command = OpenTable(table="t", house=load_house(house), dealer_mode=mode)
    table = open_table(opening(command, by=Person(Role.FLOOR, "eve")))
    for seat in range(1, players + 1):
        table = after(table, SeatTaken(seat, f"p{seat}"), ())
    return table


def a_stock() -> DeckStock:
    return DeckStock(Shuffler(SeededEntropy(1)))


def test_a_deck_of_a_round_is_shuffled_once() -> None:
    stock = a_stock()
    first = stock.deck("t/1", "table", FULL_DECK)
    assert stock.deck("t/1", "table", FULL_DECK) is first
    assert stock.deck("t/2", "table", FULL_DECK) is not first


def test_a_deck_of_other_cards_is_another_deck() -> None:
    stock = a_stock()
    stock.deck("t/1", "seat-1", FULL_DECK[:45])
    assert set(stock.deck("t/1", "seat-1", FULL_DECK[7:]).cards) == set(FULL_DECK[7:])


def test_terminals_decks_are_made_a_few_at_a_time_for_the_next_round() -> None:
    stock, table = a_stock(), a_table("stadium", players=5)
    assert [stock.prepare(table, most=2) for _ in range(4)] == [2, 2, 1, 0]
    first = stock.deck("t/1", "table", FULL_DECK)
    left = cards_left(table.house, first.cards)
    decks = [stock.deck("t/1", f"seat-{seat}", left) for seat in range(1, 6)]
    assert all(set(deck.cards) == set(left) for deck in decks)
    assert len({deck.cards for deck in decks}) == 5


def test_nothing_is_made_ahead_for_scanned_cards() -> None:
    assert a_stock().prepare(a_table("stadium", 5, DealerMode.LIVE), most=9) == 0
