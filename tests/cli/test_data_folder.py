"""The folder for saved data."""

from pathlib import Path

import pytest

from openfelt.cli.complaint import Complaint
from openfelt.cli.data_folder import data_folder, locked


def test_where_saved_games_are_kept(tmp_path: Path) -> None:
    assert data_folder(tmp_path, {}) == tmp_path
    assert data_folder(None, {"XDG_DATA_HOME": str(tmp_path)}) == tmp_path / "openfelt"
    assert data_folder(None, {}).parts[-3:] == (".local", "share", "openfelt")


def test_a_folder_that_cannot_be_made_is_a_complaint(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Complaint, match="cannot be kept here"), locked(tmp_path / "file" / "x"):
        pass
