"""Fixtures of several packages; a conftest.py imports those that its tests need."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.floors import Shift


@pytest.fixture
def shift(tmp_path: Path) -> Iterator[Shift]:
    """A process on an empty file; processes beside it are closed with it."""
    with closing(Shift(tmp_path / "felt.db")) as shift:
        yield shift
