"""The removal of secret decks once a house no longer keeps them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DecksPurged:
    """The secret decks of some finished rounds of a table have been removed for good.

    Proofs of the cards that were shown have been made before, and are kept.
    """

    table: str
    first: int
    """The number of the first of these rounds."""
    last: int
    version: int
    """The version of the table's record at the end of the last of these rounds."""
    keep_days: int
    """How long the house kept decks."""
    decks: int
    """How many decks were removed."""
    proofs: str
    """The SHA-256 of the proofs that were kept, in the order of the rounds."""
