"""Processes at work on a store, as tests drive them: no network, no thread, a stopped clock.

A shift is one process on the file of a store; a second shift on the same file is a second
process. A desk is a worker with people at its table:

    desk = Shift(path).open_table("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    desk.bet("ann", "1.1", "ante 10").close().deal("As Ah Kc Kd")

People, amounts, cards and decisions are written as in ``tests.kit.tables``.
"""

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from openfelt.cards import FULL_DECK, Card, parse_cards
from openfelt.catalog import load_house
from openfelt.ledger import Account, AccountKind, Book, trial_balance
from openfelt.rules import (
    CloseBets,
    Confirm,
    DealCard,
    House,
    MakeDecision,
    Phase,
    Round,
    RoundView,
    SetWagers,
    TurnCards,
    VoidRound,
    clock_decision,
    view,
)
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.rules.wagers import Spot, Wager, WagerKind
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler
from openfelt.runtime.streams import StreamKind, names_in, table_stream
from openfelt.runtime.tables.open_table import write_table
from openfelt.runtime.tables.worker import TableWorker
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.door import Commit, Head, Lease, StoredEvent, Unavailable, Unknown
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.commands import (
    BuyIn,
    ChangeDealer,
    OpenBets,
    OpenTable,
    Person,
    TableCommand,
    TakeBank,
    TakeSeat,
)
from openfelt.table.events import TableEvent
from openfelt.table.state import Table
from tests.kit.felt import decision_of, spot_of, wagers_of
from tests.kit.tables import DEALER, FLOOR, person

START_MS = 1_767_225_600_000
"""The first moment of 2026, UTC."""


class StandingClock:
    """A stopped clock, which a test moves."""

    def __init__(self) -> None:
        self.wall = START_MS
        self.monotonic = 5_000_000

    def wall_ms(self) -> int:
        """What the wall clock shows."""
        return self.wall

    def monotonic_ms(self) -> int:
        """How long the machine has been running."""
        return self.monotonic

    def pass_ms(self, ms: int) -> None:
        """Let time pass."""
        self.wall += ms
        self.monotonic += ms

    def jump_ms(self, ms: int) -> None:
        """Set the wall clock; no time passes."""
        self.wall += ms


class ShakyStore(SqliteStore):
    """A real store that keeps its commits and fails on demand."""

    def __init__(self, path: Path, *, now_ms: Callable[[], int]) -> None:
        super().__init__(path, now_ms=now_ms)
        self.commits: list[Commit] = []
        """The commits that were written."""
        self.full = False
        """Whether every commit fails for want of space."""
        self.gone = False
        """Whether neither reading nor writing works."""
        self.loses_answer = False
        """Whether the next commit is written, but its success is not reported."""
        self.delays = False
        """Whether the next commit reaches the database only when ``carry_out`` is called."""
        self.delayed: list[Commit] = []
        """The commits that are still to come."""
        self.meanwhile: list[Callable[[], object]] = []
        """What other processes do before the next commits or waits, one call before each."""

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write, or fail on demand."""
        if self.meanwhile:
            self.meanwhile.pop(0)()
        if self.full or self.gone:
            raise Unavailable("The disk is full.")
        if self.delays:
            self.delays = False
            self.delayed.append(commit)
            raise Unknown("The line was cut.")
        heads = super().commit(commit)
        self.commits.append(commit)
        if self.loses_answer:
            self.loses_answer = False
            raise Unknown("The line was cut.")
        return heads

    def wait_for_writers(self, stream: str) -> None:
        """Let other processes commit first."""
        if self.meanwhile:
            self.meanwhile.pop(0)()
        super().wait_for_writers(stream)

    def carry_out(self) -> None:
        """Carry out what was delayed; raises what the store says to it."""
        super().commit(self.delayed.pop(0))

    def _read(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        if self.gone:
            raise Unavailable("The disk cannot be read.")
        return super()._read(statement, values)


class Shift:
    """One process at work on a file."""

    def __init__(
        self, path: Path, *, clock: StandingClock | None = None, shuffler: Shuffler | None = None
    ) -> None:
        self.path = path
        self.clock = clock or StandingClock()
        self.store = ShakyStore(path, now_ms=self.clock.wall_ms)
        self.worker_services = WorkerServices.of(
            self.store, shuffler or Shuffler(SeededEntropy(1)), self.clock
        )
        self.cashier = Cashier(self.store, self.worker_services.codec, self.clock)
        self._open = ExitStack()
        self._open.callback(self.store.close)

    def beside(self, *, shuffler: Shuffler | None = None) -> "Shift":
        """Another process on the same file and the same machine, closed with this one."""
        other = Shift(self.path, clock=self.clock, shuffler=shuffler)
        self._open.callback(other.close)
        return other

    def close(self) -> None:
        """Let go of the file."""
        self._open.close()

    def open_table(
        self,
        house: House | str,
        *,
        name: str = "table-1",
        mode: DealerMode | None = None,
        clock: ClockRule | None = None,
        link: str | None = None,
    ) -> "Desk":
        """Put a table on the floor and work at it."""
        rules = load_house(house) if isinstance(house, str) else house
        command = OpenTable(table=name, house=rules, dealer_mode=mode, clock=clock, link=link)
        write_table(self.worker_services, command, by=FLOOR, lease=None)
        return self.work_at(name)

    def work_at(self, table: str = "table-1", *, lease: Lease | None = None) -> "Desk":
        """Take up a table that is there."""
        return Desk(self, TableWorker.start(self.worker_services, table, lease))

    def lease(self, table: str = "table-1", *, owner: str = "one", ttl_ms: int = 1000) -> Lease:
        """Lease a table."""
        lease = self.store.take_lease(table_stream(table), owner, ttl_ms=ttl_ms)
        assert lease is not None
        return lease

    def cents(self, account: str) -> int:
        """What an account holds, such as ``"wallet:ann"``."""
        return self.store.balance(Account.parse(account))

    def record(self, table: str = "table-1") -> list[StoredEvent]:
        """A table's events as they lie in the store."""
        return list(self.store.events(table_stream(table)))

    def names(self, stream: str = "table/table-1") -> list[str]:
        """The names of a stream's events."""
        return [stored.name for stored in self.store.events(stream)]


