"""What happens to a wallet at the edge of the house."""

from openfelt.ledger import Account, AccountKind, Book, Reason, Transfer, trial_balance
from openfelt.ledger.wallet import Deposited, WalletEvent, Withdrawn, wallet_transfer

CASH = Account(AccountKind.CASH)
ANN = Account(AccountKind.WALLET, "ann")


def test_a_deposit_comes_from_the_outside_world() -> None:
    assert wallet_transfer(Deposited("ann", 5000, "card 4242")) == Transfer(
        debit=CASH, credit=ANN, cents=5000, reason=Reason.DEPOSIT, note="card 4242"
    )


def test_a_withdrawal_goes_to_the_outside_world() -> None:
    assert wallet_transfer(Withdrawn("ann", 5000)) == Transfer(
        debit=ANN, credit=CASH, cents=5000, reason=Reason.WITHDRAWAL
    )


def test_what_comes_in_and_goes_out_balances() -> None:
    events: list[WalletEvent] = [
        Deposited("ann", 5000),
        Withdrawn("ann", 2000),
        Deposited("bob", 1),
    ]
    book = Book().post(wallet_transfer(event) for event in events)
    assert book.balance(ANN) == 3000
    assert book.balance(CASH) == -3001
    assert trial_balance(book).balanced
