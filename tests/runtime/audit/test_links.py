"""The rounds that links have counted, compared with what their tables have settled."""

from pathlib import Path

import pytest

from tests.kit.audit import forgeries
from tests.kit.audit.audits import LINK, WASH, after_change, findings_text, places
from tests.kit.audit.forgeries import Connection, rewrite, version_of


@pytest.mark.parametrize(
    "field", ["wagered_cents", "awarded_cents", "envied_cents", "from_meter_cents"]
)
def test_a_link_that_counts_other_amounts(copy: Path, field: str) -> None:
    versions: list[int] = []

    def forge(db: Connection) -> None:
        version = version_of(db, LINK, "link_round_counted")
        rewrite(db, LINK, version, lambda body: body.update({field: body[field] + 100}))
        versions.append(version)

    report = after_change(copy, forge)
    assert (LINK, versions[0]) in places(report)
    assert "The link main and the table disagree about wash-1/1." in findings_text(report)


def test_a_round_that_was_never_counted(copy: Path) -> None:
    def forge(db: Connection) -> None:
        version = version_of(db, LINK, "link_round_counted", -1)
        for table in ("events", "transfers"):
            db.execute(f"DELETE FROM {table} WHERE stream = ? AND version = ?", (LINK, version))
        forgeries.rehash(db, LINK)
        forgeries.balance_anew(db)

    report = after_change(copy, forge)
    assert "Found: never counted." in findings_text(report)
    assert any(one.where == WASH for one in report.findings)


def test_a_round_counted_twice_and_one_of_a_table_that_does_not_feed_the_link(copy: Path) -> None:
    def forge(db: Connection) -> None:
        version = version_of(db, LINK, "link_round_counted", -1)
        rewrite(db, LINK, version, lambda body: body.update(table="net-1"))

    report = after_change(copy, forge)
    assert "It counts a round of net-1, which does not feed the link." in findings_text(report)
    assert "disagree about net-1/" in findings_text(report)
    assert "Expected: a settled round." in findings_text(report)


def test_a_seed_that_was_never_put_in(copy: Path) -> None:
    def forge(db: Connection) -> None:
        rewrite(db, LINK, 1, lambda body: body.update(seed_cents=50_000))

    report = after_change(copy, forge)
    assert (LINK, 1) in places(report)
    # Every table has settled by another meter than the link would have shown.
    assert "disagree about wash-1/1" in findings_text(report)


def test_a_table_that_the_link_does_not_know(copy: Path) -> None:
    def forge(db: Connection) -> None:
        rewrite(
            db, LINK, version_of(db, LINK, "link_table_joined"), lambda body: body.update(table="x")
        )

    report = after_change(copy, forge)
    assert "Its tables are not those whose own records name it." in findings_text(report)
    assert "Expected: wash-1, wash-2. Found: wash-2, x." in findings_text(report)
    assert "It counts a round of wash-1, which does not feed the link." in findings_text(report)
