"""A terminal's own observations of its rounds, which no proof can give it: seals, seeds and cards.

A terminal binds itself to a new seed with its first wager of each round and reveals it when the
table calls the seeds. It remembers which decks the table had committed to by then, the digest of
the call, and the cards that it was shown, and compares the proof of the round with all of this.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final

from openfelt.cards import Card, parse_cards
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.house import DealerMode
from openfelt.rules.wagers import Spot
from openfelt.runtime.rounds.proof import RoundProof, round_id
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.table.deck import TABLE_DECK
from openfelt.table.seeds import SEED_BYTES, seed_commitment

ROUNDS_KEPT: Final = 100
"""For how many rounds a terminal remembers what it saw."""

View = Mapping[str, Any]
"""A public or a private view, as it arrived."""
_OVER: Final = ("settled", "voided")
_DEALER: Final = Lies.DEALER.value
_COMMON: Final = Lies.COMMON.value


class SeedUnused(Exception):
    """The proof holds, but the round was dealt without the seed of this terminal.

    The terminal cannot say that the house is at fault: it was away when the seed was due, or the
    seat was bound to the seed of another terminal of the player.
    """


@dataclass(slots=True)
class OwnRound:
    """A terminal's observations of one of its own rounds."""

    table: str
    number: int
    seat: int
    roots: Mapping[str, str]
    """The roots that the table had published before the first wager."""
    seed: str = field(default_factory=lambda: secrets.token_hex(SEED_BYTES))
    sent: bool = False
    """Whether the table accepted a wager with the commitment."""
    bound: bool = False
    """Whether the commitment went with the first wager of the seat that the table accepted."""
    digest: str | None = None
    """The digest with which the table called the seeds, before this one was revealed."""
    revealed: bool = False
    """Whether the table accepted the revealed seed."""
    here: bool = False
    """Whether the terminal is, or was until the deal began, where its seed is due."""
    dealt: bool = False
    """Whether the deal has begun, so that no seed is due any more."""
    ended: bool = False
    """Whether the terminal saw how the round ended."""
    shown: dict[Place, Card] = field(default_factory=dict)
    """The player's hands, the dealer's and the board, as they were last shown."""
    _looked_at: tuple[object, ...] = field(default=(), repr=False, compare=False)
    """The parts of the views that hold the cards, as of the last look at them."""

    @property
    def commitment(self) -> str:
        """The commitment that is sent with the first wager."""
        return seed_commitment(round_id(self.table, self.number), self.seat, self.seed)

    # What the terminal sees ----------------------------------------------------------------

    def see(self, public: View, private: View, *, fresh: bool = False) -> None:
        """Take the views as they are now; ``fresh`` are the first ones of a connection."""
        now = public.get("round") or {}
        number = now.get("number", 0)
        if number < self.number:
            return
        if number > self.number:
            self.dealt = True
            return
        seeds = public.get("seeds") or {}
        over = now.get("phase") in _OVER
        if not self.dealt:
            self.digest = self.digest or seeds.get("digest")
            if over or seeds.get("fixed"):
                self.dealt = True
                self.here = self.here and not fresh
            elif fresh:
                self.here = True
        self.ended = self.ended or over
        self._look_at_cards(now, private)

    def _look_at_cards(self, now: View, private: View) -> None:
        """Remember the cards that are shown. Most messages leave them as they were.

        A patch copies what it changes and leaves the rest, so parts that are the same object show
        the same cards.
        """
        parts = (now.get(_DEALER), now.get(_COMMON), private.get("hands"))
        if any(part is not before for part, before in zip_longest(parts, self._looked_at)):
            self._looked_at = parts
            self.shown |= dict(_shown(now, private))

    def away(self) -> None:
        """The terminal has lost its connection, or could not follow the table for a time."""
        if not self.dealt:
            self.here = False

    # What it says about the proof ------------------------------------------------------------

    def check(self, proof: RoundProof) -> None:
        """Check what only this terminal can know; raises ProofError, or SeedUnused.

        ``openfelt.runtime.rounds.check`` checks the proof itself.
        """
        if (proof.table, proof.number) != (self.table, self.number):
            raise ProofError("The proof is of another round.")
        self._check_roots(proof)
        self._check_shown(proof)
        if proof.seeds is None:
            raise ProofError("The round was dealt without the seed of this terminal.")
        if self.digest is not None and proof.seeds.digest != self.digest:
            raise ProofError("The seeds are not those that were called: their digest differs.")
        self._check_seed(proof)

    def _check_roots(self, proof: RoundProof) -> None:
        proved = {commitment.deck: commitment.root for commitment in proof.commitments}
        for deck in (TABLE_DECK, f"seat-{self.seat}"):
            if proved.get(deck) != self.roots.get(deck):
                raise ProofError(f"The deck {deck} is not the one that was sealed before the bet.")

    def _check_shown(self, proof: RoundProof) -> None:
        """Every card that was shown is the one that the proof has at its place."""
        proved = {dealt.place: dealt.card for dealt in proof.cards}
        live = proof.dealer is DealerMode.LIVE
        proved |= {scan.place: scan.corrected or scan.card for scan in proof.scanned}
        for place, card in self.shown.items():
            # A live dealer may have corrected a card after the terminal was gone.
            corrected = live and place.spot is None and not self.ended
            if not corrected and proved.get(place) != card:
                raise ProofError(f"The {place} was shown as the {card.words}, and is not proved.")

    def _check_seed(self, proof: RoundProof) -> None:
        """The seed of this terminal was used, if the deal began at all."""
        assert proof.seeds is not None
        own = {seed.seat: seed for seed in proof.seeds.seeds or ()}.get(self.seat)
        if own is None or own.commitment != self.commitment:
            if self.bound or (self.sent and own is None):
                raise ProofError("The round was dealt without the seed of this terminal.")
            raise SeedUnused(
                "The proof holds, but the seat was bound to the seed of another terminal of the "
                "player. If the player has no other terminal, the house has put its own seed there."
            )
        if own.seed == self.seed or proof.seeds.fixed_version is None:
            return
        if self.revealed or self.here:
            raise ProofError("The seed of this terminal was there in time and was not used.")
        raise SeedUnused(
            "The proof holds, but the round was dealt without the seed of this terminal, which "
            "was not connected when the seed was due. If this happens often, ask the house why."
        )


