"""The remains of a finished round without its secret cards: the shown cards and the proofs.

A purge keeps this of a round in the database, and a shipped copy of the log has no more of it.
Hands that were never shown are not part of it, nor is any card that was not dealt.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from openfelt.cards import UNKNOWN_CARD
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import Hold
from openfelt.rules.round import Round
from openfelt.rules.round_events import CardCorrected, CardDealt, DecisionMade
from openfelt.runtime.rounds.proof import RoundProof, Unprovable
from openfelt.runtime.rounds.proof_forms import proof_json
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.rounds.recorded_round import RecordedRound
from openfelt.runtime.shuffle.deck_secrets import kept_proofs_secret
from openfelt.storage.door import Irrecoverable, NewSecret, StoredEvent
from openfelt.storage.event_forms import EventCodec


def kept_round(
    reader: RoundReader,
    codec: EventCodec,
    recorded: RecordedRound,
    events: Iterable[StoredEvent],
) -> NewSecret | None:
    """What is kept of a finished round, as one secret; None if nothing is kept.

    ``events`` are the events whose hidden parts are kept if they were shown.
    Raises ProofError, CodecError or KeyMissing.
    """
    final = recorded.final()
    proofs = _proofs(reader, recorded, final)
    shown = _shown(codec, events, final)
    return kept_proofs_secret(recorded.number, proofs, shown=shown) if proofs or shown else None


def _proofs(reader: RoundReader, recorded: RecordedRound, final: Round) -> dict[str, str]:
    """The proofs of a round, without mucked hands: the public one, in a hall one by seat."""
    try:
        made = reader.proofs(recorded)
        proofs = {"public": proof_json(made.public())}
    except Unprovable:
        return {}
    if not final.house.shows_all_hands:
        banker = final.opened.banker
        seats = {spot.seat for spot in final.hands} | ({banker.seat} if banker else set())
        for seat in sorted(seats):
            # The list of a hall's seeds is kept once, in the public proof.
            proof = _without_mucked(made.of_seat(seat), final).brief()
            proofs[str(seat)] = proof_json(proof)
    return proofs


def _shown(codec: EventCodec, events: Iterable[StoredEvent], final: Round) -> dict[int, str]:
    """By version, the hidden parts of events that were shown in the end."""
    shown: dict[int, str] = {}
    for stored in events:
        if stored.decrypt is None:
            continue
        with suppress(Irrecoverable):
            body = stored.plain_body
            event = _shown_in(codec.decode_body(stored.name, stored.schema, body), final)
            if event is not None:
                shown[stored.version] = codec.hidden_part(stored, event)
    return shown


def _without_mucked(proof: RoundProof, final: Round) -> RoundProof:
    """A player's proof without the hands that only this player has seen."""
    cards = tuple(
        dealt
        if dealt.place.spot is None or final.hands[dealt.place.spot].face_up
        else replace(dealt, proof=None)
        for dealt in proof.cards
    )
    return replace(proof, cards=cards)


def _shown_in(event: object, final: Round) -> object | None:
    """The parts of an event with hidden cards that were shown in the end; None if none were."""
    match event:
        case CardDealt(place) | CardCorrected(place):
            return event if _face_up(final, place) else None
        case DecisionMade(spot, Hold(cards)):
            if final.hands[spot].face_up:
                return event
            # How many cards a hand holds is seen by all.
            return replace(event, decision=Hold((UNKNOWN_CARD,) * len(cards)))
        case _:
            return None


def _face_up(final: Round, place: Place) -> bool:
    """Whether the card at a place was face up in the end."""
    if place.spot is not None:
        return final.hands[place.spot].face_up
    if place.lies is Lies.DEALER:
        return final.dealer_face_up
    return place.position <= final.common_face_up
