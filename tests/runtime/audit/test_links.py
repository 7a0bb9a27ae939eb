"""The rounds that links have counted, compared with what their tables have settled."""

from pathlib import Path

import pytest

from openfelt.runtime.streams import feed_stream
from tests.kit.audit import forgeries
from tests.kit.audit.audits import LINK, after_change, findings_text, places
from tests.kit.audit.forgeries import Connection, rewrite, version_of

FEED = feed_stream("main", "wash-1")


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
        (table,) = db.execute(
            "SELECT json_extract(body, '$.table') FROM events WHERE stream = ? AND version = ?",
            (LINK, version),
        ).fetchone()
        feed = feed_stream("main", table)
        for stream, last in ((LINK, version), (feed, version_of(db, feed, "link_round_fed", -1))):
            for rows in ("events", "transfers"):
                db.execute(f"DELETE FROM {rows} WHERE stream = ? AND version = ?", (stream, last))
            forgeries.rehash(db, stream)
        forgeries.balance_anew(db)

    report = after_change(copy, forge)
    assert "Found: never counted." in findings_text(report)


def test_a_round_of_a_feed_that_is_counted_once_more(copy: Path) -> None:
    """Where a link were folded twice, the second time is out of order."""

    def forge(db: Connection) -> None:
        version = version_of(db, LINK, "link_round_counted", -1)
        rewrite(db, LINK, version, lambda body: body.update(fed=body["fed"] - 1))

    text = findings_text(after_change(copy, forge))
    assert "It counts a round out of order from the feed of" in text


def test_a_feed_that_differs_from_its_table(copy: Path) -> None:
    def forge(db: Connection) -> None:
        rewrite(db, FEED, 1, lambda body: body.update(wagered_cents=body["wagered_cents"] + 1))

    assert "The feed and the table disagree about wash-1/" in findings_text(
        after_change(copy, forge)
    )


def test_a_feed_that_lacks_a_round_that_was_counted(copy: Path) -> None:
    def forge(db: Connection) -> None:
        version = version_of(db, FEED, "link_round_fed", -1)
        db.execute("DELETE FROM events WHERE stream = ? AND version = ?", (FEED, version))
        forgeries.rehash(db, FEED)

    assert "rounds of the feed, which has" in findings_text(after_change(copy, forge))


def test_a_feed_in_another_order_than_its_rounds(copy: Path) -> None:
    def forge(db: Connection) -> None:
        rewrite(db, FEED, 1, lambda body: body.update(round=10_000))

    assert "A feed has each round once" in findings_text(after_change(copy, forge))


def test_money_that_is_missing_from_the_account_of_a_feed(copy: Path) -> None:
    def forge(db: Connection) -> None:
        db.execute(
            "UPDATE transfers SET credit = 'reserve:main' WHERE number = (SELECT min(number)"
            " FROM transfers WHERE credit = 'reserve:main/wash-1')"
        )
        forgeries.balance_anew(db)

    report = after_change(copy, forge)
    assert any(one.where == "reserve:main/wash-1" for one in report.findings)


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
    # The round that won was settled by a meter other than the one the link would have shown.
    assert "disagree about wash-1/5" in findings_text(report)


def test_a_table_that_the_link_does_not_know(copy: Path) -> None:
    def forge(db: Connection) -> None:
        rewrite(
            db, LINK, version_of(db, LINK, "link_table_joined"), lambda body: body.update(table="x")
        )

    report = after_change(copy, forge)
    assert "Its tables are not those whose own records name it." in findings_text(report)
    assert "Expected: wash-1, wash-2. Found: wash-2, x." in findings_text(report)
    assert "It counts a round of wash-1, which does not feed the link." in findings_text(report)
