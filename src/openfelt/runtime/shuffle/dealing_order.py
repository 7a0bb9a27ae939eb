"""The order in which the cards of a round's decks are dealt: the decks, turned by the seeds.

Position k of a deck is dealt from its leaf pi(k). The permutation pi is a Fisher-Yates shuffle
of the leaves, whose draws come from SHA-256 over the deck's root and the players' seeds, so
neither the house nor the players can choose it alone. Without any seed it changes nothing.

A terminal's own deck is a whole deck too, because it is committed to before it is known which
cards the table deals itself: before the seeds decide it, or before a live dealer scans them. Those
are passed over when they come up in it (R.11).
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Final

from openfelt.cards import Card
from openfelt.rules.house import House
from openfelt.runtime.shuffle.entropy import BlockEntropy
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.table.deck import TABLE_DECK, cards_at_table, shuffled

_PERMUTATION: Final = b"openfelt.permutation/1"


@lru_cache(maxsize=256)
def permutation(
    *, round_id: str, deck: str, root: str, count: int, mixed: str | None
) -> tuple[int, ...]:
    """For each position of a deck, the leaf that is dealt there.

    ``mixed`` is the hash of the seeds (``openfelt.table.seeds.mixed_seeds``); without it the
    deck is dealt as it was committed to. The last permutations are kept: a proof needs that of its
    deck twice, and all proofs of a hall need that of the table. They say nothing of the cards.

    >>> permutation(round_id="t/1", deck="table", root="00" * 32, count=5, mixed=None)
    (0, 1, 2, 3, 4)
    >>> permutation(round_id="t/1", deck="table", root="00" * 32, count=5, mixed="11" * 32)
    (3, 2, 1, 0, 4)
    """
    if mixed is None:
        return tuple(range(count))
    draws = _Draws(round_id, deck, root, mixed)
    return shuffled(range(count), draws.draw_below)


class _Draws(BlockEntropy):
    """The sampler over SHA-256 of the deck, its root, the seeds and a counter from 0 on."""

    def __init__(self, round_id: str, deck: str, root: str, mixed: str) -> None:
        super().__init__()
        parts = (
            _PERMUTATION,
            round_id.encode(),
            deck.encode(),
            bytes.fromhex(root),
            bytes.fromhex(mixed),
        )
        self._start = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        self._counter = 0

    def _next_block(self) -> bytes:
        counter = self._counter.to_bytes(4, "big")
        self._counter += 1
        return hashlib.sha256(self._start + counter).digest()


class DealingOrder(Mapping[str, tuple[Card, ...]]):
    """The cards of a round's decks from the top down, as they are dealt.

    Each deck is computed when it is first needed, because a stadium has thousands.
    """

    def __init__(
        self,
        house: House,
        decks: Mapping[str, SecretDeck],
        mixed: str | None = None,
        *,
        scanned: frozenset[Card] = frozenset(),
    ) -> None:
        """``scanned`` has the cards that a live dealer scanned before the hands were dealt."""
        self._house = house
        self._decks = decks
        self._mixed = mixed
        self.scanned = scanned
        self._cards: dict[str, tuple[Card, ...]] = {}

    def __getitem__(self, name: str) -> tuple[Card, ...]:
        if name not in self._cards:
            deck = self._decks[name]
            self._cards[name] = tuple(
                deck.cards[leaf]
                for leaf in self.leaves(name)
                if deck.cards[leaf] not in self.passed_over(name)
            )
        return self._cards[name]

    def leaves(self, name: str) -> tuple[int, ...]:
        """For each position of a deck, its leaf, including cards that are passed over."""
        deck = self._decks[name]
        return permutation(
            round_id=deck.round_id,
            deck=name,
            root=deck.root,
            count=len(deck.cards),
            mixed=self._mixed,
        )

    def passed_over(self, name: str) -> frozenset[Card]:
        """The cards that a deck does not deal, because the table deals them itself."""
        if name == TABLE_DECK:
            return frozenset()
        return self._at_table if TABLE_DECK in self._decks else self.scanned

    @cached_property
    def _at_table(self) -> frozenset[Card]:
        return frozenset(self[TABLE_DECK][: cards_at_table(self._house)])

    def __contains__(self, name: object) -> bool:
        return name in self._decks

    def __iter__(self) -> Iterator[str]:
        return iter(self._decks)

    def __len__(self) -> int:
        return len(self._decks)
