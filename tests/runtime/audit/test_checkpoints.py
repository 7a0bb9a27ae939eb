"""Checkpoints: signatures, their row, and what was published."""

from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.audit import audit
from openfelt.runtime.notary import Notary
from openfelt.runtime.notary.checkpoints import signed_checkpoint
from openfelt.runtime.notary.keys import public_key_of
from openfelt.storage.door import Checkpoint, Head
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit import forgeries
from tests.kit.audit.audited_floors import Floor, change
from tests.kit.audit.audits import (
    PUBLIC_KEY,
    after_change,
    audited,
    findings_text,
    places,
)
from tests.kit.audit.forgeries import Connection, rewrite


def signed_anew(folder: Path, key: Ed25519PrivateKey) -> None:
    """Sign everything again with another key, and publish that too."""
    with closing(SqliteStore(folder / "floor.db")) as store:
        heads: dict[str, Head] = {stream: store.head(stream) for stream in store.streams()}
        old: Checkpoint = next(iter(store.checkpoints()))
    change(folder / "floor.db", lambda db: db.execute("DELETE FROM checkpoints"))
    new = signed_checkpoint(key, number=1, at_ms=old.at_ms, before=None, heads=heads)
    with closing(SqliteStore(folder / "floor.db")) as store:
        store.add_checkpoint(new)


def test_another_key_is_noticed_if_the_right_one_is_given(copy: Path) -> None:
    signed_anew(copy, Ed25519PrivateKey.generate())
    with closing(SqliteStore(copy / "floor.db")) as store:
        report = audit(store, public_keys=(PUBLIC_KEY,))
        assert [one.sentence for one in report.findings] == ["It is signed with another key."]
        assert places(report) == {("checkpoints", 1)}
        # Without a key there is nothing to hold it against, and the report says so.
        without = audit(store)
    assert without.clean
    assert "A forger of the database could have replaced it." in "\n".join(without.notes)
    assert "differs between the published file and the database" in findings_text(audited(copy))


def test_after_a_change_of_keys_both_must_be_given(copy: Path) -> None:
    floor = Floor(copy / "floor.db")
    floor.cashier.deposit("ann", 100, id="later")
    second = Ed25519PrivateKey.generate()
    Notary(floor.store, second, floor.clock).sign()
    floor.store.close()
    assert places(audited(copy)) == {("checkpoints", 3)}
    assert places(audited(copy, keys=())) == {("checkpoints", 3)}
    report = audited(copy, keys=(PUBLIC_KEY, public_key_of(second)))
    assert report.clean
    assert (report.counts.published, report.counts.unpublished) == (2, 1)


@pytest.mark.parametrize(
    ("statement", "number", "words"),
    [
        ("UPDATE checkpoints SET at_ms = 5 WHERE number = 1", 1, "Its signature is not valid."),
        ("UPDATE checkpoints SET at_ms = 5 WHERE number = 2", 2, "Its time is earlier"),
        ("UPDATE checkpoints SET signature = '00'", 1, "Its signature is not valid."),
        ("UPDATE checkpoints SET body = '{}' WHERE number = 2", 2, "Checkpoint 2 is invalid"),
        ("DELETE FROM checkpoints WHERE number = 1", 1, "Checkpoints are missing."),
    ],
)
def test_changed_checkpoints(copy: Path, statement: str, number: int, words: str) -> None:
    report = after_change(copy, lambda db: db.execute(statement))
    assert ("checkpoints", number) in places(report)
    assert words in findings_text(report)
    # And the published file has them as they were.
    assert any(one.where == "published" for one in report.findings)


def test_checkpoints_exchanged_do_not_follow_each_other(copy: Path) -> None:
    def forge(db: Connection) -> None:
        for source, target in ((1, -1), (2, 1), (-1, 2)):
            db.execute("UPDATE checkpoints SET number = ? WHERE number = ?", (target, source))

    assert "It does not follow the checkpoint before it." in findings_text(
        after_change(copy, forge)
    )


def test_an_invalid_published_file(copy: Path) -> None:
    (copy / "checkpoints.jsonl").write_text("nothing\nmore\n", encoding="utf-8")
    report = audited(copy)
    assert places(report) == {("published", 1), ("published", 2)}
    assert report.counts.unpublished == 2


def test_a_consistent_forgery_is_noticed_only_by_the_checkpoint(copy: Path) -> None:
    def forge(db: Connection) -> None:
        rewrite(db, "wallet/ann", 1, lambda body: body.update(cents=500_000))
        db.execute("UPDATE transfers SET cents = 500000 WHERE stream = 'wallet/ann'")
        forgeries.balance_anew(db)

    report = after_change(copy, forge)
    assert [str(one.place) for one in report.findings] == ["event 1 of wallet/ann"]
    assert "The event that checkpoint 2 has signed has been replaced." in findings_text(report)
