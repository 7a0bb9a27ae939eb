"""A house could have its own verifier say what it likes, so a stranger writes another one.

``examples/verifier.py`` was written from docs/internals/shuffle.md alone and imports nothing of
Openfelt. It agrees with our check about proofs of all houses and about every change of a value.
"""

import ast
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Any, Final

import pytest

from openfelt.catalog import load_catalog
from openfelt.rules.round import Phase
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import SEEDS_INSIDE_MAX, RoundProof
from openfelt.runtime.rounds.proof_forms import proof_json, read_proof, seed_list_json
from openfelt.runtime.rounds.record import proof_of_round
from openfelt.runtime.shuffle.merkle import ProofError
from tests.kit.audit.live_rounds import live_round
from tests.kit.audit.old_proofs import old_proof, rules_of
from tests.kit.audit.proved_rounds import dealt_round, prove, proved_seeds, seeded_round
from tests.kit.audit.strangers_verifier import FILE, STRANGER
from tests.kit.audit.strangers_verifier import strangers_verdict as holds
from tests.kit.cases import with_variants
from tests.kit.floors import Shift
from tests.kit.repository import ROOT

HOUSES: Final = load_catalog().houses


def ours(text: str) -> bool:
    """What our own check says; an old proof may be of rules that the catalog has no more."""
    try:
        proof = read_proof(text)
        check_round_proof(proof, rules_of(proof))
    except ProofError:
        return False
    return True


def test_it_imports_nothing_but_the_standard_library() -> None:
    for node in ast.walk(ast.parse(FILE.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert all(name.split(".")[0] in sys.stdlib_module_names for name in names), names


def test_the_values_on_the_page_are_those_of_the_stranger() -> None:
    page = (ROOT / "docs" / "internals" / "shuffle.md").read_text(encoding="utf-8")
    seeds = {1: "01" * 32, 3: "03" * 32}
    bound = {seat: STRANGER.commitment_to("t/1", seat, seed) for seat, seed in seeds.items()}
    called = [part for seat in bound for part in (str(seat), bytes.fromhex(bound[seat]))]
    digest = sha256(STRANGER.joined("openfelt.seeds_called/1", "t/1", *called)).hexdigest()
    mixed = sha256(
        STRANGER.joined(
            "openfelt.seeds_mixed/1",
            "t/1",
            *("1", "revealed", bytes.fromhex(seeds[1])),
            *("3", "withheld", bytes.fromhex(bound[3])),
        )
    ).digest()
    root = "ff521a356d0787eb9864449232ac6636bb12b52768d566370ba30343f1a17391"
    order = tuple(STRANGER.dealing_order("t/1", "table", root, mixed, 52))
    for value in (*bound.values(), digest, mixed.hex(), root, str(order[:12])):
        assert value in page


@pytest.mark.parametrize("house", sorted(HOUSES))
def test_proofs_of_every_house_and_version_hold(house: str) -> None:
    for version in (1, 2):
        text = old_proof(house, version)
        assert ours(text)
        assert holds(text)
    for seed in range(12):
        proofs = [prove(*dealt_round(HOUSES[house], Random(seed)))]
        state, decks, seeds = seeded_round(HOUSES[house], Random(seed))
        proofs.append(prove(state, decks, seeds))
        proofs += [prove(state, decks, seeds, seat=spot.seat) for spot in state.hands]
        for proof in proofs:
            text = proof_json(proof)
            assert ours(text)
            assert holds(text)


@pytest.mark.parametrize("decision", ["4x", "fold"])
def test_proofs_beside_a_live_dealer_hold(shift: Shift, decision: str) -> None:
    live_round(shift, Random(1), withheld=[2], decision=decision)
    for seat in (None, 1, 2, 3):
        text = proof_json(proof_of_round(shift.store, "table-1", 1, seat=seat))
        assert ours(text)
        assert holds(text)


def long_proof() -> RoundProof:
    """A proof whose list of seeds is a document of its own."""
    state, decks, few = seeded_round(HOUSES["stadium"], Random(1))
    random = Random(2)
    seeds = {seat: random.randbytes(32).hex() for seat in range(1, SEEDS_INSIDE_MAX + 20)}
    proof = prove(state, decks, few)
    # Nothing was dealt by these seeds, so the round is void before its first card.
    bound = proved_seeds(seeds, withheld=[3])
    return replace(proof, seeds=bound, ended=Phase.VOIDED, cards=(), passed=())


def test_a_list_of_seeds_may_be_a_document_of_its_own() -> None:
    proof = long_proof()
    assert proof.seed_list is not None
    listed = seed_list_json(proof.seed_list)
    assert ours(proof_json(proof))
    brief = json.loads(proof_json(proof.brief()))
    assert brief["seeds"]["list"] is None
    assert not holds(json.dumps(brief))
    assert holds(json.dumps(brief), listed)
    assert not holds(json.dumps(brief), listed.replace('"number":1', '"number":2'))
    changed = json.loads(listed)
    changed["list"]["revealed"]["1"] = "00" * 32
    assert not holds(json.dumps(brief), json.dumps(changed))


# Tampering -------------------------------------------------------------------------------------


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every single value of a proof."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in items:
            yield from leaves(part, (*path, key))
    else:
        yield path


def changed_value(value: Any) -> list[Any]:
    """Other values of the same kind."""
    if value is None:
        return ["00" * 32, 1]
    if isinstance(value, int):
        return [value + 1, value - 1 if value else 5, 10**6]
    if len(value) == 64:
        return [f"{'1' if value[0] != '1' else '2'}{value[1:]}"]
    return [f"{value}x", "2c" if value != "2c" else "3c"]


def tampered(proof: Any) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The proof with one value changed, for every value and some changes."""
    for path in leaves(proof):
        *way, last = path
        for other in changed_value(_at(proof, path)):
            copy = json.loads(json.dumps(proof))
            _at(copy, tuple(way))[last] = other
            yield path, json.dumps(copy)


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


UNSEEN: Final = ("house", "fingerprint")
"""What only the rules of the house can tell."""


def examples(shift: Shift) -> dict[str, Callable[[], str]]:
    live_round(shift, Random(5), withheld=[2])

    def settled(house: str) -> str:
        for seed in range(1000):
            state, decks, seeds = seeded_round(HOUSES[house], Random(seed))
            proof = prove(state, decks, seeds)
            if proof.ended.value == "settled" and seeds.mixed and len(proof.spots) < 4:
                return proof_json(proof)
        raise LookupError(house)

    return {
        "live": lambda: proof_json(proof_of_round(shift.store, "table-1", 1, seat=1)),
        "stadium": lambda: settled("stadium"),
        "shoe": lambda: settled("california"),
        "draw": lambda: settled("draw"),
        "old": lambda: old_proof("online", 1),
    }


@pytest.mark.parametrize("name", with_variants(["stadium", "live", "shoe", "draw", "old"], plain=2))
def test_it_agrees_with_our_check_about_every_changed_value(shift: Shift, name: str) -> None:
    proof = json.loads(examples(shift)[name]())
    assert holds(json.dumps(proof))
    tried = 0
    for path, text in tampered(proof):
        if path[0] in UNSEEN:
            continue
        tried += 1
        if not ours(text):
            assert not holds(text), path
        else:
            # Numbers of events may shift within their order, and no proof covers a real deck.
            assert holds(text), path
            assert "version" in str(path[-1]) or path[0] == "scanned", path
    assert tried > 100
