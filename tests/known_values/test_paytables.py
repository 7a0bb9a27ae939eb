"""The catalog's paytables beside the documents' own figures, typed apart in paytables.toml."""

import tomllib
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from openfelt.cards import FULL_DECK, parse_cards
from openfelt.catalog import load_catalog, load_house
from openfelt.rules import WagerKind
from openfelt.rules.paytable import HandPaytable, PairsPaytable


def figures(name: str) -> dict[str, Any]:
    """Published figures that stand in a file beside this one."""
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


KNOWN = figures("paytables.toml")
SEVEN_CARDS = figures("seven_card_counts.toml")
HOLDEM = figures("ultimate_holdem.toml")
CATALOG = load_catalog()
TWO_SEVENS = parse_cards("7c 7d")


def hand_table(wager: str, name: str) -> HandPaytable:
    """A table of the catalog that pays by poker hand."""
    table = CATALOG.paytables[wager, name]
    assert isinstance(table, HandPaytable)
    return table


def as_published(table: HandPaytable) -> list[tuple[str, str]]:
    """The rows as the documents print them."""
    return [(str(row.hand), str(row.odds)) for row in table.rows]


def known_rows(wager: str, name: str) -> list[tuple[str, str]]:
    """The rows of a table in paytables.toml, without the gaps."""
    rows = zip(KNOWN[wager]["rows"], KNOWN[wager][name], strict=True)
    return [(hand, odds) for hand, odds in rows if odds != "-"]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            "UTH-01", marks=pytest.mark.clause("W.paytables.UTH-01", "S.paytables.UTH-01")
        ),
        pytest.param(
            "UTH-02", marks=pytest.mark.clause("W.paytables.UTH-02", "S.paytables.UTH-02")
        ),
        pytest.param(
            "UTH-03", marks=pytest.mark.clause("W.paytables.UTH-03", "S.paytables.UTH-03")
        ),
        pytest.param(
            "UTH-04", marks=pytest.mark.clause("W.paytables.UTH-04", "S.paytables.UTH-04")
        ),
        pytest.param("UTH-05", marks=pytest.mark.clause("S.paytables.UTH-05")),
    ],
)
def test_trips_and_blind_pay_as_published(name: str) -> None:
    assert as_published(hand_table("trips", name)) == known_rows("trips", name)
    assert as_published(hand_table("blind", name)) == known_rows("blind", name)


@pytest.mark.parametrize(
    ("wager", "name"),
    [
        pytest.param("bad_beat", "BBB-01", marks=pytest.mark.clause("S.paytables.BBB-01")),
        pytest.param("bad_beat", "BBB-02", marks=pytest.mark.clause("S.paytables.BBB-02")),
        pytest.param("bad_beat", "BBB-03", marks=pytest.mark.clause("S.paytables.BBB-03")),
        pytest.param("play_the_board", "PTB-01", marks=pytest.mark.clause("S.paytables.PTB-01")),
        pytest.param("play_the_board", "PTB-02", marks=pytest.mark.clause("S.paytables.PTB-02")),
        pytest.param("play_the_board", "PTB-03", marks=pytest.mark.clause("S.paytables.PTB-03")),
        pytest.param("bonus", "UDP-01", marks=pytest.mark.clause("D.bonus.UDP-01")),
        pytest.param("bonus", "UDP-02", marks=pytest.mark.clause("D.bonus.UDP-02")),
        pytest.param("bonus", "UDP-03", marks=pytest.mark.clause("D.bonus.UDP-03")),
        pytest.param("bonus", "UDP-04", marks=pytest.mark.clause("D.bonus.UDP-04")),
        pytest.param("ante_bonus", "UDP-ANTE", marks=pytest.mark.clause("D.12")),
    ],
)
def test_a_table_pays_as_published(wager: str, name: str) -> None:
    assert as_published(hand_table(wager, name)) == known_rows(wager, name)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("UPB-1", marks=pytest.mark.clause("S.paytables.UPB-1")),
        pytest.param("UPB-2", marks=pytest.mark.clause("S.paytables.UPB-2")),
        pytest.param("UPB-3", marks=pytest.mark.clause("S.paytables.UPB-3", "R.7")),
        pytest.param("UPB-4", marks=pytest.mark.clause("S.paytables.UPB-4", "R.7")),
        pytest.param("UPB-5", marks=pytest.mark.clause("S.paytables.UPB-5", "R.7")),
        pytest.param("UPB-6", marks=pytest.mark.clause("S.paytables.UPB-6", "R.7")),
    ],
)
def test_ultimate_pairs_pays_as_published_on_all_pairs_of_hole_cards(name: str) -> None:
    table = CATALOG.paytables["ultimate_pairs", name]
    assert isinstance(table, PairsPaytable)
    counts = {row.label: 0 for row in table.rows}
    for hole in combinations(FULL_DECK, 2):
        row = table.row_for(hole, TWO_SEVENS)
        if row is not None:
            counts[row.label] += 1
    assert [[row.label, str(row.odds), counts[row.label]] for row in table.rows] == (
        KNOWN["ultimate_pairs"][name]
    )


