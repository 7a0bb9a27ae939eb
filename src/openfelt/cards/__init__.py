"""Cards and poker hands: what they are, how they are written, how they rank."""

from openfelt.cards.card import (
    FULL_DECK,
    UNKNOWN_CARD,
    Card,
    Rank,
    Suit,
    format_cards,
    has_card,
    parse_cards,
)
from openfelt.cards.hand import CATEGORIES_BY_WORDS, Category, Hand, evaluate

__all__ = [
    "CATEGORIES_BY_WORDS",
    "FULL_DECK",
    "UNKNOWN_CARD",
    "Card",
    "Category",
    "Hand",
    "Rank",
    "Suit",
    "evaluate",
    "format_cards",
    "has_card",
    "parse_cards",
]
