"""Every process test runs on a SQLite file and on a PostgreSQL database, where both can serve."""

from pathlib import Path

import pytest

from tests.kit.postgres_server import PostgresServer


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "felt.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.fresh_database()
