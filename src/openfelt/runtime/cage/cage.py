"""The cage of a house: its vouchers, its drawers and the trays of its tables, on one store."""

from collections.abc import Callable
from dataclasses import dataclass

from openfelt.runtime.cage.cage_commands import CageCommands
from openfelt.runtime.cage.drawers import LIMIT_CENTS, Drawers
from openfelt.runtime.cage.protection.limit_book import LimitBook
from openfelt.runtime.cage.trays import Trays
from openfelt.runtime.cage.vouchers import DAYS_DEFAULT, Vouchers
from openfelt.runtime.clock import Clock
from openfelt.storage.door import Store
from openfelt.storage.event_forms import EventCodec


@dataclass(frozen=True, slots=True)
class Cage:
    """Vouchers, drawers and trays. All of their calls block."""

    vouchers: Vouchers
    drawers: Drawers
    trays: Trays

    @classmethod
    def of(
        cls,
        store: Store,
        codec: EventCodec,
        clock: Clock,
        *,
        voucher_days: int = DAYS_DEFAULT,
        limit_cents: int = LIMIT_CENTS,
        limits: LimitBook | None = None,
        may_approve: Callable[[str], bool] = lambda _: True,
    ) -> "Cage":
        """The cage of a store; ``limit_cents`` is the payout that needs no supervisor.

        ``may_approve`` says whether a person is a supervisor now.
        """
        commands = CageCommands(store, codec, clock)
        limits = limits or LimitBook(store, codec, clock)
        vouchers = Vouchers(commands, limits, days=voucher_days)
        drawers = Drawers(
            commands, vouchers, limits, limit_cents=limit_cents, may_approve=may_approve
        )
        return cls(vouchers, drawers, Trays(commands))
