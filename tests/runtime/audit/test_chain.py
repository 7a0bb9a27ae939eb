"""The chain of events: what was changed, cut off or exchanged is found where it is."""

from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit import forgeries
from tests.kit.audit.audited_floors import change
from tests.kit.audit.audits import (
    CARD,
    NET,
    PUBLIC_KEY,
    WALLET,
    after_change,
    audited,
    findings_text,
    places,
)
from tests.kit.audit.forgeries import Connection, version_of


def test_a_changed_body_breaks_its_own_hash_alone(copy: Path) -> None:
    def forge(db: Connection) -> None:
        db.execute(
            "UPDATE events SET body = replace(body, 'p1', 'p9') WHERE stream = ? AND version = 3",
            (NET,),
        )

    report = after_change(copy, forge)
    assert report.findings[0].place == f"event 3 of {NET}"
    assert "has been changed" in report.findings[0].sentence
    changed = [one for one in report.findings if "has been changed" in one.sentence]
    assert len(changed) == 1


@pytest.mark.parametrize("column", ["name", "schema", "at_ms", "previous", "hash"])
def test_every_column_of_an_event_is_guarded(copy: Path, column: str) -> None:
    new = {"name": "'table_reopened'", "schema": "0", "at_ms": "at_ms + 1"}.get(column, "'x'")
    report = after_change(
        copy,
        lambda db: db.execute(
            f"UPDATE events SET {column} = {new} WHERE stream = ? AND version = 5", (NET,)
        ),
    )
    assert (NET, 5) in places(report)


def test_a_missing_end_is_noticed_by_the_head(copy: Path) -> None:
    def forge(db: Connection) -> int:
        db.execute("DELETE FROM events WHERE stream = ? AND version > 20", (NET,))
        return 0

    report = after_change(copy, forge)
    assert (NET, 21) in places(report)
    assert "The end of the stream is missing." in findings_text(report)


def test_a_gap_is_noticed(copy: Path) -> None:
    report = after_change(
        copy, lambda db: db.execute("DELETE FROM events WHERE stream = ? AND version = 9", (NET,))
    )
    assert (NET, 9) in places(report)
    assert "Events are missing. Expected: event 9. Found: event 10." in findings_text(report)


def test_an_end_that_was_cut_off_neatly_is_noticed_by_the_checkpoint(copy: Path) -> None:
    with closing(SqliteStore(copy / "floor.db")) as store:
        head = store.head("wallet/ann")
    assert head.version == 1
    change(copy / "floor.db", lambda db: forgeries.cut(db, NET, 30))
    report = audited(copy)
    assert {where for where, _ in places(report)} == {NET}
    assert "The event that checkpoint 2 has signed is gone." in findings_text(report)


def test_an_end_cut_off_with_its_checkpoints_is_noticed_by_the_published_file(
    copy: Path,
) -> None:
    def forge(db: Connection) -> None:
        forgeries.cut(db, NET, 10)
        db.execute("DELETE FROM streams WHERE name = 'wallet/ann'")
        db.execute("DELETE FROM events WHERE stream = 'wallet/ann'")
        db.execute("DELETE FROM transfers WHERE stream = 'wallet/ann'")
        db.execute("DELETE FROM answers")
        db.execute("DELETE FROM snapshots WHERE stream = ?", (NET,))
        db.execute(
            "DELETE FROM secrets WHERE stream = ? AND name NOT IN ('1/table', 'key/1')", (NET,)
        )
        db.execute("DELETE FROM checkpoints")
        forgeries.balance_anew(db)

    change(copy / "floor.db", forge)
    with closing(SqliteStore(copy / "floor.db")) as store:
        assert audit(store, public_keys=(PUBLIC_KEY,)).clean, "nothing inside gives it away"
    report = audited(copy)
    assert ("published", 1) in places(report)
    assert ("published", 2) in places(report)
    assert ("wallet/ann", 1) in places(report)
    assert "Checkpoint 2 was published, but is not in the database." in findings_text(report)
    assert f"of {NET}: The event that checkpoint 2 has signed is gone." in findings_text(report)


def test_two_events_that_changed_places_break_the_chain(copy: Path) -> None:
    report = after_change(copy, lambda db: forgeries.exchange_versions(db, NET, 6, 7))
    assert {(NET, 6), (NET, 7), (NET, 8)} <= places(report)


def test_two_events_that_changed_places_with_the_chain_cannot_have_happened(copy: Path) -> None:
    def forge(db: Connection) -> None:
        closed = version_of(db, NET, "bets_closed")
        forgeries.exchange_versions(db, NET, closed, closed + 2)
        forgeries.rehash(db, NET)

    report = after_change(copy, forge)
    with closing(SqliteStore(copy / "floor.db")) as store:
        closed = next(one for one in store.events(NET) if one.name == "bets_closed").version
    assert (NET, closed - 2) in places(report)
    assert "A card was dealt against the plan" in findings_text(report)


def test_times_that_go_back_are_noticed(copy: Path) -> None:
    def forge(db: Connection) -> None:
        db.execute("UPDATE events SET at_ms = 5 WHERE stream = ? AND version = 4", (NET,))
        db.execute("UPDATE transfers SET at_ms = 5 WHERE stream = ? AND version = 4", (NET,))
        forgeries.rehash(db, NET)

    assert "Its time is earlier than that of the event before it." in findings_text(
        after_change(copy, forge)
    )


def test_a_head_that_was_set_back_leaves_events_beyond_it(copy: Path) -> None:
    report = after_change(
        copy,
        lambda db: db.execute(
            "UPDATE streams SET version = 1, hash = (SELECT hash FROM events WHERE stream = ?"
            " AND version = 1) WHERE name = ?",
            (CARD, CARD),
        ),
    )
    assert (CARD, 2) in places(report)
    assert "Events lie beyond the head of the stream" in findings_text(report)
    assert "It belongs to no event." in findings_text(report)


def test_a_head_with_another_hash(copy: Path) -> None:
    report = after_change(
        copy, lambda db: db.execute("UPDATE streams SET hash = 'x' WHERE name = ?", (WALLET,))
    )
    assert places(report) == {(WALLET, 2)}


def test_a_stream_whose_head_is_gone_is_noticed_by_money_and_checkpoint(copy: Path) -> None:
    report = after_change(
        copy, lambda db: db.execute("DELETE FROM streams WHERE name = ?", (WALLET,))
    )
    assert (WALLET, 2) in places(report)
    assert "It belongs to no event." in findings_text(report)


def test_an_invalid_event(copy: Path) -> None:
    def forge(db: Connection) -> None:
        db.execute("UPDATE events SET name = 'gift' WHERE stream = ? AND version = 1", (WALLET,))
        forgeries.rehash(db, WALLET)

    report = after_change(copy, forge)
    assert (WALLET, 1) in places(report)
    assert "There is no event called gift" in findings_text(report)
