"""A player's deposits, losses and playing time, according to the transfers of the ledger.

Every wager comes from the player's credit at a table, and its returns go back there, so the
transfers of these credits show the losses, round by round. What has been read is kept; later calls
add what is new.
"""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from openfelt.ledger import Account, AccountKind, Reason
from openfelt.ledger.play_limits import LimitPeriod, PlayLimits
from openfelt.runtime.cage.holdings import tables_of
from openfelt.runtime.clock import DAY_MS
from openfelt.storage.balances.balance_door import StoredTransfer
from openfelt.storage.door import Store
from openfelt.table.chips import wallet_of
from openfelt.table.state import credit_of

BREAK_MS: Final = 600_000
"""A pause of more than 10 minutes between two transfers of rounds is a break, not play."""
DAYS_READ: Final = 31
AtRisk = Callable[[str, str], int]
"""The most that the round in progress at a table can cost a player, both by their names."""
_DEPOSITS: Final = frozenset({Reason.DEPOSIT, Reason.VOUCHER_REDEEMED})
_OF_A_ROUND: Final = (AccountKind.WAGERS, AccountKind.BANKER)


@dataclass(slots=True)
class _Credit:
    """A player's credit at one table, from the events read so far."""

    after: int = 0
    """The number of the newest transfer that has been read."""
    round: str | None = None
    """The newest round."""
    round_day: int = 0
    """The day of its first wager."""
    round_cents: int = 0
    """The change of the credit by the round so far."""
    is_open: bool = False
    """Whether it was in progress when it was read."""
    lost_cents: Counter[int] = field(default_factory=Counter)
    """Losses of earlier rounds, by the day of their first wager."""
    risk: tuple[int, int] | None = None
    """The most that the newest round can cost, from the table itself, and ``after`` then."""

    def count(self, stored: StoredTransfer, own: Account) -> None:
        """Count a transfer of a round."""
        transfer = stored.transfer
        if transfer.round != self.round:
            if self.round is not None:
                self.lost_cents[self.round_day] -= self.round_cents
            self.round = transfer.round
            self.round_day = stored.at_ms // DAY_MS
            self.round_cents = 0
        self.round_cents += transfer.cents if transfer.credit == own else -transfer.cents


