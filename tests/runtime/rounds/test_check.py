"""The check of a round's proof finds whatever was tampered with."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.cards import Card
from openfelt.catalog import load_catalog
from openfelt.rules import Phase, Spot
from openfelt.rules.house import Deck, Procedure
from openfelt.runtime.rounds.check import CheckResult, check_round_proof
from openfelt.runtime.rounds.proof import DealtCard, RoundProof
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck
from tests.kit.audit.proved_rounds import ROUND, dealt_round, decks_that_dealt, prove
from tests.kit.felt import played

HOUSES = load_catalog().houses


@cache
def stadium() -> RoundProof:
    """Two terminals, one with two hands; every card is shown."""
    felt = played(
        "stadium",
        bets={"3.1": "ante 10", "3.2": "ante 10", "17.1": "ante 10"},
        cards={
            "common": "As Ah Qd Js 3c",
            "dealer": "Kc Kd",
            "3.1": "2c 7d",
            "3.2": "2d 7c",
            "17.1": "2c 8d",
        },
        decisions={"3.1": "4x", "3.2": "4x", "17.1": "4x"},
    )
    return prove(felt.state, decks_that_dealt(felt.state))


@cache
def washington() -> RoundProof:
    """Two hands at a shared deck, one of them mucked."""
    felt = played(
        "washington",
        bets={"1.1": "ante 10", "2.1": "ante 10"},
        cards={"1.1": "2c 7d", "2.1": "2d 7c", "dealer": "Kc Kd", "common": "As Ah Qd Js 3c"},
        decisions={"1.1": "check,check,fold", "2.1": "4x"},
    )
    return prove(felt.state, decks_that_dealt(felt.state))


def refusal(proof: RoundProof) -> str:
    with pytest.raises(ProofError) as caught:
        check_round_proof(proof, HOUSES[proof.house])
    assert str(caught.value).endswith(".")
    return str(caught.value)


def with_card(whole: RoundProof, at: int, **changes: Any) -> RoundProof:
    cards = list(whole.cards)
    cards[at] = replace(cards[at], **changes)
    return replace(whole, cards=tuple(cards))


def with_proof(whole: RoundProof, at: int, **changes: Any) -> RoundProof:
    shown = whole.cards[at].proof
    assert shown is not None
    return with_card(whole, at, proof=replace(shown, **changes))


def test_good_proofs_check() -> None:
    assert check_round_proof(stadium(), HOUSES["stadium"]) == CheckResult(
        cards=13, cards_never_shown=0, decks=3
    )
    assert check_round_proof(washington(), HOUSES["washington"]) == CheckResult(
        cards=9, cards_never_shown=2, decks=1
    )


Tamper = Callable[[], RoundProof]


@pytest.mark.parametrize(
    ("tamper", "sentence"),
    [
        (lambda: replace(stadium(), house="draw", fingerprint="0"), "was dealt under the rules"),
        (lambda: replace(stadium(), fingerprint="0" * 64), "was dealt under the rules"),
        (lambda: replace(stadium(), procedure=Procedure.SHOE), "by the shoe procedure"),
        (lambda: replace(stadium(), deck=Deck.SHARED), "from a per_terminal deck"),
        (lambda: replace(stadium(), ended=Phase.READY), "is not over"),
        (lambda: replace(stadium(), spots=()), "dealing order"),
        (lambda: replace(stadium(), spots=stadium().spots[::-1]), "dealing order"),
        (lambda: replace(stadium(), spots=(Spot(3, 1),) * 2), "dealing order"),
        (lambda: replace(stadium(), spots=(Spot(3, 4),)), "no hand 3.4"),
        (lambda: replace(stadium(), spots=(Spot(2001, 1),)), "no hand 2001.1"),
        (lambda: replace(washington(), spots=(Spot(7, 1),)), "no hand 7.1"),
        (lambda: replace(stadium(), commitments=()), "a live dealer"),
        (lambda: replace(stadium(), commitments=stadium().commitments[:2]), "deck seat-"),
        (lambda: replace(stadium(), commitments=stadium().commitments * 2), "more than one"),
        (lambda: replace(stadium(), spots=(Spot(3, 1),)), "nothing from the deck seat-17"),
        (lambda: replace(stadium(), bets_closed_version=11), "event 11, which is not before"),
        (lambda: replace(stadium(), bets_closed_version=13), "event 13, which is not before"),
        (lambda: replace(stadium(), cards=stadium().cards[:-1]), "1 cards of the plan"),
        (lambda: replace(stadium(), cards=(*stadium().cards,) * 2), "13 cards, not 26"),
        (lambda: replace(stadium(), cards=stadium().cards[::-1]), "Card 1 goes to"),
        (lambda: with_card(stadium(), 7, deck="seat-17"), "index 0 of the deck seat-3, not"),
        (lambda: with_card(stadium(), 7, index=1), "index 0 of the deck seat-3, not"),
        (lambda: with_proof(stadium(), 7, index=1), "its proof is about index 1"),
        (lambda: with_proof(stadium(), 7, card=Card(51)), "shown as the ace of spades"),
        (lambda: with_proof(stadium(), 7, salt=bytes(32)), "by its commitment"),
        (lambda: with_proof(stadium(), 7, path=()), "by its commitment"),
        (lambda: with_card(stadium(), 0, proof=None), "was turned over, but"),
        (lambda: with_card(stadium(), 7, proof=None), "lay face up, but"),
        (lambda: with_card(stadium(), 5, proof=None), "Some cards of the dealer"),
        (lambda: with_card(washington(), 2, proof=None), "Some cards of hand 2.1"),
        (lambda: replace(stadium(), table="other"), "by its commitment"),
        (lambda: replace(stadium(), number=2), "by its commitment"),
    ],
)
def test_what_was_tampered_with_is_named(tamper: Tamper, sentence: str) -> None:
    assert sentence in refusal(tamper())


def test_more_hands_than_a_deck_serves_are_refused() -> None:
    house = replace(HOUSES["washington"], seats=30)
    proof = replace(washington(), spots=tuple(Spot(seat, 1) for seat in range(1, 24)))
    with pytest.raises(ProofError, match="22 hands, not 23"):
        check_round_proof(proof, house)


def stacked(proof: RoundProof, deck: str, at: int, card: str) -> RoundProof:
    """The proof of a house that stacked a deck before it committed to it."""
    dealt = [one for one in proof.cards if one.deck == deck]
    count = 52 if deck == "table" else 45
    known = {one.index: one.card for one in dealt if one.card}
    known[at] = Card.parse(card)
    cards = [known.get(index, Card(51 - index)) for index in range(count)]
    salts = (bytes(32),) * count
    secret = SecretDeck(ROUND, deck, tuple(cards), bytes(32), salts, root="")
    root = secret._tree().root
    return replace(
        proof,
        commitments=tuple(
            replace(one, root=root) if one.deck == deck else one for one in proof.commitments
        ),
        cards=tuple(
            replace(one, proof=secret.proof(one.index)) if one in dealt and one.proof else one
            for one in proof.cards
        ),
    )


@pytest.mark.clause("R.11")
def test_a_stacked_deck_with_a_card_twice_is_found() -> None:
    assert "ace of spades is both" in refusal(stacked(stadium(), "table", 1, "As"))
    assert "two of clubs is both hand 3.1 card 1 and hand 3.2 card 1" in refusal(
        stacked(stadium(), "seat-3", 2, "2c")
    )
    assert "ace of hearts is both common card 2 and hand 17.1 card 1" in refusal(
        stacked(stadium(), "seat-17", 0, "Ah")
    )
    assert check_round_proof(stacked(stadium(), "seat-17", 0, "7d"), HOUSES["stadium"]).cards == 13


def shown(proof: RoundProof) -> list[int]:
    return [at for at, one in enumerate(proof.cards) if one.proof]


@pytest.mark.parametrize("house", sorted(HOUSES))
@given(seed=st.integers(0, 2**32), data=st.data())
def test_no_shown_card_of_a_random_round_can_be_exchanged(
    house: str, seed: int, data: st.DataObject
) -> None:
    state, decks = dealt_round(HOUSES[house], Random(seed))
    proof = prove(state, decks)
    if not shown(proof):
        return
    at = data.draw(st.sampled_from(shown(proof)))
    was = proof.cards[at].card
    other = data.draw(st.sampled_from(range(52)).map(Card).filter(lambda card: card != was))
    assert "by its commitment" in refusal(with_proof(proof, at, card=other))


@given(seed=st.integers(0, 2**32), data=st.data())
def test_two_hands_cannot_exchange_their_cards(seed: int, data: st.DataObject) -> None:
    """Every card is true, and only its place is not."""
    proof = stadium() if seed % 2 else washington()
    first, second = data.draw(
        st.lists(st.sampled_from(shown(proof)), min_size=2, max_size=2, unique=True)
    )
    cards: list[DealtCard] = list(proof.cards)
    cards[first], cards[second] = (
        replace(cards[second], place=cards[first].place),
        replace(cards[first], place=cards[second].place),
    )
    assert "comes from index" in refusal(replace(proof, cards=tuple(cards)))


def test_a_void_round_may_have_dealt_a_part_of_its_plan() -> None:
    found = set()
    for seed in range(200):
        state, decks = dealt_round(HOUSES["washington"], Random(seed))
        if state.phase is Phase.VOIDED:
            proof = prove(state, decks)
            check_round_proof(proof, state.house)
            found.add(len(proof.cards))
    assert len(found) > 5
