"""The check of a round's proof, which trusts only the rules of the house and the hashes."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from openfelt.cards import Card
from openfelt.rules.dealing import Lies, Place, dealing_plan, hands_max
from openfelt.rules.house import DealerMode, Deck, House
from openfelt.rules.round import Phase
from openfelt.runtime.rounds.proof import (
    Commitment,
    DealtCard,
    PassedCard,
    RoundProof,
    ScannedCard,
)
from openfelt.runtime.rounds.scan_check import check_scanned
from openfelt.runtime.rounds.seed_check import check_seeds
from openfelt.runtime.shuffle.dealing_order import permutation
from openfelt.runtime.shuffle.merkle import ProofError, verify_card
from openfelt.table.deck import TABLE_DECK, DeckPlace, deck_places


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The scope of a successful check."""

    cards: int
    """Cards that were shown, each with a valid proof."""
    cards_never_shown: int
    """Cards that were dealt and stayed face down."""
    decks: int
    seeds: int = 0
    """Seeds of players that decided the dealing order."""
    seeds_withheld: int = 0


def check_round_proof(proof: RoundProof, house: House) -> CheckResult:
    """Check a round's proof under the rules of its house.

    ``house`` must be the one whose fingerprint the proof names. Raises ProofError for the
    first fault.
    """
    _check_rules(proof, house)
    lay = deck_places(house, dealing_plan(house, proof.procedure, proof.spots))
    at_table = [place for place, (deck, _) in lay.items() if deck == TABLE_DECK]
    if proof.dealer is DealerMode.LIVE:
        lay = {place: lies for place, lies in lay.items() if place not in at_table}
    decks = {deck for deck, _ in lay.values()}
    roots = _checked_roots(proof, decks)
    seeds = check_seeds(proof, house)
    check_scanned(proof, at_table)
    _check_places(proof, list(lay.items()))
    _check_what_must_be_shown(proof, house)
    leaves = _Leaves(proof, roots, len(at_table))
    for dealt in proof.cards:
        _check_card(proof, dealt, leaves)
    for passed in proof.passed:
        _check_card(proof, passed, leaves)
    _check_no_card_twice(proof)
    _check_passed(proof, len(at_table))
    shown = sum(dealt.proof is not None for dealt in proof.cards)
    withheld = sum(seed.seed is None for seed in seeds)
    return CheckResult(
        cards=shown,
        cards_never_shown=len(proof.cards) - shown,
        decks=len(decks),
        seeds=len(seeds) - withheld,
        seeds_withheld=withheld,
    )


def _check_rules(proof: RoundProof, house: House) -> None:
    """The proof names this house, and hands that it can deal to."""
    if (proof.house, proof.fingerprint) != (house.id, house.fingerprint):
        raise ProofError(
            f"The round was dealt under the rules {proof.house} ({proof.fingerprint[:12]}), "
            f"not {house.id} ({house.fingerprint[:12]})."
        )
    if proof.procedure not in house.procedures:
        raise ProofError(f"{house.name} does not deal by the {proof.procedure} procedure.")
    if proof.deck is not house.deck:
        raise ProofError(f"{house.name} deals from a {house.deck} deck, not a {proof.deck} one.")
    if proof.dealer is DealerMode.LIVE and not (
        house.deck is Deck.PER_TERMINAL and house.dealer_mode is not DealerMode.VIRTUAL
    ):
        raise ProofError(f"{house.name} has no terminals with their own decks and a live dealer.")
    if proof.ended not in (Phase.SETTLED, Phase.VOIDED):
        raise ProofError(f"The round is not over: it is {proof.ended}.")
    spots = proof.spots
    if not spots or list(spots) != sorted(set(spots)):
        raise ProofError("The hands in play are not listed once each, in dealing order.")
    for spot in spots:
        if not (1 <= spot.seat <= house.seats and 1 <= spot.hand <= house.hands_per_seat):
            raise ProofError(f"{house.name} has no hand {spot}.")
    if house.deck is Deck.SHARED and len(spots) > hands_max(house):
        raise ProofError(f"One deck serves {hands_max(house)} hands, not {len(spots)}.")


