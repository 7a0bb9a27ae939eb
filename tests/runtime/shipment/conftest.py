"""What tests of shipments share: a floor that was shipped twice, and a copy of its copy."""

import shutil
from pathlib import Path

import pytest

from tests.kit.audit.shipped_floors import shipped_floor


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a floor's database and, in ``copy``, what was shipped of it. It stays."""
    return shipped_floor(tmp_path_factory.mktemp("shipped"))


@pytest.fixture
def copy(shipped: Path, tmp_path: Path) -> Path:
    """The shipped segments alone, for one test to do harm to."""
    return Path(shutil.copytree(shipped / "copy", tmp_path / "elsewhere"))
