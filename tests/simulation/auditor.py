"""The auditor: follows everything that is written, and compares it with what must be true.

It reads the store through a connection of its own, right after each step, and builds every
table, link and account again from the first event on. So its tables are the full replay.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from openfelt.ledger import Account, AccountKind, Transfer
from openfelt.ledger.wallet import wallet_transfer
from openfelt.rules.round_events import (
    IrregularityDeclared,
    RoundOpened,
    RoundSettled,
    RoundVoided,
)
from openfelt.runtime.streams import StreamKind, kind_of, name_of, table_stream
from openfelt.runtime.tables.recovery.recovery import fold, recover
from openfelt.runtime.tables.worker import TableWorker
from openfelt.storage.chain import event_hash
from openfelt.storage.door import FIRST_HASH, NewEvent, StoredEvent
from openfelt.table.chips import transfers_of
from openfelt.table.dealer_events import DealerEvent, DealerSignedOn
from openfelt.table.events import (
    AdjustmentMade,
    AdjustmentProposed,
    AdjustmentRejected,
    BankDeclined,
    BetsReopened,
    ClockStarted,
    DealerChanged,
    SeatLeft,
    StubCounted,
    TableEvent,
    TableOpened,
)
from openfelt.table.links.link import Link, apply_link, link_moves
from openfelt.table.links.link_events import RoundCounted
from openfelt.table.state import Table
from tests.independent.money import Changes, LinkMoney, TableMoney, Wrong, wallet_changes
from tests.simulation.failure import SimulationFailure, require
from tests.simulation.feed_audit import FeedAudit
from tests.simulation.round_audit import RoundAudit

if TYPE_CHECKING:
    from tests.simulation.machine import Machine

Trace = Callable[[str], None]
"""Is told what happens, line by line."""
PIT_EVENTS = (
    IrregularityDeclared,
    AdjustmentProposed,
    AdjustmentMade,
    AdjustmentRejected,
    StubCounted,
    BetsReopened,
)
_ORDER = {"wallet": 0, "table": 1, "feed": 2, "link": 3, "dealer": 4}


class Auditor:
    """Everything as the record tells it."""

    def __init__(self, machine: "Machine", trace: Trace | None = None) -> None:
        self._machine = machine
        self._trace = trace
        self._tally = machine.tally
        self.tables: dict[str, Table] = {}
        self.links: dict[str, Link] = {}
        self._signed_on: dict[str, str] = {}
        """By dealer, the table at which the dealer is signed on."""
        self.balances: Counter[Account] = Counter()
        self.events: dict[str, list[TableEvent]] = {}
        """By table; the event of version 1 is the first."""
        self._ends: dict[str, StoredEvent] = {}
        self._read: dict[str, str] = {}
        """By stream, a hash over the events as they read."""
        self._rounds: dict[str, RoundAudit] = {}
        self._table_money: dict[str, TableMoney] = {}
        self._link_money: dict[str, LinkMoney] = {}
        self._houses: dict[str, dict[str, Any]] = {}
        self._finished: set[str] = set()
        self._feeds = FeedAudit()
        self._last_transfer = 0
        self._clocks: dict[str, tuple[int, int]] = {}
        """When each table's clock was started, and how often the wall had jumped by then."""
        self._vacated: dict[str, set[int]] = {}
        self._clock_at_ms: dict[str, int] = {}
        """The time that the record gives for each table's start of the clock."""
        self.declined_by_clock: set[tuple[str, int]] = set()
        """Where an offered bank has passed on because its time was up."""
        self._last_event_ms: dict[str, int] = {}
        self._round_opened_ms: dict[str, int] = {}

    def version(self, stream: str) -> int:
        """How many events of a stream the auditor has seen."""
        end = self._ends.get(stream)
        return end.version if end else 0

    def idle_ms(self, table: str) -> int:
        """How long nothing has happened at a table."""
        return self._machine.clock.true_ms - self._last_event_ms.get(table, 0)

    def round_age_ms(self, table: str) -> int:
        """How long ago the last round of a table was opened."""
        return self._machine.clock.true_ms - self._round_opened_ms.get(table, 0)

    # Following the record --------------------------------------------------------------

    def after_step(self) -> list[str]:
        """Take in what was written, check it, and give the tables that changed."""
        touched = sorted(self._machine.touched, key=lambda name: _ORDER[name.partition("/")[0]])
        self._machine.touched.clear()
        if not touched:
            return []
        moved: dict[tuple[str, int], list[Transfer]] = {}
        for stored in self._machine.look.transfers(after=self._last_transfer):
            moved.setdefault((stored.stream, stored.version), []).append(stored.transfer)
            self._last_transfer = stored.number
        accounts: dict[Account, None] = {}
        for stream in touched:
            for event in self._machine.look.events(stream, after=self.version(stream)):
                transfers = tuple(moved.pop((stream, event.version), ()))
                self._chain(event)
                if kind_of(stream) is StreamKind.TABLE:
                    over = [
                        one
                        for one in transfers
                        if one.round in self._finished and event.name != "adjustment_made"
                    ]
                    require(not over, "round is over", f"{over}")
                self._post(transfers, accounts)
                self._follow(event, transfers)
        require(not moved, "transfers without events", f"{list(moved)[:3]}")
        self._feeds.check(self.balances)
        self._check_accounts(accounts)
        changed = [name_of(name) for name in touched if kind_of(name) is StreamKind.TABLE]
        for table in changed:
            if table in self.tables:
                self._check_table(table)
                self._check_dealers()
        return changed

    def _chain(self, stored: StoredEvent) -> None:
        end = self._ends.get(stored.stream)
        before, hash_before = (end.version, end.hash) if end else (0, FIRST_HASH)
        at_ms = end.at_ms if end else 0
        require(stored.version == before + 1, "versions rise", f"{stored}")
        require(stored.at_ms >= at_ms, "times never go back", f"{stored} follows {at_ms}")
        event = NewEvent(
            name=stored.name, schema=stored.schema, body=stored.body, cause=stored.cause
        )
        require(bool(stored.cause.actor), "every event names its actor", f"{stored}")
        hashed = event_hash(
            hash_before,
            stream=stored.stream,
            version=stored.version,
            at_ms=stored.at_ms,
            event=event,
        )
        chained = (stored.previous, stored.hash) == (hash_before, hashed)
        require(chained, "hash chain", f"broken at {stored.stream} {stored.version}")
        facts = (stored.version, stored.at_ms, stored.name, stored.plain_body, stored.cause)
        text = f"{self._read.get(stored.stream)} {facts}"
        self._read[stored.stream] = hashlib.sha256(text.encode()).hexdigest()
        self._ends[stored.stream] = stored

    def _post(self, transfers: Iterable[Transfer], accounts: dict[Account, None]) -> None:
        for transfer in transfers:
            cents = transfer.cents
            require(type(cents) is int and cents > 0, "whole cents", f"{transfer}")
            self.balances[transfer.debit] -= cents
            self.balances[transfer.credit] += cents
            accounts[transfer.debit] = accounts[transfer.credit] = None

    def _follow(self, stored: StoredEvent, transfers: tuple[Transfer, ...]) -> None:
        kind, _, name = stored.stream.partition("/")
        self._check_money(stored, transfers)
        event = self._machine.codec.decode(stored)
        if self._trace is not None:
            now_ms = self._machine.clock.true_ms
            self._trace(f"{now_ms:>12} {stored.stream} {stored.version} {event}")
        if kind == "table":
            expected = self._follow_table(name, event, stored)
        elif kind == "link":
            expected = self._follow_link(name, event)
        elif kind == "feed":
            self._feeds.feed(name, stored.version, event)
            expected = ()
        elif kind == "dealer":
            expected = self._follow_dealer(name, event)
        else:
            expected = (wallet_transfer(event),)
        require(
            transfers == expected,
            "transfers of an event",
            f"{stored.stream} {stored.version} {stored.name} moved {transfers}, not {expected}.",
        )

    def _follow_dealer(self, dealer: str, event: DealerEvent) -> tuple[Transfer, ...]:
        """A dealer signs on at a table without a dealer, and off at their own table."""
        signed_on = isinstance(event, DealerSignedOn)
        before = self._signed_on.pop(dealer, None)
        require(before == (None if signed_on else event.table), "one table", f"{dealer} {event}")
        if signed_on:
            self._signed_on[dealer] = event.table
        return ()

    def _check_dealers(self) -> None:
        """The tables and the dealers agree on who deals where."""
        dealt = {name: table.dealer for name, table in self.tables.items() if table.dealer}
        swapped = {table: dealer for dealer, table in self._signed_on.items()}
        require(dealt == swapped, "one table for each dealer", f"{dealt}, not {swapped}")

    def _check_money(self, stored: StoredEvent, transfers: Iterable[Transfer]) -> None:
        """Hold what an event has moved against a model that shares nothing with the program."""
        moved: Changes = Counter()
        for transfer in transfers:
            moved[str(transfer.debit)] -= transfer.cents
            moved[str(transfer.credit)] += transfer.cents
        where = f"{stored.stream} {stored.version} {stored.name}"
        try:
            expected = self._expected_money(stored)
        except (Wrong, LookupError, TypeError, StopIteration) as error:
            raise SimulationFailure("money by the model", f"{where}: {error!r}") from error
        found = {account: cents for account, cents in moved.items() if cents}
        require(found == dict(expected), "money by the model", f"{where}: {found}, not {expected}.")

    def _expected_money(self, stored: StoredEvent) -> Changes:
        kind = kind_of(stored.stream)
        if kind is StreamKind.TABLE and not TableMoney.cares_for(stored.name):
            return Counter()
        body = json.loads(stored.plain_body)
        if kind is StreamKind.TABLE:
            table = self._table_money.setdefault(stored.stream, TableMoney(self._rules))
            return table.take(stored.name, body, stored.schema)
        if kind in (StreamKind.DEALER, StreamKind.FEED):
            return Counter()
        if kind is StreamKind.LINK:
            link = self._link_money.setdefault(stored.stream, LinkMoney())
            return link.take(stored.name, body)
        return wallet_changes(stored.name, body)

    def _rules(self, fingerprint: str) -> dict[str, Any]:
        """The rules of a house as the store has them."""
        if fingerprint not in self._houses:
            rules = self._machine.look.rule_set(fingerprint)
            assert rules is not None
            self._houses[fingerprint] = json.loads(rules.body)
        return self._houses[fingerprint]

    def _follow_table(
        self, name: str, event: TableEvent, stored: StoredEvent
    ) -> tuple[Transfer, ...]:
        before = self.tables.get(name)
        expected: tuple[Transfer, ...] = ()
        if before is not None:
            audit = self._rounds.setdefault(name, RoundAudit(stored.stream, self._tally))
            audit.take(before, event, self._machine.look)
            expected = transfers_of(before, event)
        elif not isinstance(event, TableOpened):
            raise SimulationFailure("table opened first", f"{stored}")
        table = fold(before, event)
        if isinstance(event, PIT_EVENTS):
            self._tally.add(f"pit: {type(event).__name__}")
        if isinstance(event, DealerChanged) and event.handover is not None:
            self._tally.add("dealer handed over")
        self.tables[name] = table
        self.events.setdefault(name, []).append(event)
        self._follow_seats(name, before, event)
        if isinstance(event, RoundOpened):
            self._round_opened_ms[name] = self._machine.clock.true_ms
        if isinstance(event, ClockStarted):
            self._start_clock(name, before, event)
            self._clock_at_ms[name] = stored.at_ms
        elif before is not None and before.clock is not None:
            self._check_time(name, stored)
        self._last_event_ms[name] = self._machine.clock.true_ms
        if isinstance(event, BankDeclined) and before is not None and before.clock is not None:
            started_ms, _ = self._clocks[name]
            if self._machine.clock.true_ms - started_ms >= before.clock.ms:
                self.declined_by_clock.add((name, stored.version))
                self._tally.add("bank passed on by the clock")
        if isinstance(event, RoundSettled | RoundVoided):
            self._round_over(table)
            if event.settlement.meter_cents is not None:
                self._feeds.settle(name, table.rounds, event.settlement.meter_cents)
        return expected

    def _start_clock(self, name: str, before: Table | None, event: ClockStarted) -> None:
        """A clock that goes on after an outage has what was left at the last event, to the ms."""
        clock = self._machine.clock
        if before is not None and before.clock is not None:
            started_ms, jumps = self._clocks[name]
            left_ms = max(0, before.clock.ms - (self._last_event_ms[name] - started_ms))
            fair = event.ms == left_ms
            self._tally.add("clock went on after an outage")
            if jumps != clock.jumps:
                self._tally.add("clock went on after a jump of the wall clock")
            require(fair, "clock goes on", f"{name}: {event} after {before.clock}, {left_ms} left")
        self._clocks[name] = (clock.true_ms, clock.jumps)

    def _follow_seats(self, name: str, before: Table | None, event: TableEvent) -> None:
        """Whose cards of the last round a new player must not see: seats that were left since."""
        vacated = self._vacated.setdefault(name, set())
        if isinstance(event, RoundOpened):
            vacated.clear()
        elif isinstance(event, SeatLeft) and before is not None and before.playing is None:
            vacated.add(event.seat)
        found = self.tables[name].vacated
        require(found == vacated, "vacated seats", f"{name}: {sorted(found)}, not {vacated}.")

    def _check_time(self, name: str, stored: StoredEvent) -> None:
        """While a clock runs, the times of the record advance as time really does."""
        passed_ms = self._machine.clock.true_ms - self._clocks[name][0]
        recorded_ms = stored.at_ms - self._clock_at_ms[name]
        require(
            recorded_ms == passed_ms,
            "times of a running clock",
            f"{name} {stored.version}: {recorded_ms} ms by the record, {passed_ms} in truth.",
        )

    def _round_over(self, table: Table) -> None:
        for kind in (AccountKind.WAGERS, AccountKind.BANKER):
            left_cents = self.balances[Account(kind, table.round_id)]
            require(
                left_cents == 0, "round settles to zero", f"{kind} {table.round_id} {left_cents}"
            )
        self._finished.add(table.round_id)

    def _follow_link(self, name: str, event: object) -> tuple[Transfer, ...]:
        before = self.links.get(name)
        if isinstance(event, RoundCounted) and before is not None:
            meter_cents = self._feeds.count(name, event)
            shown_cents = before.meter_cents_with(event.wagered_cents)
            require(
                meter_cents == shown_cents or not event.won,
                "settled by the meter",
                f"{event} was settled by {meter_cents}, and the meter showed {shown_cents}.",
            )
        expected = link_moves(before, event)  # type: ignore[arg-type]
        self.links[name] = apply_link(before, event)  # type: ignore[arg-type]
        return expected

    # Checks ------------------------------------------------------------------------------

    def _check_accounts(self, accounts: Iterable[Account]) -> None:
        look = self._machine.look
        for account in accounts:
            held = look.balance(account)
            require(
                held == self.balances[account],
                "balance is the sum of transfers",
                f"{account} holds {held}, and its transfers make {self.balances[account]}.",
            )
            require(
                held >= 0 or account.kind.may_owe, "no account negative", f"{account} holds {held}"
            )
        for name, link in self.links.items():
            meter = self.balances[Account(AccountKind.METER, name)]
            reserve = self.balances[Account(AccountKind.RESERVE, name)]
            require(
                (meter, reserve) == (link.meter.display_cents, link.meter.reserve_cents),
                "meter and reserve",
                f"{name} has {meter} and {reserve}, and its record says {link.meter}.",
            )

    def _check_table(self, name: str) -> None:
        """What lies at the seats and on the felt is what the ledger says."""
        table = self.tables[name]
        for number, seat in table.seats.items():
            held = self.balances[table.credit(number)]
            require(held == seat.credit_cents, "credit of a seat", f"{name} seat {number}: {held}")
        on_felt = self.balances[Account(AccountKind.WAGERS, table.round_id)]
        audited = self._rounds[name].on_felt_cents if name in self._rounds else 0
        require(on_felt == audited, "wagers on the felt", f"{name}: {on_felt}, not {audited}")

    def compare(self, worker: TableWorker) -> None:
        """The table in a worker's memory is the replayed one, with its cards and its clock."""
        table = worker.table.id
        head = self._machine.look.head(table_stream(table))
        stale = worker.lease is not None and worker.lease.fence != head.fence
        if stale or worker.stopped is not None:
            return
        require(worker.head == head, "live equals replay", f"{table}: {worker.head}, not {head}")
        require(worker.table == self.tables[table], "live equals replay", f"{table} differs")
        if table in self._rounds:
            cards = {name: deck.cards for name, deck in worker._decks.decks.items()}
            require(cards == self._rounds[table].decks, "same cards", f"{table} has other decks")
        self._check_clock(worker)

    def _check_clock(self, worker: TableWorker) -> None:
        clock, table = worker.table.clock, worker.table.id
        if clock is None:
            right = worker.time_left_ms is None
        else:
            ends_ms = self._clocks[table][0] + clock.ms
            right = worker.time_left_ms == max(0, ends_ms - self._machine.clock.true_ms)
        require(right, "clock runs", f"{table}: {clock} has {worker.time_left_ms} ms left")

    def check_recovery(self, table: str) -> None:
        """A process that started now would find the table as it is."""
        found = recover(self._machine.look, self._machine.codec, table)
        assert found is not None
        require(found.table == self.tables[table], "recovery equals replay", f"{table} differs")

    def fingerprint(self) -> str:
        """A hash over all streams: two runs of one seed have the same.

        It is taken over the events as they read, because their encryption is random.
        """
        ends = [f"{name} {self._read[name]}" for name in sorted(self._read)]
        return hashlib.sha256("\n".join(ends).encode()).hexdigest()

    def check_everything(self) -> None:
        """Compare all balances and all ends of streams with the store's."""
        look = self._machine.look
        held = look.balances()
        require(sum(held.values()) == 0, "accounts sum to zero", f"{sum(held.values())}")
        known = {account: cents for account, cents in self.balances.items() if cents}
        require(
            held == known,
            "balance is the sum of transfers",
            f"{set(held.items()) ^ set(known.items())}",
        )
        for stream, end in self._ends.items():
            head = look.head(stream)
            same = (head.version, head.hash, head.at_ms) == (end.version, end.hash, end.at_ms)
            require(
                same, "nothing written is lost", f"{stream} is at {head}, and was at {end.version}"
            )
