"""The floor that the browser tests play on: the starter floor, and tables with short clocks."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from openfelt.rules.fingerprints import house_with
from openfelt.rules.house import ClockRule, DealerMode, Procedure
from openfelt.server.lifecycle import open_services
from openfelt.server.settings import Settings
from openfelt.server.tables.starter_floor import LINK
from openfelt.table.commands import SYSTEM, OpenTable
from tests.kit.own_houses import own_house
from tests.kit.server.open_house import PASSWORD

SITE = Settings(database="").site

SHORT = ClockRule(wager_seconds=4, decision_seconds=3)
"""So short that a test can wait for its end."""
ASKED = ClockRule(wager_seconds=4, decision_seconds=7)
"""Long enough to see on two screens that a player is asked, short enough to wait for its end."""
CALM = ClockRule(wager_seconds=12, decision_seconds=60)
"""Time enough for two people to bet, and to decide in any order."""

SLOW = ClockRule(wager_seconds=90, decision_seconds=90)
"""Longer than any test, for those that are not about the clock."""
SLOW_STADIUMS = [f"private.slow.{number}" for number in range(1, 41)]
"""Stadium tables for one test each. By such a name the lobby does not list them."""

TABLES = {
    "private.clock.stadium": ("stadium", SHORT, None),
    "private.clock.draw": ("draw", SHORT, None),
    "keys-stadium": ("stadium", SLOW, None),
    "keys-washington": ("washington", SLOW, LINK),
    "keys-california": ("california", CALM, None),
    "private.touch.california": ("california", CALM, None),
    "private.reload.california": ("california", CALM, None),
    "mouse-stadium": ("stadium", SLOW, None),
    "mouse-washington": ("washington", SLOW, LINK),
    "mouse-draw": ("draw", SLOW, None),
    "private.hidden.washington": ("washington", CALM, LINK),
    "pair-california": ("california", CALM, None),
    "private.hidden.stadium": ("stadium", CALM, None),
    "private.hidden.california": ("california", CALM, None),
    "private.hidden.draw": ("draw", CALM, None),
    "private.clock.california": ("california", ASKED, None),
    "private.sizes.ca": ("california", CALM, None),
    "private.sizes.dr": ("draw", SLOW, None),
    "private.sizes.wa": ("washington", SLOW, LINK),
}
"""Tables that a test has for itself: the house, the clock and the link.

Only those that a test finds in the lobby are listed there: the browser draws every line of a list.
"""

FROM_FIVE = "private.five.draw"
"""A live table of Ultimate Draw whose draw cards are laid out from spot 5 down (D.4b)."""

BOARD_FIRST = "private.board.washington"
"""A live table of Washington whose board is dealt before the hands."""

LIMITED = "private.limited.washington"
"""A table whose Trips wagers are paid $5,000 in a round together (R.36)."""


@dataclass(frozen=True)
class BrowserHouse:
    """Where a server is reached, and what it keeps."""

    address: str
    database: Path
    stadiums: Iterator[str] = field(default_factory=lambda: iter(SLOW_STADIUMS))
    """Stadium tables at which no player has sat yet."""


def require_site() -> None:
    """Fail with what to do where the web terminal is not built."""
    assert (SITE / "index.html").is_file(), "run make web"


async def set_up(database: Path) -> None:
    """Put the starter floor and the tables above on an empty file."""
    settings = Settings(database=str(database), supervisor_password=PASSWORD)
    async with open_services(settings) as services:
        slow = dict.fromkeys(SLOW_STADIUMS, ("stadium", SLOW, None))
        for table, (house, clock, link) in (TABLES | slow).items():
            command = OpenTable(
                table=table,
                house=services.catalog.house(house),
                dealer_mode=DealerMode.VIRTUAL,
                clock=clock,
                link=link,
            )
            await services.floor.open_table(command, by=SYSTEM)
        limited = own_house(
            "washington",
            {"table.dealer": "either", "limits.1.payout_aggregates": {"trips": 500_000}},
        )
        await services.floor.open_table(
            OpenTable(table=LIMITED, house=limited, dealer_mode=DealerMode.VIRTUAL), by=SYSTEM
        )
        for table, name, procedure in (
            (FROM_FIVE, "draw", Procedure.DRAW_FROM_FIVE),
            (BOARD_FIRST, "washington", Procedure.COMMUNITY_FIRST),
        ):
            other = house_with(services.catalog.house(name), procedure=procedure)
            await services.floor.open_table(
                OpenTable(table=table, house=other, dealer_mode=DealerMode.LIVE), by=SYSTEM
            )
