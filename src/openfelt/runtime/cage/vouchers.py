"""Vouchers: issued against a wallet or cash, redeemed once at a terminal or window, or expired.

Every voucher has its own stream. The first event issues it, and a second one ends it; two places
that take it at the same moment both write that second event, and the store accepts one.
"""

import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from openfelt.ledger.accounts import Account, AccountKind
from openfelt.ledger.vouchers import (
    Voucher,
    VoucherEvent,
    VoucherExpired,
    VoucherIssued,
    VoucherRedeemed,
    VoucherState,
    voucher_after,
    voucher_transfer,
)
from openfelt.money import format_cents
from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.cage_codes import CageCode
from openfelt.runtime.cage.cage_commands import CageCommands, check_cents
from openfelt.runtime.cage.protection.limit_book import LimitBook, without_digest
from openfelt.runtime.cage.voucher_codes import new_code, read_code, shown_code, voucher_id
from openfelt.runtime.cage.voucher_keys import VoucherKeys
from openfelt.runtime.causes import SYSTEM_CAUSE, acting
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.streams import voucher_stream
from openfelt.storage.door import Append, Cause, Commit, Conflict
from openfelt.table.chips import wallet_of
from openfelt.table.permissions import check_name

DAYS_DEFAULT: Final = 90
_PREFIX: Final = f"{AccountKind.VOUCHER}:"


@dataclass(frozen=True, slots=True)
class IssuedVoucher:
    """A voucher with its code, for its holder only."""

    voucher: Voucher
    code: str | None
    """In groups of four; None once the voucher is no longer open."""


@dataclass(frozen=True, slots=True)
class Liability:
    """The house's debt to the holders of open vouchers."""

    vouchers: int
    cents: int


@dataclass(frozen=True, slots=True)
class _Issue:
    player: str
    cents: int | None


@dataclass(frozen=True, slots=True)
class _Redeem:
    player: str
    voucher: str


