"""The shuffler: decks in a secret order, and the commitments that bind the table to them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Annotated, Final, Literal, Self

import msgspec

from openfelt.cards import Card, format_cards, parse_cards
from openfelt.runtime.shuffle.entropy import Entropy
from openfelt.runtime.shuffle.merkle import (
    CardProof,
    DeckTree,
    HexHash,
    Name,
    ProofError,
    ProofForm,
    deck_tree,
    read_form,
    written,
)
from openfelt.table.deck import is_deck_name, shuffled

KEY_BYTES: Final = 32
_HASH_BLOCK_BYTES: Final = 64
_INNER_PAD: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD: Final = bytes(byte ^ 0x5C for byte in range(256))


@dataclass(frozen=True, slots=True)
class SecretDeck:
    """A shuffled deck of one round. It reveals every card, so its repr leaves the cards out."""

    round_id: str
    """Such as ``stadium-1/31``."""
    deck: str
    """``table`` or, for one terminal's own deck, ``seat-17``."""
    cards: tuple[Card, ...] = field(repr=False)
    """From the top down."""
    key: bytes = field(repr=False)
    """The secret from which the salts are made."""
    salts: tuple[bytes, ...] = field(repr=False)
    """One for each card; a salt that is shown reveals nothing about the others."""
    root: str
    """The commitment, which is public."""
    tree: DeckTree | None = field(default=None, repr=False, compare=False)
    """The tree over its cards, where it is kept for proofs; it takes more space than the deck."""

    @classmethod
    def of(
        cls,
        round_id: str,
        deck: str,
        cards: Sequence[Card],
        key: bytes,
        *,
        keep_tree: bool = False,
    ) -> "SecretDeck":
        """A deck in this order, with its root; raises ValueError for an invalid deck."""
        if not round_id or not is_deck_name(deck):
            raise ValueError(f"{deck!r} in round {round_id!r} is not the name of a deck")
        if not 0 < len(set(cards)) == len(cards):
            raise ValueError(f"the deck {deck} needs different cards")
        if len(key) != KEY_BYTES:
            raise ValueError(f"the key of the deck {deck} does not have {KEY_BYTES} bytes")
        salts = deck_salts(key, len(cards))
        tree = deck_tree(round_id=round_id, deck=deck, cards=cards, salts=salts)
        kept = tree if keep_tree else None
        return cls(round_id, deck, tuple(cards), key, salts, tree.root, kept)

    def proof(self, index: int) -> CardProof:
        """Proof of one card's place in the deck; 0 is the card on top."""
        return self.proofs((index,))[0]

    def proofs(self, indexes: Iterable[int]) -> tuple[CardProof, ...]:
        """Proofs of several cards, for the work of one tree; 0 is the card on top."""
        tree = self.tree or self._tree()
        return tuple(self._proof(tree, index) for index in indexes)

    def _proof(self, tree: DeckTree, index: int) -> CardProof:
        if not 0 <= index < len(self.cards):
            raise IndexError(f"the deck {self.deck} has no card at index {index}")
        return CardProof(index, self.cards[index], self.salts[index], tree.path(index))

    def _tree(self) -> DeckTree:
        return deck_tree(round_id=self.round_id, deck=self.deck, cards=self.cards, salts=self.salts)

    def to_json(self) -> str:
        """The whole secret as JSON, for the store only."""
        form = _SecretDeckForm(
            format=_FORMAT,
            round_id=self.round_id,
            deck=self.deck,
            cards=format_cards(self.cards),
            key=self.key.hex(),
            root=self.root,
        )
        return written(form)

    @classmethod
    def from_json(cls, text: str, *, keep_tree: bool = False) -> Self:
        """Read a secret deck; raises ProofError if it is invalid or does not match its root."""
        form = read_form(text, _SecretDeckForm, "secret deck")
        try:
            cards = parse_cards(form.cards)
            key = bytes.fromhex(form.key)
            deck = cls.of(form.round_id, form.deck, cards, key, keep_tree=keep_tree)
        except ValueError:
            # The reason could name a card of the deck, and errors are printed.
            raise ProofError("This is not a valid secret deck.") from None
        if deck.root != form.root:
            raise ProofError(
                f"The deck {form.deck} of round {form.round_id} does not match its root."
            )
        return cls(*(getattr(deck, field.name) for field in fields(deck)))


_FORMAT: Final = "openfelt.secret_deck/1"


class _SecretDeckForm(ProofForm, frozen=True, kw_only=True):
    format: Literal["openfelt.secret_deck/1"]
    round_id: Name
    deck: Name
    cards: Annotated[str, msgspec.Meta(max_length=200)]
    key: HexHash
    root: HexHash


def deck_salts(key: bytes, count: int) -> tuple[bytes, ...]:
    """The salts of a deck's cards: each a hash of the key and the card's index.

    Without the key no salt can be found from another, and the key takes a fiftieth of the
    space. Each is HMAC-SHA-256 (RFC 2104). The key is hashed once for all cards, which takes a
    third of the time of as many calls of ``hmac.digest``.
    """
    block = key.ljust(_HASH_BLOCK_BYTES, b"\0")
    inner, outer = sha256(block.translate(_INNER_PAD)), sha256(block.translate(_OUTER_PAD))
    salts = []
    for index in range(count):
        inside, outside = inner.copy(), outer.copy()
        inside.update(index.to_bytes(2, "big"))
        outside.update(inside.digest())
        salts.append(outside.digest())
    return tuple(salts)


class Shuffler:
    """Shuffles decks with the given entropy."""

    __slots__ = ("_entropy",)

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy

    def shuffle(self, round_id: str, deck: str, cards: Sequence[Card]) -> SecretDeck:
        """Shuffle and salt the cards of one deck, from entropy that is read for it alone.

        >>> from openfelt.cards import FULL_DECK
        >>> from openfelt.runtime.shuffle.entropy import SystemEntropy
        >>> Shuffler(SystemEntropy()).shuffle("t/1", "table", FULL_DECK)
        SecretDeck(round_id='t/1', deck='table', root='...')
        """
        self._entropy.refresh()
        order = shuffled(cards, self._entropy.draw_below)
        key = self._entropy.token(KEY_BYTES)
        self._entropy.refresh()
        return SecretDeck.of(round_id, deck, order, key)
