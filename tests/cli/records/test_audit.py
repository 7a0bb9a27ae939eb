"""``openfelt audit``."""

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.notary import Notary
from openfelt.runtime.notary.keys import load_or_make_key, public_key_of
from tests.kit.audit.audited_floors import Floor, tamper
from tests.kit.cli.commands import complaint, facts, output, with_findings


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    """A small floor, signed and published, closed for the night."""
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 2)
    key = load_or_make_key(tmp_path / "notary.key")
    Notary(floor.store, key, floor.clock, published=tmp_path / "published.jsonl").sign()
    floor.store.close()
    return floor


def arguments(folder: Path) -> list[str]:
    return [
        *("audit", str(folder / "floor.db")),
        *("--public-key", str(folder / "notary.key.pub")),
        *("--checkpoints", str(folder / "published.jsonl")),
    ]


def test_a_clean_floor(floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = output(capsys, *arguments(tmp_path))
    lines = [line.strip() for line in told.splitlines()]
    assert "2  rounds settled again by their rules" in lines
    assert "1  published checkpoints; 0 not published yet" in lines
    assert "0  events of 0 streams that no checkpoint covers yet" in lines
    assert lines[-1] == "Everything is in order."
    assert public_key_of(load_or_make_key(tmp_path / "notary.key")) in told


def test_json_for_programs(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = facts(capsys, *arguments(tmp_path))
    assert told["clean"] is True
    assert told["counts"]["rounds_settled"] == 2
    assert told["findings"] == []


def test_findings_say_where_and_end_with_their_own_code(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tamper(floor.path, "UPDATE transfers SET cents = cents + 1 WHERE number = 3")
    told = with_findings(capsys, *arguments(tmp_path))
    assert "FOUND at event 6 of table/net-1: " in told
    assert "Its transfer 1 is not the one that it causes." in told
    assert "Expected: wager of $5.00 from credit:net-1/net-1-p1 to wagers:net-1/1" in told
    assert told.splitlines()[-1].endswith("findings.")
    machine = json.loads(with_findings(capsys, *arguments(tmp_path), "--json"))
    assert machine["findings"][0]["where"] == "table/net-1"
    few = with_findings(capsys, *arguments(tmp_path), "--findings", "1")
    assert few.count("FOUND at") == 1
    assert few.splitlines()[-1] == told.splitlines()[-1]


def test_another_key_is_a_finding(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    other.write_text(public_key_of(Ed25519PrivateKey.generate()), encoding="utf-8")
    told = with_findings(capsys, "audit", str(floor.path), "--public-key", str(other))
    assert "checkpoint 1: It is signed with another key." in told
    both = ("--public-key", str(other), "--public-key", str(tmp_path / "notary.key.pub"))
    assert "Everything is in order." in output(capsys, "audit", str(floor.path), *both)


def test_without_a_key_it_says_so(floor: Floor, capsys: pytest.CaptureFixture[str]) -> None:
    floor.path.with_name("notary.key.pub").unlink()
    told = output(capsys, "audit", str(floor.path))
    assert "Note: No public key was given" in told
    assert "Note: No published checkpoints were given" in told


def test_missing_files(floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--public-key", "--checkpoints"):
        told, code = complaint(capsys, "audit", str(floor.path), option, str(tmp_path / "none"))
        assert f"{tmp_path / 'none'} cannot be read" in told
        assert code == 2


def test_an_audit_goes_on_where_the_last_one_ended(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = facts(capsys, *arguments(tmp_path))
    again = Floor(floor.path)
    again.cashier.deposit("zoe", 100, id="later")
    again.store.close()
    second = facts(capsys, *arguments(tmp_path))
    assert second["clean"] is True
    assert second["counts"]["events"] == 1
    assert second["notes"][0].startswith("It continues from the audit of ")
    assert f"The {first['counts']['events']:,} events" in second["notes"][0]
    whole = facts(capsys, *arguments(tmp_path), "--full")
    assert whole["counts"]["events"] == first["counts"]["events"] + 1


def test_a_state_of_other_keys_is_not_believed(
    floor: Floor,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    facts(capsys, *arguments(tmp_path))
    state = tmp_path / "floor.db.audited"
    state.write_text(state.read_text(encoding="ascii").swapcase(), encoding="ascii")
    told = facts(capsys, *arguments(tmp_path))
    assert told["notes"][0].startswith("Everything is checked again: ")
    assert told["counts"]["events"] > 1


def test_the_files_beside_a_database_are_used_without_being_named(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("notary.key", "notary.key.pub"):
        (tmp_path / name).rename(tmp_path / f"floor.db.{name}")
    (tmp_path / "published.jsonl").rename(tmp_path / "floor.db.notary.key.checkpoints")
    told = facts(capsys, "audit", str(floor.path))
    assert told["counts"]["published"] == 1
    assert told["notes"] == []
    tamper(floor.path, "DELETE FROM checkpoints")
    assert "was published, but is not in the database" in with_findings(
        capsys, "audit", str(floor.path)
    )
