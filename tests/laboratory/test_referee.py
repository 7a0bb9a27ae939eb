"""The laboratory's referee: independent of the program, with the documents' own tables."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from openfelt.cards import parse_cards
from openfelt.catalog import load_catalog
from openfelt.rules.paytable import PairsPaytable
from tests.kit.own_houses import CATALOG
from tests.laboratory.deals import DECK, STACKS
from tests.laboratory.product_houses import HOUSES, WAGERS
from tests.laboratory.referee_draw import house_way
from tests.laboratory.referee_hands import kind_of, value_of
from tests.laboratory.referee_paytables import TABLES
from tests.laboratory.referee_side_bets import ultimate_pairs_pays

FOLDER = Path(__file__).parent
OF_THE_PROGRAM = {"felt_rounds", "floor_rounds", "moves", "product_houses", "ready_rounds"}
"""The modules that drive the program. All others know nothing of it."""
EVALUATOR = "treys"


def read(path: Path) -> dict[str, Any]:
    """A file of the catalog."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_referee_imports_nothing_of_the_program() -> None:
    apart = {
        path.stem
        for path in FOLDER.glob("*.py")
        if path.stem not in OF_THE_PROGRAM and not path.stem.startswith("test_")
    }
    assert {stem for stem in apart if stem.startswith("referee")} >= {"referee", "referee_hands"}
    for stem in apart:
        for module in imported(FOLDER / f"{stem}.py"):
            top, *rest = module.split(".")
            if top == "tests":
                assert rest[0] == "laboratory", f"{stem} imports {module}"
                assert rest[1] in apart, f"{stem} imports {module}"
            else:
                allowed = {EVALUATOR} if stem == "referee_hands" else set()
                assert top in sys.stdlib_module_names | allowed, f"{stem} imports {module}"


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("As Ks Qs Js Ts 2d 3c", "royal flush"),
        ("5h 4h 3h 2h Ah Kd Kc", "straight flush"),
        ("Ks Kd Kh Kc 2d", "four of a kind"),
        ("Ks Kd Kh 2c 2d 2h Ac", "full house"),
        ("Ah Jh 9h 6h 3h 3c 3d", "flush"),
        ("5h 4d 3h 2c Ah", "straight"),
        ("Ts Jd Qh Kc Ah", "straight"),
        ("Qs Kd Ah 2c 3h", "high card"),
        ("7s 7d 7h 2c 3h 9d Jc", "three of a kind"),
        ("7s 7d 3h 3c 9h 9d Jc", "two pair"),
        ("7s 7d 3h 4c 9h Td Jc", "pair"),
        ("2s 3d 4h 5c 7h", "high card"),
    ],
)
def test_the_evaluator_names_hands_as_the_documents_do(cards: str, kind: str) -> None:
    assert kind_of(value_of(tuple(cards.split()))) == kind


def test_no_hand_is_valued_with_a_card_twice() -> None:
    with pytest.raises(ValueError, match="different"):
        value_of(("As", "Ks"), ("As", "2c", "3c", "4c", "5c"))


@pytest.mark.parametrize(
    ("cards", "held"),
    [
        ("5c 5d Ah Ks Qc", "5c 5d"),
        ("9c 9d 9h 9s 2c", "9c 9d 9h 9s 2c"),
        ("8h 7h 6h 5c 2h", "8h 7h 6h 2h"),
        ("Ac 2d 3h 4s 9c", "Ac 2d 3h 4s"),
        ("Ac Kd Qh Js 4c", "Ac Kd Qh Js"),
        ("Ac Kd 2h 3s 7c", "Ac Kd"),
        ("9c Td Qh Ks 2c", "Qh Ks"),
        ("2c 4d 6h 8s 9c", ""),
    ],
)
def test_the_referee_knows_the_house_way(cards: str, held: str) -> None:
    assert house_way(tuple(cards.split())) == frozenset(held.split())


# The laboratory's data beside the catalog's ----------------------------------------

PAYTABLES = [
    table
    for file in sorted((CATALOG / "paytables").glob("*.toml"))
    for table in read(file)["paytable"]
]
OF_HANDS = [table for table in PAYTABLES if table["wager"] not in ("ultimate_pairs", "progressive")]
OF_PAIRS = [table for table in PAYTABLES if table["wager"] == "ultimate_pairs"]
HOUSE_FILES = {path.stem: read(path) for path in sorted((CATALOG / "houses").glob("*.toml"))}


def title(table: dict[str, Any]) -> str:
    """How a table is called in a report of the tests."""
    return f"{table['wager']} {table['name']}"


