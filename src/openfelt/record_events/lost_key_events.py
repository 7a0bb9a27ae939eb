"""The event of a lost key: what it had encrypted stays unreadable."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsignedEnd:
    """The end of a record that only the lost key could show to be authentic."""

    stream: str
    signed: int
    """The version up to which a notary has signed it, 0 for none."""
    version: int
    """The version up to which it is taken as it was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyDeclaredLost:
    """The operator has declared that a key is lost: what it has encrypted stays unreadable."""

    key: str
    """The id of the key."""
    decks: int
    """How many decks were encrypted with it."""
    round_keys: int
    """How many keys of rounds, each of which hides the cards that were dealt face down."""
    proofs: int
    """How many kept proofs of purged rounds."""
    codes: int
    """How many secrets of one-time codes."""
    tables: tuple[str, ...]
    """The tables of these decks and keys."""
    unsigned: tuple[UnsignedEnd, ...] = ()
    """Records that are longer than what was signed of them; they are taken as they were found."""
