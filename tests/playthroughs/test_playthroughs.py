"""Golden rounds: one readable file for each way through each game, compared to the last word."""

import tomllib
from functools import cache
from pathlib import Path

import pytest

from openfelt.catalog import load_catalog, load_documents
from tests.kit.playthroughs.driver import Table, play
from tests.kit.playthroughs.expectations import disagreements
from tests.kit.playthroughs.parser import (
    BELOW,
    FOLDER,
    below_of,
    playthrough_files,
    read_playthrough,
    top_of,
)
from tests.kit.playthroughs.paths import paths_of
from tests.kit.playthroughs.transcript import transcript

REQUIRED = tomllib.loads((FOLDER / "required_paths.toml").read_text(encoding="utf-8"))


@cache
def played(file: Path) -> Table:
    """The round of a file, played to its end."""
    return play(read_playthrough(file))


def name(file: Path) -> str:
    """A file as pytest shows it."""
    return file.relative_to(FOLDER).with_suffix("").as_posix()


@pytest.mark.parametrize("file", playthrough_files(), ids=name)
def test_the_money_is_what_the_rules_say(file: Path) -> None:
    found = disagreements(played(file))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("file", playthrough_files(), ids=name)
def test_what_happens_is_what_the_file_says(file: Path, request: pytest.FixtureRequest) -> None:
    happened = transcript(played(file))
    if request.config.getoption("--write-playthroughs"):
        file.write_text(f"{top_of(file)}\n{BELOW}\n{happened}", encoding="utf-8")
    assert below_of(file) == happened


@pytest.mark.parametrize("file", playthrough_files(), ids=name)
def test_every_clause_that_a_file_names_exists(file: Path) -> None:
    known = {clause.id for document in load_documents() for clause in document.clauses}
    assert set(read_playthrough(file).clauses) <= known


@pytest.mark.parametrize("house", sorted(load_catalog().houses))
def test_every_required_path_of_a_house_has_a_golden_round(house: str) -> None:
    walked = set().union(
        *(paths_of(played(file)) for file in playthrough_files() if file.parent.name == house)
    )
    game = load_catalog().house(house).game
    required = [*REQUIRED["every_house"], *REQUIRED[game], *REQUIRED["house"][house]]
    missing = [path for path in required if path not in walked]
    assert not missing, f"{house} has no golden round for: {', '.join(missing)}"


def test_every_folder_of_golden_rounds_is_a_house() -> None:
    assert {file.parent.name for file in playthrough_files()} == set(load_catalog().houses)
