"""The saved game: one database with the player's money and every table that the player has used.

It runs on the same engine as a casino floor. The player's money is a balance of the ledger and an
unfinished round is the end of its table's record, so there is nothing to save at the end.
"""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.ledger import Account, AccountKind
from openfelt.rules import House
from openfelt.rules.fingerprints import dealt_by_either
from openfelt.rules.house import DealerMode
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import Request
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.shuffle.entropy import Entropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.streams import StreamKind, name_of, names_in, table_stream, wallet_stream
from openfelt.runtime.tables.open_table import write_table
from openfelt.runtime.tables.recovery.recovery import recover
from openfelt.runtime.tables.recovery.store_preparation import prepare_store
from openfelt.runtime.tables.stops import Lost
from openfelt.runtime.tables.sweeper import Sweeper
from openfelt.runtime.tables.worker import TableWorker
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.door import Lease, Store
from openfelt.table.commands import (
    SYSTEM,
    Collect,
    ExpireRound,
    OpenTable,
    Person,
    Role,
    TableCommand,
)
from openfelt.table.links.link import Link
from openfelt.table.links.link_events import Rates
from openfelt.table.links.link_referee import ChangeRates, OpenLink
from openfelt.table.state import Table

PLAYER: Final = Person(Role.PLAYER, "player")
"""The player at the keyboard."""
FLOOR: Final = Person(Role.FLOOR, "floor")
"""The player as floor staff, and the house itself when it changes its rules."""
OWNER: Final = "openfelt-play"
"""Who leases the tables. Every game uses this name, so the next game need not wait for the
leases of a game that was killed."""
LEASE_MS: Final = 15_000
TABLE_NAME_MAX: Final = 64

Asked = tuple[Person, TableCommand]
"""A command and who gives it."""


def table_name(house: House) -> str:
    """The name of the house's one table, and of its progressive link.

    >>> from openfelt.catalog import load_house
    >>> table_name(load_house("online"))
    'online-1'
    """
    return f"{house.id[: TABLE_NAME_MAX - 2]}-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refund:
    """A round that has been cancelled because it was left for too long."""

    house: House
    number: int
    cents: int


