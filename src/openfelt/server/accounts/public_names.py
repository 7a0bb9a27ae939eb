"""The names under which players see staff, so that no player learns a name to sign in with."""

import asyncio
from contextlib import suppress
from typing import Final

from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.names import is_account_name
from openfelt.storage.door import StoreError

UNKNOWN: Final = "Dealer"
"""Shown to players if no account has the name, or it has not been read yet."""


class PublicNames:
    """The public names of dealers, kept so that a view can be made without a read."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._names: dict[str, str] = {}

    def shown(self, name: str) -> str:
        """The public name of an account that has been loaded."""
        return self._names.get(name, UNKNOWN)

    async def load(self, name: str) -> None:
        """Read a public name; that of a player is not kept.

        If the store is unavailable, the name stays as it is; rooms read it again every second.
        """
        if not is_account_name(name):
            return
        with suppress(StoreError):
            account = await asyncio.to_thread(self._accounts.get, name)
            if account is not None and account.staff:
                self._names[name] = account.public_name
