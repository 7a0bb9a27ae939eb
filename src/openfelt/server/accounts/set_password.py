"""Setting a password from the command line, whether a server runs or not."""

import asyncio

from openfelt.runtime.clock import SystemClock
from openfelt.server.accounts.accounts import Account, Accounts, Decided
from openfelt.server.accounts.events import AccountRole, SessionEnded
from openfelt.server.accounts.passwords import Passwords, check_password
from openfelt.server.accounts.sign_in import check_account_name, opening, password_events
from openfelt.server.process.starter_floor import SUPERVISOR
from openfelt.storage.opening import open_store


def set_password(database: str, name: str, password: str) -> bool:
    """Set an account's password; True where the account is a new supervisor's.

    A new account is opened only where the house has no supervisor yet. Whoever was signed in
    is out: a password is often changed because somebody else has it. Raises Denied,
    StoreError, and LookupError where there is no such account.
    """
    if name != SUPERVISOR:
        check_account_name(name)
    check_password(password, name=name)
    store = open_store(database)
    try:
        accounts = Accounts(store, SystemClock())
        hashed = _hashed(password)
        account = accounts.get(name)
        if account is None:
            if _has_supervisor(accounts):
                raise LookupError(f"There is no account called {name}.")
            accounts.change(name, opening(name, AccountRole.SUPERVISOR, by=None, hashed=hashed))
            return True
        accounts.change(name, lambda one: _changed(one, hashed))
        return False
    finally:
        store.close()


def _changed(account: Account | None, hashed: str) -> Decided:
    assert account is not None
    events, kept = password_events(account.password_number + 1, hashed, default=False)
    ended = tuple(SessionEnded(session, "another password") for session in account.sessions)
    return (*events, *ended), kept


def _has_supervisor(accounts: Accounts) -> bool:
    found = (accounts.get(name) for name in accounts.names() if not name.startswith("guest-"))
    return any(one is not None and one.role is AccountRole.SUPERVISOR for one in found)


def _hashed(password: str) -> str:
    passwords = Passwords()
    try:
        return asyncio.run(passwords.hash(password))
    finally:
        passwords.close()
