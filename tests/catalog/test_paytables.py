"""Paytable files: what is refused and where, and what is read."""

from pathlib import Path

import pytest

from openfelt.cards import parse_cards
from openfelt.catalog import CatalogError, load_catalog
from openfelt.catalog.paytables import read_paytables
from openfelt.rules.paytable import HandPaytable, PairsPaytable, Paytable, ProgressivePaytable
from tests.kit.own_houses import CATALOG, toml_text

ROYAL = {"hand": "royal flush", "pays": "50 to 1"}
STRAIGHT_FLUSH = {"hand": "straight flush", "pays": "40 to 1"}
QUADS = {"hand": "four of a kind", "pays": "30 to 1"}
ACES = {"label": "Aces", "hole": ["AA"], "pays": "30 to 1"}
JACKPOT = {"hand": "royal flush", "share": "100%"}


def read_table(folder: Path, wager: str, rows: list[object], **keys: object) -> Paytable:
    table = {"name": "OWN", "wager": wager, "clause": "R.15", "rows": rows} | keys
    return read_text(folder, {"version": 1, "source": "The tests.", "paytable": [table]})


def read_text(folder: Path, document: dict[str, object]) -> Paytable:
    file = folder / "tables.toml"
    file.write_text(toml_text(document), encoding="utf-8")
    (table,) = read_paytables([file]).values()
    return table


ROWS = "paytable[0].rows"
BROKEN: list[tuple[str, list[object], str, str]] = [
    # wager, rows: where, problem
    ("luck", [ROYAL], "paytable[0].wager", "'luck' is not one of ante_bonus, bad_beat"),
    ("ante", [ROYAL], "paytable[0].wager", "'ante' is not one of"),
    ("play", [ROYAL], "paytable[0].wager", "'play' is not one of"),
    ("trips", [], ROWS, "at least one row"),
    ("trips", [ROYAL, ROYAL], f"{ROWS}[1]", "from the best hand to the worst, each only once"),
    ("trips", [STRAIGHT_FLUSH, ROYAL], f"{ROWS}[0]", "the row above it, royal flush, is missing"),
    ("trips", [ROYAL, QUADS], f"{ROWS}[1]", "the row above it, straight flush, is missing"),
    ("bad_beat", [ROYAL], f"{ROWS}[0]", "from the best hand to the worst"),
    ("bad_beat", [QUADS], f"{ROWS}[0]", "the row above it, straight flush, is missing"),
    ("trips", [{"pays": "1 to 1"}], f"{ROWS}[0]", "needs `hand` and `pays`"),
    ("trips", [{"hand": "royal flush"}], f"{ROWS}[0]", "needs `hand` and `pays`"),
    ("trips", [{"hand": "royal", "pays": "1 to 1"}], f"{ROWS}[0].hand", "'royal' is not one of"),
    ("trips", [ROYAL | {"at_least": "9"}], f"{ROWS}[0].at_least", "only a pair"),
    ("trips", [ROYAL | {"pays": "3:2"}], f"{ROWS}[0].pays", "'3:2' are not odds such as '3 to 2'"),
    ("trips", [ROYAL | {"pays": "3 for 2"}], f"{ROWS}[0].pays", "are not odds"),
    ("trips", [ROYAL | {"pays": "50%"}], f"{ROWS}[0].pays", "are not odds"),
    ("trips", [ROYAL | {"pays": "0 to 1"}], f"{ROWS}[0].pays", "are not odds"),
    ("trips", [ROYAL | {"pays": "1 to 0"}], f"{ROWS}[0].pays", "are not odds"),
    ("trips", [ROYAL | {"pays": "-1 to 1"}], f"{ROWS}[0].pays", "are not odds"),
    ("trips", [ROYAL | {"pays": "1.5 to 1"}], f"{ROWS}[0].pays", "are not odds"),
    ("trips", [ROYAL | {"pays": "9999999 to 1"}], f"{ROWS}[0].pays", "are not odds"),
    ("trips", [ROYAL | {"pays": " 1 to 1"}], f"{ROWS}[0].pays", "are not odds"),
    ("trips", [ROYAL | {"pays": 50}], f"{ROWS}[0].pays", "Expected `str | null`, got `int`"),
    ("trips", [ROYAL | {"hole": ["AA"]}], f"{ROWS}[0].hole", "a trips table has no such key"),
    ("trips", [ROYAL | {"share": "10%"}], f"{ROWS}[0].share", "a trips table has no such key"),
    ("trips", [ROYAL | {"envy": 5}], f"{ROWS}[0].envy", "a trips table has no such key"),
    ("trips", [ROYAL | {"odds": "1 to 1"}], f"{ROWS}[0]", "unknown field `odds`"),
    ("ultimate_pairs", [{"hole": ["AA"], "pays": "1 to 1"}], f"{ROWS}[0]", "needs `label`"),
    ("ultimate_pairs", [ACES | {"hole": []}], f"{ROWS}[0]", "needs `label`, `hole` and `pays`"),
    ("ultimate_pairs", [ACES | {"hole": ["A"]}], f"{ROWS}[0].hole", "'A' are not two cards"),
    ("ultimate_pairs", [ACES | {"hole": ["AAs"]}], f"{ROWS}[0].hole", "are not two cards"),
    ("ultimate_pairs", [ACES | {"hole": ["AK x"]}], f"{ROWS}[0].hole", "is not a card"),
    ("ultimate_pairs", [ACES | {"hole": ["AhAh"]}], f"{ROWS}[0].hole", "two different cards"),
    ("ultimate_pairs", [ACES | {"hole": ["A1"]}], f"{ROWS}[0].hole", "are not two cards"),
    ("ultimate_pairs", [ACES | {"dealer": ["KX"]}], f"{ROWS}[0].dealer", "are not two cards"),
    ("ultimate_pairs", [ACES | {"hand": "pair"}], f"{ROWS}[0].hand", "has no such key"),
    ("progressive", [JACKPOT | {"share": "101%"}], f"{ROWS}[0].share", "at most '100%'"),
    ("progressive", [JACKPOT | {"share": "all"}], f"{ROWS}[0].share", "not a percentage"),
    ("progressive", [{"hand": "royal flush"}], f"{ROWS}[0]", "either `share` or `for_one`"),
    ("progressive", [JACKPOT | {"for_one": 5}], f"{ROWS}[0]", "either `share` or `for_one`"),
    ("progressive", [{"hand": "royal flush", "for_one": 0}], f"{ROWS}[0].for_one", "less than 1"),
    ("progressive", [JACKPOT | {"envy": -1}], f"{ROWS}[0].envy", "-1 is less than 0"),
    ("progressive", [JACKPOT | {"pays": "1 to 1"}], f"{ROWS}[0].pays", "has no such key"),
    ("progressive", [JACKPOT, JACKPOT], f"{ROWS}[1]", "from the best hand to the worst"),
    ("progressive", [JACKPOT, {"hand": "flush", "for_one": 5}], f"{ROWS}[1]", "is missing"),
]


