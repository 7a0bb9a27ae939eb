"""The watchers of a table: functions that are called with every written change."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from openfelt.table.events import TableEvent

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Change:
    """A written change, for the table's watchers."""

    version: int
    events: tuple[TableEvent, ...]


Watcher = Callable[[Change], None]


class Watchers:
    """The watchers of one table, in the order in which they came."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._watchers: dict[int, Watcher] = {}
        self._last = 0

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._watchers)

    def add(self, watcher: Watcher) -> Callable[[], None]:
        """Call the watcher with every change from now on; returns a function that ends this."""
        number = self._last = self._last + 1
        self._watchers[number] = watcher
        return lambda: self._watchers.pop(number, None) and None

    def tell(self, change: Change) -> None:
        """Tell all of them; a watcher that fails does not undo what is written."""
        for watcher in tuple(self._watchers.values()):
            try:
                watcher(change)
            except Exception:
                logger.exception("table %s: a watcher failed", self._table)
