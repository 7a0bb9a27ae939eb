"""The audit of drawers: altered cash, counts and approvals are found."""

from collections.abc import Callable
from pathlib import Path

from tests.kit.audit.audited_cages import DRAWER, Forgery, check_found, each_forgery
from tests.kit.audit.forgeries import Connection, rewrite, version_of

# Each of these is done by a thief of the house's key, who can make the chain whole again.

FORGERIES: list[Forgery] = [
    (
        "a large payout was never approved",
        lambda db: rewrite(
            db,
            DRAWER,
            version_of(db, DRAWER, "drawer_cash_paid"),
            lambda body: body.pop("request"),
        ),
        "Above $500.00 it needs an approval",
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
        "a cashier approved their own request",
        lambda db: rewrite(
            db,
            DRAWER,
            version_of(db, DRAWER, "payout_approved"),
            lambda body: body.update(by="cal"),
        ),
        "Another person must approve it",
    ),
    (
        "a payout was not the approved one",
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
        "a balance of a drawer is changed",
        lambda db: db.execute("UPDATE balances SET cents = -1 WHERE account = 'drawer:w1'"),
        "is not the sum of its transfers",
    ),
]


@each_forgery(FORGERIES)
def test_an_alteration_is_found(
    cage_copy: Path, forge: Callable[[Connection], object], sentence: str
) -> None:
    check_found(cage_copy, forge, sentence)
