"""Proofs as they are written: each version is read and checked under its own rules."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from openfelt.catalog import load_house
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import SEEDS_INSIDE_MAX, SeedList
from openfelt.runtime.rounds.proof_forms import (
    proof_json,
    read_proof,
    read_seed_list,
    seed_list_json,
)
from openfelt.runtime.rounds.seed_check import SeedListMissing
from openfelt.runtime.shuffle.merkle import ProofError
from tests.kit.audit.old_proofs import OLD_PROOFS, rules_of
from tests.kit.audit.proved_rounds import prove, proved_seeds, seeded_round


@pytest.mark.parametrize("path", OLD_PROOFS, ids=lambda path: path.stem)
def test_proofs_of_earlier_versions_keep_verifying(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert json.loads(text)["format"].endswith(path.stem.split(".")[1])
    proof = read_proof(text)
    house = rules_of(proof)
    checked = check_round_proof(proof, house)
    assert checked.cards > 0
    # What a store has kept of an old round is sent in the form of today.
    again = read_proof(proof_json(proof))
    assert check_round_proof(again, house) == checked
    assert again == proof


@pytest.mark.parametrize("path", OLD_PROOFS, ids=lambda path: path.stem)
def test_no_version_can_pass_for_another(path: Path) -> None:
    proof = json.loads(path.read_text(encoding="utf-8"))
    own = proof["format"]
    for version in (0, 1, 2, 3, 4):
        name = f"openfelt.round_proof/{version}"
        if name != own:
            with pytest.raises(ProofError):
                read_proof(json.dumps(proof | {"format": name}))


def test_a_long_list_of_seeds_is_left_out_of_a_players_proof() -> None:
    state, decks, few = seeded_round(load_house("stadium"), Random(1))
    whole = prove(state, decks, few)
    assert whole.brief() == whole
    many = proved_seeds({seat: f"{seat:064x}" for seat in range(1, SEEDS_INSIDE_MAX + 2)})
    proof = replace(whole, seeds=many)
    brief = proof.brief()
    assert brief.seed_list is None
    assert read_proof(proof_json(brief)) == brief
    with pytest.raises(SeedListMissing):
        check_round_proof(brief, state.house)
    listed = proof.seed_list
    assert listed is not None
    assert read_seed_list(seed_list_json(listed)) == listed
    assert brief.with_seeds(listed) == proof
    with pytest.raises(ProofError, match="list of seeds is of round"):
        brief.with_seeds(SeedList(table=proof.table, number=proof.number + 1, seeds=listed.seeds))


def seeds_text(revealed: dict[str, str], withheld: dict[str, str], version: int = 1) -> str:
    """A list of seeds as it might be sent."""
    return json.dumps(
        {
            "format": f"openfelt.round_seeds/{version}",
            "table": "t",
            "number": 1,
            "list": {"revealed": revealed, "withheld": withheld},
        }
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        seeds_text({}, {}, version=2),
        seeds_text({"01": "0" * 64}, {}),
        seeds_text({"0": "0" * 64}, {}),
        seeds_text({"1": "0" * 63}, {}),
        seeds_text({"1": "A" * 64}, {}),
        seeds_text({"1": "0" * 64}, {"1": "0" * 64}),
        seeds_text({}, {}).replace("{}", "null"),
        seeds_text({}, {})[:-1] + ', "number": 2}',
    ],
)
def test_what_is_no_list_of_seeds_is_refused(text: str) -> None:
    assert read_seed_list(seeds_text({"1": "0" * 64}, {"2": "0" * 64})).number == 1
    with pytest.raises(ProofError):
        read_seed_list(text)
