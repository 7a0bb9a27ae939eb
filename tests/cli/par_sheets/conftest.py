"""What the tests of par sheets share."""

from functools import cache
from typing import Any

import pytest

from openfelt.catalog import load_house
from openfelt.maths import HouseFigures
from openfelt.maths.wagers import house_figures
from openfelt.rules import House
from tests.kit.maths.solution import price_once


@cache
def _price_online() -> HouseFigures:
    return price_once(load_house("online"))


@pytest.fixture
def online() -> HouseFigures:
    """The figures of a house with one side bet, priced once."""
    return _price_online()


@pytest.fixture
def priced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command take the figures of `online` from there.

    A sweep prices another house within the command.
    """
    own = house_figures.price_house

    def price(house: House, **options: Any) -> HouseFigures:
        figures = _price_online()
        return figures if house == figures.house else own(house, **options)

    monkeypatch.setattr(house_figures, "price_house", price)
