"""``openfelt verify``."""

import json
from pathlib import Path

import pytest

from openfelt.catalog import load_house
from openfelt.rules import CloseBets
from openfelt.rules.house import DealerMode
from openfelt.runtime.rounds.proof_forms import proof_json
from openfelt.runtime.rounds.record import proof_of_round
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit import audited_floors
from tests.kit.audit.audited_floors import Floor, tamper
from tests.kit.cli.commands import complaint, facts, output, with_findings
from tests.kit.cli.program import openfelt
from tests.kit.own_houses import house_document, toml_text


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two virtual tables and a live one."""
    floor = Floor(tmp_path_factory.mktemp("verify") / "floor.db")
    floor.open("net-1", "online")
    floor.open("arena-1", "stadium", mode=DealerMode.VIRTUAL, seats=(1, 7))
    floor.open("draw-1", "draw")
    for table in floor.workers:
        floor.play(table, 2)
    floor.bet("net-1")
    floor.store.close()
    return floor.path


@pytest.fixture
def proof(played: Path, tmp_path: Path) -> Path:
    """A proof in a file, as a player has it."""
    path = tmp_path / "proof.json"
    store = SqliteStore(played)
    path.write_text(proof_json(proof_of_round(store, "arena-1", 2)), encoding="utf-8")
    store.close()
    return path


def test_a_round_of_a_database(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = output(capsys, "verify", "net-1/1", "--database", str(played))
    assert told.startswith("Round net-1/1, settled\nRules: online, ")
    assert told.count("✓") == 9
    assert "✓  hand 1.1 card 1" in told
    assert "card 9 of the deck table" in told
    assert "The proof holds: 9 cards shown from 1 deck" in told


def test_a_proof_in_a_file_needs_no_database(
    proof: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = output(capsys, "verify", str(proof))
    assert told.startswith("Round arena-1/2, settled")
    for deck in ("table", "seat-1", "seat-7"):
        assert f"  {deck}  " in told
    assert "from 3 decks" in told


def test_json_for_programs(proof: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = facts(capsys, "verify", str(proof))
    assert told["holds"] is True
    assert told["cards_proved"] + told["cards_never_shown"] == len(told["cards"]) == 11
    assert set(told["commitments"]) == {"table", "seat-1", "seat-7"}


def test_an_exported_proof_is_verified_again(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "out.json"
    output(capsys, "verify", "arena-1/1", "--database", str(played), "--export", str(file))
    assert "The proof holds" in output(capsys, "verify", str(file))
    told, code = complaint(
        capsys,
        *("verify", "arena-1/1", "--database", str(played)),
        *("--export", str(tmp_path / "none" / "out.json")),
    )
    assert "cannot be written" in told
    assert code == 1


def test_the_proof_for_a_stadium_player_is_about_that_seat_alone(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seat, other in (("1", "7"), ("7", "1")):
        file = tmp_path / f"seat-{seat}.json"
        database = ("--database", str(played))
        output(capsys, "verify", "arena-1/1", *database, "--seat", seat, "--export", str(file))
        told = output(capsys, "verify", str(file))
        assert f"hand {seat}.1 card 2" in told
        assert f"hand {other}." not in told
        assert f"seat-{other}" not in told
        assert "from 2 decks" in told
    told, code = complaint(capsys, "verify", "arena-1/1", *database, "--seat", "5")
    assert "Seat 5 had no hand in round arena-1/1" in told
    assert code == 1


def test_a_proof_that_does_not_hold(proof: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = json.loads(proof.read_text(encoding="utf-8"))
    shown = next(card for card in plain["cards"] if card["proof"])
    shown["proof"]["card"] = "2c" if shown["proof"]["card"] != "2c" else "2d"
    proof.write_text(json.dumps(plain), encoding="utf-8")
    told, code = complaint(capsys, "verify", str(proof))
    assert told.startswith("openfelt: The proof does not hold. ")
    assert code == 4
    machine = json.loads(with_findings(capsys, "verify", str(proof), "--json"))
    assert machine["holds"] is False
    assert "by its commitment" in machine["reason"]


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b'{"format": 1}'])
def test_invalid_proofs(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "no.json"
    path.write_bytes(content)
    told, code = complaint(capsys, "verify", str(path))
    assert str(path) in told
    assert code == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["none.json"], ("none.json: No such file", 2)),
        (["net-1/1"], ("For a round of a database, add --database", 2)),
        (["nowhere/1", "--database", "{db}"], ("There is no table called nowhere.", 2)),
        (["net-1/99", "--database", "{db}"], ("net-1 has no round 99.", 2)),
        (["net-1/3", "--database", "{db}"], ("is not over, and its cards are still secret", 1)),
        (["draw-1/1", "--database", "{db}"], ("a live dealer dealt it from real cards", 1)),
    ],
)
def test_what_cannot_be_verified(
    arguments: list[str],
    told: tuple[str, int],
    played: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("OPENFELT_DATABASE", raising=False)
    words, code = complaint(capsys, "verify", *(one.format(db=played) for one in arguments))
    assert told[0] in words
    assert told[1] == code


def test_a_record_that_does_not_match_its_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 2)
    floor.store.close()
    tamper(
        floor.path, "UPDATE secrets SET body = (SELECT body FROM secrets WHERE name = '2/table')"
    )
    told, code = complaint(capsys, "verify", "net-1/1", "--database", str(floor.path))
    assert told.startswith("openfelt: There is no proof. ")
    assert code == 4


def test_rules_of_an_operators_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENFELT_DATABASE", raising=False)
    houses = tmp_path / "houses"
    houses.mkdir()
    document = house_document("online", {"id": "mine", "wagers.ante.max_cents": 4000})
    (houses / "mine.toml").write_text(toml_text(document), encoding="utf-8")
    monkeypatch.setitem(audited_floors.WAGERS, "mine", audited_floors.WAGERS["online"])
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", load_house("mine", folder=houses))
    floor.bet("net-1")
    floor.do("net-1", CloseBets(), "net-1-p1")
    floor.finish("net-1")
    file = tmp_path / "proof.json"
    file.write_text(proof_json(proof_of_round(floor.store, "net-1", 1)), encoding="utf-8")
    floor.store.close()
    told, code = complaint(capsys, "verify", str(file))
    assert "The rules of the round (mine, " in told
    assert "--houses DIR" in told
    assert code == 2
    assert "The proof holds" in output(capsys, "verify", str(file), "--houses", str(houses))
    assert "The proof holds" in output(capsys, "verify", str(file), "--database", str(floor.path))


def test_a_stream_without_signs_gets_letters(played: Path) -> None:
    done = openfelt(
        *("verify", "net-1/1", "--database", str(played)),
        environment={"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert done.stdout.count("\nok ") == 9
