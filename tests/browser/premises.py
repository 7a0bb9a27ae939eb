"""The floor that the browser tests play on: the starter floor, and tables with short clocks."""

from dataclasses import dataclass
from pathlib import Path

from openfelt.rules.house import ClockRule, DealerMode
from openfelt.server.premises import open_premises
from openfelt.server.settings import Settings
from openfelt.server.starter import LINK
from openfelt.table.commands import SYSTEM, OpenTable

SITE = Settings(database="").site

SHORT = ClockRule(wager_seconds=4, decision_seconds=3)
"""So short that a test can wait for its end."""
CALM = ClockRule(wager_seconds=8, decision_seconds=60)
"""Time enough for two people to bet, and to decide in any order."""

TABLES = {
    "clock-stadium": ("stadium", SHORT, None),
    "clock-draw": ("draw", SHORT, None),
    "pair-washington": ("washington", CALM, LINK),
    "pair-california": ("california", CALM, None),
}
"""Tables that a test has for itself: the house, the clock and the link."""


@dataclass(frozen=True)
class BrowserHouse:
    """Where a server is reached, and what it keeps."""

    address: str
    database: Path


def require_site() -> None:
    """Fail with what to do where the web terminal is not built."""
    assert (SITE / "index.html").is_file(), "run make web"


async def set_up(database: Path) -> None:
    """Put the starter floor and the tables above on an empty file."""
    settings = Settings(database=str(database))
    async with open_premises(settings) as premises:
        for table, (house, clock, link) in TABLES.items():
            command = OpenTable(
                table=table,
                house=premises.catalog.house(house),
                dealer_mode=DealerMode.VIRTUAL,
                clock=clock,
                link=link,
            )
            await premises.floor.open_table(command, by=SYSTEM)
