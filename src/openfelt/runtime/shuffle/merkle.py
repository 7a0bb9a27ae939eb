"""Commitments to a deck, and proofs of single cards: a Merkle tree over salted cards.

    leaf = SHA-256(0x00 ‖ round id ‖ deck name ‖ index ‖ card ‖ salt)
    node = SHA-256(0x01 ‖ left ‖ right)
    root = SHA-256(0x02 ‖ count ‖ top)

Every part of a leaf is preceded by its length in four bytes, the index is written in decimal
digits, and the count has four bytes; lengths and count are big-endian. Nodes are paired from
the left, and an unpaired node moves up unchanged. The root contains the number of leaves, so no
tree of another size has the same root.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Self

import msgspec

from openfelt.cards import Card

JSON_LENGTH_MAX: Final = 16_000_000
"""Longer texts are refused. A full stadium of 2,000 terminals needs less than half of this."""


class ProofError(Exception):
    """An invalid proof; the sentence says what is wrong with it."""


# The tree --------------------------------------------------------------------


def leaf_hash(*, round_id: str, deck: str, index: int, card: Card, salt: bytes) -> bytes:
    """The hash of one card in its place."""
    return _leaf(_leaf_start(round_id, deck), index, card, salt)


def _leaf_start(round_id: str, deck: str) -> bytes:
    """The bytes with which all leaves of one deck begin."""
    return b"\x00" + _with_length(round_id.encode()) + _with_length(deck.encode())


def _leaf(start: bytes, index: int, card: Card, salt: bytes) -> bytes:
    return hashlib.sha256(start + _part(index) + _part(card) + _with_length(salt)).digest()


@cache
def _part(value: int | Card) -> bytes:
    """A part of a leaf as text; every deck has the same 104 of them."""
    return _with_length(str(value).encode())


def _with_length(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two nodes side by side."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_hash(count: int, top: bytes) -> str:
    """The root of a tree: its top and how many leaves it has."""
    return hashlib.sha256(b"\x02" + count.to_bytes(4, "big") + top).hexdigest()


@dataclass(frozen=True, slots=True)
class DeckTree:
    """The tree over a deck. It holds every hash, so it stays with the secret deck."""

    levels: tuple[tuple[bytes, ...], ...]
    """The leaves first, the top last."""

    @property
    def root(self) -> str:
        """The published root, as 64 hexadecimal digits."""
        return root_hash(len(self.levels[0]), self.levels[-1][0])

    def path(self, index: int) -> tuple[bytes, ...]:
        """The sibling hashes on the way from a leaf to the top."""
        path = []
        for level in self.levels[:-1]:
            sibling = index ^ 1
            if sibling < len(level):
                path.append(level[sibling])
            index //= 2
        return tuple(path)


def deck_tree(
    *, round_id: str, deck: str, cards: Sequence[Card], salts: Sequence[bytes]
) -> DeckTree:
    """The tree over at least one salted card, in the order of the deck.

    Without salts a hidden card could be found by trying all 52.
    """
    if not cards:
        raise ValueError("a deck has at least one card")
    start = _leaf_start(round_id, deck)
    level = tuple(
        _leaf(start, index, card, salt)
        for index, (card, salt) in enumerate(zip(cards, salts, strict=True))
    )
    levels = [level]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        left_over = level[-1:] if len(level) % 2 else ()
        level = (*(node_hash(left, right) for left, right in pairs), *left_over)
        levels.append(level)
    return DeckTree(tuple(levels))


# Proofs of cards -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardProof:
    """Proof that a card was at its place in a deck."""

    index: int
    """0 for the card on top of the deck."""
    card: Card
    salt: bytes
    path: tuple[bytes, ...]
    """The sibling hashes on the way from the card to the top."""

    def to_json(self) -> str:
        """The proof as JSON."""
        return written(card_proof_form(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a proof; raises ProofError if the text is not one."""
        form = read_form(text, CardProofForm, "card proof")
        return cls(*_card_proof_fields(form))


def verify_card(root: str, round_id: str, deck: str, proof: CardProof, count: int) -> bool:
    """Whether a deck of this many cards with this root has the card at its place.

    >>> from openfelt.cards import FULL_DECK
    >>> salts = [bytes(32)] * 52
    >>> tree = deck_tree(round_id="t/1", deck="table", cards=FULL_DECK, salts=salts)
    >>> proof = CardProof(51, FULL_DECK[51], salts[51], tree.path(51))
    >>> verify_card(tree.root, "t/1", "table", proof, 52)
    True
    >>> verify_card(tree.root, "t/2", "table", proof, 52)
    False
    """
    at, size = proof.index, count
    if not 0 <= at < size:
        return False
    node = leaf_hash(round_id=round_id, deck=deck, index=at, card=proof.card, salt=proof.salt)
    path = iter(proof.path)
    while size > 1:
        if at ^ 1 < size:
            sibling = next(path, None)
            if sibling is None:
                return False
            node = node_hash(sibling, node) if at % 2 else node_hash(node, sibling)
        at, size = at // 2, (size + 1) // 2
    return next(path, None) is None and root_hash(count, node) == root


# Strict reading --------------------------------------------------------------


class ProofForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A JSON object. Unknown keys are refused."""


Index = Annotated[int, msgspec.Meta(ge=0, lt=52)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
HexHash = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""32 bytes as hexadecimal digits: a hash or a salt."""
CardText = Annotated[str, msgspec.Meta(pattern=r"\A[2-9TJQKA][cdhs]\Z")]


class CardProofForm(ProofForm, frozen=True, kw_only=True):
    """A card's proof in JSON."""

    index: Index
    card: CardText
    salt: HexHash
    path: Annotated[list[HexHash], msgspec.Meta(max_length=6)]


def card_proof_form(proof: CardProof) -> CardProofForm:
    """A card's proof as it is written in JSON."""
    return CardProofForm(
        index=proof.index,
        card=str(proof.card),
        salt=proof.salt.hex(),
        path=[sibling.hex() for sibling in proof.path],
    )


def read_card_proof(form: CardProofForm) -> CardProof:
    """A card's proof from its JSON form."""
    return CardProof(*_card_proof_fields(form))


def _card_proof_fields(form: CardProofForm) -> tuple[int, Card, bytes, tuple[bytes, ...]]:
    path = tuple(bytes.fromhex(sibling) for sibling in form.path)
    return form.index, Card.parse(form.card), bytes.fromhex(form.salt), path


def written(form: ProofForm) -> str:
    """A form as JSON."""
    return msgspec.json.encode(form).decode()


def read_form(text: str, form: Any, noun: str) -> Any:
    """Read JSON strictly, as a form or as one of a union of forms.

    No key may be unknown, missing or repeated, and no value of the wrong type.

    Repeated keys are refused because two readers could see two different proofs. A text that is
    not a form at all is refused at its first wrong byte, before anything is made of the rest.
    """
    if len(text) > JSON_LENGTH_MAX:
        raise ProofError(f"This {noun} has more than {JSON_LENGTH_MAX} characters.")
    try:
        msgspec.json.decode(text.encode(), type=form)
        parsed = json.loads(
            text, object_pairs_hook=_once_each, parse_float=_no_float, parse_constant=_no_float
        )
        return msgspec.convert(parsed, form)
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise ProofError(f"This is not a valid {noun}: {error}.") from None


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a key is repeated")
    for value in fields.values():
        if isinstance(value, str):
            value.encode()
    return fields


def _no_float(text: str) -> Any:
    raise ValueError(f"{text[:20]} is not a whole number")