@pytest.mark.parametrize(("wager", "rows", "where", "problem"), BROKEN)
def test_a_broken_table_is_refused_with_its_place(
    tmp_path: Path, wager: str, rows: list[object], where: str, problem: str
) -> None:
    reads = {"reads": "hole_and_flop"} if wager == "progressive" else {}
    with pytest.raises(CatalogError) as refused:
        read_table(tmp_path, wager, rows, **reads)
    assert refused.value.where == where
    assert problem in refused.value.problem
    assert refused.value.file == tmp_path / "tables.toml"


@pytest.mark.parametrize("reads", [{}, {"reads": "everything"}])
def test_a_progressive_says_what_it_reads(tmp_path: Path, reads: dict[str, str]) -> None:
    with pytest.raises(CatalogError, match="not one of hole_and_flop, final_seven, dealt_five"):
        read_table(tmp_path, "progressive", [JACKPOT], **reads)


def test_two_tables_of_one_name_for_one_wager_are_refused(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        toml_text(
            {
                "version": 1,
                "source": "The tests.",
                "paytable": [
                    {"name": "UTH-01", "wager": "trips", "clause": "R.1", "rows": [ROYAL]}
                ],
            }
        )
    )
    built_in = CATALOG / "paytables" / "trips_and_blind.toml"
    with pytest.raises(CatalogError) as refused:
        read_paytables([built_in, own])
    assert refused.value.file == own
    assert refused.value.problem == "a trips table called 'UTH-01' exists already"


def test_a_file_without_tables_version_or_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="missing required field `version`"):
        read_text(tmp_path, {"source": "The tests.", "paytable": []})
    with pytest.raises(CatalogError, match="missing required field `paytable`"):
        read_text(tmp_path, {"version": 1, "source": "The tests."})
    with pytest.raises(CatalogError, match="missing required field `source`"):
        read_text(tmp_path, {"version": 1, "paytable": []})


