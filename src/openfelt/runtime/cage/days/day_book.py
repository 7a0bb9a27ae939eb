"""The book of one day, as an accountant closes it: opening, movements, closing.

The opening is what the last closed day before it has recorded, and the transfers since. The
closing comes from the other side: from the record of a later closed day, or from the present
balances, less everything that has moved since the day ended. The two agree only if no cent has
gone astray. Days are in UTC.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from openfelt.ledger import Account, AccountKind, Reason, Transfer
from openfelt.ledger.day_close import DayClosed
from openfelt.runtime.cage.days.account_sums import AccountSums
from openfelt.runtime.cage.days.day_closings import DayClosings
from openfelt.runtime.clock import end_ms, start_ms
from openfelt.runtime.streams import StreamKind, kind_of, name_of
from openfelt.storage.balances.balance_door import LAST_NUMBER, StoredTransfer
from openfelt.storage.door import Store, StoreError

LATE_MS: Final = 2 * 24 * 60 * 60 * 1000
"""The largest delay of a transfer that still belongs to a closed day."""

_OF_A_LINK: Final = (AccountKind.METER, AccountKind.RESERVE)
_OF_A_ROUND: Final = (AccountKind.WAGERS, AccountKind.BANKER)


class ArchivedDay(StoreError):
    """The transfers of a day have been moved to an archive."""


@dataclass(slots=True)
class AccountDay:
    """The movements of one account, or of all of one kind, in a day; all in cents."""

    opening_cents: int = 0
    in_cents: int = 0
    out_cents: int = 0
    closing_cents: int = 0

    @property
    def difference_cents(self) -> int:
        """The difference between opening plus movements and closing; it must be zero."""
        return self.opening_cents + self.in_cents - self.out_cents - self.closing_cents

    def add(self, other: "AccountDay") -> None:
        """Add another account's day to this one."""
        self.opening_cents += other.opening_cents
        self.in_cents += other.in_cents
        self.out_cents += other.out_cents
        self.closing_cents += other.closing_cents


@dataclass(slots=True)
class ReasonDay:
    """How often and how much money moved for one reason."""

    transfers: int = 0
    cents: int = 0


@dataclass(slots=True)
class TableDay:
    """The play at one table in a day; all in cents."""

    wagered_cents: int = 0
    """The handle: what was put on the felt, less what was taken back before bets closed."""
    returned_cents: int = 0
    """Stakes that went back: won, pushed, void or not covered."""
    lost_cents: int = 0
    """Stakes that the bank took: the house's, or the player/dealer's."""
    paid_cents: int = 0
    """The bank's payouts to players."""
    tips_cents: int = 0
    """The bank's payouts on wagers for the dealer."""
    contributed_cents: int = 0
    """Progressive wagers, which go to the link."""
    win_cents: int = 0
    """The house's win; nothing if players bank."""
    collections_cents: int = 0
    bought_in_cents: int = 0
    collected_cents: int = 0

    @property
    def felt_cents(self) -> int:
        """How much more lies on the felt at the end of the day than at its beginning."""
        settled = self.returned_cents + self.lost_cents + self.contributed_cents
        return self.wagered_cents - settled


@dataclass(slots=True)
class LinkDay:
    """The movements of one progressive link in a day, meter and reserve together; all in cents."""

    opening_cents: int = 0
    contributed_cents: int = 0
    seeded_cents: int = 0
    """The house's contribution; negative if it took money back."""
    awarded_cents: int = 0
    envied_cents: int = 0
    retired_cents: int = 0
    """The amount paid to the house or to another link when the link was retired; negative for a
    debt that the house paid, and for money from a link that was retired into this one."""
    closing_cents: int = 0

    @property
    def difference_cents(self) -> int:
        """Opening, contributions and seed, less awards, Envy, retirement and closing: zero."""
        came = self.opening_cents + self.contributed_cents + self.seeded_cents
        went = self.awarded_cents + self.envied_cents + self.retired_cents
        return came - went - self.closing_cents


