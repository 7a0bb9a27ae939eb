"""Money in a store: balances and transfers, by number, by time and from the newest end."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence

from openfelt.ledger import Account
from openfelt.storage.balances.balance_door import LAST_NUMBER, NUMBER_END, StoredTransfer
from openfelt.storage.balances.transfer_terms import TransferRange, TransferSearch
from openfelt.storage.errors import Damage
from openfelt.storage.sql import rows, statements
from openfelt.storage.sql.rows import PAGE_ROWS, Row, intact, paged

logger = logging.getLogger(__name__)


class BalanceQueries(ABC):
    """The queries of both stores about money."""

    @abstractmethod
    def _read(self, statement: str, values: Sequence[object]) -> list[Row]:
        """Run one statement that only reads."""

    def _read_numbered(self, statement: str) -> list[Row]:
        """Run one statement while no writer has numbered transfers that it has not committed."""
        return self._read(statement, ())

    def _last_transfer(self) -> int:
        """A number below which no further transfers can appear."""
        return LAST_NUMBER

    def balance(self, account: Account) -> int:
        """The balance of an account, in cents."""
        result = self._read(statements.BALANCE, (str(account),))
        return rows.balance(result[0])[1] if result else 0

    def balances(self, prefix: str = "", *, damage: Damage | None = None) -> dict[Account, int]:
        """The balances of all accounts whose names have this prefix, without those at zero."""
        names, values = statements.beginning_with("account", prefix)
        result = self._read(statements.BALANCES.format(names=names), values)
        return dict(intact(result, rows.balance, damage))

    def held(self, prefix: str) -> tuple[int, int]:
        """How many accounts whose names have this prefix are not at zero, and what they hold."""
        names, values = statements.beginning_with("account", prefix)
        ((count, cents),) = self._read(statements.HELD.format(names=names), values)
        return int(count), int(cents)

    def transfers(
        self,
        *,
        account: Account | None = None,
        stream: str | None = None,
        after: int = 0,
        damage: Damage | None = None,
    ) -> Iterator[StoredTransfer]:
        """Transfers after a number in order, of one account or one stream if given.

        No transfer appears later with a lower number than one already returned: a caller who
        remembers the last number and asks again later misses none.
        """
        page = self._transfer_page(account, stream)
        return paged(page, rows.transfer, key=0, after=after, damage=damage)

    def _transfer_page(
        self, account: Account | None, stream: str | None
    ) -> Callable[[int], list[Row]]:
        """A function from the last number seen to the next page of transfers."""
        name = str(account)
        match account, stream:
            case None, None:
                return self._any_transfer_page()
            case None, _:
                return lambda seen: self._read(
                    statements.STREAM_TRANSFERS, (stream, seen, LAST_NUMBER, PAGE_ROWS)
                )
            case _, None:
                return lambda seen: self._read(
                    statements.ACCOUNT_TRANSFERS,
                    (*(name, seen, LAST_NUMBER, PAGE_ROWS) * 2, PAGE_ROWS),
                )
            case _:
                return lambda seen: self._read(
                    statements.STREAM_ACCOUNT_TRANSFERS,
                    (stream, name, name, seen, LAST_NUMBER, PAGE_ROWS),
                )

    def _any_transfer_page(self) -> Callable[[int], list[Row]]:
        """Pages of all transfers, up to the last one that is final when the first page is read."""
        last: int | None = None

        def page(seen: int) -> list[Row]:
            nonlocal last
            if last is None:
                last = self._last_transfer()
            return self._read(statements.TRANSFERS, (seen, last, PAGE_ROWS))

        return page

    def book(self) -> tuple[int, dict[Account, int]]:
        """The number of the last transfer and all balances but zeros, at one moment."""
        self.check_numbers()
        result = self._read_numbered(statements.BOOK)
        held = [(account, cents) for account, cents, _ in result if account is not None]
        return result[0][2], dict(map(rows.balance, held))

    def check_numbers(self) -> None:
        """Log a transfer with a number that Openfelt does not give; it is left out of the book."""
        ((highest,),) = self._read(statements.HIGHEST_TRANSFER, ())
        if highest is not None and highest >= NUMBER_END:
            logger.error(
                "Row %d of the table transfers is damaged: no transfer has such a number. New "
                "transfers are numbered without it. Run openfelt audit.",
                highest,
            )

    def transfers_between(self, start_ms: int, end_ms: int) -> Iterator[StoredTransfer]:
        """The transfers in a half-open time interval, by time."""
        seen: tuple[int, int] = (start_ms, 0)
        full = True
        while full:
            page = self._read(statements.TRANSFERS_BETWEEN, (*seen, end_ms, PAGE_ROWS))
            full = len(page) == PAGE_ROWS
            if full:
                seen = page[-1][3], page[-1][0]
            yield from map(rows.transfer, page)

    def latest_transfers(
        self, account: Account, *, before: int = LAST_NUMBER
    ) -> Iterator[StoredTransfer]:
        """The transfers of an account before a number, the newest first."""
        name, full = str(account), True
        while full:
            bounds = (name, 0, before - 1, PAGE_ROWS)
            page = self._read(statements.LATEST_OF_ACCOUNT, (*bounds, *bounds, PAGE_ROWS))
            full = len(page) == PAGE_ROWS
            if full:
                before = page[-1][0]
            yield from map(rows.transfer, page)

    def sum_transfers(self, part: TransferRange, search: TransferSearch) -> tuple[int, int]:
        """How many transfers of a part match the search, and their signed sum."""
        count = cents = 0
        for sign in sorted({term.sign for term in part.terms}):
            where, values = statements.transfers_where(part, search, sign=sign)
            ((transfers, sum_cents),) = self._read(
                statements.SUM_OF_TRANSFERS.format(where=where), values
            )
            count, cents = count + int(transfers), cents + sign * int(sum_cents)
        return count, cents

    def list_transfers(
        self, part: TransferRange, search: TransferSearch, *, before: int = LAST_NUMBER
    ) -> Iterator[StoredTransfer]:
        """The transfers of a part before a number that match the search, the newest first."""
        where, values = statements.transfers_where(part, search)
        full = True
        while full:
            page = self._read(
                statements.LIST_OF_TRANSFERS.format(where=where), (*values, before, PAGE_ROWS)
            )
            full = len(page) == PAGE_ROWS
            if full:
                before = page[-1][0]
            yield from map(rows.transfer, page)
