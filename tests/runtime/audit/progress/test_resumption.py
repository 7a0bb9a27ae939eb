"""An audit that continues where the last one ended: it reads what is new, and finds the same."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.audit.database import audit_from
from openfelt.runtime.audit.progress.progress_state import AuditState, NotResumable
from openfelt.runtime.audit.progress.state_file import load_state, save_state
from openfelt.runtime.audit.report import AuditReport
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.cage.days.day_book import day_book
from openfelt.runtime.cage.days.day_closings import DayClosings
from openfelt.runtime.clock import day_of
from openfelt.runtime.notary import Notary
from openfelt.runtime.notary.continuation import continue_record
from openfelt.runtime.tables.recovery import snapshots
from openfelt.storage.backup.backup_file import make_backup, restore_backup
from openfelt.storage.keyring import Keyring
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import DAY_MS, Floor, five_houses
from tests.kit.storage import long_history
from tests.kit.storage.counted_reads import counted_reads
from tests.kit.storage.long_history import PART_DAYS, START_MS, PartClock, add_part
from tests.kit.storage.store_places import Place

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture
def floor(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Floor:
    """A signed floor with a link, snapshots, and a closed day."""
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 40)
    floor = Floor(tmp_path / "unused.db", store=place.open())
    floor.link()
    floor.open("wash-1", "washington", link="main")
    floor.open("net-1", "online")
    floor.play("net-1", 3)
    next_day(floor)
    return floor


def next_day(floor: Floor) -> None:
    """A day ends; tables are played on, and all of it is signed."""
    floor.clock.now_ms += DAY_MS
    DayClosings(floor.store).close_due(floor.clock)
    for table in ("wash-1", "net-1"):
        floor.play(table)
    Notary(floor.store, KEY, floor.clock).sign()


def audited(floor: Floor, before: AuditState | None = None) -> tuple[AuditReport, AuditState]:
    """An audit without findings, and where it ended."""
    report, state = audit_from(floor.store, before)
    assert report.findings == ()
    assert state is not None
    return report, AuditState.from_json(state.to_json())


def test_it_ends_where_an_audit_of_everything_ends(floor: Floor) -> None:
    _, state = audited(floor)
    for _ in range(2):
        next_day(floor)
        report, state = audited(floor, state)
        whole, wanted = audited(floor)
        assert state == wanted
        assert report.fairness == whole.fairness
        assert report.counts.events < whole.counts.events / 2
        assert report.counts.events_uncovered == whole.counts.events_uncovered


def test_it_goes_on_in_the_middle_of_a_round(floor: Floor) -> None:
    _, state = audited(floor)
    for table in ("wash-1", "net-1"):
        floor.bet(table)
        _, state = audited(floor, state)
        floor.close(table)
        while floor.workers[table].table.playing is not None:
            _, state = audited(floor, state)
            floor.step(table)
    _, state = audited(floor, state)
    assert state == audited(floor)[1]


def test_all_five_houses(tmp_path: Path) -> None:
    floor = five_houses(tmp_path / "floor.db")
    _, state = audited(floor)
    for table in ("wash-2", "arena-1", "draw-1"):
        floor.void_now(table) if table != "draw-1" else floor.play(table)
        _, state = audited(floor, state)
    assert state == audited(floor)[1]


def test_what_it_reads_does_not_grow_with_the_history(floor: Floor) -> None:
    _, state = audited(floor)
    with counted_reads(floor.store) as first:
        next_day(floor)
        _, state = audited(floor, state)
    for _ in range(4):
        next_day(floor)
        _, state = audited(floor, state)
    with counted_reads(floor.store) as last:
        next_day(floor)
        audited(floor, state)
    assert last.rows <= first.rows * 1.5


def forged(place: Place, floor: Floor, state: AuditState, *statements: str) -> list[str]:
    """What an audit that continues finds after a forgery."""
    for statement in statements:
        place.run(statement)
    report, after = audit_from(floor.store, state)
    assert after is None or report.findings == ()
    return [str(finding) for finding in report.findings]


@pytest.mark.parametrize(
    "statements",
    [
        ("UPDATE balances SET cents = cents + 100 WHERE account = 'wallet:net-1-p1'",),
        (
            "UPDATE streams SET version = version - 1 WHERE name = 'table/net-1'",
            (
                "DELETE FROM events WHERE stream = 'table/net-1'"
                " AND version > (SELECT version FROM streams WHERE name = 'table/net-1')"
            ),
        ),
        ("DELETE FROM streams WHERE name = 'wallet/net-1-p1'",),
        ("UPDATE snapshots SET body = '{}' WHERE stream = 'table/net-1'",),
        ("UPDATE checkpoints SET signature = key",),
        ("UPDATE streams SET hash = 'x' WHERE name = 'table/net-1'",),
        (
            # Money on an old event of a stream that has no new one.
            (
                "INSERT INTO transfers (stream, version, at_ms, debit, credit, cents, reason, note)"
                " SELECT stream, version, at_ms, debit, credit, 500, reason, note FROM transfers"
                " WHERE stream = 'wallet/net-1-p1' AND version = 1"
            ),
            "UPDATE balances SET cents = cents + 500 WHERE account = 'wallet:net-1-p1'",
            "UPDATE balances SET cents = cents - 500 WHERE account = 'cash'",
        ),
    ],
    ids=["balance", "end", "stream", "snapshot", "checkpoint", "head", "transfer"],
)
def test_what_is_changed_behind_the_last_audit_and_is_still_believed_is_found(
    floor: Floor, place: Place, statements: tuple[str, ...]
) -> None:
    _, state = audited(floor)
    assert forged(place, floor, state, *statements)


def test_a_forged_event_after_the_last_audit_is_found(floor: Floor, place: Place) -> None:
    _, state = audited(floor)
    floor.play("net-1")
    version = floor.store.head("table/net-1").version
    (finding,) = forged(
        place,
        floor,
        state,
        f"UPDATE events SET at_ms = at_ms + 1 WHERE stream = 'table/net-1' AND version = {version}",
    )[:1]
    assert f"event {version} of table/net-1" in finding


def test_an_older_state_that_was_restored_is_gone_on_from(
    floor: Floor, place: Place, tmp_path: Path
) -> None:
    published = tmp_path / "checkpoints"
    notary = Notary(floor.store, KEY, floor.clock, published=published)
    floor.cashier.deposit("zoe", 100, id="before")
    notary.sign()
    make_backup(str(place.address), tmp_path / "backup")
    floor.cashier.deposit("zoe", 700, id="lost")
    notary.sign()
    _, state = audited(floor)
    restore_backup(tmp_path / "backup", str(tmp_path / "restored.db"))
    with closing(SqliteStore(tmp_path / "restored.db")) as store:
        lost, _ = audit_from(store, state)
        assert any("last audit" in finding.sentence for finding in lost.findings)
        continue_record(
            store, KEY, floor.clock, published=published, actor="operator:ann", reason="a test"
        )
        report, _ = audit_from(store, state, published=published)
        floor.cashier = Cashier(store, floor.worker_services.codec, floor.clock)
        for number in range(3):
            floor.cashier.deposit("zoe", 900, id=f"other-{number}")
        later, _ = audit_from(store, state, published=published)
    assert report.findings == later.findings == ()


def test_a_state_cannot_be_forged_without_the_keys(floor: Floor, tmp_path: Path) -> None:
    _, state = audited(floor)
    ours = Keyring(tmp_path / "ours", content=f"00000001:{'ab' * 32}")
    theirs = Keyring(tmp_path / "theirs", content=f"00000001:{'cd' * 32}")
    path = tmp_path / "felt.audited"
    assert load_state(path, ours) is None
    save_state(path, state, ours)
    assert path.stat().st_mode & 0o077 == 0
    assert load_state(path, ours) == state
    assert b"wallet:" not in path.read_bytes()
    save_state(path, state, theirs)
    with pytest.raises(NotResumable, match="was not written by an audit with these keys"):
        load_state(path, ours)
    path.write_text("no state", encoding="ascii")
    with pytest.raises(NotResumable):
        load_state(path, ours)


ROUNDS = 30


def test_parts_make_one_history_whose_later_days_cost_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENFELT_KEYS", long_history.KEYS)
    parts = [tmp_path / f"{part}.db" for part in range(3)]
    for index, path in enumerate(parts):
        long_history.make_part(path, index, ROUNDS)
    database = tmp_path / "felt.db"
    shutil.copyfile(parts[0], database)
    state, audited, closed = None, [], []
    for number, part in enumerate(parts, start=1):
        if number > 1:
            add_part(database, part)
        end_ms = START_MS + number * PART_DAYS * DAY_MS
        with closing(SqliteStore(database)) as store:
            DayClosings(store).close_due(PartClock(end_ms))
            with counted_reads(store) as reads:
                report, state = audit_from(store, state)
            assert report.findings == ()
            assert report.counts.rounds_settled == ROUNDS
            audited.append(reads.rows)
            with counted_reads(store) as reads:
                assert day_book(store, day_of(end_ms - 1)).reconciled
            closed.append(reads.rows)
    # A few rows more for every stream that has been audited before; the first part closed one day.
    assert audited[-1] <= audited[-2] * 1.2
    assert closed[-1] <= closed[-2] * 1.2


def test_wallets_that_have_not_changed_are_passed_over_in_one_statement(floor: Floor) -> None:
    _, state = audited(floor)
    with counted_reads(floor.store) as few:
        report, state = audited(floor, state)
    wallets = report.counts.wallets
    for number in range(60):
        floor.cashier.deposit(f"guest-{number}", 100, id="first")
    _, state = audited(floor, state)
    with counted_reads(floor.store) as many:
        report, state = audited(floor, state)
    assert report.counts.wallets == wallets + 60
    assert many.statements <= few.statements + 5
    assert state == audited(floor)[1]


@pytest.mark.parametrize(
    "statement",
    [
        (
            "INSERT INTO transfers (stream, version, at_ms, debit, credit, cents, reason, note)"
            " SELECT stream, version, at_ms, debit, credit, cents, reason, note FROM transfers"
            " WHERE stream = 'wallet/quiet'"
        ),
        "INSERT INTO secrets (stream, name, body) VALUES ('wallet/quiet', '1/table', 'x')",
        (
            "INSERT INTO snapshots (stream, version, at_ms, body)"
            " SELECT name, version, at_ms, '{}' FROM streams WHERE name = 'wallet/quiet'"
        ),
        "INSERT INTO answers VALUES ('wallet/quiet', 'player:ann', '1', 'x', '{\"version\":9}')",
        "UPDATE streams SET at_ms = at_ms + 1 WHERE name = 'wallet/quiet'",
        "UPDATE streams SET code = '' WHERE name = 'wallet/quiet'",
    ],
)
def test_nothing_can_be_added_to_a_wallet_that_is_passed_over(
    floor: Floor, place: Place, statement: str
) -> None:
    floor.cashier.deposit("quiet", 100, id="first")
    _, state = audited(floor)
    assert forged(place, floor, state, statement)
