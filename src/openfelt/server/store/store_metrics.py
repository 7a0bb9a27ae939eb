"""Metrics and log lines of what is written: how long commits take, rounds and commands."""

import logging
import time
from collections.abc import Mapping
from typing import Final

from openfelt.rules.round_events import RoundOpened, RoundSettled, RoundVoided
from openfelt.runtime import command_spans
from openfelt.runtime.commits import AnsweredCommand, CommitReport
from openfelt.runtime.streams import PRIVATE_PREFIX
from openfelt.server.monitoring.metrics import Metrics
from openfelt.storage.door import Commit, Head, Store, StoreError
from openfelt.storage.wrapped_store import WrappedStore
from openfelt.table.events import SeedRevealed, SeedsFixed
from openfelt.table.void_reasons import is_unfinished

_ROUND_STATES: Final = {RoundOpened: "opened", RoundSettled: "settled", RoundVoided: "voided"}

logger = logging.getLogger(__name__)


class MeteredStore(WrappedStore):
    """Measures the commits of a store, and passes every call on to it."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        super().__init__(store)
        self._metrics = metrics

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write a commit, and observe how long it took or why it failed."""
        started = time.perf_counter()
        try:
            heads = self._traced(commit) if command_spans.active() else self._store.commit(commit)
        except StoreError as error:
            self._metrics.commits_failed.labels(type(error).__name__).inc()
            raise
        self._metrics.commit_seconds.observe(time.perf_counter() - started)
        return heads

    def _traced(self, commit: Commit) -> Mapping[str, Head]:
        commands = dict.fromkeys(
            command_spans.command_name(event.cause.actor, event.cause.command)
            for append in commit.appends
            for event in append.events
            if event.cause.command
        )
        with command_spans.commit(commands):
            return self._store.commit(commit)


class CommandMetrics:
    """Counts and logs the commands and rounds that workers and the cashier have written."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def observe(self, committed: CommitReport) -> None:
        """Count what one commit has written."""
        for event in committed.events:
            if (state := _ROUND_STATES.get(type(event))) is not None:
                self._metrics.rounds.labels(state).inc()
            if isinstance(event, RoundVoided) and is_unfinished(event):
                self._metrics.unfinished_refunds.inc()
            self._count_fairness(committed.name, event)
        for answered in committed.answers:
            self._metrics.commands.inc()
            if answered.refused is not None:
                self._metrics.refusals.labels(answered.refused).inc()
            if logger.isEnabledFor(logging.INFO):
                _log(committed, answered)

    def _count_fairness(self, name: str, event: object) -> None:
        """Count by table what no proof of a single round can show."""
        # A player's private table has the player's name, which is no one else's business.
        table = "private" if name.startswith(PRIVATE_PREFIX) else name
        match event:
            case RoundVoided():
                self._metrics.rounds_voided.labels(table).inc()
            case SeedRevealed():
                self._metrics.seeds.labels(table, "revealed").inc()
            case SeedsFixed(withheld):
                self._metrics.seeds.labels(table, "withheld").inc(len(withheld))


def _log(committed: CommitReport, answered: AnsweredCommand) -> None:
    fields = {
        committed.kind.value: committed.name,
        "actor": answered.actor,
        "command": answered.command,
    }
    if committed.round is not None:
        fields["round"] = committed.round
    if answered.refused is not None:
        fields["refused"] = answered.refused
    logger.info("command answered", extra={"fields": fields})
