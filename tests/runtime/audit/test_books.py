"""Transfers and balances, account by account."""

from pathlib import Path

import pytest

from tests.kit.audit import forgeries
from tests.kit.audit.audits import NET, after_change, findings_text, places
from tests.kit.audit.forgeries import Connection, rewrite


@pytest.mark.parametrize(
    "change_it",
    [
        "cents = cents + 1",
        "reason = 'correction'",
        "note = 'x'",
        "round = 'x'",
        "clause = 'x'",
        "credit = 'house:net-1'",
        "debit = 'cash'",
    ],
)
def test_every_column_of_a_transfer_is_guarded(copy: Path, change_it: str) -> None:
    spots: list[int] = []

    def forge(db: Connection) -> None:
        number, version = db.execute(
            "SELECT number, version FROM transfers WHERE stream = ? AND reason = 'wager'", (NET,)
        ).fetchone()
        db.execute(f"UPDATE transfers SET {change_it} WHERE number = ?", (number,))
        forgeries.balance_anew(db)
        spots.append(version)

    report = after_change(copy, forge)
    assert (NET, spots[0]) in places(report)
    assert "Its transfer 1 is not the one that it causes." in findings_text(report)


def test_a_transfer_at_another_time(copy: Path) -> None:
    report = after_change(
        copy, lambda db: db.execute("UPDATE transfers SET at_ms = 1 WHERE number = 7")
    )
    assert places(report) == {("transfers", 7)}


def test_a_transfer_that_is_gone(copy: Path) -> None:
    report = after_change(copy, lambda db: db.execute("DELETE FROM transfers WHERE number = 7"))
    assert "Found: no transfer." in findings_text(report)
    assert "is not the sum of its transfers" in findings_text(report)


INSERT = (
    "INSERT INTO transfers (stream, version, at_ms, debit, credit, cents, reason, note)"
    " SELECT stream, version, at_ms, ?, ?, 700, 'correction', '' FROM events"
    " WHERE stream = ? AND version = ?"
)


def test_a_pair_of_transfers_put_in_with_their_balances(copy: Path) -> None:
    def forge(db: Connection) -> None:
        ends = ("house:net-1", "wallet:net-1-p1")
        for debit, credit in (ends, ends[::-1]):
            db.execute(INSERT, (debit, credit, NET, 5))
        forgeries.balance_anew(db)

    report = after_change(copy, forge)
    assert {where for where, _ in places(report)} == {"transfers"}
    assert "It was added to event 5 of table/net-1 later, or out of order." in findings_text(report)


def test_a_transfer_put_in_at_the_last_event(copy: Path) -> None:
    def forge(db: Connection) -> None:
        db.execute(INSERT, ("cash", "wallet:ann", "wallet/ann", 1))
        forgeries.balance_anew(db)

    report = after_change(copy, forge)
    assert places(report) == {("wallet/ann", 1)}
    assert "Its transfer 2 is not the one that it causes. Expected: no transfer." in findings_text(
        report
    )


def test_a_transfer_of_no_event(copy: Path) -> None:
    def forge(db: Connection) -> None:
        db.execute(
            "INSERT INTO transfers (stream, version, at_ms, debit, credit, cents, reason, note)"
            " VALUES ('wallet/mallory', 1, 5, 'cash', 'wallet:mallory', 700, 'deposit', '')"
        )
        forgeries.balance_anew(db)

    report = after_change(copy, forge)
    assert [one.sentence for one in report.findings] == ["It belongs to no event."]
    assert "event 1 of wallet/mallory, which does not exist" in findings_text(report)


def test_transfers_that_changed_places(copy: Path) -> None:
    def forge(db: Connection) -> None:
        one, other = db.execute(
            "SELECT number, number + 1 FROM transfers AS a WHERE EXISTS (SELECT 1 FROM transfers"
            " AS b WHERE b.number = a.number + 1 AND b.version = a.version AND b.stream = a.stream)"
        ).fetchone()
        for source, target in ((one, -1), (other, one), (-1, other)):
            db.execute("UPDATE transfers SET number = ? WHERE number = ?", (target, source))

    assert "is not the one that it causes" in findings_text(after_change(copy, forge))


