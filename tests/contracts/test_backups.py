"""Backups of both kinds of store: whole, verified, and restored into either kind."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.storage import NewerSchema, Store, open_store
from openfelt.storage.backup import backup_file, postgres_rows
from openfelt.storage.backup.backup_file import make_backup, restore_backup, verify_backup
from openfelt.storage.backup.manifest import BackupError, manifest_path, read_manifest
from openfelt.storage.backup.unfinished_files import unfinished
from openfelt.storage.migrations import KNOWN
from tests.kit.audit.audited_floors import Floor, five_houses
from tests.kit.cases import with_variants
from tests.kit.postgres_server import PostgresServer
from tests.kit.repository import ROOT
from tests.kit.storage.store_places import ALICE, CASH, Place, event, move, write


@pytest.fixture(scope="module")
def played() -> dict[str, Path | str]:
    """Databases of each kind in which five houses were played, as soon as a test has needed one."""
    return {}


@pytest.fixture
def floor(
    place: Place,
    played: dict[str, Path | str],
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Floor:
    """Five houses in a store of each kind: a copy of those that were played first."""
    kind = type(place.address).__name__
    if kind not in played:
        server: PostgresServer | None = None
        if isinstance(place.address, str):
            server = request.getfixturevalue("postgres")
        address = server.fresh_database() if server else tmp_path_factory.mktemp("played") / "f.db"
        with closing(Place(address, server)) as source:
            five_houses(tmp_path / "unused.db", store=source.open())
        played[kind] = address
    place.fill(played[kind])
    return Floor(tmp_path / "unused.db", store=place.open())


Elsewhere = Callable[[], str]


@pytest.fixture(params=with_variants(["sqlite", "postgres"]))
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Elsewhere:
    """Makes the address of a database that does not exist or is empty."""
    if request.param == "sqlite":
        return lambda: str(tmp_path / "restored.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.fresh_database


def rows(store: Store) -> dict[str, object]:
    """All that must be the same after a restore."""
    streams = store.streams()
    return {
        "events": [list(store.events(stream)) for stream in streams],
        "secrets": [store.secrets(stream) for stream in streams],
        "snapshots": [store.snapshot(stream) for stream in streams],
        "transfers": list(store.transfers()),
        "balances": store.balances(),
        "forms": store.event_forms(),
    }


def test_a_restored_floor_is_the_same_and_plays_on(
    floor: Floor, place: Place, tmp_path: Path, elsewhere: Elsewhere
) -> None:
    backup, address = tmp_path / "floor.backup", elsewhere()
    made = make_backup(str(place.address), backup)
    assert made.faults == []
    restored = restore_backup(backup, address)
    assert restored.manifest == made.manifest
    with closing(open_store(address)) as store:
        assert rows(store) == rows(floor.store)
        assert audit(store).clean
        last = list(store.transfers())[-1].number
        write(store, "wallet/alice", 0, event(move(CASH, ALICE, 500)))
        assert list(store.transfers())[-1].number > last


def test_the_manifest_says_what_is_in_it_and_holds_no_key(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    backup = tmp_path / "floor.backup"
    make_backup(str(place.address), backup)
    holds = read_manifest(backup).contents
    assert holds.schema == KNOWN
    # The store's own stream is not among the heads.
    assert holds.position == 1 + sum(head.version for head in floor.store.heads().values())
    assert holds.keys == floor.store.encryption_keys() == ("00c0ffee",)
    text = manifest_path(backup).read_text(encoding="utf-8")
    assert "5a" * 32 not in text
    assert b"5a" * 32 not in backup.read_bytes()
    for path in (backup, manifest_path(backup)):
        assert path.stat().st_mode & 0o077 == 0


def test_what_is_written_meanwhile_is_in_the_backup_as_a_whole_or_not_at_all(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup_file, "PAGES_AT_ONCE", 5)
    monkeypatch.setattr(postgres_rows, "ROWS_AT_ONCE", 5)
    store = place.open()
    for number in range(30):
        write(
            store, "wallet/alice", number, event(move(CASH, ALICE, 5), body='"' + "x" * 9000 + '"')
        )
    written = 30

    def write_one(_done: int, _total: int) -> None:
        nonlocal written
        write(store, "wallet/alice", written, event(move(CASH, ALICE, 5)))
        written += 1

    made = make_backup(str(place.address), tmp_path / "b", progress=write_one)
    assert written > 35
    assert made.manifest.contents.position == 1 + 30
    with closing(open_store(str(tmp_path / "b"))) as copy:
        assert copy.balance(ALICE) == 150
        assert len(list(copy.events("wallet/alice"))) == 30
    # Reading a backup does not change it.
    assert verify_backup(tmp_path / "b") == made.manifest


def test_nothing_is_overwritten(floor: Floor, place: Place, tmp_path: Path) -> None:
    backup = tmp_path / "floor.backup"
    make_backup(str(place.address), backup)
    before = backup.read_bytes()
    with pytest.raises(BackupError, match="already exists"):
        make_backup(str(place.address), backup)
    with pytest.raises(BackupError, match=r"already exists|is not empty"):
        restore_backup(backup, str(place.address))
    assert backup.read_bytes() == before
    assert audit(floor.store).clean


def test_what_an_interrupted_backup_has_left_is_said_and_removed(
    floor: Floor, place: Place, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    backup, other = tmp_path / "floor.backup", tmp_path / "older.backup.unfinished"
    for left in ("floor.backup.unfinished", "floor.backup.unfinished-journal", other.name):
        (tmp_path / left).write_bytes(b"half of a database")
    manifest_path(backup).write_bytes(b"{}")
    made = make_backup(str(place.address), backup)
    assert "was left by an interrupted process, and is removed" in caplog.text
    # A file of another name may be of use to its owner, so it is only named.
    assert made.left == [other]
    assert verify_backup(backup) == made.manifest
    assert list(tmp_path.glob("floor.backup.unfinished*")) == []
    assert audit(floor.store).clean


def test_a_backup_that_another_process_writes_is_left_alone(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    backup = tmp_path / "floor.backup"
    with unfinished(backup) as copy:
        copy.write_bytes(b"half of a database")
        with pytest.raises(BackupError, match="is being written by another process"):
            make_backup(str(place.address), backup)
        assert copy.exists()
    assert not copy.exists()
    assert make_backup(str(place.address), backup).left == []
    assert audit(floor.store).clean


@pytest.mark.parametrize("ending", with_variants(["-wal", "-shm", "-journal"]))
def test_a_log_of_another_database_is_not_taken_for_the_end_of_this_one(
    floor: Floor, place: Place, tmp_path: Path, ending: str
) -> None:
    make_backup(str(place.address), tmp_path / "b")
    (tmp_path / f"new.db{ending}").write_bytes(b"")
    with pytest.raises(BackupError, match=ending):
        restore_backup(tmp_path / "b", str(tmp_path / "new.db"))
    assert not (tmp_path / "new.db").exists()


def one_bit(content: bytes) -> bytes:
    """One changed bit in the middle."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def cut_off(content: bytes) -> bytes:
    """Without the last page."""
    return content[:-4096]


