"""One server at a time on an embedded database."""

import os
import stat
import sys
from pathlib import Path

import pytest

from openfelt.server.store.single_instance import single_instance, sqlite_file
from openfelt.storage.door import Unavailable


def test_files_of_addresses() -> None:
    assert sqlite_file("felt.db") == Path("felt.db")
    assert sqlite_file("sqlite:///felt.db") == Path("felt.db")
    assert sqlite_file("sqlite:////data/felt.db") == Path("/data/felt.db")
    assert sqlite_file("postgresql://ann:secret@host/felt") is None


def test_a_second_server_is_refused_until_the_first_has_gone(tmp_path: Path) -> None:
    database = str(tmp_path / "felt.db")
    with single_instance(database) as alone:
        assert alone
        with pytest.raises(Unavailable, match="Another server"), single_instance(database):
            pass
    with single_instance(database):
        pass


def test_servers_share_other_databases() -> None:
    with (
        single_instance("postgresql://host/felt") as first,
        single_instance("postgresql://host/felt") as second,
    ):
        assert (first, second) == (False, False)


def test_a_folder_that_is_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = pytest.raises(Unavailable, match="cannot be written to")
    with refused, single_instance(str(tmp_path / "file" / "felt.db")):
        pass


def test_a_link_is_the_same_database(tmp_path: Path) -> None:
    file, link = tmp_path / "folder" / "felt.db", tmp_path / "link.db"
    file.parent.mkdir()
    link.symlink_to(file)
    another = pytest.raises(Unavailable, match="Another server")
    with single_instance(str(file)), another, single_instance(str(link)):
        pass
    with single_instance(str(link)), another, single_instance(str(file)):
        pass
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".lock"] == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_the_lock_is_its_owners(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with single_instance(str(tmp_path / "felt.db")):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "felt.db.lock").stat().st_mode) == 0o600


def test_a_missing_folder_is_refused_and_not_made(tmp_path: Path) -> None:
    refused = pytest.raises(Unavailable, match="There is no folder")
    with refused, single_instance(str(tmp_path / "new" / "felt.db")):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
@pytest.mark.parametrize(("mode", "warnings"), [(0o600, 0), (0o400, 0), (0o640, 1), (0o604, 1)])
def test_a_database_that_others_can_read_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: int, warnings: int
) -> None:
    file = tmp_path / "felt.db"
    file.touch()
    file.chmod(mode)
    with single_instance(str(file)):
        pass
    assert caplog.text.count(f"(mode {mode:04o})") == warnings
