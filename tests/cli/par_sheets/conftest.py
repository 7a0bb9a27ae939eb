"""What the tests of par sheets share."""

from functools import cache
from typing import Any

import pytest

from openfelt.catalog import load_house
from openfelt.maths import HouseFigures
from openfelt.maths.draw.best_play import known_house_way
from openfelt.maths.draw.draw_figures import DrawFigures, price_draw_house
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


@cache
def _price_draw() -> DrawFigures:
    return price_draw_house(load_house("draw"), ante=known_house_way())


@pytest.fixture
def draw() -> DrawFigures:
    """The figures of Ultimate Draw Poker, priced once."""
    return _price_draw()


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
