"""A player's money outside the wallet: credit and stakes at tables, according to the ledger."""

from itertools import islice
from typing import Final

from openfelt.ledger import Account, AccountKind
from openfelt.storage.door import Store
from openfelt.table.chips import wallet_of
from openfelt.table.state import credit_of

TABLES_MAX: Final = 50
"""How many of a player's tables are checked, the latest first."""
TRANSFERS_READ: Final = 2000
"""How many transfers of an account are read at most."""
_OF_A_ROUND: Final = (AccountKind.WAGERS, AccountKind.BANKER)


def tables_of(store: Store, player: str) -> list[str]:
    """The tables at which a player has bought in, the latest first.

    A credit is bought from the wallet and goes back there, so the newest transfers of the wallet
    name its tables, however many the house has.
    """
    tables: dict[str, None] = {}
    for stored in islice(store.latest_transfers(wallet_of(player)), TRANSFERS_READ):
        for account in (stored.transfer.debit, stored.transfer.credit):
            if account.kind is AccountKind.CREDIT:
                tables[account.owner.partition("/")[0]] = None
        if len(tables) == TABLES_MAX:
            break
    return list(tables)


def cents_at_tables(store: Store, player: str) -> int:
    """A player's money at tables: credit, and stakes in unfinished rounds."""
    at_tables = (credit_of(table, player) for table in tables_of(store, player))
    return sum(store.balance(credit) + _staked_cents(store, credit) for credit in at_tables)


def _staked_cents(store: Store, credit: Account) -> int:
    """The money that has gone from a credit into a round in progress, which is the last one."""
    last, staked_cents = None, 0
    for stored in islice(store.latest_transfers(credit), TRANSFERS_READ):
        transfer = stored.transfer
        if transfer.round is None:
            continue
        if last is None:
            last = transfer.round
            if not any(store.balance(Account(kind, last)) for kind in _OF_A_ROUND):
                return 0
        if transfer.round != last:
            break
        staked_cents += transfer.cents if transfer.debit == credit else -transfer.cents
    return max(0, staked_cents)
