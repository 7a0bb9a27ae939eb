"""The JSON of a round's proof, in each version of its format.

``openfelt.round_proof/3`` is the proof of a round with seeds. Rounds that an earlier version of
Openfelt opened have no seeds; their proofs are, and stay, ``openfelt.round_proof/1``. Proofs of
version 2, which earlier versions of Openfelt wrote, are read and no longer written.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec

from openfelt.cards import Card
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.house import DealerMode, Deck, Procedure
from openfelt.rules.round import Phase
from openfelt.rules.wagers import SPOT_PATTERN, Spot
from openfelt.runtime.rounds.proof import (
    Commitment,
    DealtCard,
    PassedCard,
    ProvedSeed,
    ProvedSeeds,
    RoundProof,
    ScannedCard,
    SeedList,
    mixture,
    round_id,
)
from openfelt.runtime.shuffle.merkle import (
    CardProof,
    CardProofForm,
    CardText,
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

Version = Annotated[int, msgspec.Meta(ge=1, le=2**62)]
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=999_999)]
SeatText = Annotated[str, msgspec.Meta(pattern=r"\A[1-9][0-9]{0,5}\Z")]
SpotText = Annotated[str, msgspec.Meta(pattern=rf"\A{SPOT_PATTERN}\Z")]


# All versions ---------------------------------------------------------------


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
    """The facts that the proof of every round states."""

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


# Version 2: rounds with seeds, each with its commitment -------------------------


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


class BoundProofForm(RoundForm, frozen=True, kw_only=True, tag="openfelt.round_proof/2"):
    """The proof of a whole round with seeds in JSON."""

    commitments: list[SealForm]
    seeds: SeedsForm
    cards: list[DealtCardForm]
    passed: list[PassedCardForm]


# Version 3: rounds with seeds, whose list may be elsewhere; live dealers ---------


class SeedListForm(ProofForm, frozen=True, kw_only=True):
    """The seeds by seat, and the commitments to those that were withheld."""

    revealed: dict[SeatText, HexHash]
    withheld: dict[SeatText, HexHash]


class MixedSeedsForm(ProofForm, frozen=True, kw_only=True):
    """The seeds of a round: when they were bound, called and fixed, and what they make together.

    The list is null if it is a separate document.
    """

    bound_version: Version | None
    digest: HexHash | None
    called_version: Version | None
    fixed_version: Version | None
    mixed: HexHash | None
    list: SeedListForm | None


class ScannedCardForm(ProofForm, frozen=True, kw_only=True):
    """A card that a live dealer scanned; null if it was never shown."""

    lies: Literal["dealer", "common"]
    position: Annotated[int, msgspec.Meta(ge=1, le=5)]
    version: Version
    card: CardText | None
    corrected: CardText | None


class SeededProofForm(RoundForm, frozen=True, kw_only=True, tag="openfelt.round_proof/3"):
    """The proof of a whole round with seeds in JSON."""

    dealer: Literal["virtual", "live"]
    commitments: list[SealForm]
    seeds: MixedSeedsForm
    cards: list[DealtCardForm]
    scanned: list[ScannedCardForm]
    passed: list[PassedCardForm]


AnyProofForm = RoundProofForm | BoundProofForm | SeededProofForm


class RoundSeedsForm(
    ProofForm, frozen=True, kw_only=True, tag_field="format", tag="openfelt.round_seeds/1"
):
    """The list of the seeds of one round, as a separate document."""

    table: Name
    number: Version
    list: SeedListForm


# Writing ---------------------------------------------------------------------


def proof_json(proof: RoundProof) -> str:
    """A proof as JSON."""
    return written(_form_1(proof) if proof.seeds is None else _form_3(proof, proof.seeds))


def seed_list_json(listed: SeedList) -> str:
    """A round's list of seeds as JSON."""
    form = RoundSeedsForm(
        table=listed.table, number=listed.number, list=_seed_list_form(listed.seeds)
    )
    return written(form)


def _form_1(proof: RoundProof) -> RoundProofForm:
    return RoundProofForm(
        commitments=[
            CommitmentForm(deck=commitment.deck, root=commitment.root, version=commitment.version)
            for commitment in proof.commitments
        ],
        cards=list(map(_dealt_form, proof.cards)),
        **_round(proof),
    )