@dataclass(slots=True)
class DayBook:
    """Everything that moved in one day."""

    day: date
    accounts: dict[Account, AccountDay] = field(default_factory=dict)
    """By account. Rounds that began and ended within the day are added up in one line."""
    reasons: dict[Reason, ReasonDay] = field(default_factory=dict)
    tables: dict[str, TableDay] = field(default_factory=dict)
    links: dict[str, LinkDay] = field(default_factory=dict)

    @property
    def kinds(self) -> dict[AccountKind, AccountDay]:
        """The accounts added up by kind."""
        sums: dict[AccountKind, AccountDay] = {}
        for account, account_day in self.accounts.items():
            sums.setdefault(account.kind, AccountDay()).add(account_day)
        return {kind: sums[kind] for kind in AccountKind if kind in sums}

    @property
    def total(self) -> AccountDay:
        """All accounts together: zero at both ends."""
        total = AccountDay()
        for account_day in self.accounts.values():
            total.add(account_day)
        return total

    @property
    def reconciled(self) -> bool:
        """Whether every account and every link closes, and all together are zero."""
        total = self.total
        return (
            total.opening_cents == total.closing_cents == 0
            and not any(day.difference_cents for day in self.accounts.values())
            and not any(day.difference_cents for day in self.links.values())
        )

    def cents_for(self, reason: Reason) -> int:
        """How much moved for one reason."""
        return self.reasons[reason].cents if reason in self.reasons else 0


# Closing a day ---------------------------------------------------------------