@pytest.mark.parametrize(
    ("key", "value", "where", "problem"),
    [
        ("version", 0, "version", "0 is less than 1"),
        ("version", -1, "version", "-1 is less than 1"),
        ("source", "", "source", "is empty or contains unprintable characters"),
        ("source", "\u001b[2J", "source", "is empty or contains unprintable characters"),
        ("name", "", "paytable[0].name", "is empty or contains unprintable characters"),
        ("name", "OWN\n", "paytable[0].name", "is empty or contains unprintable characters"),
        ("label", " ", f"{ROWS}[0].label", "is empty or contains unprintable characters"),
    ],
)
def test_a_table_has_a_version_and_texts_that_can_be_read(
    tmp_path: Path, key: str, value: object, where: str, problem: str
) -> None:
    row: dict[str, object] = dict(ROYAL)
    table: dict[str, object] = {"name": "OWN", "wager": "trips", "clause": "R.15", "rows": [row]}
    document: dict[str, object] = {"version": 1, "source": "The tests.", "paytable": [table]}
    {"name": table, "label": row}.get(key, document)[key] = value
    with pytest.raises(CatalogError) as refused:
        read_text(tmp_path, document)
    assert refused.value.where == where
    assert problem in refused.value.problem


@pytest.mark.parametrize(
    ("wager", "rows", "reads"),
    [
        ("trips", [ROYAL], {}),
        ("ultimate_pairs", [ACES], {}),
        ("progressive", [JACKPOT], {"reads": "dealt_five"}),
    ],
)
def test_a_table_carries_the_version_and_the_source_of_its_file(
    tmp_path: Path, wager: str, rows: list[object], reads: dict[str, str]
) -> None:
    table = {"name": "OWN", "wager": wager, "clause": "R.15", "rows": rows} | reads
    found = read_text(tmp_path, {"version": 3, "source": "The tests.", "paytable": [table]})
    assert (found.name, found.version, found.source) == ("OWN", 3, "The tests.")


def test_each_kind_of_table_is_read(tmp_path: Path) -> None:
    hands = read_table(tmp_path, "trips", [ROYAL, STRAIGHT_FLUSH | {"label": "Steel"}])
    assert isinstance(hands, HandPaytable)
    assert [(row.label, str(row.odds)) for row in hands.rows] == [
        ("Royal flush", "50 to 1"),
        ("Steel", "40 to 1"),
    ]
    pairs = read_table(tmp_path, "ultimate_pairs", [ACES | {"dealer": ["KK"]}])
    assert isinstance(pairs, PairsPaytable)
    assert pairs.row_for(parse_cards("AsAh"), parse_cards("KsKh"))
    assert not pairs.row_for(parse_cards("AsAh"), parse_cards("QsQh"))
    jackpot = read_table(tmp_path, "progressive", [JACKPOT], reads="final_seven")
    assert isinstance(jackpot, ProgressivePaytable)
    assert jackpot.rows[0].share == 1


@pytest.mark.parametrize(
    ("pattern", "hole", "fits"),
    [
        ("AK", "As Kd", True),
        ("AK", "Ks Ad", True),
        ("AK", "As Ks", True),
        ("AKs", "As Ks", True),
        ("AKs", "As Kd", False),
        ("AKo", "As Kd", True),
        ("AKo", "As Ks", False),
        ("AK", "As Ad", False),
        ("AA", "As Ad", True),
        ("AA", "As Kd", False),
        ("AhAd", "Ad Ah", True),
        ("AhAd", "As Ah", False),
        ("T9", "Ts 9d", True),
    ],
)
def test_a_pattern_of_two_cards(tmp_path: Path, pattern: str, hole: str, fits: bool) -> None:
    table = read_table(tmp_path, "ultimate_pairs", [ACES | {"hole": [pattern]}])
    assert isinstance(table, PairsPaytable)
    assert bool(table.row_for(parse_cards(hole), ())) is fits


def test_every_built_in_table_has_a_clause_and_rows() -> None:
    tables = load_catalog().paytables
    assert len(tables) == 2 * 5 + 3 + 6 + 3 + 4 + 1 + 1
    for (wager, name), table in tables.items():
        assert (table.wager, table.name) == (wager, name)
        assert table.rows
        assert table.clause
        assert table.version == 1
        assert table.source.endswith(".")
