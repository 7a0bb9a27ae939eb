"""What a table is told from outside: its link, the day, and its people."""

from openfelt.runtime.clock import day_of
from openfelt.runtime.tables.draft import outside_of
from openfelt.runtime.tables.recovery import Since
from openfelt.runtime.tables.tools import Tools
from openfelt.table.permissions import Outside
from openfelt.table.state import Table


def outside_now(tools: Tools, table: Table, since: Since) -> Outside:
    """What a table, in this state, would be told from outside with a command now."""
    link = tools.links.get(table.link).link if table.link else None
    now_ms = tools.clock.wall_ms()
    outside = outside_of(table, link, day=day_of(now_ms), round_days=since.round_days(now_ms))
    return tools.people.told(outside, table.id)
