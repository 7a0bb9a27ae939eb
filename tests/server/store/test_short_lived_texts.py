"""Approvals, challenges and reused scans that several processes share, and forged notes."""

from pathlib import Path

import pyotp
import pytest

from openfelt.rules.refusal import Refusal
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.events import AccountOpened, AccountRole
from openfelt.server.accounts.second_factors import SecondFactors
from openfelt.server.credentials.challenges import ChallengeKey, Purpose, SharedChallenges
from openfelt.server.errors import Denied
from openfelt.server.pit.approvals import APPROVAL_MS, Act, Approvals
from openfelt.server.pit.reused_scans import ReusedScans
from openfelt.server.store.short_lived_texts import CLOCKS_DIFFER_MS, StoredTexts
from openfelt.storage.door import Unavailable
from openfelt.storage.keyring import Keyring
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.commands import Person, Role
from tests.kit.floors import StandingClock

KEYS = Keyring(Path("/nowhere"), content=f"00000001:{'ab' * 32}")
OTHER_KEYS = Keyring(Path("/nowhere"), content=f"00000001:{'cd' * 32}")
EVE = Person(Role.FLOOR, "eve")
VOID = Act("void_round", "live-1", "device:1", 7)
A, B = ("dora", "a"), ("dora", "b")
CLOCK = StandingClock()
ANN = ChallengeKey(Purpose.SIGN_IN, "ann", "ticket")


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "felt.db")


def approvals(
    store: SqliteStore, keys: Keyring = KEYS, clock: StandingClock | None = None
) -> Approvals:
    """The approvals as one process sees them."""
    return Approvals(CLOCK, notes=StoredTexts(store, keys, clock or CLOCK))


async def test_an_approval_counts_at_every_gateway_and_once(store: SqliteStore) -> None:
    east, west = approvals(store), approvals(store)
    token = await east.give(VOID, EVE)
    assert await west.approved_by(token, VOID, command=A) == EVE
    with pytest.raises(Refusal, match="has been used"):
        await east.approved_by(token, VOID, command=B)
    await west.answered(token, command=A, accepted=False)
    assert await east.approved_by(token, VOID, command=B) == EVE
    await east.answered(token, command=B, accepted=True)
    with pytest.raises(Refusal):
        await west.approved_by(token, VOID, command=A)


async def test_of_two_commands_at_the_same_time_one_is_approved(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    east, west = approvals(store), approvals(store)
    token = await east.give(VOID, EVE)
    swap = store.swap_note
    raced: list[str] = []

    def after_the_other(kind: str, name: str, *, before: str, after: str) -> bool:
        if not raced:
            raced.append(name)
            fresh = StoredTexts(store, KEYS, CLOCK)
            note = fresh._opened(kind, name, before)
            assert note is not None
            text = note.text.replace('"command":null', '"command":["dora","b"]')
            assert text != note.text
            used = note._replace(text=text)
            assert swap(kind, name, before=before, after=fresh._sealed(kind, name, used))
        return swap(kind, name, before=before, after=after)

    monkeypatch.setattr(store, "swap_note", after_the_other)
    with pytest.raises(Refusal, match="has been used"):
        await west.use(token, VOID, command=A)
    assert await east.use(token, VOID, command=B) == EVE


async def test_a_row_that_the_house_has_not_sealed_approves_nothing(store: SqliteStore) -> None:
    token = await approvals(store, OTHER_KEYS).give(VOID, EVE)
    with pytest.raises(Refusal, match="does not exist"):
        await approvals(store).use(token, VOID, command=A)
    # A row that is moved to the name of another approval.
    first, second = [await approvals(store).give(VOID, EVE) for _ in range(2)]
    store._write("UPDATE notes SET body = (SELECT max(body) FROM notes)", ())
    used = 0
    for token in (first, second):
        try:
            await approvals(store).use(token, VOID, command=A)
            used += 1
        except Refusal:
            pass
    assert used <= 1


async def test_an_approval_that_cannot_be_read_is_refused(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    given = approvals(store)
    token = await given.give(VOID, EVE)

    def away(*_: object) -> None:
        raise Unavailable("The database is away.")

    monkeypatch.setattr(store, "note", away)
    with pytest.raises(Refusal, match="cannot be checked"):
        await given.approved_by(token, VOID, command=A)
    await given.answered(token, command=A, accepted=False)
    assert "cannot be noted" in caplog.text


async def test_a_challenge_is_answered_at_any_gateway_and_once(store: SqliteStore) -> None:
    east, west = (SharedChallenges(StoredTexts(store, KEYS, CLOCK)) for _ in range(2))
    value = await east.new(ANN)
    assert await west.is_open(ANN)
    assert await west.take(ChallengeKey(Purpose.OWNER, "ann", "ticket")) is None
    assert await west.take(ANN) == value
    assert await east.take(ANN) is None
    assert not await east.is_open(ANN)


async def test_a_reused_scan_is_refused_at_every_gateway(store: SqliteStore) -> None:
    east, west = (ReusedScans(StoredTexts(store, KEYS, CLOCK)) for _ in range(2))
    await east.add("reader", "7")
    assert await west.has("reader", "7")
    assert not await west.has("reader", "8")


async def test_codes_are_set_up_at_any_gateway(store: SqliteStore) -> None:
    accounts = Accounts(store, CLOCK)
    opened = AccountOpened(name="eve", role=AccountRole.SUPERVISOR)
    accounts.change("eve", lambda _: ((opened,), ()))
    east, west = (
        SecondFactors(accounts, CLOCK, notes=StoredTexts(store, KEYS, CLOCK)) for _ in range(2)
    )
    secret = await east.begin("session")
    ((row,),) = store._read("SELECT body FROM notes", ())
    assert secret not in str(row)
    code = pyotp.TOTP(secret).at(CLOCK.wall_ms() // 1000)
    with pytest.raises(Denied, match="Start the setup again"):
        await west.confirm("eve", "another session", code)
    assert len(await west.confirm("eve", "session", code)) == 10
    with pytest.raises(Denied, match="Start the setup again"):
        await east.confirm("eve", "session", code)


async def test_an_approval_that_is_put_back_later_approves_nothing(store: SqliteStore) -> None:
    """Who may write to the database keeps the row, and gives it another time."""
    clock = StandingClock()
    house = approvals(store, clock=clock)
    take_over = Act("change_dealer", "live-1", "device:1", None)
    token = await house.give(take_over, EVE)
    ((kept,),) = store._read("SELECT body FROM notes", ())
    assert await house.use(token, take_over, command=A) == EVE
    clock.pass_ms(APPROVAL_MS + CLOCKS_DIFFER_MS + 1)
    store._write("UPDATE notes SET body = ?, until_ms = ?", (kept, 2**60))
    with pytest.raises(Refusal, match="does not exist"):
        await house.use(token, take_over, command=B)
