"""Pages that can be called up at any moment."""

import pytest

from openfelt.catalog import load_catalog
from tests.cli.play.scripted import play

HOUSES = sorted(load_catalog().houses)


@pytest.mark.parametrize("house", HOUSES)
def test_help_names_every_wager_of_the_house(house: str) -> None:
    script = play("help", house=house)
    for rule in load_catalog().house(house).wagers:
        if rule.kind.value not in ("ante", "blind"):
            assert f"a wager on {rule.kind.words}" in script.text


@pytest.mark.parametrize("house", HOUSES)
def test_every_paytable_in_force_is_shown_with_clause_and_source(house: str) -> None:
    script = play("paytables", house=house)
    for rule in load_catalog().house(house).wagers:
        if rule.paytable:
            assert f"{rule.kind.words} · {rule.paytable.name}" in script.text
            assert f"Clause {rule.paytable.clause}. Source: " in script.text


@pytest.mark.clause("O.return.game", "O.return.trips")
def test_claimed_returns_are_quoted_as_claims() -> None:
    script = play("paytables", house="online")
    assert "The document claims a return of 99.27% for the game." in script.text
    assert "The document claims a return of 96.5% for trips." in script.text


def test_the_collection_is_announced_beforehand() -> None:
    script = play("help", house="california")
    assert "Collection with an Ante up to $25: player $1, player/dealer $2." in script.text


def test_a_clause_is_explained() -> None:
    script = play("why W.11a", "WHY r.18", house="washington")
    assert "W.11a · " in script.text
    assert "R.18 · " in script.text


def test_history_before_the_first_game() -> None:
    assert "You have not finished a game" in play("history", house="online").text
