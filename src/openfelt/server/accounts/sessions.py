"""Sessions: opening, finding, renewing and ending them; the settings say how long they last."""

import asyncio
import contextlib
import hmac
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from openfelt.runtime.clock import Clock
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.accounts import Accounts, Decided
from openfelt.server.accounts.events import (
    AccountRole,
    SessionEnded,
    SessionOpened,
    SessionRenewed,
)
from openfelt.server.accounts.tokens import new_token, token_hash, token_name

RENEWALS: Final = 6
"""How often a session in use is renewed in its record during its idle time."""
SEEN_MAX: Final = 100_000


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A valid session."""

    account: Account
    session: str
    """The hash of its token."""

    @property
    def table(self) -> str | None:
        """The one table for which a session by PIN is good, None for a session by password."""
        return self.account.sessions[self.session].table

    @property
    def terminal(self) -> str:
        """The id of the enrolled device that a session by PIN belongs to."""
        return self.account.sessions[self.session].terminal


class Sessions:
    """The sessions of all accounts. An account has at most one, the newest."""

    def __init__(self, accounts: Accounts, clock: Clock, *, staff_ms: int) -> None:
        """Sessions of staff end after ``staff_ms``, however active they are."""
        self._staff_ms = staff_ms
        self._accounts = accounts
        self._clock = clock
        self._seen: OrderedDict[str, int] = OrderedDict()
        """When each session was last used, where that is later than in its record."""
        self._staff_seen: dict[str, tuple[AccountRole, int]] = {}
        """The role of each member of staff, and when a session of theirs was last used here."""
        self._watchers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        """Events to set when a session of an account may have ended, by account."""

    async def open(
        self,
        name: str,
        *,
        idle_ms: int,
        since_ms: int | None = None,
        table: str | None = None,
        terminal: str = "",
    ) -> str:
        """Open a session of an account and return its token; an earlier session ends.

        A session that replaces another keeps its age, given as ``since_ms``. With a ``table``, the
        session is valid for that table and this terminal only.
        """
        token = new_token(name)
        opened = SessionOpened(token_hash(token), idle_ms, since_ms, table, terminal)

        def decide(account: Account | None) -> Decided:
            ended = tuple(
                SessionEnded(session, "signed in elsewhere") for session in _sessions(account)
            )
            return (*ended, opened), ()

        await asyncio.to_thread(self._accounts.change, name, decide)
        self.wake(name)
        return token

    async def find(self, token: str, *, use: bool = True) -> SignedIn | None:
        """The valid session of a token, or None; ``use`` keeps it alive."""
        name = token_name(token)
        if name is None:
            return None
        account = self._accounts.remembered(name)
        if account is None:
            account = await asyncio.to_thread(self._accounts.get, name)
        wanted = token_hash(token)
        matching = [
            session for session in _sessions(account) if hmac.compare_digest(session, wanted)
        ]
        if account is None or not matching or account.barred is not None:
            return None
        signed_in = SignedIn(account, matching[0])
        why = self._expired(signed_in)
        if why is not None:
            await self.end(signed_in, why)
            return None
        if use:
            await self.use(signed_in)
        return signed_in

    async def use(self, signed_in: SignedIn) -> None:
        """Note that a session is in use, and renew it in its record when that is due."""
        now_ms = self._clock.wall_ms()
        self._seen.pop(signed_in.session, None)
        self._seen[signed_in.session] = now_ms
        while len(self._seen) > SEEN_MAX:
            self._seen.popitem(last=False)
        if signed_in.account.staff and not signed_in.account.guest:
            self._staff_seen[signed_in.account.name] = (signed_in.account.role, now_ms)
        session = signed_in.account.sessions[signed_in.session]
        if now_ms - session.seen_ms > session.idle_ms // RENEWALS:
            await asyncio.to_thread(self._renew, signed_in)

    def staff_seen(self, role: AccountRole, *, within_ms: int) -> list[str]:
        """The members of staff of a role whose sessions were in use here so recently, by name."""
        since_ms = self._clock.wall_ms() - within_ms
        seen = self._staff_seen.items()
        return sorted(name for name, (of, at_ms) in seen if of is role and at_ms >= since_ms)

    async def end(self, signed_in: SignedIn, why: str) -> None:
        """End one session."""
        await self.end_all(signed_in.account.name, why, only=signed_in.session)

    async def end_all(self, name: str, why: str, *, only: str | None = None) -> None:
        """End all sessions of an account, or only one."""

        def decide(account: Account | None) -> Decided:
            sessions = [session for session in _sessions(account) if only in (None, session)]
            return tuple(SessionEnded(session, why) for session in sessions), ()

        await asyncio.to_thread(self._accounts.change, name, decide)
        self._staff_seen.pop(name, None)
        self.wake(name)

    # Watching --------------------------------------------------------------------------------

    @contextlib.contextmanager
    def watched(self, name: str) -> Iterator[asyncio.Event]:
        """An event that is set when a session of the account may have ended in this process.

        Another process may end one as well, so the watcher also has to check periodically.
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
        """Make the watchers of an account's sessions check again."""
        for changed in self._watchers.get(name, ()):
            changed.set()

    def wake_all(self) -> None:
        """Make all watchers check again."""
        for name in tuple(self._watchers):
            self.wake(name)

    def age_ms(self, signed_in: SignedIn) -> int:
        """How long ago the owner of a session signed in."""
        session = signed_in.account.sessions[signed_in.session]
        return max(0, self._clock.wall_ms() - session.opened_ms)

    def left_ms(self, signed_in: SignedIn) -> int | None:
        """How long a session may still last, None for no limit."""
        if not signed_in.account.staff:
            return None
        return max(0, self._staff_ms - self.age_ms(signed_in))

    def _expired(self, signed_in: SignedIn) -> str | None:
        """Why a session is over, None if it is not."""
        if self._idle_ms(signed_in) > signed_in.account.sessions[signed_in.session].idle_ms:
            return "idle"
        return "too long" if self.left_ms(signed_in) == 0 else None

    def _idle_ms(self, signed_in: SignedIn) -> int:
        session = signed_in.account.sessions[signed_in.session]
        seen_ms = max(session.seen_ms, self._seen.get(signed_in.session, 0))
        return max(0, self._clock.wall_ms() - seen_ms)

    def _renew(self, signed_in: SignedIn) -> None:
        def decide(account: Account | None) -> Decided:
            is_open = signed_in.session in _sessions(account)
            return (SessionRenewed(signed_in.session),) if is_open else (), ()

        self._accounts.change(signed_in.account.name, decide)


def _sessions(account: Account | None) -> tuple[str, ...]:
    return tuple(account.sessions) if account is not None else ()
