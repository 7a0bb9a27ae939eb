"""The tables of a house that several processes share, and what these tell each other."""

from collections.abc import Coroutine
from typing import Any

from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.remote.house_tables import SharedTables
from openfelt.runtime.tables.floor import Floor
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.cluster.account_news import AccountNews
from openfelt.server.cluster.presence import Presence
from openfelt.server.settings import ClusterSettings
from openfelt.server.tables.absentees import Absentees


def shared_tables(
    settings: ClusterSettings, floor: Floor, bus: Bus, *, process: str
) -> SharedTables | None:
    """The tables of the house as this process reaches them; None for a process that is alone."""
    if settings.bus is None:
        return None

    async def take(table: str) -> None:
        await floor.mailbox(table)

    takes = take if settings.role.runs_tables else None
    return SharedTables(floor, bus, process=process, takes=takes)


def told_to_others(
    bus: Bus, tables: SharedTables, absentees: Absentees, accounts: Accounts, sessions: Sessions
) -> list[Coroutine[Any, Any, None]]:
    """What tells other processes of terminals and accounts, and hears of theirs."""
    presence = Presence(bus, tables, absentees)
    return [presence.run(), AccountNews(bus, accounts, sessions).run()]
