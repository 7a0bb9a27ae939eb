"""What tests of the audit share: a signed floor, and a copy of it to do harm to."""

import shutil
from pathlib import Path

import pytest

from tests.kit.audit.audited_cages import worked_cage
from tests.kit.audit.audits import signed_floor


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the database of a floor, signed twice and published. It stays as it is."""
    return signed_floor(tmp_path_factory.mktemp("floor"))


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    """A copy of the folder for one test."""
    for file in finished.iterdir():
        shutil.copy(file, tmp_path / file.name)
    return tmp_path


@pytest.fixture(scope="session")
def cage_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a cage at work. It stays as it is."""
    path = tmp_path_factory.mktemp("cage") / "floor.db"
    worked_cage(path)
    return path


@pytest.fixture
def cage_copy(cage_file: Path, tmp_path: Path) -> Path:
    """A copy of that database for one test."""
    return Path(shutil.copy(cage_file, tmp_path / "floor.db"))
