"""Purges of decks, as an audit finds them."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from openfelt.rules.round import card_at
from openfelt.runtime.audit import audit
from openfelt.runtime.audit.database import audit_from
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.rounds.proof import Unprovable
from openfelt.runtime.rounds.purge import ROUNDS_AT_ONCE, Purge
from openfelt.runtime.rounds.record import RoundReader
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import Floor, change
from tests.kit.audit.forgeries import Connection, rewrite

STREAM = "purge/net-1"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A floor on which the decks of three rounds have been purged, and that of a fourth has not."""
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 3)
    floor.clock.now_ms += 10 * DAY_MS
    purge = Purge(floor.store, floor.worker_services.codec, RoundReader(floor.store), floor.clock)
    assert purge.tables() == ["net-1"]
    assert purge.step("net-1", keep_days=11) == 0
    assert purge.step("net-1", keep_days=9) == 3
    floor.play("net-1", 1)
    assert purge.step("net-1", keep_days=9) == 0
    floor.store.close()
    return floor.path


def findings(path: Path) -> str:
    """What the audit finds."""
    with closing(SqliteStore(path)) as store:
        return "\n".join(map(str, audit(store).findings))


def test_purged_rounds_are_in_order(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        report = audit(store)
        assert report.findings == ()
        assert (report.counts.purges, report.counts.decks_purged, report.counts.decks) == (1, 3, 2)
        (stored,) = store.events(STREAM)
        assert stored.cause.actor == "system:openfelt"
        facts = json.loads(stored.body)
        assert (facts["first"], facts["last"], facts["keep_days"], facts["decks"]) == (1, 3, 9, 3)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda body: body.update(keep_days=20), "It purged decks before their time."),
        (lambda body: body.update(keep_days=0), "It purged decks before their time."),
        (lambda body: body.update(last=2), "It does not purge the rounds that ended there."),
        (lambda body: body.update(first=2), "Rounds are purged out of order."),
        (lambda body: body.update(table="net-2"), "A decks_purged cannot have happened here."),
        (lambda body: body.update(proofs="0" * 64), "The proofs that it kept are missing"),
    ],
)
def test_forged_purges(path: Path, edit: Callable[[Any], None], words: str) -> None:
    def forge(db: Connection) -> None:
        rewrite(db, STREAM, 1, edit)

    change(path, forge)
    assert words in findings(path)


# Proofs that are no longer kept -------------------------------------------------------------


@pytest.fixture
def dropped(tmp_path: Path) -> Path:
    """A floor on which the proofs of purged rounds have been dropped."""
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", ROUNDS_AT_ONCE + 1)
    floor.clock.now_ms += 10 * DAY_MS
    reader = RoundReader(floor.store)
    purge = Purge(floor.store, floor.worker_services.codec, reader, floor.clock)
    while purge.step("net-1", keep_days=9):
        pass
    assert purge.drop_proofs("net-1", keep_days=30) == 0
    proved = reader.proof(reader.read("net-1", 1))
    floor.clock.now_ms += 30 * DAY_MS
    assert purge.drop_proofs("net-1", keep_days=30) == ROUNDS_AT_ONCE
    assert purge.drop_proofs("net-1", keep_days=30) == 1
    assert purge.drop_proofs("net-1", keep_days=30) == 0
    # Rounds that follow are purged as before.
    floor.play("net-1", 1)
    floor.clock.now_ms += 10 * DAY_MS
    assert purge.step("net-1", keep_days=9) == 1
    recorded = reader.read("net-1", 1)
    with pytest.raises(Unprovable, match="is no longer kept"):
        reader.proof(recorded)
    # What was shown is still told.
    for dealt in proved.cards:
        if dealt.card is not None:
            assert card_at(recorded.final(), dealt.place) == dealt.card
    floor.store.close()
    return floor.path


def test_dropped_proofs_are_in_order(dropped: Path) -> None:
    with closing(SqliteStore(dropped)) as store:
        report = audit(store)
        assert report.findings == ()
        assert report.counts.proofs_dropped == ROUNDS_AT_ONCE + 1
        assert report.counts.rounds_purged == ROUNDS_AT_ONCE + 2
        names = store.secret_names(STREAM)
        assert [name for name in names if name.endswith("/proofs")] == ["22/proofs"]


def test_an_audit_goes_on_between_two_drops(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", ROUNDS_AT_ONCE + 1)
    floor.clock.now_ms += 10 * DAY_MS
    purge = Purge(floor.store, floor.worker_services.codec, RoundReader(floor.store), floor.clock)
    state = None
    steps: list[Callable[[], int]] = [
        lambda: purge.step("net-1", keep_days=1),
        lambda: purge.drop_proofs("net-1", keep_days=1),
        lambda: purge.step("net-1", keep_days=1),
        lambda: purge.drop_proofs("net-1", keep_days=1),
    ]
    for step in steps:
        assert step()
        report, state = audit_from(floor.store, state, at_ms=floor.clock.now_ms)
        assert report.findings == ()
    # It counts what is new.
    assert report.counts.proofs_dropped == 1
    floor.store.close()


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda body: body.update(keep_days=90), "It dropped proofs before their time."),
        (lambda body: body.update(first=2), "Proofs are dropped out of order."),
        (lambda body: body.update(last=500), "Proofs are dropped out of order."),
        (lambda body: body.update(shown="0" * 64), "The shown cards that it kept are missing"),
    ],
)
def test_forged_drops(dropped: Path, edit: Callable[[Any], None], words: str) -> None:
    change(dropped, lambda db: rewrite(db, STREAM, 3, edit))
    assert words in findings(dropped)


def test_proofs_and_shown_cards_that_are_deleted_by_hand(dropped: Path) -> None:
    change(dropped, lambda db: db.execute("DELETE FROM secrets WHERE name = '3/shown'"))
    assert "The shown cards that it kept are missing" in findings(dropped)
    change(dropped, lambda db: db.execute("DELETE FROM secrets WHERE name = '22/proofs'"))
    assert "The proofs that it kept are missing" in findings(dropped)


def test_a_deck_that_is_deleted_without_a_purge(path: Path) -> None:
    change(path, lambda db: db.execute("DELETE FROM secrets WHERE name = '4/table'"))
    assert "The deck table of net-1/4 is missing." in findings(path)


def test_many_rounds_are_purged_step_by_step(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "many.db")
    floor.open("net-1", "online")
    floor.play("net-1", ROUNDS_AT_ONCE + 2)
    floor.clock.now_ms += 10 * DAY_MS
    reader = RoundReader(floor.store)
    purge = Purge(floor.store, floor.worker_services.codec, reader, floor.clock)
    # Another process that was slower purges nothing twice.
    other = Purge(floor.store, floor.worker_services.codec, reader, floor.clock)
    assert other.step("net-1", keep_days=20) == 0
    assert purge.step("net-1", keep_days=1) == ROUNDS_AT_ONCE
    other.step("net-1", keep_days=1)
    assert purge.step("net-1", keep_days=1) == 2
    assert purge.step("net-1", keep_days=1) == 0
    assert audit(floor.store).findings == ()
    floor.store.close()
