"""The audit of the cage: an altered voucher or drawer is found, whoever has altered it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.audit.database import audit_from
from openfelt.runtime.audit.report import AuditReport
from openfelt.storage.door import Forged
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit import forgeries
from tests.kit.audit.audited_floors import FIRST_MS, HandClock, change
from tests.kit.audit.audits import findings_text
from tests.kit.audit.forgeries import Connection, rewrite, version_of
from tests.kit.cages import Cage

DRAWER = "drawer/w1"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with an open, a used and an expired voucher, and a drawer."""
    path = tmp_path_factory.mktemp("cage") / "floor.db"
    clock = HandClock()
    cage = Cage(SqliteStore(path), clock, limit_cents=50_000)
    cage.cashier.deposit("ann", 200_000, id="deposit")
    cage.issue("ann", 700, id="expires")
    clock.now_ms += 91 * 86_400_000
    assert cage.vouchers.expire_due() == 1
    cage.issue("ann", 800, id="open")
    cage.vouchers.redeem(cage.issue("ann", 900, id="used"), "bob", id="use")
    drawers = cage.drawers
    drawers.open("w1", {10_000: 20}, by="cal", id="float")
    drawers.take_cash("w1", "ann", 5_000, by="cal", id="in")
    drawers.cash_voucher("w1", cage.issue("ann", 1_000, id="cashed"), by="cal", id="cash")
    drawers.request_payout("w1", by="cal", id="ask", player="ann", cents=60_000)
    drawers.approve("w1", 1, by="sue", id="approve")
    drawers.pay_approved("w1", 1, by="cal", id="pay")
    drawers.close("w1", {10_000: 14, 100: 39}, by="cal", id="close", reason="one is missing")
    drawers.open("w1", {10_000: 2}, by="cal", id="float again")
    cage.store.close()
    return path


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    """A copy of the database for one test."""
    return Path(shutil.copy(finished, tmp_path / "floor.db"))


def audited(path: Path) -> AuditReport:
    """The audit of a database."""
    store = SqliteStore(path)
    try:
        return audit(store)
    finally:
        store.close()


def expired_voucher(db: Connection) -> str:
    """The stream of the voucher that has expired."""
    return str(forgeries.value(db, "SELECT stream FROM events WHERE name = 'voucher_expired'"))


def voucher_to(db: Connection, account: str) -> str:
    """The stream of the voucher that an account has taken."""
    query = "SELECT stream FROM events WHERE name = 'voucher_redeemed' AND body LIKE ?"
    return str(forgeries.value(db, query, f'%"{account}"%'))


def open_voucher(db: Connection) -> str:
    """The stream of the voucher that is open."""
    query = "SELECT account FROM balances WHERE account LIKE 'voucher:%' AND cents > 0"
    return str(forgeries.value(db, query)).replace(":", "/")


def test_the_cage_is_in_order(finished: Path) -> None:
    report = audited(finished)
    assert report.clean, findings_text(report)
    assert (report.counts.vouchers, report.counts.drawers) == (4, 1)


def test_an_audit_that_goes_on_reads_open_vouchers_and_drawers(finished: Path) -> None:
    store = SqliteStore(finished)
    _, state = audit_from(store, None, at_ms=FIRST_MS)
    assert state is not None
    report, again = audit_from(store, state, at_ms=FIRST_MS)
    store.close()
    assert report.clean, findings_text(report)
    assert again is not None
    assert (report.counts.vouchers, report.counts.drawers) == (4, 1)


# Each of these is done by a thief of the house's key, who can make the chain whole again.

VoucherForgery = Callable[[Connection], object]

FORGERIES: list[tuple[str, VoucherForgery, str]] = [
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
        "a drawer took less cash",
        lambda db: rewrite(
            db,
            DRAWER,
            version_of(db, DRAWER, "drawer_cash_taken"),
            lambda body: body.update(cents=4_000),
        ),
        "Its transfer 1 is not the one that it causes.",
    ),
    (
        "a drawer paid a voucher that was never cashed there",
        lambda db: rewrite(
            db,
            DRAWER,
            version_of(db, DRAWER, "drawer_voucher_cashed"),
            lambda body: body.update(cents=1_100),
        ),
        "The difference is",
    ),
    (
        "a cashier approved the own request",
        lambda db: rewrite(
            db,
            DRAWER,
            version_of(db, DRAWER, "payout_approved"),
            lambda body: body.update(by="cal"),
        ),
        "Another person must approve it",
    ),
    (
        "a payout was another than the approved one",
        lambda db: rewrite(
            db,
            DRAWER,
            version_of(db, DRAWER, "drawer_cash_paid"),
            lambda body: body.update(player="eve"),
        ),
        "It is not the payout that was approved",
    ),
    (
        "a difference has no reason",
        lambda db: rewrite(
            db,
            DRAWER,
            version_of(db, DRAWER, "drawer_closed"),
            lambda body: body.update(reason=" "),
        ),
        "The difference has no reason",
    ),
    (
        "a balance of a voucher is raised",
        lambda db: db.execute("UPDATE balances SET cents = 900 WHERE account LIKE 'voucher:%'"),
        "is not the sum of its transfers",
    ),
    (
        "a balance of a drawer is changed",
        lambda db: db.execute("UPDATE balances SET cents = -1 WHERE account = 'drawer:w1'"),
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


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [pytest.param(forge, sentence, id=name) for name, forge, sentence in FORGERIES],
)
def test_an_alteration_is_found(copy: Path, forge: VoucherForgery, sentence: str) -> None:
    change(copy, forge)
    report = audited(copy)
    assert sentence in findings_text(report)


def test_an_altered_voucher_is_not_paid(copy: Path) -> None:
    """Whoever has only the database cannot make the head of a stream authentic again."""
    cage = Cage(SqliteStore(copy), HandClock(FIRST_MS + 92 * 86_400_000))
    code = cage.issue("ann", 500, id="good")
    name = cage.vouchers.find(code).id
    cage.store.close()
    change(
        copy,
        lambda db: db.execute(
            "UPDATE events SET body = replace(body, '500', '900') WHERE stream = ?",
            (f"voucher/{name}",),
        ),
    )
    cage = Cage(SqliteStore(copy), HandClock(FIRST_MS + 92 * 86_400_000))
    with pytest.raises(Forged):
        cage.vouchers.redeem(code, "eve", id="steal")
    assert not cage.store.balances("wallet:eve")
    cage.store.close()