@pytest.mark.clause("S.paytables.UPB-2", "W.pairs.note", "R.7")
@pytest.mark.parametrize("name", ["UPB-1", "UPB-2", "UPB-3", "UPB-4", "UPB-5", "UPB-6"])
def test_only_the_top_award_of_table_2_looks_at_the_dealer(name: str) -> None:
    table = CATALOG.paytables["ultimate_pairs", name]
    assert isinstance(table, PairsPaytable)
    changed = {
        hole
        for hole in combinations(FULL_DECK, 2)
        if table.row_for(hole, parse_cards("Ac Ad")) != table.row_for(hole, TWO_SEVENS)
    }
    assert all(card.rank.letter == "A" for hole in changed for card in hole)
    assert bool(changed) == (name == "UPB-2")


@pytest.mark.clause("C.paytable", "C.16")
def test_californias_table_is_the_one_its_document_prints() -> None:
    house = load_house("california")
    assert as_published(house.hand_table(WagerKind.TRIPS)) == known_rows("california", "trips")
    assert as_published(house.hand_table(WagerKind.BLIND)) == known_rows("california", "blind")


def test_no_table_is_in_the_catalog_but_not_in_a_document() -> None:
    skipped = {"source", "rows"}
    known = {(wager, name) for wager, tables in KNOWN.items() for name in tables} - {
        (wager, name) for wager in KNOWN for name in skipped
    }
    others = {key for key in CATALOG.paytables if key not in known}
    assert others == {("progressive", "PRG-01")}


# Claims ----------------------------------------------------------------------


def trips_advantage(name: str) -> Fraction:
    """What a Trips table takes on average, from the count of all seven-card hands."""
    counts: dict[str, int] = SEVEN_CARDS["counts"]
    pays = {row.hand.category.words: row.odds.ratio for row in hand_table("trips", name).rows}
    total = sum(counts.values())
    assert total == SEVEN_CARDS["hands"]
    paid = (counts[hand] * pays.get(hand, Fraction(-1)) for hand in counts)
    return -sum(paid, Fraction(0)) / total


def percent(share: Fraction, places: int) -> str:
    """A share as the documents print it."""
    return f"{float(share * 100):.{places}f}%"


@pytest.mark.clause("R.16")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("UTH-01", marks=pytest.mark.clause("W.paytables.UTH-01")),
        pytest.param("UTH-02", marks=pytest.mark.clause("W.paytables.UTH-02")),
        pytest.param("UTH-03", marks=pytest.mark.clause("W.paytables.UTH-03")),
        pytest.param("UTH-04", marks=pytest.mark.clause("W.paytables.UTH-04")),
    ],
)
def test_washingtons_trips_advantages_are_exact(name: str) -> None:
    assert percent(trips_advantage(name), 2) == KNOWN["claims"]["trips"][name]
    assert hand_table("trips", name).claimed_advantage == KNOWN["claims"]["trips"][name]


@pytest.mark.clause("W.paytables.note", "R.16")
def test_the_whole_games_advantage_is_kept_as_a_claim_of_the_blind_tables() -> None:
    for name in ("UTH-01", "UTH-02", "UTH-03", "UTH-04"):
        blind = hand_table("blind", name)
        assert blind.claimed_game_advantage == KNOWN["claims"]["whole_game"]
        assert blind.claimed_advantage is None
        assert hand_table("trips", name).claimed_game_advantage is None
    assert hand_table("blind", "UTH-05").claimed_game_advantage is None


@pytest.mark.clause("O.return.trips", "R.16")
def test_the_online_return_of_trips_is_that_of_its_table() -> None:
    house = load_house("online")
    table = house.hand_table(WagerKind.TRIPS)
    assert house.claimed_returns["trips"] == KNOWN["claims"]["online"]["trips"]
    assert percent(1 - trips_advantage(table.name), 1) == KNOWN["claims"]["online"]["trips"]


@pytest.mark.clause("O.return.game", "R.16")
def test_the_online_return_of_the_game_spreads_the_loss_over_three_units() -> None:
    loss_per_ante = Fraction(HOLDEM["loss_per_ante"])
    assert percent(1 - loss_per_ante / 3, 2) == KNOWN["claims"]["online"]["game"]
    assert load_house("online").claimed_returns["game"] == KNOWN["claims"]["online"]["game"]


@pytest.mark.clause("R.16")
def test_the_whole_games_claim_fits_no_usual_basis() -> None:
    loss_per_ante = Fraction(HOLDEM["loss_per_ante"])
    bases = [Fraction(1), Fraction(2), Fraction(3), Fraction(HOLDEM["units_staked"])]
    assert KNOWN["claims"]["whole_game"] not in {percent(loss_per_ante / n, 2) for n in bases}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("UDP-01", marks=pytest.mark.clause("D.bonus.UDP-01")),
        pytest.param("UDP-02", marks=pytest.mark.clause("D.bonus.UDP-02")),
        pytest.param("UDP-03", marks=pytest.mark.clause("D.bonus.UDP-03")),
        pytest.param("UDP-04", marks=pytest.mark.clause("D.bonus.UDP-04")),
    ],
)
def test_draw_bonus_tables_carry_the_documents_claims(name: str) -> None:
    assert hand_table("bonus", name).claimed_advantage == KNOWN["claims"]["bonus"][name]