def test_a_transfer_that_cannot_be_read(copy: Path) -> None:
    report = after_change(
        copy, lambda db: db.execute("UPDATE transfers SET reason = 'gift' WHERE number = 7")
    )
    assert "Row 7 of the table transfers is damaged" in findings_text(report)
    assert "Balances were not compared, because a transfer cannot be read." in report.notes


def test_a_changed_balance(copy: Path) -> None:
    report = after_change(
        copy,
        lambda db: db.execute("UPDATE balances SET cents = cents + 1 WHERE account = 'wallet:ann'"),
    )
    assert places(report) == {("balances", None)}
    assert "The balance of wallet:ann is not the sum of its transfers." in findings_text(report)
    assert "Expected: $50.00. Found: $50.01." in findings_text(report)
    assert "The accounts do not add up to zero. Expected: $0.00. Found: $0.01." in findings_text(
        report
    )


def test_two_balances_changed_so_that_the_sum_stays(copy: Path) -> None:
    def forge(db: Connection) -> None:
        db.execute("UPDATE balances SET cents = cents + 900 WHERE account = 'wallet:ann'")
        db.execute("UPDATE balances SET cents = cents - 900 WHERE account = 'cash'")

    report = after_change(copy, forge)
    assert [one.sentence for one in report.findings] == [
        "The balance of cash is not the sum of its transfers.",
        "The balance of wallet:ann is not the sum of its transfers.",
    ]


def test_a_balance_that_is_gone_and_one_below_zero(copy: Path) -> None:
    def forge(db: Connection) -> None:
        db.execute("DELETE FROM balances WHERE account = 'cash'")
        db.execute("UPDATE balances SET cents = -5 WHERE account = 'wallet:ann'")

    report = after_change(copy, forge)
    assert "The balance of cash is not the sum of its transfers." in findings_text(report)
    assert "wallet:ann is overdrawn. Expected: $0.00 or more. Found: -$0.05." in findings_text(
        report
    )


def test_a_balance_of_no_account(copy: Path) -> None:
    report = after_change(
        copy, lambda db: db.execute("INSERT INTO balances VALUES ('piggybank:me', 5)")
    )
    assert "Row piggybank:me of the table balances is damaged" in findings_text(report)


def test_a_payment_forged_with_its_chain(copy: Path) -> None:
    def forge(db: Connection) -> None:
        rewrite(db, "wallet/ann", 1, lambda body: body.update(cents=500_000))

    report = after_change(copy, forge)
    assert places(report) == {("wallet/ann", 1)}
    assert "Expected: deposit of $5,000.00 from cash to wallet:ann." in findings_text(report)


def test_a_payment_of_another_player(copy: Path) -> None:
    def forge(db: Connection) -> None:
        rewrite(db, "wallet/ann", 1, lambda body: body.update(player="bob"))

    assert "It is not a payment of ann" in findings_text(after_change(copy, forge))


def test_wagers_left_on_the_felt_of_a_finished_round(copy: Path) -> None:
    """A stream of an unknown kind must move no money, not even between real accounts."""

    def forge(db: Connection) -> None:
        db.execute(
            "INSERT INTO events (stream, version, name, schema, body, at_ms, previous,"
            " hash) VALUES ('other/1', 1, 'x', 1, '{}', 5, ?, 'h')",
            ("0" * 64,),
        )
        db.execute("INSERT INTO streams (name, version, hash, at_ms) VALUES ('other/1', 1, 'h', 5)")
        db.execute(INSERT, ("house:net-1", "wagers:net-1/1", "other/1", 1))
        forgeries.rehash(db, "other/1")
        forgeries.balance_anew(db)

    report = after_change(copy, forge)
    assert places(report) == {("event_forms", None), ("other/1", 1), ("wagers:net-1/1", None)}
    # The others are the feeds of the link's two tables and the store's own stream.
    assert report.counts.others == 4
