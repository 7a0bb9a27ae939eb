"""Accounts: their record, what follows from it, and two processes that write to it."""

import re
from collections.abc import Sequence

import pytest

from openfelt.rules.refusal import Refusal
from openfelt.server.accounts import account_state as account_module
from openfelt.server.accounts import accounts as accounts_module
from openfelt.server.accounts.account_state import KNOWN_DEVICES_MAX, Account, apply_account
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.events import (
    ACCOUNT_FORMS,
    AccountAdmitted,
    AccountBarred,
    AccountOpened,
    AccountRole,
    AccountUnlocked,
    CodeUsed,
    DeviceRemembered,
    GuestStayed,
    PasswordExpired,
    PasswordSet,
    PasswordState,
    PublicNameGiven,
    RecoveryCodeUsed,
    RoleGiven,
    SecondFactorRemoved,
    SecondFactorSet,
    SessionEnded,
    SessionOpened,
    SessionRenewed,
    SignInFailed,
    secret_digest,
)
from openfelt.storage.codec import Codec, CodecError
from openfelt.storage.door import NewSecret
from openfelt.storage.event_forms import EVENT_FORMS, EventCodec
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.commands import Person, Role
from tests.kit.floors import StandingClock

OPENED = AccountOpened(name="ann", role=AccountRole.PLAYER)
GUEST = AccountOpened(name="guest-1", role=AccountRole.PLAYER, guest=True)


def opened(*events: object) -> Account:
    account = apply_account(None, OPENED, 1000)
    for number, event in enumerate(events, start=2):
        account = apply_account(account, event, number * 1000)  # type: ignore[arg-type]
    return account


def test_what_follows_from_each_event() -> None:
    assert opened().role is AccountRole.PLAYER
    assert opened().opened_ms == 1000
    temporary = PasswordSet(1, PasswordState.TEMPORARY)
    assert opened(temporary).password_state is PasswordState.TEMPORARY
    assert opened(temporary, PasswordSet(2)).password_state is PasswordState.OWN
    assert opened(PasswordSet(1), PasswordExpired()).password_state is PasswordState.TEMPORARY
    assert opened(RoleGiven(AccountRole.DEALER, "eve")).role is AccountRole.DEALER
    assert opened(SignInFailed(), SignInFailed()).failures == 2
    assert opened(SignInFailed(), AccountUnlocked("eve")).failures == 0
    assert opened(SignInFailed(), PasswordSet(2)).failures == 0
    assert opened(SignInFailed(), SessionOpened("s", 9)).failures == 0
    assert opened(AccountBarred("eve", "asked for it")).barred == "asked for it"
    assert opened(AccountBarred("eve", "asked"), AccountAdmitted("eve")).barred is None


def test_a_public_name_does_not_tell_the_name_of_the_account() -> None:
    dealer = RoleGiven(AccountRole.DEALER, "eve")
    assert re.fullmatch(r"Dealer \d{4}", opened(dealer).public_name)
    assert opened(dealer, PublicNameGiven("Dora", "eve")).public_name == "Dora"


def test_devices_are_known_until_the_password_changes() -> None:
    many = [DeviceRemembered(f"d{number}") for number in range(KNOWN_DEVICES_MAX + 1)]
    assert opened(*many).known_devices[0] == "d1"
    assert len(opened(*many).known_devices) == KNOWN_DEVICES_MAX
    assert opened(*many, PasswordSet(2)).known_devices == ()


def test_a_second_factor_is_set_used_and_removed() -> None:
    assert opened(SecondFactorSet(1)).second_factor == 1
    assert opened(SecondFactorSet(1), CodeUsed(7), CodeUsed(5)).code_step == 7
    assert opened(SecondFactorSet(1), RecoveryCodeUsed("h")).recovery_used == {"h"}
    removed = opened(SecondFactorSet(1), RecoveryCodeUsed("h"), SecondFactorRemoved("eve"))
    assert (removed.second_factor, removed.second_factors) == (0, 1)


def test_the_first_version_of_a_password_event_is_read() -> None:
    codec = EventCodec(Codec(lambda _: None), ACCOUNT_FORMS)
    known = codec.decode_body("account_password_set", 1, '{"number": 1, "default": true}')
    assert known == PasswordSet(1, PasswordState.WELL_KNOWN)
    own = codec.decode_body("account_password_set", 1, '{"number": 2, "default": false}')
    assert own == PasswordSet(2, PasswordState.OWN)


def test_sessions_are_opened_renewed_and_ended() -> None:
    assert opened(SessionOpened("s", 9)).sessions["s"].seen_ms == 2000
    assert opened(SessionOpened("s", 9), SessionRenewed("s")).sessions["s"].seen_ms == 3000
    assert not opened(SessionOpened("s", 9), SessionEnded("s", "signed out")).sessions
    assert not opened(SessionOpened("s", 9), AccountBarred("eve", "cheats")).sessions
    assert not opened(SessionRenewed("unknown"), SessionEnded("unknown", "why")).sessions


def test_an_old_failure_is_forgotten() -> None:
    account = opened(SignInFailed(), SignInFailed())
    later = account.failed_ms + account_module.FAILURES_FORGOTTEN_MS + 1
    assert apply_account(account, SignInFailed(), later).failures == 1


