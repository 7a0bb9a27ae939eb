"""A record whose times are ahead: they stay, the record says that they are wrong, and goes on."""

from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.clock_correction import NothingToCorrect, correct_clock, streams_ahead
from openfelt.storage.door import Cause, Store
from openfelt.storage.postgres import PostgresStore
from openfelt.storage.sqlite import SqliteStore
from tests.independent.record import Violation, check_record
from tests.kit.audit.audited_floors import DAY_MS, Floor, tamper
from tests.kit.cases import with_variants
from tests.kit.postgres_server import PostgresServer

YEAR_MS = 365 * DAY_MS
OPERATOR = Cause(actor="operator:eve", terminal="command line")


def played_in_the_future(floor: Floor) -> None:
    """Rounds before, during and after the time in which the clock was a year ahead."""
    floor.open("net-1", "online")
    floor.play("net-1")
    floor.clock.now_ms += YEAR_MS
    floor.play("net-1")
    floor.clock.now_ms -= YEAR_MS


def newest_ms(store: Store) -> int:
    return store.head("table/net-1").at_ms


@pytest.fixture(params=with_variants(["sqlite", "postgres"]))
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "felt.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.fresh_database()


def opened(database: str) -> Store:
    return PostgresStore(database) if "://" in database else SqliteStore(database)


def test_a_record_goes_on_by_the_clock_after_a_correction(database: str, tmp_path: Path) -> None:
    with closing(opened(database)) as store:
        floor = Floor(tmp_path / "unused.db", store=store)
        played_in_the_future(floor)
        floor.play("net-1")
        # Without a correction, later play is booked in the future.
        assert newest_ms(store) > floor.clock.now_ms + YEAR_MS // 2
        correction = correct_clock(
            store, floor.clock, reason="The battery was empty.", cause=OPERATOR
        )
        assert correction.wrong_ms == newest_ms(store)
        floor.play("net-1")
        assert newest_ms(store) <= floor.clock.now_ms
        floor.play("net-1")
        assert audit(store).clean
        assert streams_ahead(store, floor.clock.now_ms) == {}
        with pytest.raises(NothingToCorrect):
            correct_clock(store, floor.clock, reason="again", cause=OPERATOR)
    check_record(database)


def test_a_clock_that_is_ahead_again_is_another_fault(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "felt.db")
    played_in_the_future(floor)
    correct_clock(floor.store, floor.clock, reason="The battery was empty.", cause=OPERATOR)
    floor.play("net-1")
    # Within the times of the first fault, which that correction does not cover any more.
    floor.clock.now_ms += YEAR_MS // 3
    floor.play("net-1")
    floor.clock.now_ms -= YEAR_MS // 3
    assert "table/net-1" in streams_ahead(floor.store, floor.clock.now_ms)
    floor.play("net-1")
    assert newest_ms(floor.store) > floor.clock.now_ms + YEAR_MS // 4
    correct_clock(floor.store, floor.clock, reason="It was empty again.", cause=OPERATOR)
    floor.play("net-1")
    assert newest_ms(floor.store) <= floor.clock.now_ms
    assert audit(floor.store).clean


def test_what_is_recorded_is_a_deed_with_its_reason(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "felt.db")
    played_in_the_future(floor)
    correct_clock(floor.store, floor.clock, reason="The battery was empty.", cause=OPERATOR)
    (event,) = floor.store.events("clock/house")
    assert (event.name, event.cause) == ("clock_corrected", OPERATOR)
    assert "The battery was empty." in event.body


def test_a_record_that_goes_back_without_a_correction_is_found(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "felt.db")
    played_in_the_future(floor)
    correct_clock(floor.store, floor.clock, reason="wrong", cause=OPERATOR)
    floor.play("net-1")
    floor.store.close()
    with closing(SqliteStore(floor.path)) as store:
        assert audit(store).clean
    tamper(
        floor.path,
        "DELETE FROM events WHERE stream = 'clock/house'",
        "DELETE FROM streams WHERE name = 'clock/house'",
    )
    with closing(SqliteStore(floor.path)) as store:
        report = audit(store)
    assert any("earlier than that of the event before" in str(found) for found in report.findings)
    with pytest.raises(Violation, match="earlier than the event before it"):
        check_record(floor.path)


def test_small_differences_between_machines_never_make_a_record_go_back(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "felt.db")
    played_in_the_future(floor)
    correct_clock(floor.store, floor.clock, reason="wrong", cause=OPERATOR)
    floor.play("net-1")
    before = newest_ms(floor.store)
    floor.clock.now_ms -= 40_000
    floor.play("net-1")
    assert newest_ms(floor.store) >= before
