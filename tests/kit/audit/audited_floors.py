"""A casino floor in a SQLite file, played through the real workers, for tests to look at.

floor = Floor(tmp_path / "floor.db")
floor.open("main-1", "washington", link="main")
floor.play("main-1", rounds=3)
"""

import itertools
import random
import sqlite3
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

from openfelt.cards import FULL_DECK, Card, parse_cards
from openfelt.catalog import load_house
from openfelt.rules import (
    CloseBets,
    Confirm,
    DealCard,
    House,
    MakeDecision,
    Phase,
    Round,
    SetWagers,
    TurnCards,
    VoidRound,
)
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.house import BankKind, DealerMode
from openfelt.rules.wagers import Spot
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.notary.keys import load_or_make_key
from openfelt.runtime.notary.notary import Notary
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.tables.open_table import write_table
from openfelt.runtime.tables.worker import TableWorker
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.door import Store
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.commands import (
    BuyIn,
    ChangeDealer,
    DeclineBank,
    OpenBets,
    OpenTable,
    Person,
    Role,
    TableCommand,
    TakeBank,
    TakeSeat,
)
from openfelt.table.deck import deck_of
from openfelt.table.links.link_referee import ChangeRates, OpenLink
from tests.kit.felt import wagers_of
from tests.kit.random_rounds import _random_decision
from tests.kit.tables import FLOOR

FIRST_MS = 1_767_268_800_000
"""Noon of the first day of 2026, UTC."""
DAY_MS = 86_400_000
IDS = itertools.count(1)

WAGERS = {
    "washington": "ante 10, blind 10, trips 5, progressive 1",
    "online": "ante 5, blind 5, trips 1",
    "california": "ante 10, blind 10, trips 5",
    "stadium": "ante 10, blind 10, trips 2, bad_beat 1, ultimate_pairs 1, tip ante 1, tip blind 1",
    "draw": "ante 10, bonus 2",
}


def dealer_of(table: str) -> Person:
    """The dealer of a table; each deals at one table only."""
    return Person(Role.DEALER, f"dealer-{table}")


class HandClock:
    """A clock that only moves when it is asked, and then by a second."""

    def __init__(self, now_ms: int = FIRST_MS) -> None:
        self.now_ms = now_ms

    def wall_ms(self) -> int:
        """The time, a second later each time."""
        self.now_ms += 1000
        return self.now_ms

    def monotonic_ms(self) -> int:
        """The same time."""
        return self.now_ms


