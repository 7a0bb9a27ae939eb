"""The check of a round's proof, which trusts only the rules of the house and the hashes."""

from collections.abc import Mapping
from dataclasses import dataclass

from openfelt.cards import Card
from openfelt.rules.dealing import Lies, dealing_plan, hands_max
from openfelt.rules.house import Deck, House
from openfelt.rules.round import Phase
from openfelt.runtime.rounds.proof import DealtCard, RoundProof
from openfelt.runtime.shuffle.merkle import ProofError, verify_card
from openfelt.table.deck import TABLE_DECK, DeckPlace, deck_places


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a successful check has covered."""

    cards: int
    """Cards that were shown, each with a valid proof."""
    cards_never_shown: int
    """Cards that were dealt and stayed face down."""
    decks: int


def check_round_proof(proof: RoundProof, house: House) -> Checked:
    """Check a round's proof under the rules of its house.

    ``house`` must be the one whose fingerprint the proof names. Raises ProofError for the
    first fault.
    """
    _check_rules(proof, house)
    lay = deck_places(house, dealing_plan(house, proof.procedure, proof.spots))
    decks = {deck for deck, _ in lay.values()}
    roots = _checked_roots(proof, decks)
    _check_places(proof, list(lay.items()))
    _check_what_must_be_shown(proof, house)
    at_table = sum(deck == TABLE_DECK for deck, _ in lay.values())
    for dealt in proof.cards:
        count = 52 if dealt.deck == TABLE_DECK else 52 - at_table
        _check_card(proof, dealt, roots[dealt.deck], count)
    _check_no_card_twice(proof)
    shown = sum(dealt.proof is not None for dealt in proof.cards)
    return Checked(cards=shown, cards_never_shown=len(proof.cards) - shown, decks=len(decks))


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
        roots[deck] = commitment.root
    if missing := sorted(decks - roots.keys()):
        raise ProofError(f"There is no commitment to the deck {missing[0]}.")
    return roots


def _check_places(proof: RoundProof, plan: list[tuple[object, DeckPlace]]) -> None:
    """Cards were dealt to the places of the plan in order, each from its place in its deck."""
    if len(proof.cards) > len(plan):
        raise ProofError(f"The plan deals {len(plan)} cards, not {len(proof.cards)}.")
    if proof.ended is Phase.SETTLED and len(proof.cards) < len(plan):
        raise ProofError(f"{len(plan) - len(proof.cards)} cards of the plan are missing.")
    for number, (dealt, (place, lay)) in enumerate(zip(proof.cards, plan, strict=False), start=1):
        if dealt.place != place:
            raise ProofError(f"Card {number} goes to {place}, not to {dealt.place}.")
        if (dealt.deck, dealt.index) != lay:
            raise ProofError(
                f"The {place} comes from index {lay[1]} of the deck {lay[0]}, "
                f"not from index {dealt.index} of the deck {dealt.deck}."
            )


def _check_what_must_be_shown(proof: RoundProof, house: House) -> None:
    """Every card that lay face up for all players has a proof.

    In a settled round all common cards were turned over. Hands lie face up if the house deals
    them so, but in a hall with a shared deck only for their own players. The dealer's hand and
    each player's are shown whole or not at all.
    """
    in_a_hall = house.deck is Deck.SHARED and not house.shows_all_hands
    hands_face_up = house.player_cards_face_up and not in_a_hall
    sets: dict[object, set[bool]] = {}
    for dealt in proof.cards:
        shown = dealt.proof is not None
        if dealt.place.lies is Lies.COMMON:
            if not shown and proof.ended is Phase.SETTLED:
                raise ProofError(f"The {dealt.place} was turned over, but has no proof.")
            continue
        sets.setdefault(dealt.place.spot, set()).add(shown)
        if dealt.place.lies is Lies.HAND and hands_face_up and not shown:
            raise ProofError(f"The {dealt.place} lay face up, but has no proof.")
    for spot, seen in sets.items():
        if len(seen) > 1:
            whose = "the dealer" if spot is None else f"hand {spot}"
            raise ProofError(f"Some cards of {whose} have a proof and some have none.")


def _check_card(proof: RoundProof, dealt: DealtCard, root: str, count: int) -> None:
    if dealt.proof is None:
        return
    if dealt.proof.index != dealt.index:
        raise ProofError(
            f"The {dealt.place} comes from index {dealt.index} of the deck {dealt.deck}, "
            f"but its proof is about index {dealt.proof.index}."
        )
    if not verify_card(root, proof.round_id, dealt.deck, dealt.proof, count):
        raise ProofError(
            f"The {dealt.place} is shown as the {dealt.proof.card.words}, which is not what "
            f"the deck {dealt.deck} held at index {dealt.index} by its commitment."
        )


def _check_no_card_twice(proof: RoundProof) -> None:
    """No deck holds a card twice, and no terminal's deck a card that the table dealt (R.11)."""
    seen: dict[tuple[str, Card], DealtCard] = {}
    for dealt in proof.cards:
        if dealt.card is None:
            continue
        for deck in {dealt.deck, TABLE_DECK}:
            if (before := seen.get((deck, dealt.card))) is not None:
                raise ProofError(
                    f"The {dealt.card.words} is both {before.place} and {dealt.place}."
                )
        seen[dealt.deck, dealt.card] = dealt
