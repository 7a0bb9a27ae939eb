"""``openfelt parsheet``."""

import json
from pathlib import Path

import pytest

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
    assert "A seeded run" not in printed


@pytest.mark.usefixtures("priced")
def test_a_sheet_for_programs_with_a_seeded_run(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--format", "json", "--rounds", "20000", "--seed", "3")
    found = json.loads(output(capsys, "parsheet", "online", *arguments))
    assert found["software"].startswith("openfelt ")
    assert found["base_game"]["ev_per_ante_fraction"] == "-50643648973/2317817502000"
    run = found["seeded_run"]
    assert (run["rounds"], run["seed"]) == (20000, 3)
    assert [row["wager"] for row in run["wagers"]] == ["Game, per Ante", "Trips"]
    assert all(abs(float(row["z-score"])) < 5 for row in run["wagers"])


@pytest.mark.sweep
def test_side_bets_beyond_the_limit_of_a_hand_are_simulated_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = output(capsys, "parsheet", "washington", "--paytable", "UTH-04", "--rounds", "2000")
    assert "## Trips with UTH-04" in printed
    run = printed.partition("## A seeded run")[2]
    assert [line.split(" | ")[0] for line in run.splitlines() if line.startswith("| ")][2:] == [
        "| Game, per Ante",
        "| Trips",
        "| Bad Beat",
        "| Ultimate Pairs",
        "| Progressive",
    ]


@pytest.mark.usefixtures("priced")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "no house called 'nowhere'"),
        (("online", "--paytable", "UTH-99"), "UTH-99"),
        (("online", "--out", "/nowhere/at/all.md"), "cannot be written"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, code = complaint(capsys, "parsheet", *arguments)
    assert said in sentence
    assert code == 2
