"""Vouchers in the book: what each event moves, and what has become of a voucher."""

from openfelt.ledger import Account, AccountKind, Book, Reason
from openfelt.ledger.vouchers import (
    UNCLAIMED,
    VoucherExpired,
    VoucherIssued,
    VoucherRedeemed,
    VoucherState,
    voucher_account,
    voucher_after,
    voucher_transfer,
)

ANN, BOB = (Account(AccountKind.WALLET, name) for name in ("ann", "bob"))
ISSUED = VoucherIssued("5f0c", 2_500, "wallet:ann", 9_000)
BOOK = Book({ANN: 2_500, Account(AccountKind.CASH): -2_500})


def test_a_voucher_takes_money_from_its_source_and_gives_it_to_the_taker() -> None:
    book = BOOK.post([voucher_transfer(ISSUED)])
    assert (book.balance(ANN), book.balance(voucher_account("5f0c"))) == (0, 2_500)
    book = book.post([voucher_transfer(VoucherRedeemed("5f0c", 2_500, "wallet:bob"))])
    assert (book.balance(voucher_account("5f0c")), book.balance(BOB)) == (0, 2_500)


def test_an_expired_voucher_is_set_aside_with_a_reason() -> None:
    expiry = voucher_transfer(VoucherExpired("5f0c", 2_500))
    assert (expiry.credit, expiry.reason) == (UNCLAIMED, Reason.VOUCHER_EXPIRED)


def test_a_voucher_after_each_event() -> None:
    voucher = voucher_after(None, ISSUED, 1_000)
    assert (voucher.state, voucher.issued_ms, voucher.to) == (VoucherState.OPEN, 1_000, None)
    assert [voucher.is_due(at_ms) for at_ms in (8_999, 9_000)] == [False, True]
    used = voucher_after(voucher, VoucherRedeemed("5f0c", 2_500, "wallet:bob"), 2_000)
    assert (used.state, used.ended_ms, used.to) == (VoucherState.REDEEMED, 2_000, "wallet:bob")
    assert voucher_after(voucher, VoucherExpired("5f0c", 2_500), 9_001).state == "expired"