def day_book(store: Store, day: date, *, full: bool = False) -> DayBook:
    """The book of a day, UTC; raises StoreError if it cannot be read.

    It reads the transfers of the day, and those between it and the nearest closed days. With
    ``full`` it trusts no closed day, and reads all transfers.
    """
    closings, archive = DayClosings(store), store.archive(with_state=False)
    start, end = start_ms(day), end_ms(day)
    if archive is not None and start < archive.at_ms:
        raise ArchivedDay(
            f"The book of {day} is in an archive. Give the file of the archive instead of the "
            "database."
        )
    before = None if full else closings.nearest_before(day)
    after = None if full else closings.nearest_from(day)
    moment = _Moment.present(store) if after is None else _Moment.of(after)
    draft = _DayBookDraft(day)
    for stored in store.transfers_between(start, end):
        if stored.number <= moment.up_to:
            draft.add(stored)
    return draft.closed(
        opening=balances_before(store, start, before, up_to=moment.up_to),
        closing=_closing(store, end, moment),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moment:
    """Balances at a moment after a day."""

    balances: Mapping[Account, int]
    transfer: int
    """The number of the last transfer that was there."""
    end_ms: int
    """They are the balances of all transfers before this time."""
    up_to: int
    """Transfers with higher numbers are too new to count."""

    @classmethod
    def present(cls, store: Store) -> "_Moment":
        """The balances as they are now. What is written from now on does not count."""
        number, balances = store.book()
        return cls(balances=balances, transfer=number, end_ms=LAST_NUMBER, up_to=number)

    @classmethod
    def of(cls, closed: DayClosed) -> "_Moment":
        """The balances at the end of a closed day."""
        return cls(
            balances=_parsed(closed.balances),
            transfer=closed.transfer,
            end_ms=end_ms(closed.day),
            up_to=LAST_NUMBER,
        )


def _parsed(balances: Mapping[str, int]) -> dict[Account, int]:
    return {Account.parse(name): cents for name, cents in balances.items()}


def balances_before(
    store: Store, start: int, before: DayClosed | None, *, up_to: int
) -> Mapping[Account, int]:
    """The balances at the start of a day, from the last closed day before it.

    Transfers with numbers above ``up_to`` do not count.
    """
    archive, moved = store.archive(with_state=False), 0
    if archive is not None and (before is None or end_ms(before.day) < archive.at_ms):
        # What is in the database adds to what had moved before. Transfers that are in the archive
        # are still there while it is being made.
        before, opening, moved = None, _parsed(archive.balances), archive.transfer
    else:
        opening = _parsed(before.balances) if before else {}
    sums = AccountSums(opening)
    since = end_ms(before.day) if before else 0
    if before is not None:
        _add_late(store, sums, since, after=before.transfer, up_to=up_to)
    for stored in store.transfers_between(since, start):
        if moved < stored.number <= up_to:
            sums.add(stored.transfer)
    return sums.cents


def _closing(store: Store, end: int, moment: _Moment) -> Mapping[Account, int]:
    """The balances when the day ended, computed back from those of a later moment."""
    sums = AccountSums(moment.balances)
    for stored in store.transfers_between(end, moment.end_ms):
        if stored.number <= moment.transfer:
            sums.take_back(stored.transfer)
    _add_late(store, sums, end, after=moment.transfer, up_to=moment.up_to)
    return sums.cents


def _add_late(store: Store, sums: AccountSums, end: int, *, after: int, up_to: int) -> None:
    """Add the transfers before a time that were written after the balances had been read."""
    for stored in store.transfers_between(end - LATE_MS, end):
        if after < stored.number <= up_to:
            sums.add(stored.transfer)


class _DayBookDraft:
    """A day's book while transfers are added to it."""

    def __init__(self, day: date) -> None:
        self._book = DayBook(day)
        self._during: dict[Account, AccountDay] = defaultdict(AccountDay)

    def add(self, stored: StoredTransfer) -> None:
        """Add a transfer of the day."""
        moved = stored.transfer
        self._during[moved.debit].out_cents += moved.cents
        self._during[moved.credit].in_cents += moved.cents
        reason = self._book.reasons.setdefault(moved.reason, ReasonDay())
        reason.transfers += 1
        reason.cents += moved.cents
        if kind_of(stored.stream) is StreamKind.TABLE:
            _at_table(self._book.tables.setdefault(name_of(stored.stream), TableDay()), moved)
        for account, sign in ((moved.credit, 1), (moved.debit, -1)):
            counterpart = moved.debit if sign == 1 else moved.credit
            inside = counterpart.kind in _OF_A_LINK and _link_of(counterpart) == _link_of(account)
            if account.kind in _OF_A_LINK and not inside:
                link = self._book.links.setdefault(_link_of(account), LinkDay())
                _at_link(link, moved.reason, sign * moved.cents)

    def closed(self, *, opening: Mapping[Account, int], closing: Mapping[Account, int]) -> DayBook:
        """The finished book, given the balances at both ends of the day."""
        book = self._book
        for account in sorted(opening.keys() | self._during.keys() | closing.keys()):
            day = self._during.get(account, AccountDay())
            day.opening_cents = opening.get(account, 0)
            day.closing_cents = closing.get(account, 0)
            if account.kind in _OF_A_LINK and day != AccountDay():
                link = book.links.setdefault(_link_of(account), LinkDay())
                link.opening_cents += day.opening_cents
                link.closing_cents += day.closing_cents
            if account.kind in _OF_A_ROUND and not (day.opening_cents or day.closing_cents):
                # A floor plays thousands of rounds a day; finished ones share one line.
                account = Account(account.kind)
            if day != AccountDay():
                book.accounts.setdefault(account, AccountDay()).add(day)
        book.reasons = {reason: book.reasons[reason] for reason in Reason if reason in book.reasons}
        book.tables = dict(sorted(book.tables.items()))
        book.links = dict(sorted(book.links.items()))
        return book


_TABLE_COLUMNS: Final[Mapping[Reason, tuple[str, int]]] = {
    Reason.WAGER: ("wagered_cents", 1),
    Reason.WAGER_WITHDRAWN: ("wagered_cents", -1),
    Reason.RETURN: ("returned_cents", 1),
    Reason.LOSS: ("lost_cents", 1),
    Reason.PAYOUT: ("paid_cents", 1),
    Reason.TIP: ("tips_cents", 1),
    Reason.CONTRIBUTION: ("contributed_cents", 1),
    Reason.COLLECTION: ("collections_cents", 1),
    Reason.COLLECTION_RETURNED: ("collections_cents", -1),
    Reason.BUY_IN: ("bought_in_cents", 1),
    Reason.COLLECT: ("collected_cents", 1),
}


def _at_table(table: TableDay, moved: Transfer) -> None:
    if moved.reason in _TABLE_COLUMNS:
        column, sign = _TABLE_COLUMNS[moved.reason]
        setattr(table, column, getattr(table, column) + sign * moved.cents)
    if moved.credit.kind is AccountKind.HOUSE:
        table.win_cents += moved.cents
    if moved.debit.kind is AccountKind.HOUSE:
        table.win_cents -= moved.cents


def _link_of(account: Account) -> str:
    """The link of an account: its own ones, and those of its tables, which name both."""
    return account.owner.partition("/")[0]


def _at_link(link: LinkDay, reason: Reason, cents: int) -> None:
    """Add what came to a link from outside; a negative amount went out."""
    match reason:
        case Reason.CONTRIBUTION:
            link.contributed_cents += cents
        case Reason.SEED:
            link.seeded_cents += cents
        case Reason.AWARD:
            link.awarded_cents -= cents
        case Reason.ENVY:
            link.envied_cents -= cents
        case Reason.RETIREMENT:
            link.retired_cents -= cents
        case _:
            pass