@pytest.mark.parametrize("harm", with_variants([one_bit, cut_off]))
def test_a_damaged_backup_is_not_restored(
    floor: Floor, place: Place, tmp_path: Path, harm: Callable[[bytes], bytes], elsewhere: Elsewhere
) -> None:
    backup, address = tmp_path / "floor.backup", elsewhere()
    make_backup(str(place.address), backup)
    backup.write_bytes(harm(backup.read_bytes()))
    with pytest.raises(BackupError, match="SHA-256"):
        restore_backup(backup, address)
    assert not (tmp_path / "restored.db").exists()


def test_a_plain_copy_is_no_backup(tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_bytes(b"anything")
    with pytest.raises(BackupError, match="plain copy"):
        restore_backup(tmp_path / "copy.db", str(tmp_path / "new.db"))


def test_a_backup_of_a_newer_openfelt_is_not_restored(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    place.run(f"INSERT INTO openfelt_schema (version) VALUES ({KNOWN + 1})")
    with pytest.raises(NewerSchema):
        make_backup(str(place.address), tmp_path / "b")
    assert list(tmp_path.glob("b*")) == []


def test_a_backup_says_that_the_original_lacks_events(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    place.run("DELETE FROM events WHERE stream = 'table/net-1' AND version = 3")
    made = make_backup(str(place.address), tmp_path / "b")
    assert made.faults == ["events of table/net-1 are missing"]


def test_restored_tables_have_no_owner_and_go_on_numbering_leases(
    place: Place, tmp_path: Path, elsewhere: Elsewhere
) -> None:
    store, address = place.open(), elsewhere()
    lease = store.take_lease("table/a", "a server that is gone", ttl_ms=10**9)
    assert lease is not None
    write(store, "table/a", 0, event(), fence=lease.fence)
    make_backup(str(place.address), tmp_path / "b")
    restore_backup(tmp_path / "b", address)
    with closing(open_store(address)) as restored:
        taken = restored.take_lease("table/a", "the new server", ttl_ms=1000)
        assert taken is not None
        assert taken.fence == lease.fence + 1


def test_a_backup_of_an_earlier_schema_keeps_it(tmp_path: Path, elsewhere: Elsewhere) -> None:
    shutil.copyfile(ROOT / "tests/old_databases/v0.1.0/felt.db", tmp_path / "old.db")
    made, address = make_backup(str(tmp_path / "old.db"), tmp_path / "b"), elsewhere()
    assert made.manifest.contents.schema < KNOWN
    restore_backup(tmp_path / "b", address)
    with closing(open_store(address)) as store:
        assert audit(store).clean
