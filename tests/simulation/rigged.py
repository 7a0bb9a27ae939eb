"""Cards that make rare things happen often: royal flushes on the flop, beaten full houses."""

from collections.abc import Callable, Sequence
from random import Random

from openfelt.cards import FULL_DECK, Card
from openfelt.cards.card import Suit
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.entropy_health import EntropyFailure
from openfelt.runtime.shuffle.shuffler import KEY_BYTES, SecretDeck, Shuffler

ROYAL_CHANCE = 0.12
HOT_CHANCE = 0.9
"""In a hot hour, so that two tables reach for one jackpot."""
SUITED_CHANCE = 0.3


def rigged_order(cards: Sequence[Card], random: Random, *, hot: bool = False) -> list[Card]:
    """The cards in an order that often holds something rare near the top."""
    order = random.sample(cards, len(cards))
    royal_chance = HOT_CHANCE if hot else ROYAL_CHANCE
    chance = random.random()
    if chance < royal_chance:
        return _royal_on_top(order, random)
    if chance < royal_chance + SUITED_CHANCE:
        suits = random.sample(list(Suit), random.randint(1, 4))
        lowest = random.randint(2, 8)
        order.sort(key=lambda card: not (card.suit in suits and lowest <= card.rank < lowest + 7))
    return order


def _royal_on_top(order: list[Card], random: Random) -> list[Card]:
    """A royal or straight flush in the flop and the first hand of a board that is dealt first."""
    suit, high = random.choice(list(Suit)), random.choice((14, 14, 9))
    made = [card for card in order if card.suit is suit and high - 4 <= card.rank <= high]
    rest = [card for card in order if card not in made]
    return [*made[:3], *rest[:2], *made[3:], *rest[2:]]


class RiggedShuffler(Shuffler):
    """Shuffles with chance from a seed, and rigs some decks. Rarely it fails altogether."""

    __slots__ = ("_hot", "_random", "failing")

    def __init__(self, random: Random, hot: Callable[[], bool] = lambda: False) -> None:
        super().__init__(SeededEntropy(random.getrandbits(48)))
        self._random = random
        self._hot = hot
        self.failing = False

    def shuffle(self, round_id: str, deck: str, cards: Sequence[Card]) -> SecretDeck:
        """A deck that the table commits to like any other."""
        if self.failing:
            self.failing = False
            raise EntropyFailure("The simulated source has failed.")
        order = rigged_order(cards, self._random, hot=self._hot())
        key = self._random.randbytes(KEY_BYTES)
        return SecretDeck.of(round_id, deck, order, key)


def card_to_scan(dealt: Sequence[Card], random: Random) -> Card:
    """A card that a live dealer scans next, not yet dealt, often of the suit on the felt."""
    left = [card for card in FULL_DECK if card not in dealt]
    if dealt and random.random() < 0.4:
        first = dealt[0]
        alike = [c for c in left if c.suit is first.suit and abs(c.rank - first.rank) < 5]
        left = alike or left
    return random.choice(left)
