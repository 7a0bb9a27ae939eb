"""Builds of several processes that are broken on purpose, each of which a seed has to catch."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from unittest import mock

from openfelt.runtime.links.links import Links
from openfelt.runtime.remote import table_fold
from openfelt.runtime.remote.table_fold import TableFold
from openfelt.runtime.tables.recovery.recovery import fold
from openfelt.runtime.tables.worker import TableWorker
from openfelt.storage.door import Store
from openfelt.storage.event_forms import EventCodec
from openfelt.table.events import BoughtIn, TableEvent
from openfelt.table.state import Table
from tests.simulation.broken_builds import folds_twice

Patches = Callable[[], contextlib.AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class BrokenCluster:
    """A broken build, and the checks that may catch it."""

    name: str
    patches: Patches
    caught_by: frozenset[str]
    first_seed: int = 0


def _skipping() -> contextlib.AbstractContextManager[object]:
    """A follower that does not tell the first of several changes."""
    read_on = TableFold.read_on

    def skipped(
        self: TableFold, store: Store, codec: EventCodec
    ) -> tuple[TableFold, tuple[TableEvent, ...]]:
        now, events = read_on(self, store, codec)
        return now, events[1:] if len(events) > 1 else events

    return mock.patch.object(TableFold, "read_on", skipped)


def _forgetful() -> contextlib.AbstractContextManager[object]:
    """A follower whose fold leaves out that a player has bought in."""

    def forgotten(state: Table | None, event: TableEvent) -> Table:
        if state is not None and isinstance(event, BoughtIn):
            return state
        return fold(state, event)

    return mock.patch.object(table_fold, "fold", forgotten)


def _fenced() -> contextlib.AbstractContextManager[object]:
    """A process that has lost its lease and answers from what it remembers."""
    return mock.patch.object(TableWorker, "check_current")


def _twice_folded() -> contextlib.AbstractContextManager[object]:
    """Processes that let a link count what waits in its feeds twice."""
    return mock.patch.object(Links, "fold", folds_twice)


def _unfolded() -> contextlib.AbstractContextManager[object]:
    """Processes that leave rounds waiting in the feeds."""
    return mock.patch.object(Links, "fold", return_value=0)


BROKEN: tuple[BrokenCluster, ...] = (
    BrokenCluster(
        "follower that skips a version", _skipping, frozenset({"a follower has skipped a version"})
    ),
    BrokenCluster(
        "follower that forgets an event",
        _forgetful,
        frozenset({"a follower is not the fold of its record", "a follower stays behind"}),
    ),
    BrokenCluster(
        "answer from a fenced owner",
        _fenced,
        frozenset({"an answer from the past", "a refusal of what was done"}),
        first_seed=80,
    ),
    BrokenCluster("link folded twice", _twice_folded, frozenset({"counted once, in order"})),
    BrokenCluster("link never folded", _unfolded, frozenset({"a link stays behind"})),
)
