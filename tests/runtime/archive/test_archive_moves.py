"""History moved to an archive: the database plays on and is audited with and without it."""

from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from openfelt.runtime.archive import archive_moves
from openfelt.runtime.archive.archive_moves import archive_history, put_back
from openfelt.runtime.archive.cut import NothingToArchive
from openfelt.runtime.archive.joined_store import JoinedStore
from openfelt.runtime.audit import audit
from openfelt.runtime.audit.database import audit_from
from openfelt.runtime.cage.days.day_book import ArchivedDay, day_book
from openfelt.runtime.exports.export_files import ExportFormat
from openfelt.runtime.exports.export_folder import ExportManifest, check_export, write_export
from openfelt.runtime.exports.export_rows import ExportTable, Period
from openfelt.runtime.tables.worker import TableWorker
from openfelt.storage import Store
from openfelt.storage.backup import archive_queries
from openfelt.storage.backup.backup_file import restore_backup, verify_backup
from openfelt.storage.backup.manifest import BackupError
from openfelt.storage.codec import CodecError
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import Floor
from tests.kit.audit.audits import KEY
from tests.kit.audit.old_floors import KeptFloor, later, old_floor, play
from tests.kit.cases import with_variants
from tests.kit.storage.store_places import Place

KEEP_DAYS = 30
FIRST = date(2026, 1, 1)


@pytest.fixture(scope="session")
def kept_floor(tmp_path_factory: pytest.TempPathFactory) -> KeptFloor:
    """A floor with old history in a file. It stays as it is."""
    return KeptFloor.played(tmp_path_factory.mktemp("old") / "floor.db")


