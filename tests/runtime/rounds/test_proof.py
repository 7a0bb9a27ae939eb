"""Proofs of rounds: what is in them, and what is not."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.cards import Card
from openfelt.catalog import load_catalog, load_house
from openfelt.rules import House, Phase, Round, Spot
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.house import Deck
from openfelt.rules.round import card_at
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import Commitment, RoundProof, make_round_proof
from openfelt.runtime.rounds.proof_forms import proof_json, read_proof
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.table.deck import deck_places
from tests.kit.audit.proved_rounds import (
    ROUND,
    TABLE,
    Decks,
    commitments_to,
    dealt_round,
    decks_that_dealt,
    prove,
    seeded_round,
)
from tests.kit.felt import Felt, played
from tests.kit.own_houses import own_house
from tests.kit.playthroughs.driver import play
from tests.kit.playthroughs.parser import FOLDER, playthrough_files, read_playthrough

HOUSES = load_catalog().houses


def lies_face_up(state: Round, place: Place) -> bool:
    """Whether the card of a place was shown to all, computed independently."""
    if place.lies is Lies.COMMON:
        return place.position <= state.common_face_up
    if place.spot is None:
        return state.dealer_face_up
    return state.hands[place.spot].face_up


def assert_only_what_was_shown(state: Round, decks: Decks, proof: RoundProof) -> None:
    lay = deck_places(state.house, state.plan)
    dealt = [place for place in lay if card_at(state, place) is not None]
    shown = {lay[place] for place in dealt if lies_face_up(state, place)}
    assert [one.place for one in proof.cards] == dealt
    assert {(one.deck, one.index) for one in proof.cards if one.proof} == shown
    text = proof_json(proof)
    for name, deck in decks.items():
        for index, (card, salt) in enumerate(zip(deck.cards, deck.salts, strict=True)):
            assert (salt.hex() in text) is ((name, index) in shown)
            if len(decks) == 1:
                assert (f'"{card}"' in text) is ((name, index) in shown)


def name(file: Path) -> str:
    return file.relative_to(FOLDER).with_suffix("").as_posix()


@pytest.mark.parametrize("file", playthrough_files(), ids=name)
def test_every_golden_round_can_be_proved(file: Path) -> None:
    state = play(read_playthrough(file)).state
    decks = decks_that_dealt(state)
    proof = prove(state, decks)
    checked = check_round_proof(proof, state.house)
    assert checked.cards + checked.cards_never_shown == len(proof.cards)
    assert checked.decks == len(decks)
    assert_only_what_was_shown(state, decks, proof)
    assert read_proof(proof_json(proof)) == proof


@pytest.mark.parametrize("house", sorted(HOUSES))
@given(seed=st.integers(0, 2**32))
def test_random_rounds_can_be_proved(house: str, seed: int) -> None:
    state, decks = dealt_round(HOUSES[house], Random(seed))
    proof = prove(state, decks)
    check_round_proof(read_proof(proof_json(proof)), state.house)
    assert_only_what_was_shown(state, decks, proof)


@pytest.mark.parametrize("house", sorted(HOUSES))
@given(seed=st.integers(0, 2**32))
def test_random_rounds_with_seeds_can_be_proved(house: str, seed: int) -> None:
    state, decks, seeds = seeded_round(HOUSES[house], Random(seed))
    proof = prove(state, decks, seeds)
    text = proof_json(proof)
    assert read_proof(text) == proof
    checked = check_round_proof(read_proof(text), state.house)
    assert checked.seeds + checked.seeds_withheld == len(seeds.seeds or ())
    dealt = [one.place for one in proof.cards]
    assert {one.place for one in proof.cards if one.proof} == {
        place for place in dealt if lies_face_up(state, place)
    }
    assert_no_salt_of_a_hidden_card(state, decks, text)


def assert_no_salt_of_a_hidden_card(state: Round, decks: Decks, text: str) -> None:
    """What was not face up stays hidden, in whichever deck it came up."""
    places = deck_places(state.house, state.plan)
    shown: dict[str, set[Card]] = {name: set() for name in decks}
    for place, (deck, _) in places.items():
        card = card_at(state, place)
        if card is not None and lies_face_up(state, place):
            shown[deck].add(card)
    for name, secret in decks.items():
        for card, salt in zip(secret.cards, secret.salts, strict=True):
            if salt.hex() in text:
                assert card in shown[name] | shown["table"]


@cache
def mucked() -> tuple[Round, Decks]:
    """Hand 1.1 folds, so its cards and the dealer's stay face down; hand 2.1 plays Trips."""
    felt = played(
        "washington",
        bets={"1.1": "ante 10"},
        cards={"1.1": "2c 7d", "dealer": "Kc Kd", "common": "As Ah Qd Js 3c"},
        decisions={"1.1": "check,check,fold"},
    )
    return felt.state, decks_that_dealt(felt.state)