def _checked_roots(proof: RoundProof, decks: set[str]) -> Mapping[str, str]:
    """The root of each deck, published once and before bets closed."""
    if not proof.commitments:
        raise ProofError(
            "There is no commitment to any deck, so nothing can be proved: "
            "a live dealer dealt the round from real cards."
        )
    roots: dict[str, str] = {}
    for commitment in proof.commitments:
        deck, version = commitment.deck, commitment.version
        if deck not in decks:
            raise ProofError(f"The round deals nothing from the deck {deck}.")
        if deck in roots:
            raise ProofError(f"The deck {deck} has more than one commitment.")
        if version >= proof.bets_closed_version:
            raise ProofError(
                f"The commitment to the deck {deck} is event {version}, "
                f"which is not before bets closed with event {proof.bets_closed_version}."
            )
        if proof.seeds is not None:
            _check_before_wagers(proof, commitment)
        roots[deck] = commitment.root
    if missing := sorted(decks - roots.keys()):
        raise ProofError(f"There is no commitment to the deck {missing[0]}.")
    return roots


def _check_before_wagers(proof: RoundProof, commitment: Commitment) -> None:
    """A deck was committed to before the first wager that it served."""
    wager = commitment.wager_version
    if wager is None or not commitment.version < wager < proof.bets_closed_version:
        raise ProofError(
            f"The commitment to the deck {commitment.deck} is event {commitment.version}, which "
            f"is not before the first wager, event {wager}, or that is not before bets closed."
        )


class _Leaves:
    """The leaf of a deck for each position of its dealing order."""

    def __init__(self, proof: RoundProof, roots: Mapping[str, str], at_table: int) -> None:
        self._round_id = proof.round_id
        self._mixed = proof.seeds.mixed if proof.seeds is not None else None
        self._whole = proof.seeds is not None
        self._at_table = at_table
        self._leaves: dict[str, tuple[int, ...]] = {}
        self.roots = roots

    def count(self, deck: str) -> int:
        """The size of a deck. Without seeds a terminal's deck lacks the table's cards."""
        full = deck == TABLE_DECK or self._whole
        return 52 if full else 52 - self._at_table

    def at(self, deck: str, index: int) -> int | None:
        """The leaf of a position; None if the deck has no such position."""
        if deck not in self._leaves:
            self._leaves[deck] = permutation(
                round_id=self._round_id,
                deck=deck,
                root=self.roots[deck],
                count=self.count(deck),
                mixed=self._mixed,
            )
        leaves = self._leaves[deck]
        return leaves[index] if index < len(leaves) else None


def _check_places(proof: RoundProof, plan: list[tuple[Place, DeckPlace]]) -> None:
    """Cards were dealt to the places of the plan in order, each from its place in its deck."""
    if len(proof.cards) > len(plan):
        raise ProofError(f"The plan deals {len(plan)} cards, not {len(proof.cards)}.")
    if proof.ended is Phase.SETTLED and len(proof.cards) < len(plan):
        raise ProofError(f"{len(plan) - len(proof.cards)} cards of the plan are missing.")
    positions = _positions(proof)
    for number, (dealt, (place, lay)) in enumerate(zip(proof.cards, plan, strict=False), start=1):
        if dealt.place != place:
            raise ProofError(f"Card {number} goes to {place}, not to {dealt.place}.")
        deck, nth = lay
        index = positions[deck][nth] if nth < len(positions[deck]) else None
        if (dealt.deck, dealt.index) != (deck, index):
            raise ProofError(
                f"The {place} comes from index {index} of the deck {deck}, "
                f"not from index {dealt.index} of the deck {dealt.deck}."
            )


def _positions(proof: RoundProof) -> Mapping[str, list[int]]:
    """By deck, the positions from which it deals: all but those that were passed over.

    Passed cards come before the last card that was dealt, each at a different position, and in
    terminals' decks only.
    """
    passed: dict[str, list[int]] = defaultdict(list)
    dealt = Counter(card.deck for card in proof.cards)
    for card in proof.passed:
        positions = passed[card.deck]
        last = dealt[card.deck] + len(positions)
        in_order = card.index > (positions[-1] if positions else -1)
        if proof.seeds is None or card.deck == TABLE_DECK or not in_order or card.index >= last:
            raise ProofError(
                f"No card at index {card.index} of the deck {card.deck} can be passed over."
            )
        positions.append(card.index)
    return {
        deck: [index for index in range(52) if index not in passed[deck]]
        for deck in {*dealt, *passed, TABLE_DECK}
    }


