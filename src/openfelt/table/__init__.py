"""The table from round to round: seats, wagers, decks, the bank and progressive links; all pure."""

from openfelt.table.banking import BankTurn, next_banker
from openfelt.table.deck import cards_for_round, dealt_from, deck_of, next_card, shuffled
from openfelt.table.links.link import Link, apply_link
from openfelt.table.links.link_referee import decide_link

__all__ = [
    "BankTurn",
    "Link",
    "apply_link",
    "cards_for_round",
    "dealt_from",
    "decide_link",
    "deck_of",
    "next_banker",
    "next_card",
    "shuffled",
]
