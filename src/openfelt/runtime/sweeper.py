"""The sweeper: finds rounds that have waited too long for their player (O.unfinished)."""

from typing import Final

from openfelt.runtime.recovery import recover
from openfelt.runtime.worker import Tools

DAY_MS: Final = 24 * 3600 * 1000


class Sweeper:
    """Looks through all tables of the store, run or not, for rounds that have expired."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._nothing_at: dict[str, int] = {}
        """The version at which a table had no round that can expire."""

    def due(self) -> list[tuple[str, int]]:
        """The tables whose round has expired, with the days since it was opened."""
        tools, found = self._tools, []
        now_ms = tools.clock.wall_ms()
        for stream in tools.store.streams("table/"):
            version = tools.store.head(stream).version
            if self._nothing_at.get(stream) == version:
                continue
            recovered = recover(tools.store, tools.codec, stream.removeprefix("table/"))
            state = recovered.table.playing if recovered else None
            if recovered is None or state is None or state.house.unfinished_days is None:
                self._nothing_at[stream] = version
                continue
            days = (now_ms - recovered.since.round_ms) // DAY_MS
            if days >= state.house.unfinished_days:
                found.append((recovered.table.id, days))
        return found
