"""The accounts of the ledger by name, including the name that a player signed up with."""

from dataclasses import replace
from typing import TYPE_CHECKING

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from openfelt.ledger import Account
    from openfelt.storage.door import Store


def find_account(store: "Store", name: str) -> "Account":
    """The account of this name; raises Complaint for a name under which no money ever moved.

    A guest who signs up keeps the wallet and the credit of the guest, which are found under the
    new name too.
    """
    from openfelt.ledger import Account, AccountKind

    try:
        account = Account.parse(name.strip())
    except ValueError as error:
        raise Complaint(
            f"{name!r} is not an account. Accounts are named cash, wallet:ann, house:TABLE, "
            "credit:TABLE/PLAYER, wagers:TABLE/ROUND, meter:LINK and so on.",
            ExitCode.WRONG_INPUT,
        ) from error
    if account.kind is AccountKind.CASH or _has_moved(store, account):
        return account
    if account.kind is AccountKind.WALLET:
        table, slash, player = "", "", account.owner
    else:
        table, slash, player = account.owner.rpartition("/")
    if account.kind in (AccountKind.WALLET, AccountKind.CREDIT):
        plays_as = _plays_as(store, player)
        if plays_as is not None:
            account = replace(account, owner=f"{table}{slash}{plays_as}")
            if account.kind is AccountKind.WALLET or _has_moved(store, account):
                return account
    raise Complaint(
        f"There is no account {name.strip()}: no money has ever moved on it.", ExitCode.WRONG_INPUT
    )


def _has_moved(store: "Store", account: "Account") -> bool:
    archive = store.archive(with_state=False)
    if archive is not None and archive.balances.get(str(account), 0):
        return True
    return next(iter(store.transfers(account=account)), None) is not None


def _plays_as(store: "Store", name: str) -> str | None:
    """The name under which the owner of an account plays, None if there is no such account."""
    from openfelt.runtime.clock import SystemClock
    from openfelt.server.accounts.accounts import Accounts

    account = Accounts(store, SystemClock()).get(name) if name else None
    return None if account is None else account.player