def typed(pays: str) -> str:
    """Odds without the comma of thousands."""
    return pays.replace(",", "")


def test_both_have_the_same_tables() -> None:
    typed_tables = {
        ("ultimate_pairs" if wager.startswith("ultimate_pairs") else wager, name)
        for wager, columns in TABLES.items()
        for name in columns
        if wager != "envy"
    }
    assert typed_tables == {(table["wager"], table["name"]) for table in PAYTABLES}


@pytest.mark.parametrize("table", OF_HANDS, ids=title)
def test_a_table_of_hands_is_the_catalogs_row_by_row(table: dict[str, Any]) -> None:
    rows = [
        ("pair of tens" if row.get("at_least") == "10" else row["hand"], typed(row["pays"]))
        for row in table["rows"]
    ]
    assert list(TABLES[table["wager"]][table["name"]].items()) == rows


@pytest.mark.parametrize("table", OF_PAIRS, ids=title)
def test_a_table_of_pairs_is_the_catalogs_row_by_row_and_for_all_cards(
    table: dict[str, Any],
) -> None:
    name = table["name"]
    typed_rows = (TABLES["ultimate_pairs_high"] | TABLES["ultimate_pairs_face"])[name]
    assert list(typed_rows.values()) == [typed(row["pays"]) for row in table["rows"]]
    in_catalog = load_catalog().paytables["ultimate_pairs", name]
    assert isinstance(in_catalog, PairsPaytable)
    for hole in combinations(DECK, 2):
        for dealer in ("Ac As", "Kc Kd"):
            row = in_catalog.row_for(parse_cards(" ".join(hole)), parse_cards(dealer))
            pays = typed(str(row.odds)) if row else ""
            assert ultimate_pairs_pays(name, hole, tuple(dealer.split())) == pays


def test_the_progressive_is_the_catalogs_row_by_row() -> None:
    (table,) = (table for table in PAYTABLES if table["wager"] == "progressive")
    awards = [(row["hand"], row.get("share") or str(row["for_one"])) for row in table["rows"]]
    envy = [(row["hand"], str(row["envy"])) for row in table["rows"] if "envy" in row]
    assert list(TABLES["progressive"][table["name"]].items()) == awards
    assert list(TABLES["envy"][table["name"]].items()) == envy


@pytest.mark.parametrize("name", HOUSE_FILES)
def test_a_house_is_the_catalogs(name: str) -> None:
    ours, file = HOUSES[name], HOUSE_FILES[name]
    bank, link = file.get("bank", {}), file.get("progressive", {})
    in_catalog = {
        "document": file["document"],
        "game": file["game"].removeprefix("ultimate_"),
        "ante_bonus": file.get("ante_bonus", {}).get("paytable", ""),
        "cover": bank.get("cover", ""),
        "folds_first": bank.get("folds_first", False),
        "collection": tuple(tuple(band.values()) for band in bank.get("collection", ())),
        "contribution_percent": int(link.get("contribution", "0%").removesuffix("%")),
        "seed_cents": link.get("seed_cents", 0),
        "several_winners": link.get("several_winners", "split"),
        "own_decks": file["table"]["deck"] == "per_terminal",
        "rounding_unit_cents": file["rounding_unit_cents"],
        "step_cents": file["wagers"]["ante"]["multiple_of_cents"],
    }
    for wager in (*WAGERS, "progressive"):
        in_catalog[wager] = file["wagers"].get(wager, {}).get("paytable", "")
    assert {setting: getattr(ours, setting) for setting in in_catalog} == in_catalog
    assert file["dealer_qualifies"] == {"hand": "pair"}


def test_every_published_table_is_played() -> None:
    played = {(wager, getattr(house, wager)) for house in HOUSES.values() for wager in WAGERS}
    published = {(table["wager"], table["name"]) for table in (*OF_HANDS, *OF_PAIRS)}
    assert published - played == {("ante_bonus", "UDP-ANTE")}
    assert {house.ante_bonus for house in HOUSES.values()} == {"", "UDP-ANTE"}


def test_stacked_deals_name_no_card_twice() -> None:
    for game, stacks in STACKS.items():
        for stack in stacks:
            listed = [
                *stack.common,
                *stack.dealer,
                *(card for hand in stack.hands for card in hand),
            ]
            assert len(listed) == len(stack.cards), stack.name
            assert stack.cards <= set(DECK), stack.name
            assert {len(hand) for hand in stack.hands} == {2 if game == "holdem" else 5}, stack.name
