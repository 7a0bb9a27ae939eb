"""What tests of the server share: a process at work on an empty store, and running servers."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.floors import Shift
from tests.kit.server.fixtures import hall, house

__all__ = ["hall", "house", "shift"]


@pytest.fixture
def shift(tmp_path: Path) -> Iterator[Shift]:
    """A process on an empty file; processes beside it are closed with it."""
    with closing(Shift(tmp_path / "felt.db")) as shift:
        yield shift
