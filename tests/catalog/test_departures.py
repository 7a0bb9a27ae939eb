"""A house keeps to the limits of its document, or names where it departs from them."""

import re
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from openfelt.catalog import CatalogError, load_catalog
from openfelt.catalog.clauses import load_documents
from openfelt.catalog.departures import _VALUES, broken_limits
from openfelt.catalog.reference import houses_page
from openfelt.rules.house import Departure
from tests.kit.cases import case
from tests.kit.own_houses import REMOVED, Changes, own_house


def aggregate(wager: str, cents: int) -> Changes:
    """A house with nothing but a payout aggregate among its limits."""
    limits = {"since": date(2020, 1, 1), "source": "The club."}
    return {"limits": [limits | {"payout_aggregates": {wager: cents}}]}


DEPARTURES = [
    # house, changes: key, clause
    case("california", {"bank.rounds_in_a_row_max": 9}, "bank.rounds_in_a_row_max", "C.20",
         proves="C.20"),
    case("california", {"table.seats": 8}, "table.seats", "C.players", proves="C.players"),
    case("california", {"bank.folds_first": False}, "bank.folds_first", "C.6.1", proves="C.6.1"),
    case("california", {"table.showdown": "together"}, "table.showdown", "C.10.1",
         proves="C.10.1"),
    case("california", {"bank.kind": "house", "table.settlement_order": "left_to_right"},
         "bank.kind", "C.19.house_never_banks", proves="C.19.house_never_banks"),
    case("stadium", {"table.hands_per_seat": 7}, "table.hands_per_seat", "S.3", proves="S.3"),
    case("stadium", {"table.remote_play": True}, "table.remote_play", "S.letter.no_internet",
         proves="S.letter.no_internet"),
    case("stadium", {"clock": REMOVED}, "clock", "S.1", proves="S.1"),
    case("stadium", {"play.before_flop": [3, 4, 5]}, "play.before_flop", "S.6b", proves="S.6b"),
    case("washington", {"limits": []}, "limits", "W.intro.2", proves="W.intro.2"),
    case("washington", {"table.refund_antes_first": False}, "table.refund_antes_first", "W.12",
         proves="W.12"),
    case("washington", {"wagers.bad_beat.requires": ["ante"]}, "wagers.bad_beat.requires",
         "W.bad_beat.2", proves="W.bad_beat.2"),
    case("online", {"unfinished_days": 31}, "unfinished_days", "O.unfinished",
         proves="O.unfinished"),
    case("online", {"unfinished_days": REMOVED}, "unfinished_days", "O.unfinished",
         proves="O.unfinished"),
    case("online", aggregate("trips", 2_500_000), "limits.payout_aggregates", "O.9",
         proves="O.9"),
    case("stadium", aggregate("trips", 500_000), "limits.payout_aggregates", "S.overview.odds",
         proves="S.overview.odds"),
    case("draw", aggregate("bonus", 500_000), "limits.payout_aggregates", "D.13", proves="D.13"),
    case("draw", {"dealer_qualifies.hand": "two pair"}, "dealer_qualifies", "D.9", proves="D.9"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "changes", "key", "clause"), DEPARTURES)
def test_a_departure_is_named_or_refused(
    base: str, changes: Changes, key: str, clause: str
) -> None:
    with pytest.raises(CatalogError) as refused:
        own_house(base, changes, names_departures=False)
    assert refused.value.where == key
    assert refused.value.problem.startswith(f"departs from {clause}, which asks for ")
    named = {**changes, "departures": [{"clause": clause, "reason": "The club wants it."}]}
    house = own_house(base, named, names_departures=False)
    assert house.departures == (Departure(clause, "The club wants it."),)
    assert house.fingerprint != own_house(base).fingerprint


KEPT: list[Any] = [
    ([{"clause": "C.20", "reason": "Nine rounds."}], "C.20 is no limit of document C, or is kept"),
    ([{"clause": "S.3", "reason": "More."}], "S.3 is no limit of document C, or is kept"),
]


@pytest.mark.parametrize(("departures", "problem"), KEPT)
def test_a_departure_that_is_none_is_refused(departures: list[Any], problem: str) -> None:
    with pytest.raises(CatalogError, match=re.escape(problem)):
        own_house("california", {"departures": departures}, names_departures=False)


def test_the_houses_of_openfelt_keep_to_their_documents() -> None:
    for house in load_catalog().houses.values():
        assert (house.departures, broken_limits(house)) == ((), {})


def test_every_limit_is_about_a_key_that_can_be_read() -> None:
    limits = [limit for doc in load_documents() for one in doc.clauses for limit in one.limits]
    assert {limit.key for limit in limits} <= _VALUES.keys()
    for limit in limits:
        given = [limit.at_most, limit.within, limit.equals]
        assert sum(value is not None for value in given) == 1


def test_departures_are_shown_with_the_rules() -> None:
    house = own_house("stadium", {"table.hands_per_seat": 7})
    page = houses_page(replace(load_catalog(), houses={"stadium": house}))
    assert "| S.3 | a test |" in page