def _check_what_must_be_shown(proof: RoundProof, house: House) -> None:
    """Every card that lay face up for all players has a proof.

    In a settled round all common cards were turned over. Hands lie face up if the house deals
    them so, but in a hall with a shared deck only for their own players. The dealer's hand and
    each player's are shown whole or not at all.
    """
    in_a_hall = house.deck is Deck.SHARED and not house.shows_all_hands
    hands_face_up = house.player_cards_face_up and not in_a_hall
    sets: dict[object, set[bool]] = {}
    shown_at = [(scan.place, scan.card is not None) for scan in proof.scanned]
    shown_at += [(dealt.place, dealt.proof is not None) for dealt in proof.cards]
    for place, shown in shown_at:
        if place.lies is Lies.COMMON:
            if not shown and proof.ended is Phase.SETTLED:
                raise ProofError(f"The {place} was turned over, but has no proof.")
            continue
        sets.setdefault(place.spot, set()).add(shown)
        if place.lies is Lies.HAND and hands_face_up and not shown:
            raise ProofError(f"The {place} lay face up, but has no proof.")
    for spot, seen in sets.items():
        if len(seen) > 1:
            whose = "the dealer" if spot is None else f"hand {spot}"
            raise ProofError(f"Some cards of {whose} have a proof and some have none.")


def _check_card(proof: RoundProof, card: DealtCard | PassedCard, leaves: _Leaves) -> None:
    if card.proof is None:
        return
    subject = str(card.place) if isinstance(card, DealtCard) else "card that was passed over"
    leaf = leaves.at(card.deck, card.index)
    if card.proof.index != leaf:
        raise ProofError(
            f"The {subject} comes from index {leaf} of the deck {card.deck}, "
            f"but its proof is about index {card.proof.index}."
        )
    root, count = leaves.roots[card.deck], leaves.count(card.deck)
    if not verify_card(root, proof.round_id, card.deck, card.proof, count):
        raise ProofError(
            f"The {subject} is shown as the {card.proof.card.words}, which is not what "
            f"the deck {card.deck} held at index {leaf} by its commitment."
        )


def _check_passed(proof: RoundProof, at_table: int) -> None:
    """Only cards that the table dealt itself were passed over in terminals' decks.

    Those that the table has shown are opened. As many others as it has not shown may stay
    closed, in each deck.
    """
    table = {dealt.card for dealt in proof.cards if dealt.deck == TABLE_DECK}
    table |= {scan.card for scan in proof.scanned}
    hidden = at_table - len(table - {None})
    closed: Counter[str] = Counter()
    for passed in proof.passed:
        if passed.proof is None:
            closed[passed.deck] += 1
        elif passed.proof.card not in table:
            raise ProofError(
                f"The {passed.proof.card.words} was passed over in the deck {passed.deck}, "
                "although the table did not deal it."
            )
    for deck, count in closed.items():
        if count > hidden:
            raise ProofError(
                f"{count} cards of the deck {deck} were passed over unseen; "
                f"the table has {hidden} hidden cards."
            )


def _check_no_card_twice(proof: RoundProof) -> None:
    """No deck holds a card twice, and no terminal's deck a card that the table dealt (R.11)."""
    seen: dict[tuple[str, Card], DealtCard | ScannedCard] = {
        (TABLE_DECK, card): scan
        for scan in proof.scanned
        for card in (scan.card, scan.corrected)
        if card is not None
    }
    for dealt in sorted(proof.cards, key=lambda dealt: dealt.deck != TABLE_DECK):
        if dealt.card is None:
            continue
        for deck in {dealt.deck, TABLE_DECK}:
            if (before := seen.get((deck, dealt.card))) is not None:
                raise ProofError(
                    f"The {dealt.card.words} is both {before.place} and {dealt.place}."
                )
        seen[dealt.deck, dealt.card] = dealt