class PlayerUse:
    """A player's deposits, losses and playing time of the last days. Threads may share it."""

    def __init__(self, store: Store, player: str, at_risk: AtRisk) -> None:
        self._store = store
        self._player = player
        self._at_risk = at_risk
        self._wallet = wallet_of(player)
        self._wallet_after: int | None = None
        """The number of the wallet's newest transfer that has been read; None before the first."""
        self._credits: dict[str, _Credit] = {}
        self._deposited_cents: Counter[int] = Counter()
        self._corrected_cents: Counter[int] = Counter()
        self._played_ms: Counter[int] = Counter()
        self._seen_ms: int | None = None
        """When the player last played."""
        self._unnoted: list[StoredTransfer] = []
        """Transfers of rounds that are not in the playing time yet."""
        self._lock = threading.Lock()

    def read(self, now_ms: int) -> None:
        """Read what is new. If the store fails in between, the next call continues from there."""
        with self._lock:
            since_ms = (now_ms // DAY_MS - DAYS_READ) * DAY_MS
            if self._wallet_after is None:
                for table in tables_of(self._store, self._player):
                    self._credits[table] = _Credit()
            self._read_wallet(since_ms)
            for table in self._credits:
                self._read_table(table, since_ms)
            self._note_play()

    def deposited_cents(self, period: LimitPeriod, now_ms: int) -> int:
        """Deposits from outside."""
        with self._lock:
            return _sum(self._deposited_cents, period, now_ms)

    def played_ms(self, period: LimitPeriod, now_ms: int) -> int:
        """How long the player has played; simultaneous time at two tables counts once."""
        with self._lock:
            return _sum(self._played_ms, period, now_ms)

    def lost_cents(
        self,
        period: LimitPeriod,
        now_ms: int,
        *,
        at: str = "",
        playing: str | None = None,
    ) -> int:
        """The losses of finished rounds less their winnings.

        At the table ``at``, the only round that is not over is ``playing``.
        """
        with self._lock:
            lost_cents = _sum(self._corrected_cents, period, now_ms)
            for table, credit in self._credits.items():
                lost_cents += _sum(credit.lost_cents, period, now_ms)
                is_open = credit.round == playing if table == at else credit.is_open
                if not is_open and _in(credit.round_day, period, now_ms):
                    lost_cents -= credit.round_cents
            return lost_cents

    def reserved_cents(self, limits: PlayLimits, *, besides: str) -> int:
        """The most that rounds in progress at other tables can still cost, stakes included."""
        with self._lock:
            return sum(
                self._reserved_cents(table, credit, limits)
                for table, credit in self._credits.items()
                if table != besides and credit.is_open
            )

    def _reserved_cents(self, table: str, credit: _Credit, limits: PlayLimits) -> int:
        """The most that the round in progress at a table can still cost, stakes included.

        A round whose wagers were set before the player had limits has reserved nothing: the table
        itself says what it can cost.
        """
        staked_cents = -credit.round_cents
        reserve = limits.reserves.get(table)
        if reserve is not None and f"{table}/{reserve.round}" == credit.round:
            return max(0, staked_cents, reserve.cents)
        if credit.risk is None or credit.risk[0] != credit.after:
            credit.risk = credit.after, self._at_risk(table, self._player)
        return max(0, staked_cents, credit.risk[1])

    # Reading ---------------------------------------------------------------------------

    def _news(self, account: Account, after: int | None, since_ms: int) -> list[StoredTransfer]:
        """The transfers of an account after a number, or those of a time, in order."""
        if after:
            return list(self._store.transfers(account=account, after=after))
        latest = self._store.latest_transfers(account)
        return list(takewhile(lambda stored: stored.at_ms >= since_ms, latest))[::-1]

    def _read_wallet(self, since_ms: int) -> None:
        for stored in self._news(self._wallet, self._wallet_after, since_ms):
            transfer, day = stored.transfer, stored.at_ms // DAY_MS
            comes_in = transfer.credit == self._wallet
            counterpart = transfer.debit if comes_in else transfer.credit
            if counterpart.kind is AccountKind.CREDIT:
                self._credits.setdefault(counterpart.owner.partition("/")[0], _Credit())
            elif transfer.reason is Reason.CORRECTION:
                self._corrected_cents[day] += -transfer.cents if comes_in else transfer.cents
            elif comes_in and transfer.reason in _DEPOSITS and not self._own_voucher(counterpart):
                self._deposited_cents[day] += transfer.cents
            self._wallet_after = stored.number
        self._wallet_after = self._wallet_after or 0

    def _own_voucher(self, voucher: Account) -> bool:
        """Whether the player's own wallet has paid for a voucher: then no money has come in."""
        if voucher.kind is not AccountKind.VOUCHER:
            return False
        issue = next(iter(self._store.transfers(account=voucher)), None)
        return issue is not None and issue.transfer.debit == self._wallet

    def _read_table(self, table: str, since_ms: int) -> None:
        """Count what is new at a table, and see whether its newest round is over.

        Once it is over, all of its transfers are in the ledger, so they are read after that is
        known: a Play wager, and the settlement that follows, may be written in between.
        """
        credit = self._credits[table]
        self._read_credit(table, since_ms)
        while credit.round is not None:
            seen, credit.is_open = credit.round, self._is_open(credit.round)
            if credit.is_open:
                break
            self._read_credit(table, since_ms)
            if credit.round == seen:
                break

    def _is_open(self, round_id: str) -> bool:
        return any(self._store.balance(Account(kind, round_id)) for kind in _OF_A_ROUND)

    def _read_credit(self, table: str, since_ms: int) -> None:
        """Count what is new of a credit."""
        credit, own = self._credits[table], credit_of(table, self._player)
        for stored in self._news(own, credit.after, since_ms):
            credit.after = stored.number
            if stored.transfer.round is not None:
                credit.count(stored, own)
                self._unnoted.append(stored)

    def _note_play(self) -> None:
        news, self._unnoted = self._unnoted, []
        for at_ms in sorted(stored.at_ms for stored in news):
            if self._seen_ms is not None and 0 < at_ms - self._seen_ms <= BREAK_MS:
                self._played_ms[at_ms // DAY_MS] += at_ms - self._seen_ms
            self._seen_ms = max(at_ms, self._seen_ms or 0)


def _in(day: int, period: LimitPeriod, now_ms: int) -> bool:
    return day > now_ms // DAY_MS - period.days


def _sum(by_day: Counter[int], period: LimitPeriod, now_ms: int) -> int:
    return sum(amount for day, amount in by_day.items() if _in(day, period, now_ms))
