"""Sessions: opened, used, idle, ended, and kept over a restart."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.events import (
    AccountBarred,
    AccountOpened,
    AccountRole,
    RoleGiven,
)
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.accounts.tokens import token_hash
from openfelt.storage.sqlite import SqliteStore
from tests.kit.floors import StandingClock

IDLE_MS = 30 * 60_000
STAFF_MS = 12 * 3_600_000


class Desk:
    """Accounts and sessions on a file."""

    def __init__(self, store: SqliteStore, clock: StandingClock) -> None:
        self.store = store
        self.clock = clock
        self.accounts = Accounts(store, clock)
        self.sessions = Sessions(self.accounts, clock, staff_ms=STAFF_MS)

    def again(self) -> "Desk":
        """The same file after a restart."""
        return Desk(self.store, self.clock)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk with one account."""
    with closing(SqliteStore(tmp_path / "felt.db")) as store:
        desk = Desk(store, StandingClock())
        opened = AccountOpened(name="ann", role=AccountRole.PLAYER)
        desk.accounts.change("ann", lambda _: ((opened,), ()))
        yield desk


async def test_a_token_finds_its_account_and_nothing_else_does(desk: Desk) -> None:
    token = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    signed_in = await desk.sessions.find(token)
    assert signed_in is not None
    assert signed_in.account.name == "ann"
    for wrong in (token[:-1], token + "x", f"ann.{'A' * 43}", "ann", "", ".", "x" * 500):
        assert await desk.sessions.find(wrong) is None
    assert await desk.sessions.find(token.replace("ann", "bob")) is None


async def test_only_the_hash_of_a_token_is_kept(desk: Desk) -> None:
    token = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    bodies = [stored.body for stored in desk.store.events("account/ann")]
    assert any(token_hash(token) in body for body in bodies)
    assert not any(token.partition(".")[2] in body for body in bodies)
    assert desk.store.secrets("account/ann") == {}


async def test_a_new_session_ends_the_one_before(desk: Desk) -> None:
    first = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    second = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    assert await desk.sessions.find(first) is None
    assert await desk.sessions.find(second) is not None


async def test_a_session_ends_when_it_is_idle(desk: Desk) -> None:
    token = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    for _ in range(10):
        desk.clock.pass_ms(IDLE_MS - 1)
        assert await desk.sessions.find(token) is not None
    desk.clock.pass_ms(IDLE_MS - 1)
    assert await desk.sessions.find(token, use=False) is not None
    desk.clock.pass_ms(2)
    assert await desk.sessions.find(token) is None
    assert desk.store.head("account/ann").version > 2


async def test_a_restart_ends_no_session(desk: Desk) -> None:
    token = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    for _ in range(12):
        desk.clock.pass_ms(IDLE_MS // 6)
        assert await desk.sessions.find(token) is not None
    again = desk.again()
    assert await again.sessions.find(token) is not None
    again.clock.pass_ms(IDLE_MS * 5 // 6 - 1)
    assert await again.sessions.find(token) is not None


async def test_using_a_session_seldom_writes(desk: Desk) -> None:
    token = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    before = desk.store.head("account/ann").version
    for _ in range(100):
        assert await desk.sessions.find(token) is not None
        desk.clock.pass_ms(1000)
    assert desk.store.head("account/ann").version == before


async def test_ended_and_barred_sessions_open_nothing(desk: Desk) -> None:
    token = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    signed_in = await desk.sessions.find(token)
    assert signed_in is not None
    await desk.sessions.end(signed_in, "signed out")
    assert await desk.sessions.find(token) is None
    token = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    await desk.sessions.end_all("ann", "by a supervisor")
    assert await desk.sessions.find(token) is None
    token = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    desk.accounts.change("ann", lambda _: ((AccountBarred("eve", "cheats"),), ()))
    assert await desk.sessions.find(token) is None


@pytest.mark.parametrize("role", [AccountRole.DEALER, AccountRole.SUPERVISOR, AccountRole.AUDITOR])
async def test_a_session_of_staff_ends_after_its_time_however_active_it_is(
    desk: Desk, role: AccountRole
) -> None:
    player = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    for _ in range(60):
        desk.clock.pass_ms(STAFF_MS // 24)
        assert await desk.sessions.find(player) is not None
    desk.accounts.change("ann", lambda _: ((RoleGiven(role, "eve"),), ()))
    token = await desk.sessions.open("ann", idle_ms=IDLE_MS)
    for _ in range(23):
        desk.clock.pass_ms(STAFF_MS // 24)
        assert await desk.sessions.find(token) is not None
    desk.clock.pass_ms(STAFF_MS // 24)
    assert await desk.again().sessions.find(token) is None
    assert await desk.sessions.find(token) is None
