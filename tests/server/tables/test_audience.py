"""Whom a change concerns: no viewer whose own view has changed is left out."""

import random
from collections.abc import Iterator

import pytest

from openfelt.protocol.table_views import PrivateView
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.rules.refusal import Refusal
from openfelt.server.tables.audience import concerned
from openfelt.server.tables.views import private_view
from openfelt.table.chips import wallet_of
from openfelt.table.commands import BuyIn, Collect, LeaveSeat, Person, Role
from openfelt.table.croupier.permits import Permits
from openfelt.table.events import TableEvent
from openfelt.table.permissions import Outside
from openfelt.table.state import Table
from tests.kit.felt import TODAY
from tests.kit.own_houses import own_house
from tests.kit.tables import SECONDS, Pit

HALL = own_house("stadium", {"table.dealer": "virtual"})
PEOPLE = {"ann": 1, "bob": 2, "cat": 3}
LOOKER = "zoe"


def views(table: Table) -> dict[str, PrivateView]:
    """The view of every viewer, including a visitor's without a seat."""
    permits = Permits(table, Outside(day=TODAY))
    people = [Person(Role.PLAYER, name) for name in (*PEOPLE, LOOKER)]
    return {
        person.name: private_view(table, person, wallet_cents=0, may=permits.of(person))
        for person in people
    }


def steps(clock: ClockRule | None, seed: int) -> Iterator[tuple[Table, list[TableEvent], Table]]:
    """What people do in a hall, in a random order: the table before, the events, the table."""
    pit = Pit(HALL, mode=DealerMode.VIRTUAL, clock=clock, seed=seed)
    chance = random.Random(seed)
    for _ in range(120):
        before, count = pit.table, len(pit.events)
        try:
            _something(pit, chance)
        except Refusal:
            continue
        yield before, pit.events[count:], pit.table


def _something(pit: Pit, chance: random.Random) -> None:
    name = chance.choice(list(PEOPLE))
    seat = PEOPLE[name]
    spot = f"{seat}.{chance.choice([1, 2])}"
    match chance.randrange(8):
        case 0 if name not in pit.table.sitting:
            pit.sit(name, seat, 1000)
        case 1 if pit.book.balance(wallet_of(name)) >= 5_000:
            pit.do(BuyIn(seat, 5_000), name)
        case 2:
            pit.do(Collect(seat) if chance.random() < 0.5 else LeaveSeat(seat), name)
        case 3 | 4:
            pit.bet(name, spot, chance.choice(["ante 10", "ante 10, trips 5"]))
        case 5 | 6:
            pit.choose(name, spot, chance.choice(["check", "4x", "2x", "1x", "fold"]))
        case _ if pit.table.clock and chance.random() < 0.5:
            pit.time_ends()
        case _:
            pit.close(name)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("clock", [SECONDS, None], ids=["clock", "no clock"])
def test_only_the_views_of_the_concerned_change(clock: ClockRule | None, seed: int) -> None:
    for before, events, after in steps(clock, seed):
        players = concerned(before, events, after)
        old, new = views(before), views(after)
        changed = {name for name in old if old[name] != new[name]}
        assert players is None or changed <= players, (events, changed)


def test_a_bet_in_a_hall_concerns_its_player_alone() -> None:
    alone = [
        players
        for seed in range(12)
        for before, events, after in steps(SECONDS, seed)
        if (players := concerned(before, events, after)) is not None
    ]
    assert len(alone) > 50
    assert all(len(players) == 1 for players in alone)


def test_around_a_felt_every_change_is_for_every_viewer() -> None:
    pit = Pit(own_house("washington", {"table.dealer": "either"}), mode=DealerMode.VIRTUAL)
    pit.sit("ann", 1, 1000)
    before = pit.table
    pit.do(Collect(1), "ann")
    assert concerned(before, pit.events[-1:], pit.table) is None


def test_a_bank_that_is_passed_on_concerns_every_player() -> None:
    pit = Pit(own_house("california", {"table.seats": 20})).sit("ann", 1, 500).sit("bob", 2, 500)
    before, count = pit.table, len(pit.events)
    pit.do(LeaveSeat(1), "ann")
    assert concerned(before, pit.events[count:], pit.table) is None
    assert "take_bank" in views(pit.table)["bob"].may
