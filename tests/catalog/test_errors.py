"""The errors of the catalog, as people read them."""

from pathlib import Path

import pytest

from openfelt.catalog import CatalogError, UnknownHouseError, load_house


def test_an_error_names_file_place_and_problem() -> None:
    error = CatalogError(Path("own.toml"), "wagers.trips.paytable", "no such paytable")
    assert str(error) == "own.toml: wagers.trips.paytable: no such paytable"
    assert (error.file, error.where) == (Path("own.toml"), "wagers.trips.paytable")
    assert str(CatalogError(Path("own.toml"), "", "is empty")) == "own.toml: is empty"


def test_an_unknown_house_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownHouseError) as unknown:
        load_house("nevada")
    assert str(unknown.value) == (
        "There is no house called 'nevada'. "
        "There are california, draw, online, stadium, washington."
    )
