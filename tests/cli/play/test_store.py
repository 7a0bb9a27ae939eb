"""The profile's file: written whole or not at all."""

from pathlib import Path

import pytest

from openfelt.cli.complaint import Complaint
from openfelt.cli.play.profile import Profile
from openfelt.cli.play.store import FILE_NAME, Store, data_folder, locked


def test_a_profile_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.read() == (None, None)
    store.write(Profile(credit_cents=12_345))
    profile, message = store.read()
    assert profile == Profile(credit_cents=12_345)
    assert message is None
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_a_crash_while_writing_leaves_the_old_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    store.write(Profile(credit_cents=1))

    def no_space(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_space)
    with pytest.raises(Complaint, match="cannot be written: No space left"):
        store.write(Profile(credit_cents=2))
    assert store.read()[0] == Profile(credit_cents=1)


def test_a_folder_that_cannot_be_made_is_a_complaint(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Complaint, match="cannot be kept here"), locked(tmp_path / "file" / "x"):
        pass


def test_a_profile_that_cannot_be_read_is_a_complaint(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(Complaint, match="cannot be read"):
        Store(tmp_path).read()


def test_where_saved_games_are_kept(tmp_path: Path) -> None:
    assert data_folder(tmp_path, {}) == tmp_path
    assert data_folder(None, {"XDG_DATA_HOME": str(tmp_path)}) == tmp_path / "openfelt"
    assert data_folder(None, {}).parts[-3:] == (".local", "share", "openfelt")
