"""Account commands for an operator at the machine, with or without a running server: setting a
password, and removing a lost second factor.
"""

import asyncio

from openfelt.runtime.causes import acting_as, operator
from openfelt.runtime.clock import SystemClock
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.accounts import Accounts, Decided
from openfelt.server.accounts.events import AccountRole, SessionEnded
from openfelt.server.accounts.names import GUEST_PREFIX, check_account_name
from openfelt.server.accounts.second_factors import OPERATOR, reset
from openfelt.server.accounts.sign_in import new_account, password_events
from openfelt.server.credentials.password_rules import check_password
from openfelt.server.credentials.passwords import Passwords
from openfelt.server.tables.starter_floor import SUPERVISOR
from openfelt.storage.addresses import open_store


def set_password(database: str, name: str, password: str) -> bool:
    """Set an account's password; True if this opened a new supervisor's account.

    A new account is opened only if the house has no supervisor yet. The account's sessions end,
    because a password is often changed after it was stolen. Raises Denied, StoreError, and
    LookupError if there is no such account.
    """
    if name != SUPERVISOR:
        check_account_name(name)
    check_password(password, name=name, staff=False)
    store = open_store(database)
    try:
        with acting_as(operator()):
            return _set(Accounts(store, SystemClock()), name, password)
    finally:
        store.close()


def _set(accounts: Accounts, name: str, password: str) -> bool:
    account = accounts.get(name)
    hashed = _hashed(password, name, staff=account is None or account.staff)
    if account is None:
        if _has_supervisor(accounts):
            raise LookupError(f"There is no account called {name}.")
        accounts.change(name, new_account(name, AccountRole.SUPERVISOR, by=None, hashed=hashed))
        return True
    accounts.change(name, lambda account: _changed(account, hashed))
    return False


def reset_second_factor(database: str, name: str) -> None:
    """Remove an account's codes and passkeys and end its sessions; its owner sets up new ones.

    Raises Denied and StoreError.
    """
    store = open_store(database)
    try:
        accounts = Accounts(store, SystemClock())
        with acting_as(operator()):
            accounts.change(name, reset(by=OPERATOR))
    finally:
        store.close()


def _changed(account: Account | None, hashed: str) -> Decided:
    assert account is not None
    events, secrets = password_events(account.password_number + 1, hashed)
    ended = tuple(SessionEnded(session, "another password") for session in account.sessions)
    return (*events, *ended), secrets


def _has_supervisor(accounts: Accounts) -> bool:
    names = (name for name in accounts.names() if not name.startswith(GUEST_PREFIX))
    return any(
        account is not None and account.role is AccountRole.SUPERVISOR
        for account in map(accounts.get, names)
    )


def _hashed(password: str, name: str, *, staff: bool) -> str:
    passwords = Passwords()
    try:
        return asyncio.run(passwords.new_hash(password, name=name, staff=staff))
    finally:
        passwords.close()
