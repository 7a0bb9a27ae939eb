"""Addresses of stores."""

import subprocess
import sys
from pathlib import Path

import pytest

from openfelt.storage import StoreError, open_store
from openfelt.storage.postgres import PostgresStore
from openfelt.storage.sqlite import SqliteStore
from tests.kit.postgres_server import PostgresServer


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_store("sqlite:///felt.db").close()
    open_store("plain.db").close()
    open_store("./folder-less.db").close()
    assert {path.name for path in tmp_path.glob("*.db")} == {
        "felt.db",
        "plain.db",
        "folder-less.db",
    }


def test_an_absolute_path(tmp_path: Path) -> None:
    for address in (f"sqlite:///{tmp_path}/one.db", f"{tmp_path}/two.db"):
        store = open_store(address)
        assert isinstance(store, SqliteStore)
        store.close()
    assert {path.name for path in tmp_path.glob("*.db")} == {"one.db", "two.db"}


def test_a_postgresql_address(postgres: PostgresServer) -> None:
    url = postgres.fresh_database()
    for address in (url, url.replace("postgresql://", "postgres://")):
        store = open_store(address)
        assert isinstance(store, PostgresStore)
        assert store.head("a").version == 0
        store.close()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("", "A store needs an address. Write sqlite:///relative.db"),
        ("mysql://me:hush@host/felt", "There is no store of the kind mysql."),
        ("sqlite://felt.db", "three slashes before a relative path"),
        ("sqlite://", "three slashes before a relative path"),
        ("sqlite:///", "three slashes before a relative path"),
        ("sqlite:///felt.db?mode=ro", "may have no options"),
        (":memory:", "The store needs a file"),
        ("postgresql://me:hush@127.0.0.1:1/felt", "The database server cannot be reached"),
        ("postgresql://me:hush@host/felt?colour=red", "address of the PostgreSQL database"),
    ],
)
def test_other_addresses_are_refused_without_their_password(address: str, sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence) as caught:
        open_store(address)
    assert "hush" not in str(caught.value)


def test_a_file_needs_no_driver_of_postgresql() -> None:
    program = "import sys, openfelt.storage; sys.exit('psycopg' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
