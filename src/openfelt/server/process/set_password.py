"""Setting a password from the command line, with or without a running server."""

import asyncio

from openfelt.runtime.acting import acting_as, operator
from openfelt.runtime.clock import SystemClock
from openfelt.server.accounts.accounts import Account, Accounts, Decided
from openfelt.server.accounts.events import AccountRole, SessionEnded
from openfelt.server.accounts.passwords import Passwords, check_password
from openfelt.server.accounts.sign_in import (
    GUEST_PREFIX,
    check_account_name,
    new_account,
    password_events,
)
from openfelt.server.tables.starter_floor import SUPERVISOR
from openfelt.storage.opening import open_store


def set_password(database: str, name: str, password: str) -> bool:
    """Set an account's password; True where this opened a new supervisor's account.

    A new account is opened only where the house has no supervisor yet. The account's sessions
    end, for a password is often changed because it was stolen. Raises Denied, StoreError, and
    LookupError where there is no such account.
    """
    if name != SUPERVISOR:
        check_account_name(name)
    check_password(password, name=name)
    store = open_store(database)
    try:
        with acting_as(operator()):
            return _set(Accounts(store, SystemClock()), name, _hashed(password))
    finally:
        store.close()


def _set(accounts: Accounts, name: str, hashed: str) -> bool:
    account = accounts.get(name)
    if account is None:
        if _has_supervisor(accounts):
            raise LookupError(f"There is no account called {name}.")
        accounts.change(name, new_account(name, AccountRole.SUPERVISOR, by=None, hashed=hashed))
        return True
    accounts.change(name, lambda account: _changed(account, hashed))
    return False


def _changed(account: Account | None, hashed: str) -> Decided:
    assert account is not None
    events, secrets = password_events(account.password_number + 1, hashed, default=False)
    ended = tuple(SessionEnded(session, "another password") for session in account.sessions)
    return (*events, *ended), secrets


def _has_supervisor(accounts: Accounts) -> bool:
    names = (name for name in accounts.names() if not name.startswith(GUEST_PREFIX))
    return any(
        account is not None and account.role is AccountRole.SUPERVISOR
        for account in map(accounts.get, names)
    )


def _hashed(password: str) -> str:
    passwords = Passwords()
    try:
        return asyncio.run(passwords.hash(password))
    finally:
        passwords.close()