class SavedGame:
    """The player's wallet and tables in one store."""

    def __init__(self, store: Store, *, entropy: Entropy, clock: Clock) -> None:
        self.store = store
        self.worker_services = WorkerServices.of(store, Shuffler(entropy), clock)
        self._cashier = Cashier(store, self.worker_services.codec, clock)
        self.rounds = RoundReader(store, self.worker_services.rulebook)
        self._leases: list[Lease] = []
        prepare_store(store, self.worker_services.codec)

    def close(self) -> None:
        """Release the tables for other programs immediately."""
        for lease in self._leases:
            self.store.release_lease(lease)

    # Money -------------------------------------------------------------------

    @property
    def is_new(self) -> bool:
        """Whether the player has never had any money here."""
        return self.store.head(wallet_stream(PLAYER.name)).version == 0

    @property
    def wallet_cents(self) -> int:
        """The player's money that is at no table."""
        return self._cashier.balance(PLAYER.name)

    @property
    def credit_cents(self) -> int:
        """The player's money in all, except for wagers on a felt."""
        at_tables = self.store.balances(f"{AccountKind.CREDIT}:")
        return self.wallet_cents + sum(
            cents
            for account, cents in at_tables.items()
            if account.owner.endswith(f"/{PLAYER.name}")
        )

    def tips_cents(self, table: str) -> int:
        """The winnings of wagers for the dealer at a table."""
        return self.store.balance(Account(AccountKind.TIPS, table))

    def deposit(self, cents: int, *, player: str = PLAYER.name, payment: str | None = None) -> None:
        """Put play money into a wallet; the same payment a second time changes nothing."""
        payment = payment or secrets.token_hex(8)
        self._cashier.deposit(player, cents, id=payment, note="play money")

    def withdraw(self, cents: int) -> None:
        """Pay money out of the player's wallet."""
        if cents:
            self._cashier.withdraw(PLAYER.name, cents, id=secrets.token_hex(8))

    def bring_home(self, worker: TableWorker) -> None:
        """Take the player's credit at a table back to the wallet, unless a round needs it."""
        table = worker.table
        seat = table.seat_of(PLAYER.name)
        if seat and table.seats[seat].credit_cents and not table.wagers_of(seat):
            ask(worker, (PLAYER, Collect(seat)))

    # Tables ------------------------------------------------------------------

    def tables(self) -> Iterator[Table]:
        """Every table as its record ends."""
        for name in names_in(self.store, StreamKind.TABLE):
            recovered = recover(self.store, self.worker_services.codec, name)
            if recovered is not None:
                yield recovered.table

    def waiting_tables(self) -> list[Table]:
        """The tables where wagers or a bank wager of the player lie in a round."""
        return [
            table
            for table in self.tables()
            if (seat := table.seat_of(PLAYER.name)) and table.wagers_of(seat)
        ]

    def last_table(self) -> str | None:
        """The table with the newest event."""
        heads = self.store.heads(StreamKind.TABLE.prefix)
        if not heads:
            return None
        return name_of(max(heads, key=lambda stream: heads[stream].at_ms))

    def take_up(self, table: str) -> TableWorker:
        """The worker of a table, under a lease; raises Complaint if another program has it."""
        lease = self.store.take_lease(table_stream(table), OWNER, ttl_ms=LEASE_MS)
        if lease is None:
            raise Complaint(
                f"The table {table} is run by another program. Close that first.", ExitCode.IN_USE
            )
        self._leases.append(lease)
        return TableWorker.start(self.worker_services, table, lease)

    def table_of(self, house: House) -> TableWorker:
        """The worker of a house's table, which is opened if it is missing."""
        name = table_name(house)
        if self.store.head(table_stream(name)).version == 0:
            command = OpenTable(
                table=name,
                house=dealt_by_either(house),
                dealer_mode=DealerMode.VIRTUAL,
                link=self.link_of(house),
            )
            write_table(self.worker_services, command, by=SYSTEM, lease=None)
        return self.take_up(name)

    def expire_rounds(self) -> list[Refund]:
        """Cancel rounds that have waited for longer than their house allows (O.unfinished)."""
        return [
            self._expired(self.take_up(table), ExpireRound(number, days))
            for table, number, days in Sweeper(self.worker_services).due()
        ]

    def _expired(self, worker: TableWorker, command: ExpireRound) -> Refund:
        state = worker.table.playing
        assert state is not None
        before_cents = self.credit_cents
        ask(worker, (SYSTEM, command))
        cents = self.credit_cents - before_cents
        self.bring_home(worker)
        return Refund(house=state.house, number=command.round, cents=cents)

    # The progressive ---------------------------------------------------------

    def link_of(self, house: House, *, meter_cents: int | None = None) -> str | None:
        """The name of a house's progressive link, opened if it is missing; None without one.

        ``meter_cents`` is what a new meter shows instead of the house's seed, until it is won.
        """
        if house.progressive is None:
            return None
        name, links = table_name(house), self.worker_services.links
        rates = Rates(
            contribution=house.progressive.contribution, seed_cents=house.progressive.seed_cents
        )
        link = links.reload(name).link
        if link is None:
            first_cents = max(rates.seed_cents, meter_cents or 0)
            link = links.command(
                name,
                OpenLink(link=name, contribution=rates.contribution, seed_cents=first_cents),
            )
        if rates != (link.waiting or link.rates):
            links.command(
                name, ChangeRates(contribution=rates.contribution, seed_cents=rates.seed_cents)
            )
        return name

    def link(self, name: str) -> Link:
        """A link as it stands now."""
        link = self.worker_services.links.shown(name)
        assert link is not None
        return link


def ask(worker: TableWorker, *asked: Asked) -> None:
    """Let a worker carry out commands that the table takes, all in one transaction.

    Raises Complaint if it does not. The caller has already asked the croupier, so the store or
    the shuffler has failed, or another program has taken the table over.
    """
    requests = [
        Request(by=by, command=command, id=None if by is SYSTEM else secrets.token_hex(8))
        for by, command in asked
    ]
    try:
        answers = worker.handle(requests)
    except Lost as lost:
        raise Complaint(
            "Another program has taken this table over. What was written is kept.", ExitCode.IN_USE
        ) from lost
    for answer in answers:
        if not answer.accepted:
            raise Complaint(answer.sentence or "The table does not take that.")
