"""Decks for the laboratory's rounds: random ones, hot ones, and those of ``stacked.toml``."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from tests.laboratory.referee_hands import RANKS
from tests.laboratory.referee_sheet import HERE

DECK = tuple(f"{rank}{suit}" for rank in RANKS for suit in "cdhs")
HOT_CHANCE = 0.35
STACKED_CHANCE = 0.35


@dataclass(frozen=True)
class Stack:
    """Cards that are to lie in certain places."""

    name: str
    common: tuple[str, ...]
    dealer: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]

    @cached_property
    def cards(self) -> frozenset[str]:
        """Every card that has its place."""
        return frozenset(
            (*self.common, *self.dealer, *(card for hand in self.hands for card in hand))
        )


def load_stacks(game: str) -> tuple[Stack, ...]:
    """The stacked deals of a game."""
    written = tomllib.loads((HERE / "stacked.toml").read_text(encoding="utf-8"))
    return tuple(
        Stack(
            name=deal["name"],
            common=tuple(deal["board" if game == "holdem" else "draw"].split()),
            dealer=tuple(deal["dealer"].split()),
            hands=tuple(tuple(hand.split()) for hand in deal["hands"]),
        )
        for deal in written[game]
    )


STACKS = {game: load_stacks(game) for game in ("holdem", "draw")}
NO_STACK = Stack("random", (), (), ())


class Deal:
    """The cards of one round: a stack in its places, and the rest of the deck in some order."""

    def __init__(self, stack: Stack, random: Random, *, hot: bool) -> None:
        self.stack = stack
        placed = stack.cards
        self.rest = [card for card in DECK if card not in placed]
        self.rest.sort(key=lambda _: random.random())
        if hot:
            # Neighbours of a few suits come first, so that straights, flushes and ties are many.
            suits = random.sample("cdhs", random.randint(1, 4))
            width = random.randint(5, 9)
            lowest = random.randint(0, 13 - width)
            ranks = RANKS[lowest : lowest + width]
            self.rest.sort(key=lambda card: card[0] in ranks and card[1] in suits)

    def card(self, lies: str, position: int, hand: int = 0) -> str:
        """The card for a place; hands count from 0, positions from 1."""
        if lies == "hand":
            cards = self.stack.hands[hand] if hand < len(self.stack.hands) else ()
        else:
            cards = self.stack.dealer if lies == "dealer" else self.stack.common
        return cards[position - 1] if position <= len(cards) else self.rest.pop()

    def order(self, cards: Sequence[str], first: Sequence[str]) -> list[str]:
        """A deck of these cards with some of them on top, for a virtual dealer."""
        top = [card for card in first if card in cards]
        # Cards of the stack that are not on top lie at the bottom, for another deck to deal.
        there = [card for card in self.rest[::-1] if card in cards and card not in top]
        left = [card for card in cards if card not in top and card not in there]
        return [*top, *there, *left]


def next_deal(game: str, random: Random) -> Deal:
    """A deal of some kind, as chance will have it."""
    chance = random.random()
    if chance < STACKED_CHANCE:
        return Deal(random.choice(STACKS[game]), random, hot=False)
    return Deal(NO_STACK, random, hot=chance < STACKED_CHANCE + HOT_CHANCE)