class Vouchers:
    """All vouchers of a house. Threads may share it, and all calls block."""

    def __init__(
        self, commands: CageCommands, limits: LimitBook, *, days: int = DAYS_DEFAULT
    ) -> None:
        self._commands = commands
        self._limits = limits
        self._days = days
        self._keys = VoucherKeys(commands.store, commands.codec, commands.clock)
        self._expiries: dict[str, int] = {}
        """When open vouchers expire, from the events read so far."""
        self._lock = threading.Lock()

    # Wallets ---------------------------------------------------------------------------

    def issue(self, player: str, cents: int | None, *, id: str) -> IssuedVoucher:  # noqa: A002
        """Issue a voucher against a wallet, for its whole balance if ``cents`` is None.

        The same id again gives the same voucher. Raises Refusal.
        """
        check_name(player, "player")
        if cents is not None:
            check_cents(cents)
        wallet = wallet_of(player)
        code = self.new_code(f"wallet:{player}", id)
        voucher = self.id_of_new(code)

        def decide(cause: Cause) -> tuple[Append, ...]:
            held_cents = self._commands.store.balance(wallet)
            if not held_cents:
                raise Refusal(CageCode.WALLET_EMPTY, "The wallet is empty.")
            if cents is not None and cents > held_cents:
                raise Refusal(
                    CageCode.WALLET_SHORT, f"The wallet holds {format_cents(held_cents)}."
                )
            return (self.issuing(voucher, cents or held_cents, wallet, cause),)

        self._commands.carry_out(voucher_stream(voucher), id, _Issue(player, cents), decide)
        return self.issued(voucher, code)

    def redeem(self, code: str, player: str, *, id: str) -> Voucher:  # noqa: A002
        """Take a voucher to a wallet; raises Refusal if it is not open."""
        check_name(player, "player")
        voucher = self.id_of(code)

        def decide(cause: Cause) -> tuple[Append, ...]:
            held, redeem = self.redeeming(voucher, wallet_of(player), cause)
            return (redeem, *self._counted(held, player, cause))

        self._commands.carry_out(voucher_stream(voucher), id, _Redeem(player, voucher), decide)
        return self.get(voucher)

    def _counted(self, voucher: Voucher, player: str, cause: Cause) -> tuple[Append, ...]:
        """The append to the player's record for a deposit by voucher; raises Refusal.

        A voucher that the player's own wallet has paid for is not a deposit, but an excluded player
        may not redeem it either.
        """
        own = voucher.source == str(wallet_of(player))
        return self._limits.deposit(player, 0 if own else voucher.cents, without_digest(cause))

    # Codes -----------------------------------------------------------------------------

    def new_code(self, *parts: str) -> str:
        """The code of the voucher that the caller's command issues, by the parts that name it."""
        return new_code(self._keys.newest(), acting().actor, *parts)

    def id_of_new(self, code: str) -> str:
        """The id of a voucher that is about to be issued."""
        return voucher_id(self._keys.newest(), code)

    def id_of(self, code: str) -> str:
        """The id of the voucher with a code, as typed or scanned; raises Refusal for an unknown."""
        plain = read_code(code)
        if plain is not None:
            for key in self._keys.all():
                voucher = voucher_id(key, plain)
                if self._commands.store.head(voucher_stream(voucher)).version:
                    return voucher
        raise _unknown()

    # Reading ---------------------------------------------------------------------------

    def find(self, code: str) -> Voucher:
        """The voucher with a code; raises Refusal for an unknown one."""
        return self.get(self.id_of(code))

    def get(self, voucher: str) -> Voucher:
        """A voucher by its id; raises Refusal for an unknown one, and Forged for an altered one."""
        read, _ = self._read(voucher)
        return read

    def _read(self, voucher: str) -> tuple[Voucher, int]:
        state, version = None, 0
        for stored in self._commands.store.record(voucher_stream(voucher)):
            event: VoucherEvent = self._commands.codec.decode(stored)
            state, version = voucher_after(state, event, stored.at_ms), stored.version
        if state is None:
            raise _unknown()
        return state, version

    def issued(self, voucher: str, code: str) -> IssuedVoucher:
        """A voucher for its holder: with its code as long as it is open."""
        state = self.get(voucher)
        is_open = state.state is VoucherState.OPEN
        return IssuedVoucher(state, shown_code(code) if is_open else None)

    def liability(self) -> Liability:
        """The house's debt to the holders of open vouchers."""
        return Liability(*self._commands.store.held(_PREFIX))

    # Writing, alone or together with a drawer ------------------------------------------

    def issuing(self, voucher: str, cents: int, source: Account, cause: Cause) -> Append:
        """A function that issues a voucher against an account."""
        check_cents(cents)
        expires_ms = self._commands.clock.wall_ms() + self._days * DAY_MS
        event = VoucherIssued(voucher, cents, str(source), expires_ms)
        return self._append(event, version=0, cause=cause)

    def redeeming(self, voucher: str, to: Account, cause: Cause) -> tuple[Voucher, Append]:
        """A voucher, and what takes it to an account; raises Refusal if it is not open."""
        state, version = self._read(voucher)
        check_open(state, self._commands.clock.wall_ms())
        event = VoucherRedeemed(voucher, state.cents, str(to))
        return state, self._append(event, version=version, cause=cause)

    def _append(self, event: VoucherEvent, *, version: int, cause: Cause) -> Append:
        transfers = (voucher_transfer(event),)
        return Append(
            stream=voucher_stream(event.voucher),
            expected_version=version,
            events=(self._commands.codec.encode(event, transfers, cause=cause),),
        )

    # Expiry ----------------------------------------------------------------------------

    def expire_due(self) -> int:
        """Let vouchers expire whose time is over; returns how many."""
        now_ms, expired = self._commands.clock.wall_ms(), 0
        balances = self._commands.store.balances(_PREFIX)
        still_open = {account.owner for account, cents in balances.items() if cents}
        with self._lock:
            self._expiries = {
                voucher: expires_ms
                for voucher, expires_ms in self._expiries.items()
                if voucher in still_open
            }
            for voucher in sorted(still_open):
                if voucher not in self._expiries:
                    self._expiries[voucher] = self.get(voucher).expires_ms
                if self._expiries[voucher] <= now_ms:
                    expired += self._expire(voucher)
        return expired

    def _expire(self, voucher: str) -> bool:
        """Let one voucher expire; False if it was used at the same moment."""
        state, version = self._read(voucher)
        if state.state is not VoucherState.OPEN:
            return False
        append = self._append(
            VoucherExpired(voucher, state.cents), version=version, cause=SYSTEM_CAUSE
        )
        try:
            commit = Commit(at_ms=self._commands.clock.wall_ms(), appends=(append,))
            self._commands.store.commit(commit)
        except Conflict:
            return False
        return True


def check_open(voucher: Voucher, now_ms: int) -> None:
    """Refuse a voucher that was used or has expired."""
    if voucher.state is VoucherState.REDEEMED:
        used = _day(voucher.ended_ms or 0)
        raise Refusal(CageCode.VOUCHER_USED, f"This voucher was used on {used}.")
    if voucher.state is VoucherState.EXPIRED or voucher.is_due(now_ms):
        expired = _day(voucher.expires_ms)
        raise Refusal(CageCode.VOUCHER_EXPIRED, f"This voucher expired on {expired}.")


def _day(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d at %H:%M} UTC"


def _unknown() -> Refusal:
    return Refusal(
        CageCode.VOUCHER_UNKNOWN, "There is no voucher with this code; check what was typed."
    )
