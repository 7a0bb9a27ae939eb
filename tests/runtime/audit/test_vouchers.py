"""The audit of vouchers: an altered one is found, and is not paid."""

from collections.abc import Callable
from pathlib import Path

import pytest

from openfelt.runtime.audit.database import audit_from
from openfelt.storage.door import Forged
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit import forgeries
from tests.kit.audit.audited_cages import (
    Forgery,
    audited,
    check_found,
    each_forgery,
    expired_voucher,
    open_voucher,
    voucher_to,
)
from tests.kit.audit.audited_floors import FIRST_MS, HandClock, change
from tests.kit.audit.audits import findings_text
from tests.kit.audit.forgeries import Connection, rewrite
from tests.kit.cages import Cage


def test_the_cage_is_in_order(cage_file: Path) -> None:
    report = audited(cage_file)
    assert report.clean, findings_text(report)
    assert (report.counts.vouchers, report.counts.drawers) == (4, 1)


def test_an_audit_that_goes_on_reads_open_vouchers_and_drawers(cage_file: Path) -> None:
    store = SqliteStore(cage_file)
    _, state = audit_from(store, None, at_ms=FIRST_MS)
    assert state is not None
    report, again = audit_from(store, state, at_ms=FIRST_MS)
    store.close()
    assert report.clean, findings_text(report)
    assert again is not None
    assert (report.counts.vouchers, report.counts.drawers) == (4, 1)


# Each of these is done by a thief of the house's key, who can make the chain whole again.

FORGERIES: list[Forgery] = [
    (
        "an open voucher is worth more",
        lambda db: rewrite(db, open_voucher(db), 1, lambda body: body.update(cents=900_000)),
        "Its transfer 1 is not the one that it causes.",
    ),
    (
        "a used voucher was worth less when it was used",
        lambda db: rewrite(db, voucher_to(db, "wallet:bob"), 2, lambda body: body.update(cents=1)),
        "The voucher is worth",
    ),
    (
        "a voucher went to another wallet",
        lambda db: rewrite(
            db, voucher_to(db, "wallet:bob"), 2, lambda body: body.update(to="wallet:eve")
        ),
        "Its transfer 1 is not the one that it causes.",
    ),
    (
        "a voucher expired before its time",
        lambda db: rewrite(
            db,
            expired_voucher(db),
            1,
            lambda body: body.update(expires_ms=body["expires_ms"] * 2),
        ),
        "The voucher was still good",
    ),
    (
        "a voucher that a drawer has paid is open again",
        lambda db: forgeries.cut(db, voucher_to(db, "drawer:w1"), 1),
        "Its transfers do not add up to the cash of the drawer.",
    ),
    (
        "a voucher has the record of another",
        lambda db: rewrite(db, open_voucher(db), 1, lambda body: body.update(voucher="ab" * 16)),
        "It is an event of another voucher",
    ),
    (
        "a balance of a voucher is raised",
        lambda db: db.execute("UPDATE balances SET cents = 900 WHERE account LIKE 'voucher:%'"),
        "is not the sum of its transfers",
    ),
    (
        "the key of codes is another one",
        lambda db: forgeries.set_secret(db, "voucher_keys/house", "codes/1", "ab" * 32),
        "The secret codes/1 is not the one that was made.",
    ),
    (
        "the key of codes is gone",
        lambda db: db.execute("DELETE FROM secrets WHERE stream = 'voucher_keys/house'"),
        "The secret codes/1 is not the one that was made.",
    ),
]


@each_forgery(FORGERIES)
def test_an_alteration_is_found(
    cage_copy: Path, forge: Callable[[Connection], object], sentence: str
) -> None:
    check_found(cage_copy, forge, sentence)


def test_an_altered_voucher_is_not_paid(cage_copy: Path) -> None:
    """An intruder with only the database cannot make the head of a stream authentic again."""
    cage = Cage(SqliteStore(cage_copy), HandClock(FIRST_MS + 92 * 86_400_000))
    code = cage.issue("ann", 500, id="good")
    name = cage.vouchers.find(code).id
    cage.store.close()
    change(
        cage_copy,
        lambda db: db.execute(
            "UPDATE events SET body = replace(body, '500', '900') WHERE stream = ?",
            (f"voucher/{name}",),
        ),
    )
    cage = Cage(SqliteStore(cage_copy), HandClock(FIRST_MS + 92 * 86_400_000))
    with pytest.raises(Forged):
        cage.vouchers.redeem(code, "eve", id="steal")
    assert not cage.store.balances("wallet:eve")
    cage.store.close()
