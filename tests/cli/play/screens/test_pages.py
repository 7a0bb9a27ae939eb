"""Pages that can be called up at any moment."""

import io
from dataclasses import replace

import pytest

from openfelt.cards import Category, Rank
from openfelt.catalog import load_catalog, load_house
from openfelt.cli.play.screens.pages import help_page, qualifying_words
from openfelt.cli.terminal import make_console
from openfelt.rules import WagerKind
from openfelt.rules.paytable import HandMinimum
from tests.kit.cli.scripted_game import play
from tests.kit.own_houses import own_house

HOUSES = sorted(load_catalog().houses)


@pytest.mark.parametrize("house", HOUSES)
def test_help_names_every_wager_of_the_house(house: str) -> None:
    script = play("help", house=house)
    for rule in load_catalog().house(house).wagers:
        if rule.kind.value not in ("ante", "blind"):
            assert f"a wager on {rule.kind.words}" in script.text


@pytest.mark.parametrize("house", HOUSES)
def test_commands_of_the_help_name_no_wager_that_the_house_lacks(house: str) -> None:
    offered = {rule.kind for rule in load_catalog().house(house).wagers}
    commands = play("help", house=house).text.partition("Before the deal")[2].lower()
    for kind in set(WagerKind) - offered - {WagerKind.PLAY}:
        assert kind.words.lower() not in commands


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


@pytest.mark.parametrize(
    ("category", "at_least", "says"),
    [
        (Category.PAIR, None, "qualifies with a pair or better."),
        (Category.PAIR, Rank.QUEEN, "qualifies with a pair of queens or better."),
        (Category.TWO_PAIR, None, "qualifies with two pair or better."),
        (Category.THREE_OF_A_KIND, None, "qualifies with three of a kind or better."),
        (Category.FLUSH, None, "qualifies with a flush or better."),
        (Category.HIGH_CARD, None, "always qualifies."),
    ],
)
def test_what_the_dealer_needs_is_said_in_words(
    category: Category, at_least: Rank | None, says: str
) -> None:
    minimum = HandMinimum(category, at_least)
    assert qualifying_words(minimum) == f"The dealer {says}"
    house = replace(load_house("online"), dealer_qualifies=minimum)
    stream = io.StringIO()
    make_console(stream, environment={}, width=120).print(help_page(house))
    assert f"  The dealer {says}\n" in " ".join(stream.getvalue().split(" "))


def test_one_round_in_a_row_is_no_plural() -> None:
    house = load_house("california")
    once = replace(house, bank=replace(house.bank, rounds_in_a_row_max=1))
    stream = io.StringIO()
    make_console(stream, environment={}, width=120).print(help_page(once))
    assert "at most one round in a row" in stream.getvalue()


def test_a_clause_is_explained() -> None:
    script = play("why W.11a", "WHY r.18", house="washington")
    assert "W.11a · " in script.text
    assert "R.18 · " in script.text


@pytest.mark.clause("R.36")
def test_a_payout_aggregate_is_announced_beforehand() -> None:
    house = own_house("washington", {"limits.1.payout_aggregates": {"trips": 500_000}})
    stream = io.StringIO()
    make_console(stream, environment={}, width=200).print(help_page(house))
    assert "All Trips wagers of a round are paid at most $5,000 together" in stream.getvalue()


def test_history_before_the_first_game() -> None:
    assert "You have not finished a game" in play("history", house="online").text
