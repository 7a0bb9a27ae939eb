"""A store that counts and logs what is written through it, and how long that takes.

Whatever happens in the house is written before anybody is told of it. So what is written is
all that has to be watched: commands with their ids and answers, rounds, and the time to disk.
"""

import logging
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from openfelt.server.process.metrics import Metrics
from openfelt.storage.door import Append, Commit, Head, NewAnswer, Store, StoreError

_TABLE: Final = "table"
_ROUND_ENDS: Final = {"round_settled": "settled", "round_voided": "voided"}

logger = logging.getLogger(__name__)


class _AnswerForm(msgspec.Struct):
    refused: str | None = None


_read_answer: msgspec.json.Decoder[_AnswerForm] = msgspec.json.Decoder(_AnswerForm)


class BookedStore:
    """Passes everything on to a store."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self.round_of: Callable[[str], int | None] = lambda _: None
        """Gives the number of a table's round in progress, or of its last one."""

    @property
    def as_store(self) -> Store:
        """This, as what it is to everybody else."""
        return cast("Store", self)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return getattr(self._store, name)

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write a commit, and note what was in it."""
        started = time.perf_counter()
        try:
            heads = self._store.commit(commit)
        except StoreError as error:
            self._metrics.commits_failed.labels(type(error).__name__).inc()
            raise
        self._metrics.commit_seconds.observe(time.perf_counter() - started)
        for append in commit.appends:
            self._note(append)
        return heads

    def _note(self, append: Append) -> None:
        opened: int | None = None
        for event in append.events:
            if event.name == "round_opened":
                self._metrics.rounds.labels("opened").inc()
                opened = msgspec.json.decode(event.body)["number"]
            elif event.name in _ROUND_ENDS:
                self._metrics.rounds.labels(_ROUND_ENDS[event.name]).inc()
        for answer in append.answers:
            refused = _read_answer.decode(answer.body).refused
            self._metrics.commands.inc()
            if refused is not None:
                self._metrics.refusals.labels(refused).inc()
            if logger.isEnabledFor(logging.INFO):
                self._log(append.stream, answer, opened=opened, refused=refused)

    def _log(
        self, stream: str, answer: NewAnswer, *, opened: int | None, refused: str | None
    ) -> None:
        kind, _, name = stream.partition("/")
        fields = {kind: name, "actor": answer.actor, "command": answer.command}
        # The table itself knows of a round that is being written here only afterwards.
        number = opened or (self.round_of(name) if kind == _TABLE else None)
        if number:
            fields["round"] = f"{name}/{number}"
        if refused is not None:
            fields["refused"] = refused
        logger.info("command answered", extra={"fields": fields})
