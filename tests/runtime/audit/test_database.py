"""The audit of a whole floor: clean when it is, also while it is played on."""

from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.cage.days.day_book import day_book
from openfelt.runtime.notary import Notary
from openfelt.runtime.tables import worker
from openfelt.storage.postgres import PostgresStore
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import Floor, change, five_houses
from tests.kit.audit.audits import KEY, PUBLIC_KEY, WASH, audited, findings_text
from tests.kit.postgres_server import PostgresServer


def test_a_clean_floor_has_no_findings_and_everything_is_counted(copy: Path) -> None:
    report = audited(copy)
    assert report.clean, findings_text(report)
    counts = report.counts
    assert (counts.tables, counts.links, counts.wallets, counts.dealers) == (7, 1, 13, 5)
    assert counts.streams == 29
    assert (counts.rounds_settled, counts.rounds_voided, counts.rounds_in_progress) == (23, 7, 3)
    assert (counts.checkpoints, counts.published, counts.unpublished) == (2, 2, 0)
    assert (counts.streams_uncovered, counts.events_uncovered) == (0, 0)
    assert counts.rounds_counted == 7
    assert counts.snapshots >= 5
    with closing(SqliteStore(copy / "floor.db")) as store:
        streams = (*store.streams(), "appends")
        assert counts.events == sum(store.head(stream).version for stream in streams)
        assert counts.transfers == sum(1 for _ in store.transfers())
        assert counts.accounts == len(store.balances())
        names = [event.name for table in store.streams("table/") for event in store.events(table)]
        reasons = {one.transfer.reason.value for one in store.transfers(stream=WASH)}
    assert {"award", "envy", "contribution"} <= reasons
    assert counts.cards == names.count("card_dealt")
    assert counts.decks == names.count("deck_committed")
    assert report.notes == ()


def test_a_clean_floor_in_postgresql(postgres: PostgresServer, tmp_path: Path) -> None:
    with closing(PostgresStore(postgres.fresh_database())) as store:
        floor = five_houses(tmp_path, store=store)
        Notary(store, KEY, floor.clock).sign()
        report = audit(store, public_keys=[PUBLIC_KEY])
        assert report.clean, findings_text(report)
        assert report.counts.rounds_settled == 22
        assert day_book(store, date(2026, 1, 1)).reconciled


def test_progress_goes_up_to_the_number_of_events(copy: Path) -> None:
    told: list[tuple[int, int]] = []
    with closing(SqliteStore(copy / "floor.db")) as store:
        report = audit(store, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (report.counts.events, report.counts.events)
    assert len(told) > 2


def test_an_empty_database_is_clean(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "empty.db")) as store:
        report = audit(store)
    assert report.clean
    assert report.counts.events == 0


def test_what_no_checkpoint_covers_is_counted(copy: Path) -> None:
    floor = Floor(copy / "floor.db")
    floor.cashier.deposit("ann", 100, id="later")
    floor.cashier.deposit("bob", 100, id="later")
    floor.store.close()
    report = audited(copy)
    assert report.clean
    assert (report.counts.streams_uncovered, report.counts.events_uncovered) == (2, 2)


def test_no_key_and_no_published_file_are_noted(copy: Path) -> None:
    with closing(SqliteStore(copy / "floor.db")) as store:
        notes = "\n".join(audit(store).notes)
    assert "No public key was given" in notes
    assert "No published checkpoints were given" in notes


def test_too_many_findings_are_counted(copy: Path) -> None:
    change(copy / "floor.db", lambda db: db.execute("UPDATE transfers SET note = note || '!'"))
    with closing(SqliteStore(copy / "floor.db")) as store:
        report = audit(store, findings_max=5)
    assert len(report.findings) == 5
    assert report.more_findings > 100


# A floor that is being played on -----------------------------------------------------


@pytest.fixture
def live(copy: Path) -> Iterator[Floor]:
    floor = Floor(copy / "floor.db")
    yield floor
    floor.store.close()


def test_a_floor_can_be_audited_while_it_is_played_on(copy: Path, live: Floor) -> None:
    notary = Notary(live.store, KEY, live.clock, published=copy / "checkpoints.jsonl")
    live.workers["net-1"] = worker.TableWorker.start(live.worker_services, "net-1", None)
    rounds: list[int] = []

    def play_on(done: int, total: int) -> None:
        live.play("net-1")
        live.cashier.deposit(f"new-{len(rounds)}", 100, id="x")
        notary.sign()
        rounds.append(done)

    report = audit(
        live.store,
        public_keys=(PUBLIC_KEY,),
        published=copy / "checkpoints.jsonl",
        progress=play_on,
    )
    assert report.clean, findings_text(report)
    assert len(rounds) > 2
    assert audit(live.store).counts.events > report.counts.events


def test_money_that_keeps_moving_is_noted(
    copy: Path, live: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, calls = live.store.balances, []

    def moved_meanwhile(**options: Any) -> object:
        found = plain(**options)
        calls.append(1)
        live.cashier.deposit("ann", 100, id=f"m{len(calls)}")
        return found

    monkeypatch.setattr(live.store, "balances", moved_meanwhile)
    report = audit(live.store)
    assert report.clean, findings_text(report)
    assert "Balances were not compared, because money kept moving." in report.notes