def _form_3(proof: RoundProof, seeds: ProvedSeeds) -> SeededProofForm:
    return SeededProofForm(
        dealer="live" if proof.dealer is DealerMode.LIVE else "virtual",
        commitments=[
            SealForm(
                deck=commitment.deck,
                root=commitment.root,
                version=commitment.version,
                wager_version=commitment.wager_version or commitment.version,
            )
            for commitment in proof.commitments
        ],
        seeds=MixedSeedsForm(
            bound_version=seeds.bound_version,
            digest=seeds.digest,
            called_version=seeds.called_version,
            fixed_version=seeds.fixed_version,
            mixed=seeds.mixed,
            list=None if seeds.seeds is None else _seed_list_form(seeds.seeds),
        ),
        cards=list(map(_dealt_form, proof.cards)),
        scanned=list(map(_scanned_form, proof.scanned)),
        passed=[
            PassedCardForm(deck=passed.deck, index=passed.index, proof=_proof_form(passed.proof))
            for passed in proof.passed
        ],
        **_round(proof),
    )


def _seed_list_form(seeds: Iterable[ProvedSeed]) -> SeedListForm:
    revealed, withheld = {}, {}
    for seed in seeds:
        if seed.seed is None:
            withheld[str(seed.seat)] = seed.commitment
        else:
            revealed[str(seed.seat)] = seed.seed
    return SeedListForm(revealed=revealed, withheld=withheld)


def _scanned_form(scanned: ScannedCard) -> ScannedCardForm:
    return ScannedCardForm(
        lies="dealer" if scanned.place.lies is Lies.DEALER else "common",
        position=scanned.place.position,
        version=scanned.version,
        card=None if scanned.card is None else str(scanned.card),
        corrected=None if scanned.corrected is None else str(scanned.corrected),
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
    """Read a proof of any version; raises ProofError if the text is not one."""
    form: AnyProofForm = read_form(text, AnyProofForm, "round proof")
    proof = RoundProof(
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
        cards=tuple(map(_dealt_card, form.cards)),
    )
    match form:
        case BoundProofForm():
            seeds = _bound_seeds(form.seeds, proof.round_id)
            return replace(proof, seeds=seeds, passed=tuple(map(_passed, form.passed)))
        case SeededProofForm():
            return replace(
                proof,
                dealer=DealerMode(form.dealer),
                seeds=_mixed_seeds(form.seeds, proof.round_id),
                scanned=tuple(map(_scanned, form.scanned)),
                passed=tuple(map(_passed, form.passed)),
            )
    return proof


def read_seed_list(text: str) -> SeedList:
    """Read a round's list of seeds; raises ProofError if the text is not one."""
    form: RoundSeedsForm = read_form(text, RoundSeedsForm, "list of seeds")
    name = round_id(form.table, form.number)
    return SeedList(table=form.table, number=form.number, seeds=_listed(form.list, name))


def _commitment(form: CommitmentForm) -> Commitment:
    return Commitment(
        deck=form.deck,
        root=form.root,
        version=form.version,
        wager_version=form.wager_version if isinstance(form, SealForm) else None,
    )


def _bound_seeds(form: SeedsForm, name: str) -> ProvedSeeds:
    seeds = tuple(
        ProvedSeed(seat=seed.seat, commitment=seed.commitment, seed=seed.seed)
        for seed in form.seeds
    )
    return ProvedSeeds(
        bound_version=max((seed.version for seed in form.seeds), default=None),
        digest=form.digest,
        called_version=form.called_version,
        fixed_version=form.fixed_version,
        mixed=mixture(name, seeds),
        seeds=seeds,
    )


def _mixed_seeds(form: MixedSeedsForm, name: str) -> ProvedSeeds:
    return ProvedSeeds(
        bound_version=form.bound_version,
        digest=form.digest,
        called_version=form.called_version,
        fixed_version=form.fixed_version,
        mixed=form.mixed,
        seeds=None if form.list is None else _listed(form.list, name),
    )


def _listed(form: SeedListForm, name: str) -> tuple[ProvedSeed, ...]:
    """The seeds of a list in the order of the seats."""
    if form.revealed.keys() & form.withheld.keys():
        raise ProofError("A seed is listed both as revealed and as withheld.")
    seeds = [ProvedSeed.revealed(name, int(seat), seed) for seat, seed in form.revealed.items()]
    seeds += [
        ProvedSeed(seat=int(seat), commitment=commitment, seed=None)
        for seat, commitment in form.withheld.items()
    ]
    return tuple(sorted(seeds, key=lambda seed: seed.seat))


def _scanned(form: ScannedCardForm) -> ScannedCard:
    return ScannedCard(
        place=Place(Lies(form.lies), None, form.position),
        version=form.version,
        card=None if form.card is None else Card.parse(form.card),
        corrected=None if form.corrected is None else Card.parse(form.corrected),
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