def test_a_mucked_hand_is_only_in_its_players_proof() -> None:
    state, decks = mucked()
    for_all, own, others = (prove(state, decks, seat=seat) for seat in (None, 1, 2))
    assert for_all == others
    assert {one.place.lies for one in for_all.cards if one.proof} == {Lies.COMMON}
    assert {one.place.lies for one in own.cards if one.proof} == {Lies.COMMON, Lies.HAND}
    checked = check_round_proof(for_all, state.house)
    assert (checked.cards, checked.cards_never_shown, checked.decks) == (5, 4, 1)
    assert check_round_proof(own, state.house).cards == 7
    assert for_all.cards[0].card is None
    assert str(own.cards[0].card) == "2c"


# A hall of terminals -------------------------------------------------------------------------

HALLS = [
    HOUSES["stadium"],
    own_house("washington", {"table.seats": 14}),
    own_house("washington", {"table.seats": 14, "table.player_cards_face_up": True}),
]
"""One with a deck for each terminal, and two that share a deck."""


def secrets_of_others(state: Round, decks: Decks, seat: int) -> set[str]:
    """The salts and commitments that are no affair of a seat."""
    salts = {
        decks[deck].salts[index].hex()
        for place, (deck, index) in deck_places(state.house, state.plan).items()
        if place.spot is not None and place.spot.seat != seat
    }
    own = {"table", f"seat-{seat}"}
    return salts | {deck.root for name, deck in decks.items() if name not in own}


@pytest.mark.parametrize("house", HALLS, ids=["own decks", "shared deck", "shared, face up"])
@given(seed=st.integers(0, 2**32))
def test_in_a_hall_a_players_proof_shows_no_other_players_cards(house: House, seed: int) -> None:
    state, decks = dealt_round(house, Random(seed))
    seats = {spot.seat for spot in state.hands}
    for seat in seats:
        text = proof_json(prove(state, decks, seat=seat))
        assert not [secret for secret in secrets_of_others(state, decks, seat) if secret in text]
        proof = read_proof(text)
        shown = {one.place for one in proof.cards if one.proof}
        assert check_round_proof(proof, house).cards == len(shown)
        everything = prove(state, decks)
        wanted = {one.place for one in everything.cards if one.proof and one.place.spot is None}
        own = [spot for spot in state.hands if spot.seat == seat]
        wanted |= {
            Place(Lies.HAND, spot, position + 1)
            for spot in own
            for position in range(len(state.hands[spot].cards))
        }
        assert shown == wanted
        if house.deck is Deck.PER_TERMINAL:
            assert proof.spots == tuple(own)


def test_in_a_hall_two_players_prove_the_same_board_and_each_their_own_hand() -> None:
    felt = played(
        "stadium",
        bets={"3.1": "ante 10", "17.1": "ante 10"},
        cards={
            "common": "As Ah Qd Js 3c",
            "dealer": "Kc Kd",
            "3.1": "2c 7d",
            "17.1": "2c 8d",
        },
        decisions={"3.1": "check,check,fold", "17.1": "4x"},
    )
    decks = decks_that_dealt(felt.state)
    for seat, hand in ((3, ["2c", "7d"]), (17, ["2c", "8d"])):
        proof = prove(felt.state, decks, seat=seat)
        cards = [str(one.card) for one in proof.cards]
        assert cards == ["As", "Ah", "Qd", "Js", "3c", "Kc", "Kd", *hand]
        assert [one.deck for one in proof.commitments] == ["table", f"seat-{seat}"]
        assert check_round_proof(proof, felt.state.house).cards == 9
    with pytest.raises(ProofError, match="Seat 4 had no hand in round table-1/1"):
        prove(felt.state, decks, seat=4)