class Bindings:
    """To which seeds the player's seat was bound, and since when, as the private views show it.

    Between rounds, a view shows the commitment of the last round, and the number of the next.
    """

    def __init__(self) -> None:
        self._number = 0
        self._before: str | None = None
        """The commitment that was shown before any wager on this round."""
        self._commitment: str | None = None
        self._version = 0

    def see(self, public: View, private: View, version: int, *, fresh: bool) -> None:
        """Take the views as they are now; ``fresh`` are the first ones of a connection."""
        number, shown = private.get("deck_round") or 0, private.get("seed_commitment")
        if number != self._number:
            now = public.get("round") or {}
            begun = fresh and now.get("number") == number
            self._number, self._commitment = number, None
            self._before = None if begun else shown
        if self._commitment is None and shown is not None and shown != self._before:
            self._commitment, self._version = shown, version

    def are_free(self, number: int, *, before: int | None = None) -> bool:
        """Whether the seat was bound to no seed in this round, now or before a version."""
        unbound = self._number != number or self._commitment is None
        return unbound or (before is not None and self._version >= before)


def _shown(now: View, private: View) -> Iterator[tuple[Place, Card]]:
    """The cards that lie face up for this terminal, each with its place."""
    for lies in (Lies.DEALER, Lies.COMMON):
        yield from _cards_at(lies, None, now.get(lies.value) or ())
    for name, hand in (private.get("hands") or {}).items():
        seat, _, number = str(name).partition(".")
        yield from _cards_at(Lies.HAND, Spot(int(seat), int(number)), hand.get("cards") or ())


def _cards_at(
    lies: Lies, spot: Spot | None, cards: Sequence[str | None]
) -> Iterator[tuple[Place, Card]]:
    for position, text in enumerate(cards, start=1):
        if text is not None:
            (card,) = parse_cards(text)
            yield Place(lies, spot, position), card


def roots_seen(public: View, private: View) -> dict[str, str]:
    """The roots of the table's deck and of the terminal's own, as its views show them now."""
    commitments, seat = public.get("commitments"), private.get("seat")
    own = private.get("deck_root")
    roots = dict(commitments) if isinstance(commitments, dict) else {}
    if isinstance(own, str) and private.get("deck_round") == public.get("deck_round"):
        roots[f"seat-{seat}"] = own
    wanted = (TABLE_DECK, f"seat-{seat}")
    return {deck: root for deck, root in roots.items() if deck in wanted}
