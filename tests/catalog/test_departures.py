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


TIPS = {"min_cents": 100, "max_cents": 500, "multiple_of_cents": 100}
"""Limits of wagers for the dealer, which only the stadium's document offers."""
STEPS = {**TIPS, "requires": ["ante"]}

DEPARTURES = [
    # house, changes: key, clause
    case("california", {"bank.rounds_in_a_row_max": 9}, "bank.rounds_in_a_row_max", "C.20",
         proves="C.20"),
    case("california", {"table.seats": 8}, "table.seats", "C.players", proves="C.players"),
    case("california", {"bank.folds_first": False}, "bank.folds_first", "C.6.1", proves="C.6.1"),
    case(
        "california",
        {"table.folds_face_down": False},
        "table.folds_face_down",
        "C.6",
        proves="C.6",
    ),
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
    case("washington", {"wagers.trips.requires": []}, "wagers.requires", "W.2", proves="W.2"),
    case("washington", {"wagers.progressive.requires": []}, "wagers.requires", "W.2"),
    case("online", {"wagers.trips.requires": []}, "wagers.requires", "O.2", proves="O.2"),
    case("california", {"wagers.trips.requires": []}, "wagers.requires", "C.betting.3.required",
         proves="C.betting.3.required"),
    case("stadium", {"wagers.play_the_board.requires": []}, "wagers.requires", "S.2",
         proves="S.2"),
    case("washington", {"wagers.play_the_board": {**STEPS, "paytable": "PTB-01"}}, "wagers",
         "W.intro.1", proves="W.intro.1"),
    case("online", {"wagers.ultimate_pairs": {**STEPS, "paytable": "UPB-1"}}, "wagers", "O.11",
         proves="O.11"),
    case("california", {"dealer_wagers": TIPS}, "dealer_wagers", "C.betting.3",
         proves="C.betting.3"),
    case("washington", {"dealer_wagers": TIPS}, "dealer_wagers", "W.intro.1"),
    case("online", {"unfinished": "clock"}, "unfinished", "O.unfinished", proves="O.unfinished"),
    case("california", {"table.procedure": "handheld", "table.procedures": ["handheld"]},
         "table.procedures", "C.dealing.2", proves="C.dealing.2"),
    case("draw", {"wagers.bonus.requires": ["ante"]}, "wagers.bonus.requires", "D.2",
         proves="D.2 R.29"),
    case("draw", {"ante_bonus": REMOVED}, "ante_bonus", "D.12", proves="D.12"),
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
    (
        [{"clause": "C.20", "reason": "Nine rounds."}],
        "C.20 is not a limit of document C, or the house keeps it",
    ),
    (
        [{"clause": "S.3", "reason": "More."}],
        "S.3 is not a limit of document C, or the house keeps it",
    ),
]


ROWS = [
    "royal flush",
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "three of a kind",
    "two pair",
    "pair",
]


def own_table(wager: str, lowest: str) -> str:
    """A paytable that pays 2 to 1 from this hand up."""
    first = wager == "bad_beat"
    rows = [f'{{ hand = "{hand}", pays = "2 to 1" }}' for hand in ROWS[first:]]
    paid = ", ".join(rows[: ROWS.index(lowest) + 1 - first])
    return f"""
version = 1
source = "The club."
[[paytable]]
name = "CLUB"
wager = "{wager}"
clause = "The club."
rows = [{paid}]
"""


PAID = [
    # house, wager, the lowest hand that the document pays: clause
    case("washington", "blind", "straight", "W.11d", proves="W.11d W.11e R.5"),
    case("washington", "trips", "three of a kind", "W.11f", proves="W.11f"),
    case("washington", "bad_beat", "three of a kind", "W.bad_beat.1", proves="W.bad_beat.1"),
    case("online", "blind", "straight", "O.9.note", proves="O.9.note R.5"),
    case("california", "blind", "straight", "C.13.2", proves="C.13.2 C.11.4 R.5"),
    case("california", "trips", "three of a kind", "C.18", proves="C.18"),
    case("stadium", "blind", "straight", "S.13d", proves="S.13d S.13e R.5"),
    case("stadium", "trips", "three of a kind", "S.13f", proves="S.13f"),
    case("stadium", "bad_beat", "three of a kind", "S.overview.bad_beat.wins",
         proves="S.overview.bad_beat.wins"),
    case("stadium", "play_the_board", "pair", "S.overview.play_the_board.wins",
         proves="S.overview.play_the_board.wins R.8"),
    case("draw", "bonus", "two pair", "D.13", proves="D.13"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "wager", "lowest", "clause"), PAID)
def test_the_document_says_which_hands_win_and_the_felt_how_much(
    base: str, wager: str, lowest: str, clause: str
) -> None:
    changes = {f"wagers.{wager}.paytable": "CLUB"}
    own = ROWS.index(lowest)
    for hand in ROWS[own - 1 : own + 2]:
        paytables = own_table(wager, hand)
        if hand == lowest and hand != "pair":
            own_house(base, changes, paytables=paytables, names_departures=False)
            continue
        # The lowest hand of Play the Board is a pair of tens, so any pair is too low.
        with pytest.raises(CatalogError, match=f"departs from {re.escape(clause)}, which asks"):
            own_house(base, changes, paytables=paytables, names_departures=False)


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