_IDS = itertools.count(1)


class Desk:
    """A worker with people at its table."""

    def __init__(self, shift: Shift, worker: TableWorker) -> None:
        self.shift = shift
        self.worker = worker
        self.dealer = DEALER
        """Who deals where a test says ``dan``: a dealer is signed on at one table at a time."""
        self.told: list[tuple[tuple[TableEvent, ...], int]] = []
        """The changes that the worker's listener received."""
        worker.listen(lambda events, version: self.told.append((events, version)))

    # Asking ------------------------------------------------------------------------

    def ask(
        self,
        command: TableCommand,
        by: str | Person,
        *,
        id: str | None = None,  # noqa: A002
    ) -> Answer:
        """Give a command, under its own id where none is given."""
        (answer,) = self.worker.handle([request(command, by, id=id)])
        return answer

    def do(self, command: TableCommand, by: str | Person) -> "Desk":
        """Give a command that is carried out; the dealer signs on first where none is."""
        if person(by) == DEALER:
            by = self.dealer
            if not self.table.virtual and self.table.dealer is None:
                signed_on = self.ask(ChangeDealer(by.name), FLOOR)
                assert signed_on.accepted, signed_on
        answer = self.ask(command, by)
        assert answer.accepted, answer
        return self

    def refuses(self, command: TableCommand, by: str | Person, code: str) -> Answer:
        """Check that a command is refused with this code and changes nothing."""
        before, head = self.table, self.worker.head
        answer = self.ask(command, by)
        assert answer.refused == code, answer
        assert answer.sentence is not None
        assert answer.sentence.endswith(".")
        assert (self.table, self.worker.head) == (before, head)
        return answer

    def sit(self, player: str, seat: int, dollars: int = 0) -> "Desk":
        """Let a player sit down and buy in with money that is new to the house."""
        self.do(TakeSeat(seat), player)
        if dollars:
            self.shift.cashier.deposit(player, dollars * 100, id=f"deposit {next(_IDS)}")
            self.do(BuyIn(seat, dollars * 100), player)
        return self

    def bet(self, player: str, spot: str, wagers: str) -> "Desk":
        """Set the wagers of a spot."""
        return self.do(SetWagers(spot_of(spot), wagers_of(wagers)), player)

    def choose(self, player: str, spot: str, decision: str) -> "Desk":
        """Decide for a hand."""
        return self.do(MakeDecision(spot_of(spot), decision_of(decision)), player)

    def close(self) -> "Desk":
        """Call "no more bets"."""
        return self.do(CloseBets(), "dan")

    def deal(self, cards: str) -> "Desk":
        """Scan cards one after another, turning what is to be turned in between."""
        for card in parse_cards(cards):
            self.turn().do(DealCard(card), "dan")
        return self

    def turn(self) -> "Desk":
        """Turn over all cards that are due."""
        while self.table.playing and isinstance(self.round.current_step, Turn):
            self.do(TurnCards(), "dan")
        return self

    def confirm(self) -> "Desk":
        """Confirm the round, as its dealer."""
        return self.do(Confirm(), "dan")

    def void(self) -> "Desk":
        """Declare the round void."""
        return self.do(VoidRound("the shuffler failed"), FLOOR)

    # Looking -----------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table as the worker knows it."""
        return self.worker.table

    @property
    def round(self) -> Round:
        """The round in progress, or the last one."""
        assert self.table.round is not None
        return self.table.round

    @property
    def phase(self) -> str:
        """How far the round has come."""
        return self.round.phase.value

    @property
    def decks(self) -> Mapping[str, SecretDeck]:
        """The secret decks of the round."""
        return self.worker._decks.decks

    @property
    def views(self) -> list[RoundView]:
        """The round as each player at the table and a spectator see it."""
        return [view(self.round, seat=seat) for seat in (*self.table.seats, None)]

    def credit(self, player: str) -> int:
        """A player's credit at the table, in cents."""
        seat = self.table.seat_of(player)
        assert seat is not None
        return self.table.seats[seat].credit_cents

    def restart(self) -> "Desk":
        """Another process takes the table over after this one has died."""
        return self.shift.beside().work_at(self.table.id)


