"""Commitments and proofs of single cards."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.cards import FULL_DECK, Card
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.merkle import (
    CardProof,
    DeckTree,
    ProofError,
    deck_tree,
    leaf_hash,
    root_hash,
    verify_card,
)

ROUND = "stadium-1/31"
DECK = "seat-17"


def salts_of(count: int) -> list[bytes]:
    entropy = SeededEntropy(5)
    return [entropy.token(32) for _ in range(count)]


def tree_of(count: int) -> DeckTree:
    return deck_tree(round_id=ROUND, deck=DECK, cards=FULL_DECK[:count], salts=salts_of(count))


def proof_of(count: int, index: int) -> CardProof:
    return CardProof(index, FULL_DECK[index], salts_of(count)[index], tree_of(count).path(index))


def root_by_the_page(count: int) -> str:
    """The root as the page describes it, written again without a look at the program."""
    level = []
    for index, salt in enumerate(salts_of(count)):
        text = b"\x00"
        card = "23456789TJQKA"[index // 4] + "cdhs"[index % 4]
        for part in (ROUND.encode(), DECK.encode(), b"%d" % index, card.encode(), salt):
            text += len(part).to_bytes(4, "big") + part
        level.append(hashlib.sha256(text).digest())
    while len(level) > 1:
        above = []
        while len(level) > 1:
            left, right, *level = level
            above.append(hashlib.sha256(b"\x01" + left + right).digest())
        level = above + level
    return hashlib.sha256(b"\x02" + count.to_bytes(4, "big") + level[0]).hexdigest()


@pytest.mark.parametrize("count", range(1, 53))
def test_the_root_is_what_the_page_says_and_every_card_has_a_proof(count: int) -> None:
    root = tree_of(count).root
    assert root == root_by_the_page(count)
    assert all(
        verify_card(root, ROUND, DECK, proof_of(count, index), count) for index in range(count)
    )


def test_a_known_root() -> None:
    """Other programs that check proofs can begin with this one."""
    tree = deck_tree(round_id="t/1", deck="table", cards=FULL_DECK, salts=[bytes(32)] * 52)
    assert tree.root == "ff521a356d0787eb9864449232ac6636bb12b52768d566370ba30343f1a17391"


def test_a_deck_has_cards() -> None:
    with pytest.raises(ValueError, match="at least one card"):
        deck_tree(round_id=ROUND, deck=DECK, cards=(), salts=())
    with pytest.raises(ValueError, match="shorter"):
        deck_tree(round_id=ROUND, deck=DECK, cards=FULL_DECK, salts=salts_of(51))


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8 % len(data)] ^= 1 << bit % 8
    return bytes(changed)


@given(st.integers(2, 52), st.data())
def test_a_proof_fails_when_anything_is_changed(count: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, count - 1))
    bit = data.draw(st.integers(0, 255))
    other = data.draw(st.integers(0, 51).filter(lambda number: number != index))
    proof, root = proof_of(count, index), tree_of(count).root
    assert verify_card(root, ROUND, DECK, proof, count)

    step = data.draw(st.integers(0, len(proof.path) - 1))
    path = list(proof.path)
    path[step] = flipped(path[step], bit)
    changed = {
        "card": replace(proof, card=Card(other)),
        "salt": replace(proof, salt=flipped(proof.salt, bit)),
        "short salt": replace(proof, salt=proof.salt[:-1]),
        "index": replace(proof, index=other),
        "index below": replace(proof, index=-1),
        "index beyond": replace(proof, index=count),
        "path": replace(proof, path=tuple(path)),
        "short path": replace(proof, path=proof.path[:-1]),
        "long path": replace(proof, path=(*proof.path, proof.path[-1])),
    }
    for what, wrong in changed.items():
        assert not verify_card(root, ROUND, DECK, wrong, count), what
    wrong_root = flipped(bytes.fromhex(root), bit).hex()
    assert not verify_card(wrong_root, ROUND, DECK, proof, count)
    assert not verify_card(root, "stadium-1/32", DECK, proof, count)
    assert not verify_card(root, ROUND, "seat-1", proof, count)
    wrong_count = data.draw(st.integers(0, 60).filter(lambda number: number != count))
    assert not verify_card(root, ROUND, DECK, proof, wrong_count)


@pytest.mark.parametrize("index", [-1, 1, 2])
def test_a_leaf_that_was_committed_under_a_false_index_is_refused(index: int) -> None:
    """A leaf could be made with any index, so the index must be one of the deck's."""
    leaf = leaf_hash(round_id=ROUND, deck=DECK, index=index, card=Card(51), salt=bytes(32))
    proof = CardProof(index, Card(51), bytes(32), ())
    assert not verify_card(root_hash(1, leaf), ROUND, DECK, proof, 1)


def test_parts_cannot_be_shifted_into_each_other() -> None:
    """Without the lengths, round 1 of deck ``1...`` could pass for round 11."""
    roots = {
        deck_tree(round_id=name, deck=deck, cards=FULL_DECK, salts=salts_of(52)).root
        for name, deck in (("t/1", "1seat"), ("t/11", "seat"), ("t/", "11seat"))
    }
    assert len(roots) == 3


def test_no_two_counts_share_a_root() -> None:
    assert len({tree_of(count).root for count in range(1, 53)}) == 52


@given(st.integers(1, 52), st.data())
def test_a_proof_survives_its_json(count: int, data: st.DataObject) -> None:
    proof = proof_of(count, data.draw(st.integers(0, count - 1)))
    assert CardProof.from_json(proof.to_json()) == proof


def changed_json(**changes: Any) -> str:
    form = json.loads(proof_of(52, 9).to_json()) | changes
    return json.dumps({key: value for key, value in form.items() if value is not ...})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{",
        "[" * 100_000,
        changed_json(index=-1),
        changed_json(index=52),
        changed_json(index="9"),
        changed_json(index=9.0),
        changed_json(index=True),
        changed_json(index=None),
        changed_json(index=...),
        changed_json(card="10h"),
        changed_json(card="as"),
        changed_json(card="As "),
        changed_json(card="\ud800"),
        changed_json(salt="00"),
        changed_json(salt="AB" * 32),
        changed_json(salt="ab" * 32 + "\n"),
        changed_json(path=["ab" * 32] * 7),
        changed_json(path=["zz" * 32]),
        changed_json(path="ab" * 32),
        changed_json(more=1),
        changed_json().replace("{", '{"index": 3, ', 1),
        changed_json().replace('"index": 9', '"index": NaN'),
        changed_json().replace('"index": 9', '"index": ' + "9" * 5000),
        " " * 16_000_001,
    ],
    ids=range(27),
)
def test_an_invalid_proof_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ProofError, match=r"^This .*card proof.*\.$"):
        CardProof.from_json(text)


@given(st.text(max_size=50))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(ProofError):
        CardProof.from_json(text)


def test_a_text_that_is_no_proof_is_refused_before_anything_is_made_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("json.loads", lambda *_, **__: pytest.fail("it was parsed"))
    with pytest.raises(ProofError):
        CardProof.from_json('{"x": [' + '{"a": "0123456789"},' * 1000 + "1]}")
