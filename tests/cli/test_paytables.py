"""``openfelt paytables``."""

import json
from pathlib import Path

import pytest

from openfelt.catalog import load_catalog
from openfelt.cli import main
from tests.kit.cli.commands import output

OWN_TABLE = """
version = 3
source = "Our floor manual"

[[paytable]]
name = "OWN-01"
wager = "trips"
clause = "W.11f"
rows = [
  { hand = "royal flush", pays = "50 to 1" },
  { hand = "straight flush", pays = "40 to 1" },
]
"""


def test_every_paytable_is_printed_with_clause_and_source(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = output(capsys, "paytables")
    for table in load_catalog().paytables.values():
        assert table.name in shown
        assert f"Clause {table.clause}. Source: " in shown


def test_the_source_is_the_one_that_the_table_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = load_catalog().paytables
    for facts in json.loads(output(capsys, "paytables", "--json")):
        table = tables[facts["wager"], facts["name"]]
        assert (facts["source"], facts["version"]) == (table.source, table.version)
    # The clause's letter says nothing about an operator's own table.
    (tmp_path / "paytables").mkdir()
    (tmp_path / "paytables" / "own.toml").write_text(OWN_TABLE, encoding="utf-8")
    arguments = ("paytables", "OWN-01", "--houses", str(tmp_path))
    assert "Clause W.11f. Source: Our floor manual." in output(capsys, *arguments)
    (facts,) = json.loads(output(capsys, *arguments, "--json"))
    assert (facts["source"], facts["version"]) == ("Our floor manual", 3)


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("UTH-01", ["Trips · UTH-01", "Blind · UTH-01"]),
        ("uth-01", ["Trips · UTH-01", "Blind · UTH-01"]),
        ("bad_beat", ["Bad Beat · BBB-01", "Bad Beat · BBB-02", "Bad Beat · BBB-03"]),
        ("bad beat", ["Bad Beat · BBB-01", "Bad Beat · BBB-02", "Bad Beat · BBB-03"]),
        ("draw", ["Bonus · UDP-01", "Ante Bonus · UDP-ANTE"]),
    ],
)
def test_some_by_name_wager_or_house(
    name: str, tables: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = output(capsys, "paytables", name)
    assert [line.strip() for line in shown.splitlines() if " · " in line] == tables


def test_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(output(capsys, "paytables", "PRG-01", "--json"))
    assert listed[0]["wager"] == "progressive"
    assert listed[0]["rows"][0] == {
        "hand": "Royal flush",
        "pays": "100% of the meter, Envy 400 for 1",
    }


def test_the_ante_bonus_is_printed_as_multiples(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(output(capsys, "paytables", "UDP-ANTE", "--json"))
    assert listed[0]["rows"][-1] == {"hand": "Flush", "pays": "1x the Ante"}


def test_an_unknown_name_lists_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["paytables", "UTH-99"])
    assert left.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "'UTH-99'" in shown.err
    assert "UTH-01" in shown.err


def test_a_bonus_is_counted_beside_its_claim(capsys: pytest.CaptureFixture[str]) -> None:
    told = output(capsys, "paytables", "udp-04", "--figures")
    # 528720287/9657572925 of a unit; the document rounds it to 5.48%.
    row = ["Bonus", "UDP-04", "5.4747%", "5.48%", "no", "24.0773%", "3.5519", "13.1412%"]
    assert row in [line.split() for line in told.splitlines()]


def test_a_bonus_is_told_to_programs_with_every_award(capsys: pytest.CaptureFixture[str]) -> None:
    [told] = json.loads(output(capsys, "paytables", "udp-01", "--figures", "--json"))
    assert told["house_advantage_fraction"] == "73589807/9657572925"
    assert told["hit_frequency_fraction"] == "420825247/1755922350"
    assert [award["hand"] for award in told["awards"]][-2:] == ["Two pair", "All others"]
    assert sum(award["deals"] for award in told["awards"]) == told["deals"]
    assert told["house_way"]["deals"] == told["deals"]
