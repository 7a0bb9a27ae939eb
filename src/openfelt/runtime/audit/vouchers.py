"""The audit of vouchers: each is issued once, ends once, and moves the money that its record says.

The keys of their codes are stored outside the record. Each must match the digest in its event.
"""

from dataclasses import asdict

from openfelt.ledger.vouchers import (
    Voucher,
    VoucherEvent,
    VoucherExpired,
    VoucherIssued,
    VoucherKeyMade,
    VoucherState,
    voucher_account,
    voucher_after,
    voucher_transfer,
)
from openfelt.money import format_cents
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import NotResumable, Saved
from openfelt.runtime.cage.voucher_keys import key_digest, secret_name
from openfelt.runtime.streams import VOUCHER_KEYS_STREAM, name_of
from openfelt.storage.door import Damaged, Irrecoverable, KeyMissing
from openfelt.storage.shown_names import shown


class VoucherAudit:
    """The audit of one voucher's record."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._voucher: Voucher | None = None
        context.snapshot(stream)
        context.check_secret_names(stream, lambda _: False)

    def take(self, booked: BookedEvent) -> None:
        """Check one event, and the transfer that it causes."""
        context, stored = self._context, booked.stored
        try:
            event: VoucherEvent = context.codec.decode(stored)
            self._check(event, stored.at_ms)
            expected = (voucher_transfer(event),)
            self._voucher = voucher_after(self._voucher, event, stored.at_ms)
        except REPLAY_ERRORS as error:
            context.find_break(stored, error)
            return
        check_transfers(booked, expected, context.report)

    def _check(self, event: VoucherEvent, at_ms: int) -> None:
        if event.voucher != name_of(self._stream):
            raise ImpossibleEvent("It is an event of another voucher")
        voucher = self._voucher
        if isinstance(event, VoucherIssued):
            if voucher is not None:
                raise ImpossibleEvent("The voucher was issued before")
            return
        if voucher is None:
            raise ImpossibleEvent("The voucher was never issued")
        if voucher.state is not VoucherState.OPEN:
            raise ImpossibleEvent(f"The voucher was {voucher.state} before")
        if event.cents != voucher.cents:
            raise ImpossibleEvent(f"The voucher is worth {format_cents(voucher.cents)}")
        # One that was taken at its last moment may be written a moment later.
        if isinstance(event, VoucherExpired) and not voucher.is_due(at_ms):
            raise ImpossibleEvent("The voucher was still good")

    def saved(self) -> Saved:
        """The voucher as it is, and whether its account must hold something."""
        voucher = self._voucher
        if voucher is None:
            return {}
        return {"voucher": asdict(voucher), "open": voucher.state is VoucherState.OPEN}

    def resume(self, saved: Saved) -> None:
        """Continue with the voucher as it was; raises NotResumable."""
        try:
            plain = dict(saved["voucher"])
            self._voucher = Voucher(**plain | {"state": VoucherState(plain["state"])})
        except (KeyError, TypeError, ValueError):
            raise NotResumable("it is not the state of a voucher") from None

    def finish(self) -> None:
        """Note what the account of the voucher must hold."""
        voucher = self._voucher
        if voucher is not None and voucher.state is VoucherState.OPEN:
            self._context.balances[voucher_account(voucher.id)] = voucher.cents


class VoucherKeysAudit:
    """The audit of the keys from which the codes of vouchers come."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._digests: dict[str, str] = {}
        """Of every key, by the name of its secret."""
        context.snapshot(stream)

    def take(self, booked: BookedEvent) -> None:
        """Check that keys are numbered in order, and move no money."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        try:
            event = context.codec.decode(stored)
            if not isinstance(event, VoucherKeyMade) or self._stream != VOUCHER_KEYS_STREAM:
                raise ImpossibleEvent("It is not a key of vouchers")
            if event.number != len(self._digests) + 1:
                raise ImpossibleEvent(f"There are {len(self._digests)} keys before it")
            self._digests[secret_name(event.number)] = event.digest
        except REPLAY_ERRORS as error:
            context.find_impossible(stored, error)

    def saved(self) -> Saved:
        """The digests of all keys."""
        return {"digests": dict(self._digests)}

    def resume(self, saved: Saved) -> None:
        """Continue with the keys that there were; raises NotResumable."""
        digests = saved.get("digests")
        if not isinstance(digests, dict):
            raise NotResumable("it is not the state of keys")
        self._digests = dict(digests)

    def finish(self) -> None:
        """Compare the keys with their digests."""
        context = self._context
        if context.shipped:
            return
        context.check_secret_names(self._stream, lambda name: name in self._digests)
        for name, digest in self._digests.items():
            try:
                secret = context.store.secrets(self._stream, name, encrypted_only=True).get(name)
            except KeyMissing as error:
                context.note_encrypted(self._stream, error)
            except Irrecoverable as error:
                context.report.note(f"A key of {shown(self._stream)} is not compared. {error}")
            except Damaged as error:
                context.report.find(self._stream, str(error))
            else:
                if secret is None or key_digest(secret) != digest:
                    context.report.find(
                        self._stream,
                        f"The secret {name} is not the one that was made.",
                        expected=digest,
                        found="none" if secret is None else "another one",
                    )
