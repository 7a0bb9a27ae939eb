"""A table prepared for simulation: a house, wagers and a strategy, checked together."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels.simulated_round import TableRecords
from openfelt.maths.simulation.house_records import house_in_full, house_tables, lay_table
from openfelt.maths.strategy.strategies import Strategy
from openfelt.maths.strategy.strategy_names import find_strategy
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import Banker, Spot, Wager, WagerKind
from openfelt.rules.house import BankKind, House

Wagers = Iterable[Wager] | Mapping[Spot, Iterable[Wager]]
Progress = Callable[[int, int], object]
"""Called periodically with the amount done and the total."""

SEED_MAX = (1 << 64) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetting:
    """Hands and wagers at a simulated table. By default, one hand bets the smallest Ante."""

    wagers: Wagers | None = None
    """The wagers of every hand, or wagers by spot; by default each hand bets the smallest Ante."""
    seats: int = 1
    """How many seats play."""
    hands: int = 1
    """How many hands each seat plays."""
    banker: Banker | None = None
    """The player/dealer; by default, a bank that covers everything if players bank."""
    meter_cents: int | None = None
    """The progressive's meter, which does not change; its seed by default."""
    day: date | None = None
    """The day whose limits apply; the latest by default."""
    in_full: bool = False
    """Whether a hand may have any number of wagers, each paid in full, as exact figures assume."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedTable:
    """A house with wagers on the table and a strategy for every hand."""

    house: House
    strategy: Strategy
    records: TableRecords
    """House, wagers and strategy as the kernels take them."""


def set_table(
    house: House, strategy: Strategy | str, setting: TableSetting | None = None
) -> SimulatedTable:
    """Prepare a table.

    A house that players bank gets a player/dealer in its last seat whose bank covers everything,
    unless the setting has one. Raises ValueError for wagers and strategies that cannot be played.

    >>> from openfelt.catalog import load_house
    >>> setting = TableSetting(seats=2, hands=3)
    >>> table = set_table(load_house("stadium"), "published_simple", setting)
    >>> int(table.records.layout.hands)
    6
    """
    setting = setting or TableSetting()
    banker, wagers = setting.banker, setting.wagers
    strategy = find_strategy(strategy, house) if isinstance(strategy, str) else strategy
    strategy.check_playable(house)
    if banker is None and house.bank.kind is BankKind.PLAYER_DEALER:
        banker = Banker(house.seats, AMOUNT_MAX_CENTS)
    if not isinstance(wagers, Mapping):
        hand_wagers = tuple(wagers) if wagers is not None else (_smallest_ante(house),)
        wagers = dict.fromkeys(_spots(house, setting.seats, setting.hands, banker), hand_wagers)
    return SimulatedTable(
        house=house,
        strategy=strategy,
        records=TableRecords(
            house=house_tables(house),
            layout=lay_table(
                house_in_full(house) if setting.in_full else house,
                wagers,
                banker=banker,
                meter_cents=setting.meter_cents,
                day=setting.day,
            ),
            strategy=strategy.tables(),
            reading=reading_tables(),
        ),
    )


def _smallest_ante(house: House) -> Wager:
    rule = house.wager(WagerKind.ANTE)
    assert rule is not None
    return Wager(WagerKind.ANTE, rule.min_cents)


def _spots(house: House, seats: int, hands: int, banker: Banker | None) -> list[Spot]:
    banking = banker.seat if banker and house.bank.kind is BankKind.PLAYER_DEALER else None
    free = [seat for seat in range(1, house.seats + 1) if seat != banking]
    check_whole("seats", seats, 1, len(free))
    check_whole("hands", hands, 1, house.hands_per_seat)
    return [Spot(seat, hand) for seat in free[:seats] for hand in range(1, hands + 1)]


def check_whole(name: str, number: int, least: int, most: int) -> None:
    """Raise ValueError unless the number is whole and within its limits."""
    if type(number) is not int or not least <= number <= most:
        raise ValueError(
            f"{name} must be a whole number from {least:,} to {most:,}, not {number!r}"
        )
