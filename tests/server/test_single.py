"""One server at a time on an embedded database."""

from pathlib import Path

import pytest

from openfelt.server.single import EMBEDDED_OWNER, only_server, sqlite_file
from openfelt.storage.door import Unavailable


def test_files_of_addresses() -> None:
    assert sqlite_file("felt.db") == Path("felt.db")
    assert sqlite_file("sqlite:///felt.db") == Path("felt.db")
    assert sqlite_file("sqlite:////data/felt.db") == Path("/data/felt.db")
    assert sqlite_file("postgresql://ann:secret@host/felt") is None


def test_a_second_server_is_refused_until_the_first_has_gone(tmp_path: Path) -> None:
    database = str(tmp_path / "new folder" / "felt.db")
    with only_server(database) as owner:
        assert owner == EMBEDDED_OWNER
        with pytest.raises(Unavailable, match="Another server"), only_server(database):
            pass
    with only_server(database):
        pass


def test_other_databases_have_owners_of_their_own() -> None:
    with only_server("postgresql://host/felt") as one, only_server("postgresql://host/felt") as two:
        assert one is None
        assert two is None


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = pytest.raises(Unavailable, match="cannot be written to")
    with refused, only_server(str(tmp_path / "file" / "felt.db")):
        pass
