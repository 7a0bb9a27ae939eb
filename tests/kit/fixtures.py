"""Fixtures of several packages; a conftest.py imports those that its tests need."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.cases import with_variants
from tests.kit.floors import Shift
from tests.kit.postgres_server import PostgresServer
from tests.kit.storage.store_places import Place


@pytest.fixture
def shift(tmp_path: Path) -> Iterator[Shift]:
    """A process on an empty file; processes beside it are closed with it."""
    with closing(Shift(tmp_path / "felt.db")) as shift:
        yield shift


@pytest.fixture(params=with_variants(["sqlite", "postgres"]))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty database of each kind."""
    with closing(empty_place(request, tmp_path)) as place:
        yield place


def empty_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty database of the kind that the fixture's parameter names."""
    if request.param == "sqlite":
        return Place(tmp_path / "felt.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return Place(server.fresh_database(), server)
