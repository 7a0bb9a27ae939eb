"""The cage of a floor, as tests work in it: vouchers, drawers, and the sums over all of them."""

from openfelt.ledger import AccountKind, Book, trial_balance
from openfelt.runtime.cage import cage as runtime
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.clock import Clock
from openfelt.storage.codec import Codec
from openfelt.storage.door import Store
from openfelt.storage.event_forms import EventCodec


class Cage:
    """Vouchers and drawers on one store, as one process has them."""

    def __init__(
        self, store: Store, clock: Clock, *, days: int = 90, limit_cents: int = 300_000
    ) -> None:
        codec = EventCodec(Codec(lambda _: None))
        self.store = store
        self.cashier = Cashier(store, codec, clock)
        cage = runtime.Cage.of(store, codec, clock, voucher_days=days, limit_cents=limit_cents)
        self.vouchers = cage.vouchers
        self.drawers = cage.drawers
        self.trays = cage.trays

    def issue(self, player: str, cents: int | None, *, id: str) -> str:  # noqa: A002
        """Issue a voucher; gives its code."""
        code = self.vouchers.issue(player, cents, id=id).code
        assert code is not None
        return code

    def by_kind(self) -> dict[AccountKind, int]:
        """What all accounts of each kind hold, checked to be a book in balance."""
        trial = trial_balance(Book(self.store.balances()))
        assert trial.balanced
        return {kind: cents for kind, cents in trial.by_kind.items() if cents}