class Floor:
    """Tables, a link and players, all in one SQLite file, or in another store."""

    def __init__(self, path: Path, *, seed: int = 1, store: Store | None = None) -> None:
        self.path = path
        self.store: Store = store or SqliteStore(path)
        self.clock = HandClock()
        self.worker_services = WorkerServices.of(
            self.store, Shuffler(SeededEntropy(seed)), self.clock
        )
        self.cashier = Cashier(self.store, self.worker_services.codec, self.clock)
        self.random = random.Random(seed)
        self.workers: dict[str, TableWorker] = {}
        self._deck: list[Card] = []

    def link(self, name: str = "main", seed_cents: int = 100_000) -> None:
        """Open a progressive link."""
        opening = OpenLink(link=name, contribution=Fraction(7, 10), seed_cents=seed_cents)
        self.worker_services.links.command(name, opening)

    def open(
        self,
        name: str,
        house: House | str,
        *,
        mode: DealerMode | None = None,
        link: str | None = None,
        seats: Sequence[int] = (1,),
    ) -> None:
        """Put a table on the floor and let players sit down, each with a thousand dollars."""
        rules = load_house(house) if isinstance(house, str) else house
        command = OpenTable(table=name, house=rules, dealer_mode=mode, link=link)
        write_table(self.worker_services, command, by=FLOOR, lease=None)
        self.workers[name] = TableWorker.start(self.worker_services, name, None)
        if not self.workers[name].table.virtual:
            self.do(name, ChangeDealer(dealer_of(name).name), FLOOR)
        for seat in seats:
            player = f"{name}-p{seat}"
            self.cashier.deposit(player, 150_000, id=f"d-{player}")
            self.do(name, TakeSeat(seat), player)
            self.do(name, BuyIn(seat, 100_000), player)

    def notary(self) -> Notary:
        """Its notary, with its files where ``openfelt serve`` keeps them."""
        key = self.path.with_name(f"{self.path.name}.notary.key")
        published = key.with_name(f"{key.name}.checkpoints")
        return Notary(self.store, load_or_make_key(key), self.clock, published=published)

    def do(self, table: str, command: TableCommand, by: Person | str) -> Answer:
        """Give a command that the table must take."""
        person = Person(Role.PLAYER, by) if isinstance(by, str) else by
        request = Request(by=person, command=command, id=f"c{next(IDS)}")
        (answer,) = self.workers[table].handle([request])
        assert answer.accepted, answer
        return answer

    def state(self, table: str) -> Round:
        """The round in progress, or the last one."""
        state = self.workers[table].table.round
        assert state is not None
        return state

    # Playing -------------------------------------------------------------------------

    def play(self, table: str, rounds: int = 1, *, top: str = "") -> None:
        """Play whole rounds with random decisions; a live dealer deals the top cards first."""
        for _ in range(rounds):
            self.bet(table)
            first = parse_cards(top)
            self._deck = [*(card for card in self._deck if card not in first), *reversed(first)]
            self.close(table)
            self.finish(table)

    def bet(self, table: str) -> None:
        """Open a round, and let every player bet who does not bank it."""
        worker = self.workers[table]
        house = worker.table.house
        banker = None
        if house.bank.kind is BankKind.PLAYER_DEALER:
            banker = worker.table.bank_offered_to
            assert banker is not None
            if len(worker.table.seats) > 2 and self.random.random() < 0.3:
                self.do(table, DeclineBank(banker), f"{table}-p{banker}")
                banker = worker.table.bank_offered_to
                assert banker is not None
            self.do(table, TakeBank(banker, 5_000), f"{table}-p{banker}")
        elif not worker.table.virtual:
            self.do(table, OpenBets(), dealer_of(table))
        self._deck = list(FULL_DECK)
        self.random.shuffle(self._deck)
        for seat in sorted(worker.table.seats):
            if seat != banker:
                wagers = wagers_of(WAGERS[house.id])
                self.do(table, SetWagers(Spot(seat, 1), wagers), f"{table}-p{seat}")

    def close(self, table: str) -> None:
        """Call "no more bets"."""
        here = self.workers[table].table
        staff = FLOOR if here.virtual else dealer_of(table)
        self.do(table, CloseBets(), f"{table}-p1" if here.house.id == "online" else staff)

    def finish(self, table: str) -> None:
        """Deal, turn, decide and confirm until the round is over."""
        while self.workers[table].table.playing is not None:
            self.step(table)

    def step(self, table: str) -> None:
        """Do the next thing that the round waits for."""
        state = self.state(table)
        step = state.current_step
        if state.phase is Phase.READY:
            self.do(table, Confirm(), dealer_of(table))
        elif isinstance(step, Deal):
            assert deck_of(state.house, step.place) == "table"
            self.do(table, DealCard(self._deck.pop()), dealer_of(table))
        elif isinstance(step, Turn):
            self.do(table, TurnCards(), dealer_of(table))
        else:
            spot = next(spot for spot in state.hands if spot in state.pending)
            decision = _random_decision(state, spot, self.random)
            self.do(table, MakeDecision(spot, decision), f"{table}-p{spot.seat}")

    def void(self, table: str) -> None:
        """Bet, deal a little, and declare the round void."""
        self.bet(table)
        self.close(table)
        self.void_now(table)

    def void_now(self, table: str) -> None:
        """Declare the round in progress void."""
        self.do(table, VoidRound("the lights went out"), FLOOR)


def five_houses(path: Path, *, store: Store | None = None) -> Floor:
    """A floor with tables of all five houses, a link, voids, and rounds in progress."""
    floor = Floor(path, store=store)
    floor.link()
    floor.open("wash-1", "washington", link="main", seats=(1, 3))
    floor.open("wash-2", "washington", link="main", seats=(2,))
    floor.open("net-1", "online")
    floor.open("card-1", "california", seats=(1, 2, 5))
    floor.open("arena-1", "stadium", mode=DealerMode.VIRTUAL, seats=(1, 7))
    floor.open("arena-2", "stadium", mode=DealerMode.LIVE, seats=(4,))
    floor.open("draw-1", "draw", seats=(1, 2))
    for table in floor.workers:
        floor.play(table, 2)
        floor.void(table)
        floor.play(table, 1)
    # A royal flush wins the meter and Envy for the other hand, and new rates come into force.
    floor.worker_services.links.command(
        "main", ChangeRates(contribution=Fraction(1, 2), seed_cents=50_000)
    )
    floor.play("wash-1", top="As Ks 2c 3d 4h 5c Qs Js Ts")
    for table in ("wash-2", "card-1", "arena-1"):
        floor.bet(table)
    floor.close("arena-1")
    floor.cashier.withdraw("net-1-p1", 20_000, id="w1")
    return floor


def tamper(path: Path, *statements: str) -> None:
    """Change a database behind Openfelt's back."""
    change(path, lambda connection: [connection.execute(one) for one in statements])


def change(path: Path, what: Callable[[sqlite3.Connection], object]) -> None:
    """Do something to a database over a separate connection."""
    connection = sqlite3.connect(path)
    try:
        what(connection)
        connection.commit()
    finally:
        connection.close()
