"""The table from round to round: decks cut for a plan, and who banks next. All of it is pure."""

from openfelt.table.banking import BankTurn, next_banker
from openfelt.table.deck import cards_for_round, shuffled

__all__ = ["BankTurn", "cards_for_round", "next_banker", "shuffled"]
