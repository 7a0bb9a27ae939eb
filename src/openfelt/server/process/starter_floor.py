"""The starter floor: what an empty database gets, so that a browser is all that is needed.

The five houses, two stadium tables and others on a clock, a jackpot link and a supervisor.
Nobody deals here, so houses that know live dealers only are dealt by the program: the same
rules, limits and paytables, under a fingerprint of their own.
"""

import logging
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from typing import Final

from openfelt.catalog import Catalog
from openfelt.catalog.houses import dealt_by_either
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.rules.refusal import Refusal
from openfelt.runtime.tables.requests import RuntimeCode
from openfelt.server.accounts.events import AccountRole
from openfelt.server.accounts.passwords import DEFAULT_PASSWORD
from openfelt.server.accounts.sign_in import Door
from openfelt.server.process.running import RunningFloor
from openfelt.table.commands import SYSTEM, OpenTable
from openfelt.table.link_referee import LinkCode, OpenLink

SUPERVISOR: Final = "supervisor"
LINK: Final = "house-link"
_THERE: Final = (LinkCode.LINK_EXISTS, LinkCode.TABLE_JOINED, RuntimeCode.TABLE_EXISTS)
"""How a link or a table that is there already refuses to be opened again."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StarterTable:
    """A table that stands on the starter floor."""

    table: str
    house: str
    clock: ClockRule | None = None
    link: str | None = None
    house_players: bool = False
    """Whether players of the house sit down with whoever comes alone."""


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
        house_players=True,
    ),
    StarterTable("draw-1", "draw", ClockRule(wager_seconds=20, decision_seconds=30)),
)


def floor_catalog(catalog: Catalog, *, starter: bool) -> Catalog:
    """The houses of a server: on a starter floor every one of them may be dealt virtually."""
    if not starter:
        return catalog
    houses = {name: dealt_by_either(house) for name, house in catalog.houses.items()}
    return replace(catalog, houses=houses)


async def set_up_starter_floor(floor: RunningFloor, door: Door, catalog: Catalog) -> None:
    """Put the starter floor on an empty database, or finish what was begun there."""
    if not await floor.in_thread(lambda: _wanted(floor)):
        return
    link_house = catalog.house("washington")
    if link_house.progressive is not None:
        opening = OpenLink(
            link=LINK,
            contribution=link_house.progressive.contribution,
            seed_cents=link_house.progressive.seed_cents,
        )
        await _unless_there(floor.in_thread(lambda: floor.tools.links.command(LINK, opening)))
    for one in STARTER_TABLES:
        command = OpenTable(
            table=one.table,
            house=catalog.house(one.house),
            dealer_mode=DealerMode.VIRTUAL,
            clock=one.clock,
            link=one.link,
        )
        await _unless_there(floor.open_table(command, by=SYSTEM))
    # The account comes last: where it is, the floor is complete.
    await door.open_default_account(SUPERVISOR, DEFAULT_PASSWORD, role=AccountRole.SUPERVISOR)
    logger.info("the starter floor is set up")


def _wanted(floor: RunningFloor) -> bool:
    """Whether nothing is there but what an interrupted start has left."""
    store = floor.tools.store
    ours = {f"table/{one.table}" for one in STARTER_TABLES}
    return not store.streams("account/") and ours.issuperset(store.streams("table/"))


async def _unless_there(opening: Awaitable[object]) -> None:
    try:
        await opening
    except Refusal as refusal:
        if refusal.code not in _THERE:
            raise
