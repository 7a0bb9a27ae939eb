"""Purges of decks, as an audit finds them."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.rounds.purge import DAY_MS, ROUNDS_AT_ONCE, Purge
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
    purge = Purge(floor.store, floor.tools.codec, RoundReader(floor.store), floor.clock)
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


def test_a_deck_that_is_deleted_without_a_purge(path: Path) -> None:
    change(path, lambda db: db.execute("DELETE FROM secrets WHERE name = '4/table'"))
    assert "The deck table of net-1/4 is missing." in findings(path)


def test_many_rounds_are_purged_step_by_step(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "many.db")
    floor.open("net-1", "online")
    floor.play("net-1", ROUNDS_AT_ONCE + 2)
    floor.clock.now_ms += 10 * DAY_MS
    reader = RoundReader(floor.store)
    purge = Purge(floor.store, floor.tools.codec, reader, floor.clock)
    # Another process that was slower purges nothing twice.
    other = Purge(floor.store, floor.tools.codec, reader, floor.clock)
    assert other.step("net-1", keep_days=20) == 0
    assert purge.step("net-1", keep_days=1) == ROUNDS_AT_ONCE
    other.step("net-1", keep_days=1)
    assert purge.step("net-1", keep_days=1) == 2
    assert purge.step("net-1", keep_days=1) == 0
    assert audit(floor.store).findings == ()
    floor.store.close()
