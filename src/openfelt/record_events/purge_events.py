"""The events of a purge: secret cards, and later proofs, that a house no longer keeps."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DecksPurged:
    """The secret cards of some finished rounds of a table have been permanently removed.

    The cards that were shown are kept, with their proofs.
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
    keys: int = 0
    """How many keys of rounds were removed; each hid the cards that were dealt face down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofsDropped:
    """The proofs of some purged rounds of a table are no longer kept.

    The cards that were shown are still kept, so that the rounds can be replayed.
    """

    table: str
    first: int
    """The number of the first of these rounds."""
    last: int
    keep_days: int
    """How long the house kept proofs."""
    proofs: int
    """Of how many rounds proofs were removed."""
    shown: str
    """The SHA-256 of the shown cards that are kept, in the order of the rounds."""
