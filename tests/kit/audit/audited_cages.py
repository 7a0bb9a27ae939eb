"""A database with the work of a cage, to be altered and audited."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.audit.report import AuditReport
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit import forgeries
from tests.kit.audit.audited_floors import HandClock, change
from tests.kit.audit.audits import findings_text
from tests.kit.audit.forgeries import Connection
from tests.kit.cages import Cage

DRAWER = "drawer/w1"
Forgery = tuple[str, Callable[[Connection], object], str]
"""What is altered, in words; how; and a part of what the audit finds."""


def worked_cage(path: Path) -> None:
    """Fill a file: an open, a used and an expired voucher, and a drawer that was closed once."""
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


def audited(path: Path) -> AuditReport:
    """The audit of a database."""
    with closing(SqliteStore(path)) as store:
        return audit(store)


def each_forgery(forgeries: list[Forgery]) -> pytest.MarkDecorator:
    """A test of each alteration, by its name."""
    cases = [pytest.param(forge, sentence, id=name) for name, forge, sentence in forgeries]
    return pytest.mark.parametrize(("forge", "sentence"), cases)


def check_found(path: Path, forge: Callable[[Connection], object], sentence: str) -> None:
    """An alteration of a database is found."""
    change(path, forge)
    assert sentence in findings_text(audited(path))


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