@pytest.fixture
def floor(
    request: pytest.FixtureRequest, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Floor:
    """A floor with old history in a store of each kind."""
    if not isinstance(place.address, Path):
        return old_floor(tmp_path / "unused.db", monkeypatch, store=place.open())
    kept: KeptFloor = request.getfixturevalue("kept_floor")
    place.fill(kept.path)
    return kept.taken_up(place.open(), monkeypatch)


def archived(floor: Floor, place: Place, path: Path) -> Store:
    """Archive what is old, and open the archive."""
    archive_history(floor.store, str(place.address), path, floor.clock, keep_days=KEEP_DAYS)
    return SqliteStore(path)


def rows(place: Place, table: str) -> int:
    (count,) = place.run(f"SELECT count(*) FROM {table}")[0]
    return int(count)


def test_the_audit_of_both_together_is_the_audit_before(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    whole = audit(floor.store)
    assert whole.clean
    events, transfers = rows(place, "events"), rows(place, "transfers")
    with closing(archived(floor, place, tmp_path / "archive")) as archive:
        assert rows(place, "events") < events * 2 / 3
        assert rows(place, "transfers") < transfers * 2 / 3
        joined = audit(JoinedStore(floor.store, [archive]).as_store)
    # The record says that it was archived: one event more, which no checkpoint covers yet.
    assert joined.findings == ()
    assert joined.counts.events == whole.counts.events + 1
    assert (joined.counts.rounds_settled, joined.counts.transfers, joined.counts.checkpoints) == (
        whole.counts.rounds_settled,
        whole.counts.transfers,
        whole.counts.checkpoints,
    )
    assert joined.fairness == whole.fairness


def test_the_archive_and_the_rest_are_clean_each_for_itself(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    with closing(archived(floor, place, tmp_path / "archive")) as archive:
        assert audit(archive).findings == ()
    verify_backup(tmp_path / "archive")
    report, state = audit_from(floor.store, None)
    assert report.findings == ()
    assert any("is in an archive" in note for note in report.notes)
    play(floor)
    report, _ = audit_from(floor.store, state)
    assert report.findings == ()


def test_tables_play_on_after_a_restart(floor: Floor, place: Place, tmp_path: Path) -> None:
    archived(floor, place, tmp_path / "archive").close()
    before = {name: table.table for name, table in floor.workers.items()}
    for name in floor.workers:
        floor.workers[name] = TableWorker.start(floor.worker_services, name, None)
        restarted = floor.workers[name].table
        assert replace(restarted, round=None) == replace(before[name], round=None)
    play(floor)
    assert audit(floor.store).findings == ()


def test_a_second_archive_follows_the_first(floor: Floor, place: Place, tmp_path: Path) -> None:
    with closing(archived(floor, place, tmp_path / "one")) as first:
        later(floor, days=60)
        later(floor, days=60)
        whole = audit(JoinedStore(floor.store, [first]).as_store)
        assert whole.findings == ()
        with closing(archived(floor, place, tmp_path / "two")) as second:
            assert audit(second).findings == ()
            assert audit(floor.store).findings == ()
            joined = audit(JoinedStore(floor.store, [first, second]).as_store)
            assert joined.findings == ()
            assert joined.counts.events == whole.counts.events + 1
            assert joined.counts.rounds_settled == whole.counts.rounds_settled
    with pytest.raises(NothingToArchive):
        archived(floor, place, tmp_path / "three")
    assert not (tmp_path / "three").exists()


def test_the_book_goes_on_from_what_was_archived(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    last = FIRST + timedelta(days=61)
    book = day_book(floor.store, last, full=True)
    with closing(archived(floor, place, tmp_path / "archive")) as archive:
        assert day_book(archive, FIRST).reconciled
        with pytest.raises(ArchivedDay):
            day_book(floor.store, FIRST)
    for full in (True, False):
        assert day_book(floor.store, last, full=full).accounts == book.accounts


@pytest.mark.parametrize(
    "forgery",
    [
        "DELETE FROM archives",
        "UPDATE archives SET state = substr(state, 1, 40)",
        "UPDATE archives SET balances = replace(balances, 'wallet:ann', 'wallet:bob')",
        "UPDATE archives SET transfer = transfer - 1",
        "UPDATE archives SET at_ms = 4102444800000",
        (
            "INSERT INTO archives SELECT 0, at_ms, checkpoint, 0, '{}', '', '', '' FROM archives"
            " WHERE number = 1"
        ),
        (
            "INSERT INTO archives SELECT 0, at_ms, checkpoint, 0, '{}', '', key, state"
            " FROM archives WHERE number = 1"
        ),
        "UPDATE balances SET cents = cents + 1 WHERE account = 'wallet:ann'",
        # What an archive covers, and is still in the database.
        "DELETE FROM secrets WHERE stream = 'purge/net-1'",
        "DELETE FROM checkpoints WHERE number = 1",
        "UPDATE events SET actor = 'player:eve' WHERE stream = 'wallet/ann' AND version = 1",
        # A wallet in which nothing has happened since.
        "UPDATE events SET body = '{}' WHERE stream = 'wallet/wash-1-p1' AND version = 1",
    ],
)
def test_what_is_left_of_archived_history_cannot_be_forged(
    floor: Floor, place: Place, tmp_path: Path, forgery: str
) -> None:
    archived(floor, place, tmp_path / "archive").close()
    place.run(forgery)
    assert audit(floor.store).findings


def test_an_archive_can_be_restored(floor: Floor, place: Place, tmp_path: Path) -> None:
    archived(floor, place, tmp_path / "archive").close()
    restore_backup(tmp_path / "archive", str(tmp_path / "restored.db"))
    with closing(SqliteStore(tmp_path / "restored.db")) as store:
        assert audit(store).findings == ()


def test_history_that_is_not_in_order_is_not_archived(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    place.run("UPDATE events SET at_ms = at_ms - 1 WHERE stream = 'table/net-1' AND version = 9")
    events = rows(place, "events")
    with pytest.raises(NothingToArchive, match="audit is clean"):
        archived(floor, place, tmp_path / "archive")
    assert rows(place, "events") == events
    assert list(tmp_path.glob("archive*")) == []


def test_history_can_be_put_back(floor: Floor, place: Place, tmp_path: Path) -> None:
    events, transfers = rows(place, "events"), rows(place, "transfers")
    archived(floor, place, tmp_path / "archive").close()
    with pytest.raises(BackupError):
        put_back(floor.store, str(place.address), tmp_path / "nothing", floor.clock)
    put_back(floor.store, str(place.address), tmp_path / "archive", floor.clock)
    assert rows(place, "events") == events + 2
    assert rows(place, "transfers") == transfers
    report = audit(floor.store)
    assert report.findings == ()
    assert not any("archive" in note for note in report.notes)
    play(floor)
    assert audit(floor.store).findings == ()


class Interrupted(Exception):
    """The process ends here."""


def ends_at(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str, *, after: int = 0
) -> list[int]:
    """Let a call end the process, after so many that go through."""
    calls = [0]
    real = getattr(owner, name)

    def call(*arguments: object, **more: object) -> object:
        calls[0] += 1
        if calls[0] > after:
            raise Interrupted
        return real(*arguments, **more)

    monkeypatch.setattr(owner, name, call)
    return calls


def test_transfers_are_numbered_on_once_all_of_them_are_archived(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    archived(floor, place, tmp_path / "archive").close()
    archive = floor.store.archive(with_state=False)
    assert archive is not None
    # As after a pause of many months.
    place.run("DELETE FROM transfers")
    floor.cashier.deposit("ann", 100, id="the first after the pause")
    ((number,),) = place.run("SELECT number FROM transfers")
    assert number > archive.transfer


@pytest.mark.parametrize(
    "killed",
    with_variants(
        [("commit", 0), ("drop_transfers", 1), ("add_archive", 0), ("drop_events", 0),
         ("drop_events", 2), ("drop_transfers", 0)],
        plain=2,
    ),
    ids=str,
)  # fmt: skip
def test_an_archive_that_was_interrupted_is_finished_by_the_next(
    floor: Floor,
    place: Place,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    killed: tuple[str, int],
) -> None:
    name, after = killed
    last = FIRST + timedelta(days=61)
    book = day_book(floor.store, last, full=True)
    monkeypatch.setattr(archive_queries, "ROWS_AT_ONCE", 20)
    with monkeypatch.context() as kill:
        ends_at(kill, floor.store, name, after=after)
        with pytest.raises(Interrupted):
            archived(floor, place, tmp_path / "one")
    if name != "commit":
        assert audit(floor.store).findings == ()
    for full in (True, False):
        assert day_book(floor.store, last, full=full).accounts == book.accounts
    play(floor)
    later(floor, days=60)
    later(floor, days=60)
    with closing(archived(floor, place, tmp_path / "two")) as second:
        assert audit(second).findings == ()
    report = audit(floor.store)
    assert report.findings == ()
    assert rows(place, "archives") == (1 if name == "add_archive" else 2)


def test_putting_back_can_be_interrupted_and_done_again(
    floor: Floor, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events, transfers = rows(place, "events"), rows(place, "transfers")
    archived(floor, place, tmp_path / "archive").close()
    with monkeypatch.context() as kill:
        ends_at(kill, archive_moves, "return_history")
        with pytest.raises(Interrupted):
            put_back(floor.store, str(place.address), tmp_path / "archive", floor.clock)
    # An archive is not made over one that is half put back.
    with pytest.raises(BackupError, match="--put-back"):
        archived(floor, place, tmp_path / "two")
    put_back(floor.store, str(place.address), tmp_path / "archive", floor.clock)
    assert rows(place, "events") == events + 2
    assert rows(place, "transfers") == transfers
    assert audit(floor.store).findings == ()
    archived(floor, place, tmp_path / "two").close()
    assert audit(floor.store).findings == ()


def test_a_table_without_a_usable_snapshot_asks_for_its_archive(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    archived(floor, place, tmp_path / "archive").close()
    place.run("DELETE FROM snapshots")
    with pytest.raises(CodecError, match="--put-back"):
        TableWorker.start(floor.worker_services, "net-1", None)
    put_back(floor.store, str(place.address), tmp_path / "archive", floor.clock)
    assert TableWorker.start(floor.worker_services, "net-1", None).table.rounds == 9


def test_an_export_says_which_history_is_in_archives(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    def exported(name: str) -> ExportManifest:
        signed = write_export(
            floor.store,
            tmp_path / name,
            KEY,
            floor.clock,
            tables=[ExportTable.ROUNDS],
            form=ExportFormat.CSV,
            period=Period(0, 2**52),
        )
        assert check_export(tmp_path / name) == signed
        return signed.manifest

    before = exported("before")
    archived(floor, place, tmp_path / "archive").close()
    after = exported("after")
    assert (before.archived_ms, before.lacks_history) == (0, False)
    assert after.files[0].rows < before.files[0].rows
    assert 0 < after.archived_ms < floor.clock.wall_ms()
    assert after.lacks_history