def request(
    command: TableCommand,
    by: str | Person,
    *,
    id: str | None = None,  # noqa: A002
) -> Request:
    """A request under a new id if none is given; the system's requests have none."""
    who = person(by)
    if id is None and who.role != "system":
        id = f"command {next(_IDS)}"  # noqa: A001
    return Request(by=who, command=command, id=id)


async def until(met: Callable[[], bool]) -> None:
    """Wait until a condition is met."""
    async with asyncio.timeout(60):
        while not met():  # noqa: ASYNC110, for the worker's thread sets no event of a loop.
            await asyncio.sleep(0.001)


# Rounds ------------------------------------------------------------------------------


def steps_of_a_round(desk: Desk, *, seed: int = 1) -> Iterator[tuple[TableCommand, str]]:
    """What people do in one round of any house, to be done before the next step is asked for.

    ``desk.worker`` may be another one at each step.
    """
    cards = iter(random.Random(seed).sample(FULL_DECK, 52))
    first = min(desk.table.seats)
    if desk.table.player_banked:
        first = desk.table.bank_offered_to or first
        yield TakeBank(first, 20_000), desk.table.seats[first].player
    elif not desk.table.virtual:
        yield OpenBets(), "dan"
    for seat, who in desk.table.seats.items():
        if not (desk.table.player_banked and seat == first):
            for hand in range(1, desk.table.house.hands_per_seat + 1):
                yield SetWagers(Spot(seat, hand), smallest_wagers(desk.table.house)), who.player
    yield CloseBets(), "eve"
    while (state := desk.table.playing) is not None:
        yield _next_step(desk.table, state, cards)


def _next_step(table: Table, state: Round, cards: Iterator[Card]) -> tuple[TableCommand, str]:
    if state.phase is Phase.READY:
        return Confirm(), "dan"
    match state.current_step:
        case Deal():
            return DealCard(next(cards)), "dan"
        case Turn():
            return TurnCards(), "dan"
    spot = min(state.pending)
    return MakeDecision(spot, clock_decision(state, spot)), table.seats[spot.seat].player


def smallest_wagers(house: House) -> tuple[Wager, ...]:
    """The smallest Ante and, where there are any, the smallest two other wagers."""
    rules = [
        rule
        for rule in house.wagers
        if rule.kind not in (WagerKind.BLIND, WagerKind.PROGRESSIVE, WagerKind.BAD_BEAT)
    ]
    return tuple(Wager(rule.kind, rule.min_cents) for rule in rules[:3])


# Money -------------------------------------------------------------------------------


def check_books(shift: Shift, *desks: Desk) -> None:
    """The books balance, transfers and balances agree, and tables and links agree with them."""
    store = shift.store
    book = Book().post(stored.transfer for stored in store.transfers())
    assert {account: cents for account, cents in book.balances.items() if cents} == dict(
        store.balances()
    )
    assert trial_balance(book).balanced
    for desk in desks:
        for number, seat in desk.table.seats.items():
            assert store.balance(desk.table.credit(number)) == seat.credit_cents
        if desk.table.playing is None:
            for kind in (AccountKind.WAGERS, AccountKind.BANKER):
                assert not store.balances(f"{kind}:{desk.table.id}/")
    for name in names_in(store, StreamKind.LINK):
        current = shift.worker_services.links.reload(name)
        link = current.link
        assert link is not None
        assert shift.cents(f"meter:{link.id}") == link.meter.display_cents
        assert shift.cents(f"reserve:{link.id}") == link.meter.reserve_cents
        waiting: Counter[str] = Counter()
        for fed in current.waiting:
            waiting[f"reserve:{name}/{fed.table}"] += fed.fed.net_cents
        held = store.balances(f"reserve:{name}/")
        assert {str(account): cents for account, cents in held.items()} == {
            name: cents for name, cents in waiting.items() if cents
        }
