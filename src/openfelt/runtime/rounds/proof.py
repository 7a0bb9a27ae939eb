"""The proof of a round: all that is needed to check that its cards were dealt fairly.

It holds the commitments, the places to which cards were dealt, and a proof for each card that
was shown. It contains neither the cards that were never shown nor their salts: the dealer's
cards if no wager depended on them, mucked hands, and cards that stayed in the deck.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal, Self

import msgspec

from openfelt.cards import Card
from openfelt.rules.dealing import Lies, Place, dealing_plan
from openfelt.rules.house import Deck, Procedure
from openfelt.rules.round import Phase, Round
from openfelt.rules.wagers import SPOT_PATTERN, Spot
from openfelt.runtime.shuffle.merkle import (
    CardProof,
    CardProofForm,
    HexHash,
    Index,
    Name,
    ProofError,
    ProofForm,
    card_proof_form,
    read_card_proof,
    read_form,
    written,
)
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.table.deck import deck_places


class Unprovable(ProofError):
    """There is nothing to prove: the round is not over, dealt no card, or was dealt by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """The root of a deck, as the table published it."""

    deck: str
    root: str
    version: int
    """The number of the event that published it, among the table's events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtCard:
    """A card that was dealt to a place, with its proof if it was shown."""

    place: Place
    deck: str
    index: int
    proof: CardProof | None

    @property
    def card(self) -> Card | None:
        """The card, None if it was never shown."""
        return None if self.proof is None else self.proof.card


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundProof:
    """Everything that is needed to check one finished round."""

    table: str
    number: int
    house: str
    fingerprint: str
    """The rules of the round, as ``House.fingerprint`` names them."""
    procedure: Procedure
    deck: Deck
    ended: Phase
    """Settled or voided."""
    spots: tuple[Spot, ...]
    """The hands in play, in dealing order."""
    bets_closed_version: int
    """The number of the event that closed bets, among the table's events."""
    commitments: tuple[Commitment, ...]
    cards: tuple[DealtCard, ...]
    """In the order in which they were dealt."""

    @property
    def round_id(self) -> str:
        """The name of the round, which every card's proof contains."""
        return round_id(self.table, self.number)

    def to_json(self) -> str:
        """The proof as JSON."""
        return written(_form_of(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a proof; raises ProofError if the text is not one."""
        form = read_form(text, RoundProofForm, "round proof")
        return cls(
            table=form.table,
            number=form.number,
            house=form.house,
            fingerprint=form.fingerprint,
            procedure=form.procedure,
            deck=form.deck,
            ended=Phase(form.ended),
            spots=tuple(Spot.parse(text) for text in form.spots),
            bets_closed_version=form.bets_closed_version,
            commitments=tuple(
                Commitment(deck=commitment.deck, root=commitment.root, version=commitment.version)
                for commitment in form.commitments
            ),
            cards=tuple(_dealt_card(card) for card in form.cards),
        )


def round_id(table: str, number: int) -> str:
    """The name of a round.

    >>> round_id("stadium-1", 31)
    'stadium-1/31'
    """
    return f"{table}/{number}"


# Making a proof ------------------------------------------------------------------


def make_round_proof(
    state: Round,
    *,
    table: str,
    decks: Iterable[SecretDeck],
    commitments: Iterable[Commitment],
    bets_closed_version: int,
    seat: int | None = None,
) -> RoundProof:
    """The public proof of a finished round.

    With a seat, it is the proof for that seat's player, who has also seen their own mucked
    hands; in a hall of terminals, it shows no other player's hands. Raises ProofError if the
    round cannot be proved.
    """
    name = round_id(table, state.opened.number)
    if not state.over:
        raise Unprovable(f"Round {name} is not over, and its cards are still secret.")
    if not state.plan:
        raise Unprovable(f"Round {name} was voided before bets closed; no card was dealt.")
    if seat is not None and not state.house.shows_all_hands:
        state = _without_other_hands(state, name, seat)
    places = deck_places(state.house, state.plan)
    used = {deck for deck, _ in places.values()}
    secrets = {deck.deck: deck for deck in decks if deck.deck in used}
    roots = tuple(commitment for commitment in commitments if commitment.deck in used)
    _check_secrets(name, used, secrets, roots)
    return RoundProof(
        table=table,
        number=state.opened.number,
        house=state.opened.house,
        fingerprint=state.opened.fingerprint,
        procedure=state.opened.procedure,
        deck=state.house.deck,
        ended=state.phase,
        spots=tuple(state.hands),
        bets_closed_version=bets_closed_version,
        commitments=roots,
        cards=_dealt_cards(state, secrets, seat),
    )


def _without_other_hands(state: Round, name: str, seat: int) -> Round:
    """The round as one terminal of a hall showed it: its own hands, the dealer and the board.

    A terminal with a deck of its own needs no other terminal's deck. From a shared deck other
    hands were dealt too: their places are listed, and their cards stay face down.
    """
    if state.house.deck is Deck.SHARED:
        hands = {
            spot: hand if spot.seat == seat else replace(hand, face_up=False)
            for spot, hand in state.hands.items()
        }
        return replace(state, hands=hands)
    hands = {spot: hand for spot, hand in state.hands.items() if spot.seat == seat}
    if not hands:
        raise Unprovable(f"Seat {seat} had no hand in round {name}, and other hands are not shown.")
    plan = dealing_plan(state.house, state.opened.procedure, tuple(hands))
    return replace(state, hands=hands, plan=plan)


def _check_secrets(
    name: str, used: set[str], secrets: Mapping[str, SecretDeck], roots: tuple[Commitment, ...]
) -> None:
    """Every deck of the round has one commitment, which its secret matches."""
    if not roots:
        raise ProofError(
            f"Round {name} has no commitment to any deck, so there is no proof: "
            "a live dealer dealt it from real cards."
        )
    for deck in sorted(used):
        committed = [commitment.root for commitment in roots if commitment.deck == deck]
        if len(committed) != 1:
            raise ProofError(
                f"The deck {deck} of round {name} has {len(committed)} commitments instead of one."
            )
        secret = secrets.get(deck)
        if secret is None:
            raise ProofError(f"The deck {deck} of round {name} is missing.")
        if (secret.round_id, secret.root) != (name, committed[0]):
            raise ProofError(f"The deck {deck} is not the one that round {name} committed to.")


def _dealt_cards(
    state: Round, secrets: Mapping[str, SecretDeck], seat: int | None
) -> tuple[DealtCard, ...]:
    dealt = {
        place: lay
        for place, lay in deck_places(state.house, state.plan).items()
        if place.position <= len(_cards_at(state, place))
    }
    shown: dict[str, list[int]] = {deck: [] for deck in secrets}
    for place, (deck, index) in dealt.items():
        if secrets[deck].cards[index] != _cards_at(state, place)[place.position - 1]:
            raise ProofError(f"The {place} is not card {index + 1} of the deck {deck}.")
        if _shown(state, place, seat):
            shown[deck].append(index)
    proofs = {
        (deck, proof.index): proof
        for deck, indexes in shown.items()
        for proof in secrets[deck].proofs(indexes)
    }
    return tuple(
        DealtCard(place=place, deck=deck, index=index, proof=proofs.get((deck, index)))
        for place, (deck, index) in dealt.items()
    )


def _cards_at(state: Round, place: Place) -> tuple[Card, ...]:
    """The cards of the hand, the dealer or the board that a place belongs to."""
    if place.spot is not None:
        return state.hands[place.spot].cards
    return state.dealer if place.lies is Lies.DEALER else state.common


def _shown(state: Round, place: Place, seat: int | None) -> bool:
    """Whether the card at a place was face up, or was the viewer's own."""
    if place.spot is not None:
        return state.hands[place.spot].face_up or place.spot.seat == seat
    if place.lies is Lies.DEALER:
        return state.dealer_face_up
    return place.position <= state.common_face_up


# JSON ------------------------------------------------------------------------

Version = Annotated[int, msgspec.Meta(ge=1, le=2**62)]
SpotText = Annotated[str, msgspec.Meta(pattern=rf"\A{SPOT_PATTERN}\Z")]


class CommitmentForm(ProofForm, frozen=True, kw_only=True):
    """The root of a deck and when it was published, in JSON."""

    deck: Name
    root: HexHash
    version: Version


class DealtCardForm(ProofForm, frozen=True, kw_only=True):
    """A dealt card in JSON; a card that was never shown has no proof."""

    lies: Lies
    spot: SpotText | None
    position: Annotated[int, msgspec.Meta(ge=1, le=5)]
    deck: Name
    index: Index
    proof: CardProofForm | None


class RoundProofForm(ProofForm, frozen=True, kw_only=True):
    """The proof of a whole round in JSON."""

    format: Literal["openfelt.round_proof/1"]
    table: Name
    number: Version
    house: Name
    fingerprint: Name
    procedure: Procedure
    deck: Deck
    ended: Literal["settled", "voided"]
    spots: list[SpotText]
    bets_closed_version: Version
    commitments: list[CommitmentForm]
    cards: list[DealtCardForm]


_FORMAT: Final = "openfelt.round_proof/1"


def _form_of(proof: RoundProof) -> RoundProofForm:
    return RoundProofForm(
        format=_FORMAT,
        table=proof.table,
        number=proof.number,
        house=proof.house,
        fingerprint=proof.fingerprint,
        procedure=proof.procedure,
        deck=proof.deck,
        ended="voided" if proof.ended is Phase.VOIDED else "settled",
        spots=[str(spot) for spot in proof.spots],
        bets_closed_version=proof.bets_closed_version,
        commitments=[
            CommitmentForm(deck=commitment.deck, root=commitment.root, version=commitment.version)
            for commitment in proof.commitments
        ],
        cards=[_dealt_card_form(card) for card in proof.cards],
    )


def _dealt_card_form(dealt: DealtCard) -> DealtCardForm:
    return DealtCardForm(
        lies=dealt.place.lies,
        spot=None if dealt.place.spot is None else str(dealt.place.spot),
        position=dealt.place.position,
        deck=dealt.deck,
        index=dealt.index,
        proof=None if dealt.proof is None else card_proof_form(dealt.proof),
    )


def _dealt_card(form: DealtCardForm) -> DealtCard:
    return DealtCard(
        place=Place(form.lies, None if form.spot is None else Spot.parse(form.spot), form.position),
        deck=form.deck,
        index=form.index,
        proof=None if form.proof is None else read_card_proof(form.proof),
    )
