"""The work of the house: what one process at a time does for all that share a database."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from openfelt.runtime.background import BackgroundTask
from openfelt.runtime.cage.days.day_closings import DayClosings
from openfelt.runtime.cage.days.takings import TakingsBook
from openfelt.runtime.cluster.duty import Duty
from openfelt.runtime.cluster.membership import Membership
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.tables.floor import every
from openfelt.server.services import Services
from openfelt.server.store.chores import (
    close_days,
    drop_after_terms,
    expire_vouchers,
    forget_old_refusals,
)
from openfelt.storage.door import Store

SWEEP_MS: Final = 3_600_000
"""How often the server searches for rounds that have waited too long for their player."""


@dataclass(frozen=True, slots=True)
class Duties:
    """Tasks that one process at a time does for all that share the database."""

    start: Duty
    """Preparing the database, and setting up the starter floor in an empty one."""
    house: Duty
    notary: Duty

    @classmethod
    def of(cls, store: Store, membership: Membership, *, ttl_ms: int) -> "Duties":
        """The duties, as this process would do them."""
        return cls(
            *(
                Duty(
                    store,
                    name,
                    owner=membership.member.name,
                    ttl_ms=ttl_ms,
                    may_take=lambda: membership.active,
                )
                for name in ("start", "house", "notary")
            )
        )


def house_work(services: Services) -> list[BackgroundTask]:
    """The tasks that only one of the processes on a database does at a time."""
    settings, floor, resting = services.settings, services.floor, services.ownership.is_resting
    store, clock = services.store, services.clock
    purge = Purge(store, floor.worker_services.codec, services.round_reader, clock)
    return [
        partial(close_days, DayClosings(store), TakingsBook(store), clock),
        partial(expire_vouchers, services.cage.vouchers),
        partial(
            drop_after_terms,
            purge,
            store,
            keep_days=settings.keep_decks_days,
            keep_proofs_days=settings.keep_proofs_days,
        ),
        partial(forget_old_refusals, store),
        partial(
            every,
            SWEEP_MS,
            lambda: floor.sweep(skips=lambda table: not resting(table), ask=services.tables.ask),
            at_once=True,
        ),
        services.watch.run,
        services.verifications.watch,
    ]