def test_roles_at_a_table() -> None:
    def role(given: AccountRole) -> Role | None:
        person = opened(RoleGiven(given, "eve")).person
        return person.role if person else None

    assert role(AccountRole.PLAYER) is Role.PLAYER
    assert role(AccountRole.DEALER) is Role.DEALER
    assert role(AccountRole.SUPERVISOR) is Role.FLOOR
    assert role(AccountRole.AUDITOR) is Role.AUDITOR
    assert role(AccountRole.CASHIER) is None


def test_a_record_begins_with_its_opening() -> None:
    with pytest.raises(CodecError):
        apply_account(None, SignInFailed(), 0)


def test_names_of_events_are_in_no_other_list() -> None:
    assert not ACCOUNT_FORMS.keys() & EVENT_FORMS.keys()


def test_an_account_is_read_again_by_another_process(store: SqliteStore) -> None:
    first, other = (Accounts(store, StandingClock()) for _ in range(2))
    assert other.get("ann") is None
    first.change(
        "ann",
        lambda _: (
            (OPENED, PasswordSet(1, digest=secret_digest("h"))),
            (NewSecret(name="password/1", body="h"),),
        ),
    )
    account = other.get("ann")
    assert account is not None
    assert (account.name, account.password_number) == ("ann", 1)
    assert other.password_hash(account) == "h"
    first.change("ann", lambda _: ((RoleGiven(AccountRole.DEALER, "eve"),), ()))
    fresh = other.get("ann", fresh=True)
    assert fresh is not None
    assert fresh.role is AccountRole.DEALER
    assert other.names() == ["ann"]


def test_the_slower_process_decides_again(store: SqliteStore) -> None:
    first, other = (Accounts(store, StandingClock()) for _ in range(2))
    first.change("ann", lambda _: ((OPENED,), ()))
    seen: list[int] = []

    def decide(account: Account | None) -> accounts_module.Decided:
        assert account is not None
        seen.append(account.failures)
        if len(seen) == 1:
            other.change("ann", lambda _: ((SignInFailed(),), ()))
        return (SignInFailed(),), ()

    account = first.change("ann", decide)
    assert seen == [0, 1]
    assert account is not None
    assert account.failures == 2


def test_attempts_are_limited(store: SqliteStore) -> None:
    first, other = (Accounts(store, StandingClock()) for _ in range(2))
    first.change("ann", lambda _: ((OPENED,), ()))

    def meddle(_: Account | None) -> accounts_module.Decided:
        other.change("ann", lambda _: ((SignInFailed(),), ()))
        return (SignInFailed(),), ()

    with pytest.raises(Refusal, match="busy"):
        first.change("ann", meddle)


def test_a_long_record_has_a_snapshot(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts_module, "SNAPSHOT_EVERY", 10)
    first = Accounts(store, StandingClock())
    first.change("ann", lambda _: ((OPENED, SessionOpened("s", 9)), ()))
    for _ in range(25):
        first.change("ann", lambda _: ((SessionRenewed("s"),), ()))
    snapshot = store.snapshot("account/ann")
    assert snapshot is not None
    assert snapshot.version == 20
    assert Accounts(store, StandingClock()).get("ann") == first.get("ann")


def test_an_account_read_from_its_snapshot_misses_no_event_and_takes_none_twice(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every event counts here, also the one right after the snapshot."""
    monkeypatch.setattr(accounts_module, "SNAPSHOT_EVERY", 10)
    first = Accounts(store, StandingClock())
    first.change("ann", lambda _: ((OPENED,), ()))
    for failures in range(1, 35):
        first.change("ann", lambda _: ((SignInFailed(),), ()))
        account = Accounts(store, StandingClock()).get("ann")
        assert account is not None
        assert account.failures == failures


def test_names_without_an_account_take_no_memory(store: SqliteStore) -> None:
    first = Accounts(store, StandingClock())
    for number in range(50):
        assert first.get(f"nobody-{number}") is None
    assert not first._cache


def test_accounts_that_change_together_change_both_or_not_at_all(store: SqliteStore) -> None:
    first, other = (Accounts(store, StandingClock()) for _ in range(2))
    first.change("guest-1", lambda _: ((GUEST,), ()))
    asked = 0

    def decide(
        account: Sequence[Account | None],
    ) -> tuple[accounts_module.Decided, accounts_module.Decided]:
        nonlocal asked
        asked += 1
        if asked == 1:
            other.change("guest-1", lambda _: ((SessionOpened("s", 9),), ()))
        assert account[0] is None
        opened_as = AccountOpened(name="ann", role=AccountRole.PLAYER, plays_as="guest-1")
        return ((opened_as,), ()), ((GuestStayed("ann"),), ())

    ann, guest = first.change_together(("ann", "guest-1"), decide)
    assert asked == 2
    assert ann is not None
    assert guest is not None
    assert (ann.player, guest.stayed_as, dict(guest.sessions)) == ("guest-1", "ann", {})
    assert [other.get(name, fresh=True) for name in ("ann", "guest-1")] == [ann, guest]


def test_a_former_guest_plays_under_the_guest_name_and_works_under_the_account_name() -> None:
    ann = apply_account(
        None, AccountOpened(name="ann", role=AccountRole.PLAYER, plays_as="guest-1"), 1000
    )
    assert ann.person == Person(Role.PLAYER, "guest-1")
    dealer = apply_account(ann, RoleGiven(AccountRole.DEALER, "eve"), 2000)
    assert dealer.person == Person(Role.DEALER, "ann")
