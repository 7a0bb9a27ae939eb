"""Sessions: who has signed in, for how long, and the one place where that ends."""

import asyncio
import contextlib
import hmac
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from openfelt.runtime.clock import Clock
from openfelt.server.accounts.accounts import Account, Accounts, Decided
from openfelt.server.accounts.events import SessionEnded, SessionOpened, SessionRenewed
from openfelt.server.accounts.tokens import new_token, token_hash, token_name

RENEWALS: Final = 6
"""A session in use is noted so often within its idle time, so that a restart does not end it."""
SEEN_MAX: Final = 100_000


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session that holds."""

    account: Account
    session: str
    """The hash of its token."""


class Sessions:
    """The sessions of all accounts. An account has one at a time: the newest."""

    def __init__(self, accounts: Accounts, clock: Clock) -> None:
        self._accounts = accounts
        self._clock = clock
        self._seen: OrderedDict[str, int] = OrderedDict()
        """When each session was last used, where that is later than its record says."""
        self._watchers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        """By account: who wants to look again when something has changed."""

    async def open(self, name: str, *, idle_ms: int) -> str:
        """Sign an account in and give its token; whoever was signed in before is out."""
        token = new_token(name)
        opened = SessionOpened(token_hash(token), idle_ms)

        def decide(account: Account | None) -> Decided:
            ended = tuple(SessionEnded(one, "signed in elsewhere") for one in _sessions(account))
            return (*ended, opened), ()

        await asyncio.to_thread(self._accounts.change, name, decide)
        self.wake(name)
        return token

    async def find(self, token: str, *, use: bool = True) -> SignedIn | None:
        """Whose session a token opens, None where it opens none; using it keeps it alive."""
        name = token_name(token)
        if name is None:
            return None
        account = await asyncio.to_thread(self._accounts.get, name)
        wanted = token_hash(token)
        matching = [one for one in _sessions(account) if hmac.compare_digest(one, wanted)]
        if account is None or not matching or account.barred is not None:
            return None
        found = SignedIn(account, matching[0])
        if self._idle_ms(found) > account.sessions[found.session].idle_ms:
            await self.end(found, "idle")
            return None
        if use:
            await self.use(found)
        return found

    async def use(self, signed_in: SignedIn) -> None:
        """Note that a session is in use, at times in its record too."""
        now_ms = self._clock.wall_ms()
        self._seen.pop(signed_in.session, None)
        self._seen[signed_in.session] = now_ms
        while len(self._seen) > SEEN_MAX:
            self._seen.popitem(last=False)
        kept = signed_in.account.sessions[signed_in.session]
        if now_ms - kept.seen_ms > kept.idle_ms // RENEWALS:
            await asyncio.to_thread(self._renew, signed_in)

    async def end(self, signed_in: SignedIn, why: str) -> None:
        """End one session."""
        await self.end_all(signed_in.account.name, why, only=signed_in.session)

    async def end_all(self, name: str, why: str, *, only: str | None = None) -> None:
        """End the sessions of an account, or one of them."""

        def decide(account: Account | None) -> Decided:
            ending = [one for one in _sessions(account) if only in (None, one)]
            return tuple(SessionEnded(one, why) for one in ending), ()

        await asyncio.to_thread(self._accounts.change, name, decide)
        self.wake(name)

    # Watching --------------------------------------------------------------------------------

    @contextlib.contextmanager
    def watched(self, name: str) -> Iterator[asyncio.Event]:
        """An event that is set when a session of the account may have ended in this process.

        Another process may end one as well, so whoever watches looks now and then anyway.
        """
        changed = asyncio.Event()
        self._watchers[name].add(changed)
        try:
            yield changed
        finally:
            self._watchers[name].discard(changed)
            if not self._watchers[name]:
                del self._watchers[name]

    def wake(self, name: str) -> None:
        """Let everybody who watches an account's sessions look again."""
        for changed in self._watchers.get(name, ()):
            changed.set()

    def wake_all(self) -> None:
        """Let everybody look again, because something has changed that is nobody's own."""
        for name in tuple(self._watchers):
            self.wake(name)

    def _idle_ms(self, signed_in: SignedIn) -> int:
        kept = signed_in.account.sessions[signed_in.session]
        seen_ms = max(kept.seen_ms, self._seen.get(signed_in.session, 0))
        return max(0, self._clock.wall_ms() - seen_ms)

    def _renew(self, signed_in: SignedIn) -> None:
        def decide(account: Account | None) -> Decided:
            known = signed_in.session in _sessions(account)
            return (SessionRenewed(signed_in.session),) if known else (), ()

        self._accounts.change(signed_in.account.name, decide)


def _sessions(account: Account | None) -> tuple[str, ...]:
    return tuple(account.sessions) if account is not None else ()
