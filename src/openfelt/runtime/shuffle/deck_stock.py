"""Decks shuffled ahead between rounds, so that no player waits for a shuffle while betting.

A deck in stock is a secret like any other. It is made for one round by name, and its root has
not been published. When the process ends the deck is lost, and another one is made.
"""

from collections.abc import Sequence

from openfelt.cards import FULL_DECK, Card
from openfelt.rules.house import Deck
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler
from openfelt.table.deck import TABLE_DECK, cards_left, seat_decks
from openfelt.table.state import Table


class DeckStock:
    """The decks of one table's next round."""

    def __init__(self, shuffler: Shuffler) -> None:
        self._shuffler = shuffler
        self._round_id = ""
        self._decks: dict[str, SecretDeck] = {}

    def deck(self, round_id: str, name: str, cards: Sequence[Card]) -> SecretDeck:
        """The deck of this name for this round, shuffled now if none is in stock."""
        if round_id != self._round_id:
            self._round_id, self._decks = round_id, {}
        deck = self._decks.get(name)
        if deck is None or set(deck.cards) != set(cards):
            deck = self._decks[name] = self._shuffler.shuffle(round_id, name, cards)
        return deck

    def prepare(self, table: Table, *, most: int) -> int:
        """Shuffle at most this many seats' decks for the next round; return how many were made.

        Nothing is made during a round, nor at a table with a live dealer.
        """
        if not table.virtual or table.playing is not None:
            return 0
        round_id = f"{table.id}/{table.rounds + 1}"
        first = self.deck(round_id, TABLE_DECK, FULL_DECK)
        if table.house.deck is Deck.SHARED:
            return 0
        left = cards_left(table.house, first.cards)
        wanted = seat_decks(table.house, sorted(table.seats))
        missing = [name for name in wanted if name not in self._decks][:most]
        for name in missing:
            self.deck(round_id, name, left)
        return len(missing)
