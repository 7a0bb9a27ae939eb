"""Decks made ready between rounds, so that nobody waits for a shuffle while bets come in.

A deck in stock is a secret like any other. It belongs to one round by name, nobody has
been told its root yet, and if the process ends it is forgotten and another one is made.
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
        """The deck of this name for this round, shuffled now where none is in stock."""
        if round_id != self._round_id:
            self._round_id, self._decks = round_id, {}
        found = self._decks.get(name)
        if found is None or set(found.cards) != set(cards):
            found = self._decks[name] = self._shuffler.shuffle(round_id, name, cards)
        return found

    def prepare(self, table: Table, *, most: int) -> int:
        """Make decks for the next round, so many at most; give how many were made.

        Between rounds only, and only decks that are shuffled before bets close.
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
