"""``openfelt export``, and the check of what it has written."""

import csv
import json
import os
import sys
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pyarrow import parquet

from openfelt.ledger import Account
from openfelt.runtime.exports.export_files import ExportFormat, plain_cell
from openfelt.runtime.notary import Notary
from openfelt.runtime.notary.keys import load_or_make_key, public_key_of
from tests.kit.audit.audited_floors import Floor
from tests.kit.cli.commands import complaint, facts, output, with_findings

TABLES = ("rounds", "lines", "transfers", "events")


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    """A small floor with a void round, a round in progress and a free text."""
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 3)
    floor.void("net-1")
    floor.cashier.deposit("ann", 700, id="noted", note="=HYPERLINK(1)")
    floor.bet("net-1")
    key = load_or_make_key(tmp_path / "floor.db.notary.key")
    Notary(floor.store, key, floor.clock).sign()
    return floor


def exported(floor: Floor, to: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    return output(capsys, "export", str(to), str(floor.path), *options)


def test_the_three_formats_say_the_same(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for form in ExportFormat:
        exported(floor, tmp_path / form, capsys, "--format", form)
    for table in TABLES:
        lines = (tmp_path / "json" / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
        as_json = [json.loads(line) for line in lines]
        as_parquet = parquet.read_table(tmp_path / "parquet" / f"{table}.parquet").to_pylist()
        assert as_parquet == as_json
        with (tmp_path / "csv" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            as_csv = list(csv.DictReader(file))
        texts = [
            {name: "" if value is None else str(plain_cell(value)) for name, value in row.items()}
            for row in as_json
        ]
        assert as_csv == texts
        assert as_json, table


def test_what_is_exported_is_what_the_book_says(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported(floor, tmp_path / "out", capsys, "--format", "json")
    read = {
        table: [
            json.loads(line)
            for line in (tmp_path / "out" / f"{table}.jsonl").read_text("utf-8").splitlines()
        ]
        for table in TABLES
    }
    assert [row["result"] for row in read["rounds"]] == ["settled"] * 3 + ["void"]
    for row in read["rounds"]:
        own = [line for line in read["lines"] if line["round"] == row["round"]]
        for cents in ("stake_cents", "returned_cents", "payout_cents"):
            assert row[cents] == sum(line[cents] for line in own)
    held: dict[str, int] = {}
    for moved in read["transfers"]:
        held[moved["debit"]] = held.get(moved["debit"], 0) - moved["cents"]
        held[moved["credit"]] = held.get(moved["credit"], 0) + moved["cents"]
    kept = floor.store.balances()
    assert {Account.parse(name): cents for name, cents in held.items() if cents} == kept
    names = {row["name"] for row in read["events"]}
    assert {"table_opened", "round_voided"} <= names
    assert not names & {"card_dealt", "wagers_set", "round_settled"}
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    counts = {file["table"]: file["rows"] for file in manifest["manifest"]["files"]}
    assert counts == {table: len(read[table]) for table in TABLES}
    assert manifest["manifest"]["checkpoint"] == 1
    # Nothing was written to the database by reading it.
    assert facts(capsys, "audit", str(floor.path))["counts"]["events_uncovered"] == 0


def test_a_period_and_one_table(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    day = ("--from", "2026-01-01", "--to", "2026-01-01", "--table", "rounds")
    assert "4 rows" in exported(floor, tmp_path / "day", capsys, *day)
    assert sorted(path.name for path in (tmp_path / "day").iterdir()) == [
        "manifest.json",
        "rounds.csv",
    ]
    assert "rounds.csv: 0 rows" in exported(
        floor, tmp_path / "later", capsys, "--from", "2026-01-02", "--table", "rounds"
    )
    said, code = complaint(
        capsys,
        "export",
        str(tmp_path / "x"),
        str(floor.path),
        "--from",
        "2026-02-01",
        "--to",
        "2026-01-01",
    )
    assert ("--to is before --from" in said, code) == (True, 2)


def test_a_formula_is_only_text(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported(floor, tmp_path / "out", capsys, "--table", "transfers")
    text = (tmp_path / "out" / "transfers.csv").read_text(encoding="utf-8")
    assert ",'=HYPERLINK(1)" in text
    assert ",=HYPERLINK" not in text


def test_a_changed_export_is_found(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    exported(floor, folder, capsys)
    key = ("--public-key", str(tmp_path / "floor.db.notary.key.pub"))
    assert "as signed" in output(capsys, "export", str(folder), "--check", *key)
    other = tmp_path / "other.pub"
    other.write_text("00" * 32, encoding="utf-8")
    told = with_findings(capsys, "export", str(folder), "--check", "--public-key", str(other))
    assert "signed with another key" in told
    rounds, manifest = folder / "rounds.csv", folder / "manifest.json"
    whole, signed = rounds.read_text(encoding="utf-8"), manifest.read_text(encoding="utf-8")
    rounds.write_text(whole.replace("settled", "void", 1), encoding="utf-8")
    assert "rounds.csv has been changed" in with_findings(capsys, "export", str(folder), "--check")
    rounds.write_text(whole, encoding="utf-8")
    manifest.write_text(signed.replace('"rows": 4', '"rows": 5', 1), encoding="utf-8")
    assert "signature does not hold" in with_findings(capsys, "export", str(folder), "--check")
    manifest.write_text("{", encoding="utf-8")
    assert "not the manifest" in with_findings(capsys, "export", str(folder), "--check")


@pytest.mark.parametrize(
    "changes",
    [
        {"archived_ms": 10**17, "start_ms": 0},
        {"files": [{"name": "\x1b]0;\x07.csv"}]},
        {"files": [{"name": "../rounds.csv"}]},
        {"files": [{"rows": -1}]},
    ],
    ids=["a time without end", "a name that a terminal runs", "a file elsewhere", "no rows"],
)
def test_a_hostile_manifest_of_any_key_is_refused(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, object]
) -> None:
    folder = tmp_path / "out"
    exported(floor, folder, capsys, "--table", "rounds")
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))["manifest"]
    for name, change in changes.items():
        manifest[name] = [manifest[name][0] | change[0]] if isinstance(change, list) else change
    key = Ed25519PrivateKey.generate()
    text = b"openfelt.export/1\n" + msgspec.json.encode(manifest, order="sorted")
    forged = {"manifest": manifest, "key": public_key_of(key), "signature": key.sign(text).hex()}
    path.write_text(json.dumps(forged), encoding="utf-8")
    told = with_findings(capsys, "export", str(folder), "--check")
    assert "not the manifest" in told
    assert "\x1b" not in told


def test_a_pipe_and_a_planted_file_in_the_folder_of_an_export(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    exported(floor, folder, capsys, "--table", "rounds")
    assert "were not signed" not in output(capsys, "export", str(folder), "--check")
    (folder / "events.csv").write_text("planted", encoding="utf-8")
    assert "1 more in this folder were not signed" in output(
        capsys, "export", str(folder), "--check"
    )
    (folder / "rounds.csv").unlink()
    os.mkfifo(folder / "rounds.csv")
    assert "It is not a file" in with_findings(capsys, "export", str(folder), "--check")


def test_nothing_is_overwritten_and_what_is_missing_is_said(
    floor: Floor,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exported(floor, tmp_path / "out", capsys, "--table", "rounds")
    said, code = complaint(capsys, "export", str(tmp_path / "out"), str(floor.path))
    assert ("Nothing is overwritten" in said, code) == (True, 2)
    own = tmp_path / "own" / "rounds.csv"
    own.parent.mkdir()
    own.write_text("mine", encoding="utf-8")
    said, code = complaint(capsys, "export", str(own.parent), str(floor.path))
    assert ("rounds.csv already exists" in said, code) == (True, 2)
    assert [path.name for path in own.parent.iterdir()] == ["rounds.csv"]
    assert own.read_text(encoding="utf-8") == "mine"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    said, code = complaint(
        capsys, "export", str(tmp_path / "p"), str(floor.path), "--format", "parquet"
    )
    assert ("pip install 'openfelt[parquet]'" in said, code) == (True, 2)
    assert not (tmp_path / "p").exists()
