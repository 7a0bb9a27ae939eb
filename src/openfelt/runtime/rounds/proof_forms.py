"""The JSON of a round's proof, in each version of its format.

``openfelt.round_proof/2`` is the proof of a round with seeds. Rounds that an earlier version of
Openfelt opened have no seeds; their proofs are, and stay, ``openfelt.round_proof/1``.
"""

from typing import Annotated, Any, Literal

import msgspec

from openfelt.rules.dealing import Lies, Place
from openfelt.rules.house import Deck, Procedure
from openfelt.rules.round import Phase
from openfelt.rules.wagers import SPOT_PATTERN, Spot
from openfelt.runtime.rounds.proof import (
    Commitment,
    DealtCard,
    PassedCard,
    ProvedSeed,
    ProvedSeeds,
    RoundProof,
)
from openfelt.runtime.shuffle.merkle import (
    CardProof,
    CardProofForm,
    HexHash,
    Index,
    Name,
    ProofForm,
    card_proof_form,
    read_card_proof,
    read_form,
    written,
)

Version = Annotated[int, msgspec.Meta(ge=1, le=2**62)]
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=999_999)]
SpotText = Annotated[str, msgspec.Meta(pattern=rf"\A{SPOT_PATTERN}\Z")]


# Both versions ---------------------------------------------------------------


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


class RoundForm(ProofForm, frozen=True, kw_only=True, tag_field="format"):
    """What the proof of every round says about it."""

    table: Name
    number: Version
    house: Name
    fingerprint: Name
    procedure: Procedure
    deck: Deck
    ended: Literal["settled", "voided"]
    spots: list[SpotText]
    bets_closed_version: Version


# Version 1: rounds without seeds ----------------------------------------------


class RoundProofForm(RoundForm, frozen=True, kw_only=True, tag="openfelt.round_proof/1"):
    """The proof of a whole round without seeds in JSON."""

    commitments: list[CommitmentForm]
    cards: list[DealtCardForm]


# Version 2: rounds with seeds -------------------------------------------------


class SealForm(CommitmentForm, frozen=True, kw_only=True):
    """The root of a deck, when it was published, and when the first wager on it was made."""

    wager_version: Version


class SeedForm(ProofForm, frozen=True, kw_only=True):
    """The seed of one seat; null if it was withheld."""

    seat: SeatNumber
    commitment: HexHash
    version: Version
    seed: HexHash | None


class SeedsForm(ProofForm, frozen=True, kw_only=True):
    """The seeds of a round, when they were called, and when they were fixed."""

    digest: HexHash | None
    called_version: Version | None
    fixed_version: Version | None
    seeds: list[SeedForm]


class PassedCardForm(ProofForm, frozen=True, kw_only=True):
    """A card of a terminal's deck that was passed over, in JSON."""

    deck: Name
    index: Index
    proof: CardProofForm | None


class SeededProofForm(RoundForm, frozen=True, kw_only=True, tag="openfelt.round_proof/2"):
    """The proof of a whole round with seeds in JSON."""

    commitments: list[SealForm]
    seeds: SeedsForm
    cards: list[DealtCardForm]
    passed: list[PassedCardForm]


AnyProofForm = RoundProofForm | SeededProofForm


# Writing ---------------------------------------------------------------------


def proof_json(proof: RoundProof) -> str:
    """A proof as JSON."""
    return written(_form_1(proof) if proof.seeds is None else _form_2(proof, proof.seeds))


def _form_1(proof: RoundProof) -> RoundProofForm:
    return RoundProofForm(
        commitments=[
            CommitmentForm(deck=commitment.deck, root=commitment.root, version=commitment.version)
            for commitment in proof.commitments
        ],
        cards=list(map(_dealt_form, proof.cards)),
        **_round(proof),
    )


def _form_2(proof: RoundProof, seeds: ProvedSeeds) -> SeededProofForm:
    return SeededProofForm(
        commitments=[
            SealForm(
                deck=commitment.deck,
                root=commitment.root,
                version=commitment.version,
                wager_version=commitment.wager_version or commitment.version,
            )
            for commitment in proof.commitments
        ],
        seeds=SeedsForm(
            digest=seeds.digest,
            called_version=seeds.called_version,
            fixed_version=seeds.fixed_version,
            seeds=[
                SeedForm(
                    seat=seed.seat,
                    commitment=seed.commitment,
                    version=seed.version,
                    seed=seed.seed,
                )
                for seed in seeds.seeds
            ],
        ),
        cards=list(map(_dealt_form, proof.cards)),
        passed=[
            PassedCardForm(deck=passed.deck, index=passed.index, proof=_proof_form(passed.proof))
            for passed in proof.passed
        ],
        **_round(proof),
    )


def _round(proof: RoundProof) -> dict[str, Any]:
    return {
        "table": proof.table,
        "number": proof.number,
        "house": proof.house,
        "fingerprint": proof.fingerprint,
        "procedure": proof.procedure,
        "deck": proof.deck,
        "ended": "voided" if proof.ended is Phase.VOIDED else "settled",
        "spots": [str(spot) for spot in proof.spots],
        "bets_closed_version": proof.bets_closed_version,
    }


def _dealt_form(dealt: DealtCard) -> DealtCardForm:
    return DealtCardForm(
        lies=dealt.place.lies,
        spot=None if dealt.place.spot is None else str(dealt.place.spot),
        position=dealt.place.position,
        deck=dealt.deck,
        index=dealt.index,
        proof=_proof_form(dealt.proof),
    )


def _proof_form(proof: CardProof | None) -> CardProofForm | None:
    return None if proof is None else card_proof_form(proof)


# Reading ---------------------------------------------------------------------


def read_proof(text: str) -> RoundProof:
    """Read a proof of either version; raises ProofError if the text is not one."""
    form: AnyProofForm = read_form(text, AnyProofForm, "round proof")
    return RoundProof(
        table=form.table,
        number=form.number,
        house=form.house,
        fingerprint=form.fingerprint,
        procedure=form.procedure,
        deck=form.deck,
        ended=Phase(form.ended),
        spots=tuple(Spot.parse(text) for text in form.spots),
        bets_closed_version=form.bets_closed_version,
        commitments=tuple(map(_commitment, form.commitments)),
        seeds=_seeds(form.seeds) if isinstance(form, SeededProofForm) else None,
        cards=tuple(map(_dealt_card, form.cards)),
        passed=tuple(map(_passed, form.passed)) if isinstance(form, SeededProofForm) else (),
    )


def _commitment(form: CommitmentForm) -> Commitment:
    return Commitment(
        deck=form.deck,
        root=form.root,
        version=form.version,
        wager_version=form.wager_version if isinstance(form, SealForm) else None,
    )


def _seeds(form: SeedsForm) -> ProvedSeeds:
    return ProvedSeeds(
        digest=form.digest,
        called_version=form.called_version,
        fixed_version=form.fixed_version,
        seeds=tuple(
            ProvedSeed(
                seat=seed.seat,
                commitment=seed.commitment,
                version=seed.version,
                seed=seed.seed,
            )
            for seed in form.seeds
        ),
    )


def _passed(form: PassedCardForm) -> PassedCard:
    return PassedCard(deck=form.deck, index=form.index, proof=_card_proof(form.proof))


def _card_proof(form: CardProofForm | None) -> CardProof | None:
    return None if form is None else read_card_proof(form)


def _dealt_card(form: DealtCardForm) -> DealtCard:
    return DealtCard(
        place=Place(form.lies, None if form.spot is None else Spot.parse(form.spot), form.position),
        deck=form.deck,
        index=form.index,
        proof=_card_proof(form.proof),
    )
