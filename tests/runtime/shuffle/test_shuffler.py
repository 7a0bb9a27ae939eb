"""The shuffler and its secret decks."""

import hmac
import json
from typing import Any

import pytest

from openfelt.cards import FULL_DECK, format_cards
from openfelt.runtime.shuffle.entropy import SeededEntropy, SystemEntropy
from openfelt.runtime.shuffle.merkle import ProofError, verify_card
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler, deck_salts
from openfelt.table import shuffled


def a_deck() -> SecretDeck:
    return Shuffler(SeededEntropy(1)).shuffle("t/1", "table", FULL_DECK)


def test_a_shuffle_is_the_permutation_and_then_the_key() -> None:
    entropy = SeededEntropy(1)
    order = shuffled(FULL_DECK, entropy.draw_below)
    assert a_deck() == SecretDeck.of("t/1", "table", order, entropy.token(32))


def test_salts_are_the_hmac_of_their_index() -> None:
    key = bytes(range(32))
    expected = [hmac.digest(key, index.to_bytes(2, "big"), "sha256") for index in range(300)]
    assert list(deck_salts(key, 300)) == expected


def test_a_deck_keeps_its_cards_and_salts_every_one_of_them() -> None:
    deck = Shuffler(SystemEntropy()).shuffle("t/1", "seat-17", FULL_DECK[:45])
    assert sorted(deck.cards) == list(FULL_DECK[:45])
    assert len(set(deck.salts)) == 45
    assert {len(salt) for salt in deck.salts} == {32}


def test_every_card_of_a_deck_has_a_proof() -> None:
    deck = a_deck()
    for index, proof in enumerate(deck.proofs(range(52))):
        assert proof == deck.proof(index)
        assert (proof.card, proof.salt) == (deck.cards[index], deck.salts[index])
        assert verify_card(deck.root, "t/1", "table", proof, 52)
    for index in (-1, 52):
        with pytest.raises(IndexError, match="no card at index"):
            deck.proof(index)


def test_nothing_prints_the_secret() -> None:
    deck = a_deck()
    assert repr(deck) == f"SecretDeck(round_id='t/1', deck='table', root='{deck.root}')"


def test_a_secret_deck_survives_its_json() -> None:
    assert SecretDeck.from_json(a_deck().to_json()) == a_deck()


def test_a_tree_that_is_kept_opens_the_same_cards() -> None:
    text = a_deck().to_json()
    plain, kept = SecretDeck.from_json(text), SecretDeck.from_json(text, keep_tree=True)
    assert plain.tree is None
    assert kept.tree == plain._tree()
    assert kept == plain
    assert (repr(kept), kept.to_json()) == (repr(plain), text)
    assert kept.proofs(range(52)) == plain.proofs(range(52))


def changed_json(**changes: Any) -> str:
    return json.dumps(json.loads(a_deck().to_json()) | changes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        changed_json(format="openfelt.secret_deck/2"),
        changed_json(round_id=""),
        changed_json(deck="seat-0"),
        changed_json(deck="the table"),
        changed_json(cards="As"),
        changed_json(cards="Xx"),
        changed_json(cards=format_cards(FULL_DECK[:51]) + " 2c"),
        changed_json(cards=format_cards(FULL_DECK)),
        changed_json(key="00" * 32),
        changed_json(key="00"),
        changed_json(root="00" * 32),
        changed_json(round_id="t/2"),
        changed_json(more=1),
    ],
    ids=range(15),
)
def test_a_secret_deck_that_was_changed_is_refused_and_not_printed(text: str) -> None:
    with pytest.raises(ProofError) as caught:
        SecretDeck.from_json(text)
    assert str(caught.value).endswith(".")
    assert caught.value.__cause__ is None
    assert not any(str(card) in str(caught.value).split() for card in FULL_DECK)


@pytest.mark.parametrize(
    ("name", "cards", "key"),
    [
        ("table", (), bytes(32)),
        ("table", (FULL_DECK[0],) * 2, bytes(32)),
        ("table", FULL_DECK[:1], bytes(31)),
        ("seat-", FULL_DECK[:1], bytes(32)),
        ("seat-1\n", FULL_DECK[:1], bytes(32)),
    ],
)
def test_an_invalid_deck_is_refused(name: str, cards: Any, key: bytes) -> None:
    with pytest.raises(ValueError, match="deck"):
        SecretDeck.of("t/1", name, cards, key)
