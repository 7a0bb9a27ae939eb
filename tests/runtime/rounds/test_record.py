"""Rounds found in the store, with their proofs."""

from pathlib import Path

import pytest

from openfelt.catalog import load_house
from openfelt.rules import Phase
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import RoundProof, Unprovable
from openfelt.runtime.rounds.record import NoSuchRound, proof_of_round, read_round
from openfelt.runtime.shuffle.merkle import ProofError
from tests.kit.audit.audited_floors import Floor, five_houses, tamper


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Floor:
    return five_houses(tmp_path_factory.mktemp("rounds") / "floor.db")


@pytest.mark.parametrize("table", ["net-1", "arena-1"])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_every_virtual_round_is_proved(floor: Floor, table: str, number: int) -> None:
    proof = proof_of_round(floor.store, table, number)
    assert proof.ended is (Phase.VOIDED if number == 3 else Phase.SETTLED)
    house = load_house(proof.house)
    checked = check_round_proof(RoundProof.from_json(proof.to_json()), house)
    assert checked.decks == (1 if table == "net-1" else 3)


def test_a_round_is_read_as_it_was_played(floor: Floor) -> None:
    for table, worker in floor.workers.items():
        last = read_round(floor.store, table, worker.table.rounds)
        assert last.state == worker.table.round
        commitments = {one.deck: one.root for one in last.commitments}
        assert commitments == worker.table.commitments


@pytest.mark.parametrize(
    ("table", "number", "words"),
    [
        ("wash-1", 1, "a live dealer dealt it from real cards"),
        ("arena-2", 1, "a live dealer dealt it from real cards"),
        ("arena-1", 5, "is not over, and its cards are still secret"),
    ],
)
def test_rounds_without_a_proof(floor: Floor, table: str, number: int, words: str) -> None:
    with pytest.raises(Unprovable, match=words):
        proof_of_round(floor.store, table, number)


def test_a_round_that_was_voided_before_bets_closed(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.bet("net-1")
    floor.void_now("net-1")
    with pytest.raises(Unprovable, match="no card was dealt"):
        proof_of_round(floor.store, "net-1", 1)


@pytest.mark.parametrize(("table", "number"), [("nowhere", 1), ("net-1", 99), ("net-1", 0)])
def test_missing_rounds(floor: Floor, table: str, number: int) -> None:
    with pytest.raises(NoSuchRound):
        proof_of_round(floor.store, table, number)


def test_an_exchanged_deck_gives_no_proof(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 2)
    tamper(
        floor.path,
        "UPDATE secrets SET body = (SELECT body FROM secrets WHERE name = '2/table')",
    )
    with pytest.raises(ProofError, match="not the one that round net-1/1 committed to"):
        proof_of_round(floor.store, "net-1", 1)
