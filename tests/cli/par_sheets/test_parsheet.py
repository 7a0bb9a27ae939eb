"""``openfelt parsheet``."""

import json
from pathlib import Path

import pytest

from openfelt.cli import main
from openfelt.cli.par_sheets.formats import optional_packages
from openfelt.maths.content_hash import content_hash
from tests.kit.cli.commands import complaint, output


@pytest.mark.usefixtures("priced")
def test_a_sheet_for_people_goes_to_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "online.html"
    assert output(capsys, "parsheet", "online", "--format", "html", "--out", str(path)) == ""
    assert "Trips with UTH-03" in path.read_text(encoding="utf-8")
    printed = output(capsys, "parsheet", "online")
    assert printed.startswith("# Par sheet: Ultimate Texas Hold'em, online\n")
    assert "500,000,000 simulated rounds" in printed
    assert "No seeded run was made." in output(
        capsys, "parsheet", "online", "--paytable", "trips=UTH-01"
    )
    assert "This sheet is not signed." in printed


@pytest.mark.usefixtures("priced")
def test_several_formats_of_one_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / f"online.{suffix}" for suffix in ("pdf", "xlsx", "html", "json")]
    options = [word for path in files for word in ("--out", str(path))]
    assert output(capsys, "parsheet", "online", *options) == ""
    beginnings = [path.read_bytes()[:4] for path in files]
    assert beginnings == [b"%PDF", b"PK\x03\x04", b"<!do", b"{\n  "]
    assert files[2].read_text().count("<figure><svg") == 4
    found = json.loads(files[3].read_text())
    sections = {section["title"]: section for section in found["sections"]}
    digest = sections["Signature"]["rows"][0][1]
    figures = {key: found[key] for key in found.keys() - {"figures_sha256", "sections"}}
    assert digest == found["figures_sha256"] == content_hash(figures)
    tables = {table["title"]: table for table in figures["award_tables"]}
    trips = tables["Trips with UTH-03"]
    assert sum(row["deals"] for row in trips["results"]) == trips["deals"] == 133_784_560
    assert {"Ante alone, in Antes", "Results of a round, in Antes"} <= set(tables)
    assert figures["covariances"][0]["wagers"] == ["game", "trips"]


def test_missing_packages_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        optional_packages, "find_spec", lambda name: None if name == "typst" else name
    )
    sentence, code = complaint(capsys, "parsheet", "online", "--out", str(tmp_path / "a.pdf"))
    assert "A PDF needs more packages: typst not installed." in sentence
    assert "pip install 'openfelt[parsheets]'" in sentence
    assert code == 2


@pytest.mark.usefixtures("priced")
def test_a_page_without_packages_has_no_charts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(optional_packages, "find_spec", lambda _: None)
    path = tmp_path / "online.html"
    with pytest.raises(SystemExit):
        main(["parsheet", "online", "--out", str(path)])
    assert "The page is written without charts: altair, vl_convert" in capsys.readouterr().err
    assert "<figure" not in path.read_text()


def test_the_counts_of_ultimate_draw_are_in_its_fingerprint(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A laboratory can add up the 36 results of the Ante to each line of a round."""
    found = json.loads(output(capsys, "parsheet", "draw", "--format", "json"))
    figures = {key: found[key] for key in found.keys() - {"figures_sha256", "sections"}}
    assert found["figures_sha256"] == content_hash(figures)
    tables = {table["title"]: table for table in figures["award_tables"]}
    for held, facts in (
        ("held the house way", figures["ante"]),
        ("held best for the Ante alone", figures["best_play"][0]),
        ("held by the basic strategy", figures["basic_strategy"]),
    ):
        table = tables[f"Results of a round in Antes, {held}"]
        assert len(facts["rounds"]) == 36
        by_net: dict[str, int] = {}
        for row in facts["rounds"]:
            by_net[row["net_fraction"]] = by_net.get(row["net_fraction"], 0) + row["deals"]
        lines = {row["net_fraction"]: row["deals"] for row in table["results"]}
        assert {net: deals for net, deals in by_net.items() if deals} == lines
        assert sum(by_net.values()) == table["deals"] == 406_957_472_102_531_750_400


@pytest.mark.usefixtures("priced")
def test_a_sheet_for_programs_with_a_seeded_run(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--format", "json", "--rounds", "20000", "--seed", "3")
    found = json.loads(output(capsys, "parsheet", "online", *arguments))
    assert found["software"].startswith("openfelt ")
    assert found["base_game"]["ev_per_ante_fraction"] == "-50643648973/2317817502000"
    run = found["seeded_run"]
    assert (run["rounds"], run["seed"]) == (20000, 3)
    named = ["Game, per Ante", "Trips", "All wagers of the run, in Antes"]
    assert [row["wager"] for row in run["wagers"]] == named
    assert all(abs(float(row["z-score"])) < 5 for row in run["wagers"])


@pytest.mark.sweep
def test_side_bets_beyond_the_limit_of_a_hand_are_simulated_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = output(capsys, "parsheet", "washington", "--paytable", "UTH-04", "--rounds", "2000")
    assert "## Trips with UTH-04" in printed
    run = printed.partition("## A seeded run")[2].partition("## Signature")[0]
    assert [line.split(" | ")[0] for line in run.splitlines() if line.startswith("| ")][2:] == [
        "| Game, per Ante",
        "| Trips",
        "| Bad Beat",
        "| Ultimate Pairs",
        "| Progressive",
        "| All wagers of the run, in Antes",
    ]


@pytest.mark.usefixtures("priced")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "no house called 'nowhere'"),
        (("online", "--paytable", "UTH-99"), "UTH-99"),
        (("online", "--out", "/nowhere/at/all.md"), "cannot be written"),
        (("online", "--out", "sheet.doc"), "does not end in a known format"),
        (("online", "--format", "md", "--out", "a.md", "--out", "b.md"), "Give either --format"),
        (("online", "--format", "pdf"), "Name the pdf file with --out"),
        (("online", "--sign", "key"), "--sign needs --out"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, code = complaint(capsys, "parsheet", *arguments)
    assert said in sentence
    assert code == 2
