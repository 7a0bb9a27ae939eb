"""Every contract is tried on a SQLite file and on a PostgreSQL database."""

import pytest

from openfelt.storage import Store
from tests.kit.fixtures import place
from tests.kit.storage.store_places import Place

__all__ = ["place"]


@pytest.fixture
def store(place: Place) -> Store:
    """A store on an empty database."""
    return place.open()
