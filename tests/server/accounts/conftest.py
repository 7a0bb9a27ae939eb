"""What tests of accounts share: an empty store."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.storage.sqlite import SqliteStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(tmp_path / "felt.db")) as store:
        yield store
