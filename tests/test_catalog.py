"""The catalog as a whole: what comes with Openfelt, and an operator's own folder."""

from pathlib import Path

import pytest

from openfelt.catalog import CatalogError, UnknownHouseError, load_catalog, load_house
from openfelt.rules import WagerKind
from tests.kit.felt import played
from tests.kit.own_houses import house_document, toml_text

OWN_TABLE = """
version = 1
source = "The house's own."

[[paytable]]
name = "GENEROUS"
wager = "trips"
clause = "R.15"
rows = [
  { hand = "royal flush",    pays = "1000 to 1" },
  { hand = "straight flush", pays = "200 to 1" },
]
"""


def own_folder(folder: Path, **changes: object) -> Path:
    keys = {key.replace("__", "."): value for key, value in changes.items()}
    (folder / "paytables").mkdir()
    (folder / "paytables" / "generous.toml").write_text(OWN_TABLE, encoding="utf-8")
    document = house_document("online", {"id": "corner-room"} | keys)
    (folder / "corner.toml").write_text(toml_text(document), encoding="utf-8")
    return folder


def test_five_houses_come_with_openfelt() -> None:
    assert list(load_catalog().houses) == [
        "california",
        "draw",
        "online",
        "stadium",
        "washington",
    ]


def test_an_operators_folder_adds_houses_and_paytables(tmp_path: Path) -> None:
    folder = own_folder(tmp_path, name="The Corner Room", wagers__trips__paytable="GENEROUS")
    catalog = load_catalog(folder)
    assert set(catalog.houses) == {*load_catalog().houses, "corner-room"}
    house = load_house("corner-room", folder=folder)
    assert (house.name, house.hand_table(WagerKind.TRIPS).name) == ("The Corner Room", "GENEROUS")
    felt = played(
        house,
        bets={"1.1": "ante 10, trips 5"},
        cards={"1.1": "As Ks", "dealer": "Ac Ad", "common": "Qs Js Ts 2d 3c"},
        decisions={"1.1": "4x"},
    )
    assert felt.line("1.1", "trips").payout_cents == 500_000
    assert load_house("online", folder=folder) == load_house("online")


def test_an_own_house_may_use_the_published_tables(tmp_path: Path) -> None:
    folder = own_folder(tmp_path, wagers__trips__paytable="UTH-05")
    assert load_house("corner-room", folder=folder).hand_table(WagerKind.TRIPS).name == "UTH-05"


def test_an_empty_folder_adds_nothing(tmp_path: Path) -> None:
    assert load_catalog(tmp_path).houses == load_catalog().houses


@pytest.mark.parametrize("name", ["none", "file.toml"])
def test_what_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.toml").write_text("")
    with pytest.raises(CatalogError, match="is not a folder of houses"):
        load_catalog(tmp_path / name)


def test_the_id_of_a_built_in_house_is_taken(tmp_path: Path) -> None:
    folder = own_folder(tmp_path, id="washington")
    with pytest.raises(CatalogError, match="a house called 'washington' exists already") as refused:
        load_catalog(folder)
    assert (refused.value.file, refused.value.where) == (folder / "corner.toml", "id")


def test_two_own_houses_of_one_id_are_refused(tmp_path: Path) -> None:
    folder = own_folder(tmp_path)
    (folder / "second.toml").write_text((folder / "corner.toml").read_text(encoding="utf-8"))
    with pytest.raises(CatalogError, match="a house called 'corner-room' exists already"):
        load_catalog(folder)


def test_a_broken_own_paytable_is_refused_with_its_file(tmp_path: Path) -> None:
    folder = own_folder(tmp_path)
    broken = folder / "paytables" / "broken.toml"
    broken.write_text(OWN_TABLE.replace("200 to 1", "200:1").replace("GENEROUS", "OTHER"))
    with pytest.raises(CatalogError) as refused:
        load_catalog(folder)
    assert (refused.value.file, refused.value.where) == (broken, "paytable[0].rows[1].pays")


def test_an_unknown_house_of_a_folder_lists_its_houses(tmp_path: Path) -> None:
    with pytest.raises(UnknownHouseError, match="corner-room"):
        load_house("nowhere", folder=own_folder(tmp_path))
