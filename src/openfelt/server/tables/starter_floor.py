"""The starter floor: tables, a link and a supervisor for an empty database.

All five houses, with two stadium tables and others on a clock. Houses that only have live dealers
are dealt virtually: with the same rules, limits and paytables, but with their own fingerprint. One
demonstration table waits for a live dealer, which any visitor on this machine may be.
"""

import logging
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from typing import Final

from openfelt.catalog import Catalog
from openfelt.rules.fingerprints import dealt_by_either
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.rules.refusal import Refusal
from openfelt.runtime.remote.house_tables import HouseTables
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import StreamKind, names_in
from openfelt.runtime.tables.floor import Floor
from openfelt.server.accounts.sign_in import SignIn
from openfelt.server.settings import REVEAL_MS, Settings
from openfelt.table.commands import SYSTEM, OpenTable
from openfelt.table.links.link_referee import LinkCode, OpenLink

SUPERVISOR: Final = "supervisor"
LINK: Final = "house-link"
DEMONSTRATION: Final = "demo-1"
"""The table that visitors deal themselves."""
_OPEN_ALREADY: Final = (LinkCode.LINK_EXISTS, LinkCode.TABLE_JOINED, RuntimeCode.TABLE_EXISTS)
"""The refusals of a link or a table that already exists."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StarterTable:
    """A table of the starter floor."""

    table: str
    house: str
    clock: ClockRule | None = None
    link: str | None = None
    dealer_mode: DealerMode = DealerMode.VIRTUAL
    computer_players: bool = False
    """Whether computer players join a player who sits alone."""


STARTER_TABLES: Final = (
    StarterTable("stadium-1", "stadium"),
    StarterTable("stadium-2", "stadium", ClockRule(wager_seconds=12, decision_seconds=10)),
    StarterTable(
        "washington-1",
        "washington",
        ClockRule(wager_seconds=20, decision_seconds=20),
        link=LINK,
    ),
    StarterTable(
        "california-1",
        "california",
        ClockRule(wager_seconds=20, decision_seconds=20),
        computer_players=True,
    ),
    StarterTable("draw-1", "draw", ClockRule(wager_seconds=20, decision_seconds=30)),
    StarterTable(DEMONSTRATION, "washington", dealer_mode=DealerMode.LIVE),
)


def practice_table(settings: Settings) -> str | None:
    """The table at which visitors may deal, None if they may not."""
    return DEMONSTRATION if settings.practice_dealers else None


def floor_catalog(catalog: Catalog, *, starter: bool) -> Catalog:
    """The houses of a server; on a starter floor all of them may be dealt virtually."""
    if not starter:
        return catalog
    houses = {name: dealt_by_either(house) for name, house in catalog.houses.items()}
    return replace(catalog, houses=houses)


async def set_up_starter_floor(
    floor: Floor, tables: HouseTables, sign_in: SignIn, catalog: Catalog
) -> str | None:
    """Set up the starter floor in an empty database, or finish an interrupted setup.

    Returns the supervisor's random password, None if the database was not empty.
    """
    if not await floor.in_thread(lambda: _wanted(floor)):
        return None
    link_house = catalog.house("washington")
    if link_house.progressive is not None:
        opening = OpenLink(
            link=LINK,
            contribution=link_house.progressive.contribution,
            seed_cents=link_house.progressive.seed_cents,
        )
        await _unless_open(
            floor.in_thread(lambda: floor.worker_services.links.command(LINK, opening))
        )
    for starter in STARTER_TABLES:
        command = OpenTable(
            table=starter.table,
            house=catalog.house(starter.house),
            dealer_mode=starter.dealer_mode,
            clock=starter.clock,
            link=starter.link,
            reveal_ms=REVEAL_MS,
        )
        await _unless_open(tables.open_table(command, by=SYSTEM))
    # The account comes last: once it exists, the floor is complete.
    password = await sign_in.open_supervisor(SUPERVISOR)
    logger.info("the starter floor is set up")
    return password


def _wanted(floor: Floor) -> bool:
    """Whether the database is empty but for what an interrupted setup has left."""
    store = floor.worker_services.store
    ours = {starter.table for starter in STARTER_TABLES}
    accounts = names_in(store, StreamKind.ACCOUNT)
    return not accounts and ours.issuperset(names_in(store, StreamKind.TABLE))


async def _unless_open(opening: Awaitable[object]) -> None:
    try:
        await opening
    except Refusal as refusal:
        if refusal.code not in _OPEN_ALREADY:
            raise
