"""The tables of a simulated floor: houses of the catalog with finer steps, and their links."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from openfelt.rules.house import ClockRule, DealerMode, House
from tests.kit.own_houses import Changes, own_house

LINK: Final = "main"
"""The progressive link that several tables feed."""
SIDE_LINK: Final = "side"
"""A link that tables change to and from, and that is retired one day."""

# Steps of five cents make 3 to 2 come out at half a cent, which whole dollars never do.
_FINE: Final[Changes] = {
    "wagers.ante.multiple_of_cents": 5,
    "wagers.trips.multiple_of_cents": 5,
}
_JACKPOT: Final[Changes] = {
    **_FINE,
    "table.dealer": "either",
    "table.procedure": "community_first",
    "clock": {"wager_seconds": 1, "decision_seconds": 1},
}
_SMALLER: Final[Changes] = {"wagers.ante.max_cents": 5000}
"""Other limits, which a supervisor brings into force and takes back."""

_HOUSES: Final[dict[str, tuple[str, Changes]]] = {
    "jackpot": ("washington", _JACKPOT),
    "washington": ("washington", _FINE),
    "online": ("online", _FINE),
    # Small bank wagers run out more often.
    "california": ("california", {**_FINE, "bank.wager_min_cents": 1}),
    "stadium": (
        "stadium",
        {**_FINE, "table.seats": 40},
    ),
    "draw": ("draw", {"wagers.ante.multiple_of_cents": 5, "wagers.bonus.multiple_of_cents": 5}),
}


@cache
def house(kind: str, variant: int = 0) -> House:
    """The house of a kind of table; variant 1 has lower limits."""
    base, changes = _HOUSES[kind]
    return own_house(base, {**changes, **(_SMALLER if variant else {})})


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table that is to be opened."""

    name: str
    kind: str
    live: bool = False
    private_to: str | None = None

    @property
    def link(self) -> str | None:
        """The link that it joins when it opens."""
        return LINK if self.kind in ("jackpot", "washington") else None

    @property
    def dealer_mode(self) -> DealerMode:
        """Who deals."""
        return DealerMode.LIVE if self.live else DealerMode.VIRTUAL

    @property
    def clock(self) -> ClockRule | None:
        """A clock of the table's own, long enough to outlast an outage.

        In the cardroom it passes a bank on before its dealer loses patience.
        """
        if self.kind == "california":
            return ClockRule(wager_seconds=6, decision_seconds=2)
        return ClockRule(wager_seconds=6, decision_seconds=5) if self.kind == "stadium" else None

    @property
    def players_wanted(self) -> int:
        """How many players take turns at its seats."""
        if self.private_to:
            return 1
        return {"stadium": 7, "jackpot": 3, "draw": 2}.get(self.kind, 4)


def planned_tables(seed: int, *, private: int) -> list[PlannedTable]:
    """A floor: two tables on one link, a banked one, two of the other kinds, and private ones.

    Among any five seeds in a row every kind comes up twice.
    """
    tables = [
        PlannedTable("jackpot-1", "jackpot"),
        PlannedTable("jackpot-2", "jackpot"),
        PlannedTable("california-1", "california", live=True),
    ]
    others = [
        PlannedTable("washington-1", "washington", live=True),
        PlannedTable("stadium-1", "stadium"),
        PlannedTable("stadium-2", "stadium", live=True),
        PlannedTable("draw-1", "draw", live=True),
        PlannedTable("jackpot-3", "jackpot", live=True),
    ]
    tables += [others[seed % len(others)], others[(seed + 2) % len(others)]]
    for number in range(1, private + 1):
        tables.append(PlannedTable(f"online-{number}", "online", private_to=f"solo-{number}"))
    return tables
