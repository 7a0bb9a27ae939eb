"""Where the money is afterwards, by the ledger and by the tables."""

from collections.abc import Mapping
from typing import Final

from openfelt.ledger import Account, AccountKind
from openfelt.runtime.clock import SystemClock
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.streams import StreamKind
from openfelt.runtime.tables.recovery.recovery import fold
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.door import Store
from openfelt.table.state import Table

_OUTSIDE: Final = Account(AccountKind.CASH)


def check_money(store: Store, *, came_in_cents: int) -> None:
    """What came in by the door is all there: in wallets, at seats, on the felt or the house's."""
    balances = store.balances()
    inside = {account: cents for account, cents in balances.items() if account != _OUTSIDE}
    assert sum(inside.values()) == -balances[_OUTSIDE] == came_in_cents
    assert all(cents >= 0 for account, cents in inside.items() if not account.kind.may_owe)
    _check_tables(store, inside)


def _check_tables(store: Store, balances: Mapping[Account, int]) -> None:
    """Each seat's credit is what the ledger says, and so is what lies on the felt."""
    worker_services = WorkerServices.of(store, Shuffler(SeededEntropy(1)), SystemClock())
    wagers = dict.fromkeys((AccountKind.WAGERS, AccountKind.BANKER), 0)
    for stream in store.streams(StreamKind.TABLE.prefix):
        table: Table | None = None
        for stored in store.events(stream):
            table = fold(table, worker_services.codec.decode(stored))
        assert table is not None
        for number, seat in table.seats.items():
            assert balances.get(table.credit(number), 0) == seat.credit_cents
        state = table.playing
        if state is not None:
            wagers[AccountKind.WAGERS] += sum(
                wager.cents for hand in state.hands.values() for wager in hand.wagers
            )
            banker = state.opened.banker
            wagers[AccountKind.BANKER] += banker.cover_cents if banker else 0
    for kind, cents in wagers.items():
        booked = sum(held for account, held in balances.items() if account.kind is kind)
        assert booked == cents, f"{kind}: the ledger has {booked}, the felt {cents}"
