"""The audit of accounts, enrolled devices, badges, card readers and checks of the program.

The hashes of passwords and PINs and the secrets of second factors are stored outside the record.
Each must match the digest in its event, and none may be missing.
"""

from collections.abc import Mapping
from typing import Final

from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.database import OtherAudits
from openfelt.runtime.audit.progress.progress_state import NotResumable, Saved
from openfelt.runtime.streams import (
    BADGES_STREAM,
    DEVICES_STREAM,
    HOUSE_FILES_STREAM,
    READERS_STREAM,
    SOFTWARE_STREAM,
    StreamKind,
    name_of,
)
from openfelt.server.accounts.account_state import Account, apply_account
from openfelt.server.accounts.events import (
    ACCOUNT_FORMS,
    AccountEvent,
    AccountOpened,
    BadgeEvent,
    BadgeGiven,
    PasswordSet,
    PinSet,
    SecondFactorSet,
    secret_digest,
)
from openfelt.server.credentials.secret_names import AccountSecret, is_account_secret
from openfelt.storage.codec import Codec
from openfelt.storage.door import Damaged, Irrecoverable, KeyMissing, StoredEvent
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.shown_names import shown


class AccountAudit:
    """The audit of one account's record."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._codec = EventCodec(Codec(lambda _: None), ACCOUNT_FORMS)
        self._snapshot = context.snapshot(stream)
        self._account: Account | None = None
        self._secrets: dict[str, str] = {}
        """The secrets that must be there, each with its digest, which old events do not name."""

    def take(self, booked: BookedEvent) -> None:
        """Replay one event; after an event that cannot be replayed, later ones are skipped."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        account = context.replayed(stored, self._after)
        if account is not None:
            self._account = account
            context.check_snapshot(
                self._snapshot, stored, account, word="account", codec=self._codec.codec
            )

    def _after(self, stored: StoredEvent) -> Account:
        event = self._codec.decode(stored)
        if isinstance(event, AccountOpened) and event.name != name_of(self._stream):
            raise ImpossibleEvent(f"It is the opening of {event.name}")
        self._note_secrets(event)
        return apply_account(self._account, event, stored.at_ms)

    def _note_secrets(self, event: AccountEvent) -> None:
        match event:
            case PasswordSet(number, _, digest):
                self._secrets[AccountSecret.PASSWORD.name_of(number)] = digest
            case PinSet(number, _, digest):
                self._secrets[AccountSecret.PIN.name_of(number)] = digest
            case SecondFactorSet(number, secret_digest_, recovery_digest):
                self._secrets[AccountSecret.CODES.name_of(number)] = secret_digest_
                self._secrets[AccountSecret.RECOVERY.name_of(number)] = recovery_digest

    def saved(self) -> Saved:
        """The account as it is, and the digests of its secrets."""
        account = self._codec.codec.to_json(Account, self._account) if self._account else ""
        return {"account": account, "secrets": dict(self._secrets)}

    def resume(self, saved: Saved) -> None:
        """Continue with the account as it was; raises NotResumable where it was not replayed."""
        if "account" not in saved:
            # The audit of an archive does not know what accounts are.
            raise NotResumable("the account was not replayed")
        self._account = self._codec.codec.from_json(Account, str(saved["account"]))
        self._secrets = dict(saved["secrets"])

    def finish(self) -> None:
        """Compare the account's secrets with its record."""
        self._context.check_snapshot_version(self._stream, self._snapshot)
        if self._stream in self._context.broken or self._context.shipped:
            return
        for name, digest in self._secrets.items():
            try:
                # A secret without a digest is one of earlier versions, and was encrypted since.
                secrets = self._context.store.secrets(self._stream, name, encrypted_only=not digest)
            except KeyMissing as error:
                self._context.note_encrypted(self._stream, error)
            except Irrecoverable as error:
                self._context.report.note(
                    f"A secret of {shown(self._stream)} is not compared. {error}"
                )
            except Damaged as error:
                self._context.report.find(self._stream, str(error))
            else:
                self._check_secret(name, digest, secrets.get(name))
        self._check_names()

    def _check_names(self) -> None:
        self._context.check_secret_names(
            self._stream,
            lambda name: name in self._secrets or not is_account_secret(name),
        )

    def _check_secret(self, name: str, digest: str, secret: str | None) -> None:
        if secret is None:
            self._find(f"The secret {name} is missing.", "a secret", "none")
        elif digest and secret_digest(secret) != digest:
            self._find(f"The secret {name} is not the one that was set.", digest, "another one")

    def _find(self, sentence: str, expected: str, found: str) -> None:
        self._context.report.find(self._stream, sentence, expected=expected, found=found)


class DeviceAudit:
    """The audit of enrolled devices, of card readers, and of the checks of the program's files."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._codec = EventCodec(Codec(lambda _: None), ACCOUNT_FORMS)
        context.snapshot(stream)

    def take(self, booked: BookedEvent) -> None:
        """Check that an event can be read and moves no money."""
        check_transfers(booked, (), self._context.report)
        try:
            self._codec.decode(booked.stored)
        except REPLAY_ERRORS as error:
            self._context.find_impossible(booked.stored, error)

    def saved(self) -> Saved:
        """Each event is checked on its own."""
        return {}

    def resume(self, saved: Saved) -> None:
        """Nothing is needed to continue."""

    def finish(self) -> None:
        """Nothing follows from devices."""


class BadgeAudit:
    """The audit of the record of badges: no number signs on two accounts at a time."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._codec = EventCodec(Codec(lambda _: None), ACCOUNT_FORMS)
        self._badges: dict[str, str] = {}
        context.snapshot(stream)

    def take(self, booked: BookedEvent) -> None:
        """Check that an event can be read, moves no money, and follows from the ones before."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        if self._stream in context.broken:
            return
        try:
            self._apply(self._codec.decode(stored))
        except REPLAY_ERRORS as error:
            context.find_break(stored, error)

    def _apply(self, event: BadgeEvent) -> None:
        given = isinstance(event, BadgeGiven)
        if (event.badge in self._badges) is given:
            owner = self._badges.get(event.badge, "")
            raise ImpossibleEvent(
                f"The badge belongs to {shown(owner)}" if given else "No account has the badge"
            )
        if isinstance(event, BadgeGiven):
            self._badges[event.badge] = event.account
        else:
            del self._badges[event.badge]

    def saved(self) -> Saved:
        """The badges and their accounts."""
        return {"badges": dict(self._badges)}

    def resume(self, saved: Saved) -> None:
        """Continue with the badges as they were; raises NotResumable if they were not replayed."""
        if "badges" not in saved:
            raise NotResumable("the badges were not replayed")
        self._badges = dict(saved["badges"])

    def finish(self) -> None:
        """Nothing follows from badges."""


ACCOUNT_AUDITS: Final[Mapping[str, OtherAudits]] = {
    StreamKind.ACCOUNT.value: AccountAudit,
    DEVICES_STREAM: DeviceAudit,
    BADGES_STREAM: BadgeAudit,
    READERS_STREAM: DeviceAudit,
    SOFTWARE_STREAM: DeviceAudit,
    HOUSE_FILES_STREAM: DeviceAudit,
}
"""The audits of the server's own streams."""
