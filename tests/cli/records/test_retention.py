"""``openfelt retention``."""

from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.clock import DAY_MS
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import Floor, tamper
from tests.kit.cli.commands import facts, output


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A floor with old rounds."""
    floor = Floor(tmp_path / "floor.db")
    floor.clock.now_ms -= 400 * DAY_MS
    floor.open("net-1", "online")
    floor.play("net-1", 12)
    floor.store.close()
    tamper(
        floor.path,
        "INSERT INTO answers (stream, actor, command, digest, body)"
        " VALUES ('table/net-1', 'player:ann', 'c1', 'd', '{\"version\":1,\"refused\":\"x\"}')",
    )
    return floor.path


def test_growth_is_measured_by_table_and_round(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = facts(capsys, "retention", str(path))
    assert measured["rounds"] == 12
    assert {"events", "secrets", "transfers", "balances"} <= measured["bytes"]["before"].keys()
    assert "dropped" not in measured
    printed = output(capsys, "retention", str(path))
    assert "12 rounds." in printed
    assert "bytes a round" in printed


def test_what_is_over_its_term_is_dropped_and_the_audit_holds(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(SqliteStore(path)) as store:
        before = store.balances()
    measured = facts(capsys, "retention", str(path), "--apply")
    assert measured["dropped"]["rounds"] == 12
    assert measured["dropped"]["balances"] >= 12
    with closing(SqliteStore(path)) as store:
        assert store.balances() == before
        assert store.drop_zero_balances() == 0
        assert list(store.old_answers("table/net-1")) == []
        report = audit(store)
        assert report.findings == ()
        assert report.counts.rounds_purged == 12
    again = output(capsys, "retention", str(path), "--apply")
    assert "the decks of 0 rounds, the proofs of 0 rounds, 0 accounts" in again
    last = facts(capsys, "retention", str(path), "--apply", "--keep-proofs", "30")
    assert last["dropped"]["proofs"] == 12
    with closing(SqliteStore(path)) as store:
        assert audit(store).findings == ()
    # Less is left than there was.
    assert last["bytes"]["after"]["secrets"] <= measured["bytes"]["before"]["secrets"]


def test_nothing_is_dropped_before_its_term(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured = facts(capsys, "retention", str(path), "--apply", "--keep-decks", "5000")
    assert measured["dropped"]["rounds"] == 0
    with closing(SqliteStore(path)) as store:
        assert audit(store).counts.rounds_purged == 0