def test_a_proof_names_its_round_and_its_rules() -> None:
    state, decks = mucked()
    proof = prove(state, decks)
    assert proof.round_id == ROUND == "table-1/1"
    assert (proof.house, proof.fingerprint) == ("washington", state.house.fingerprint)
    assert (proof.ended, proof.spots) == (Phase.SETTLED, (Spot(1, 1),))
    assert json.loads(proof_json(proof))["format"] == "openfelt.round_proof/1"


def refusal(state: Round, decks: Decks, commitments: tuple[Commitment, ...]) -> str:
    with pytest.raises(ProofError) as caught:
        make_round_proof(
            state,
            table=TABLE,
            decks=decks.values(),
            commitments=commitments,
            bets_closed_version=50,
        )
    return str(caught.value)


def test_a_round_that_cannot_be_proved_says_why() -> None:
    state, decks = mucked()
    roots = commitments_to(decks)
    assert "a live dealer dealt it" in refusal(state, decks, ())
    assert "a live dealer dealt it" in refusal(state, {}, ())
    assert "is missing" in refusal(state, {}, roots)
    assert "2 commitments" in refusal(state, decks, roots * 2)
    wrong = (replace(roots[0], root="0" * 64),)
    assert "is not the one" in refusal(state, decks, wrong)
    deck = decks["table"]
    elsewhere = SecretDeck.of("table-1/2", "table", deck.cards, deck.key)
    assert "is not the one" in refusal(
        state, {"table": elsewhere}, (replace(roots[0], root=elsewhere.root),)
    )
    turned = SecretDeck.of(ROUND, "table", deck.cards[::-1], deck.key)
    assert "is not card 1 of the deck table" in refusal(
        state, {"table": turned}, commitments_to({"table": turned})
    )


def test_a_round_in_progress_has_no_proof() -> None:
    felt = Felt("washington").bet("1.1", "ante 10")
    assert "is not over" in refusal(felt.state, *over_nothing())
    felt.close()
    assert "still secret" in refusal(felt.state, *over_nothing())


def over_nothing() -> tuple[Decks, tuple[Commitment, ...]]:
    decks = mucked()[1]
    return decks, commitments_to(decks)


def test_a_round_voided_before_bets_closed_dealt_nothing() -> None:
    felt = Felt("washington").bet("1.1", "ante 10").void()
    assert "no card was dealt" in refusal(felt.state, *over_nothing())


def test_decks_of_seats_that_did_not_play_are_left_out() -> None:
    state, decks = dealt_round(load_house("stadium"), Random(4))
    deck = decks["table"]
    idle = SecretDeck.of(ROUND, "seat-1999", deck.cards[7:], deck.key)
    proof = prove(state, {**decks, "seat-1999": idle})
    assert {one.deck for one in proof.commitments} == set(decks)
    check_round_proof(proof, state.house)


def changed_json(**changes: Any) -> str:
    form = json.loads(proof_json(prove(*mucked())))
    for key, value in changes.items():
        *path, last = key.split("__")
        table: Any = form
        for step in path:
            table = table[int(step) if step.isdecimal() else step]
        table[int(last) if last.isdecimal() else last] = value
    return json.dumps(form)


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "openfelt.round_proof/2"},
        {"table": ""},
        {"table": "\ud800"},
        {"number": 0},
        {"number": "1"},
        {"number": 1.5},
        {"procedure": "cut"},
        {"deck": "many"},
        {"ended": "playing"},
        {"spots": ["1"]},
        {"spots": ["1.0"]},
        {"spots": ["01.1"]},
        {"bets_closed_version": 0},
        {"commitments__0__root": "00"},
        {"commitments__0__version": -1},
        {"commitments__0__more": 1},
        {"cards__0__lies": "floor"},
        {"cards__0__spot": "1.1.1"},
        {"cards__0__position": 6},
        {"cards__0__index": 52},
        {"cards__0__proof": {}},
        {"cards": None},
        {"more": 1},
    ],
    ids=str,
)
def test_an_invalid_proof_is_refused_with_a_sentence(changes: dict[str, Any]) -> None:
    assert read_proof(changed_json()) == prove(*mucked())
    with pytest.raises(ProofError, match=r"^This is not a valid round proof: .*\.$"):
        read_proof(changed_json(**changes))
