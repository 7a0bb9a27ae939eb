"""A table's worker: takes commands in order, writes what follows, and only then answers.

It has neither network nor threads, so a server, a test and a simulator drive it alike. A batch of
requests is decided against the state in memory and written in one transaction; callers and watchers
learn nothing that is not on disk.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from openfelt.ledger import AccountKind
from openfelt.rules.quick_replace import maker
from openfelt.rules.refusal import Refusal
from openfelt.rules.round_actions import VoidRound
from openfelt.runtime.clock import day_of
from openfelt.runtime.remembered_refusals import GivenAnswer
from openfelt.runtime.requests import Answer, Request, RuntimeCode, digests
from openfelt.runtime.shuffle.deck_secrets import round_key
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.batch import Batch
from openfelt.runtime.tables.commit_outcomes import CommitOutcomes
from openfelt.runtime.tables.countdown import Countdown
from openfelt.runtime.tables.draft import SEALED_AT_ONCE_MAX, Draft, RoundDecks, outside_now
from openfelt.runtime.tables.recovery.recovery import RecoveredTable, events_between, recover
from openfelt.runtime.tables.recovery.snapshots import SnapshotSchedule, snapshot_of
from openfelt.runtime.tables.stops import MOVED, STOPS, Lost, StopReason, stopped_by
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.codec import CodecError
from openfelt.storage.door import (
    Append,
    Cause,
    CommandKey,
    Commit,
    Conflict,
    Damaged,
    Fenced,
    Head,
    KeyFailure,
    Lease,
    NotEnough,
    Repeated,
    StoredAnswer,
    Unavailable,
)
from openfelt.table.changes import RulesChanged
from openfelt.table.commands import (
    SYSTEM,
    ChangeRules,
    CloseTable,
    Collect,
    EndTime,
    ExpireRound,
    LeaveSeat,
    ResumeClock,
)
from openfelt.table.croupier.committed_decks import decks_bet_on, decks_unsealed, seals_alike
from openfelt.table.events import TableEvent
from openfelt.table.permissions import Outside
from openfelt.table.state import Table
from openfelt.table.void_reasons import LOST_CARDS, VoidCode

ATTEMPTS_MAX: Final = 50
"""How many times a batch is tried, because a link or a wallet may have changed in the meantime."""

_BRING_MONEY_HOME: Final = (Collect, LeaveSeat, VoidRound, ExpireRound, CloseTable)
"""Commands that need no cards, and are carried out even if the shuffler has failed."""

logger = logging.getLogger(__name__)


_answer: Final = maker(Answer)

Listener = Callable[[tuple[TableEvent, ...], int], None]
"""Called with the events that have been written, and the version after them."""


class TableWorker:
    """Runs one table, under an exclusive lease."""

    def __init__(
        self,
        worker_services: WorkerServices,
        lease: Lease | None,
        recovered: RecoveredTable,
        *,
        listener: Listener | None,
    ) -> None:
        self._services = worker_services
        self.lease = lease
        self.table: Table = recovered.table
        self.head: Head = recovered.head
        self.stopped: StopReason | None = None
        self._stop_logged: str | None = None
        """The last logged sentence about why the table is stopped."""
        self._decks = RoundDecks(recovered.decks)
        self.since = recovered.since
        self._snapshots = SnapshotSchedule(recovered.snapshot_version)
        self.countdown = Countdown(worker_services.clock, worker_services.lost_ms)
        self.commit_ms = 0
        """How long the store has taken so far."""
        self._listener = listener
        self._sealed: Table | None = None  # a state in which all decks were sealed
        self._outcomes = CommitOutcomes(worker_services.store)

    @classmethod
    def start(
        cls,
        worker_services: WorkerServices,
        table: str,
        lease: Lease | None,
        *,
        listener: Listener | None = None,
    ) -> "TableWorker":
        """Start a table where its record ends, with what was left of its clock.

        Raises StoreError; NewerEvent also where its link has an event of a newer version.
        """
        recovered = recover(worker_services.store, worker_services.codec, table)
        if recovered is None:
            raise Refusal(RuntimeCode.NO_SUCH_TABLE, f"There is no table called {table}.")
        worker_services.check_link(recovered.table.link)
        worker = cls(worker_services, lease, recovered, listener=listener)
        worker._go_on_after(recovered)
        worker_services.people.dealers.confirm(worker.table, worker.handle)
        return worker

    def _go_on_after(self, recovered: RecoveredTable) -> None:
        left_ms = recovered.clock_left_ms
        if left_ms is not None:
            self.handle([Request(by=SYSTEM, command=ResumeClock(left_ms))])
        self.prepare()

    def listen(self, listener: Listener) -> None:
        """Call this listener with everything that is written from now on."""
        self._listener = listener

    # Time --------------------------------------------------------------------------

    @property
    def time_left_ms(self) -> int | None:
        """How long the running clock still runs, None if none does."""
        left_ms = self.countdown.left_ms
        return None if left_ms is None else max(0, left_ms)

    def lively_ms(self) -> int:
        """A time that stops while the process is late."""
        return self._services.clock.monotonic_ms() - self._services.lost_ms()

    def give_back(self, clock: int, ms: int) -> None:
        """Let the clock of this number run longer, if it still runs, after a slow write."""
        if self.table.clock is not None and self.table.clock.number == clock:
            self.countdown.give_back(ms)

    def _now_ms(self) -> int:
        """The time of the next events. While a clock runs, it is the clock's start plus its use.

        So the record shows how much of a clock was left, even if the wall clock was changed.
        """
        clock, left_ms = self.table.clock, self.countdown.left_ms
        if clock is None or left_ms is None:
            return self._services.clock.wall_ms()
        return self.since.clock_ms + clock.ms - left_ms

    def tick(self) -> None:
        """End the running clock if its time is up."""
        clock = self.table.clock
        if clock is not None and self.time_left_ms == 0 and self.stopped is None:
            self.handle([Request(by=SYSTEM, command=EndTime(clock.number))])

    def prepare(self) -> bool:
        """Shuffle some more decks of the next round and commit to them; False if none was left.

        Then a stadium's snapshot is written, for which no player has waited.

        Raises Lost if another process has taken the table over.
        """
        if self.stopped is None:
            with self._stops():
                if decks := decks_unsealed(self.table)[:SEALED_AT_ONCE_MAX]:
                    return self._seal(decks)
                self._sealed = self.table
                self._write_late_snapshot()
        return False

    @property
    def prepared(self) -> bool:
        """Whether there is nothing to prepare, without checking every seat."""
        before = None if self._snapshots.late else self._sealed
        return before is not None and seals_alike(before, self.table)

    def _seal(self, decks: Sequence[str]) -> bool:
        """Commit to decks in a separate transaction; whether there were any."""
        if decks:
            draft = self._draft()
            draft.seal(decks)
            self._write(Batch(draft))
        return bool(decks) and self.stopped is None

    def abandon_round(self, cause: Cause) -> None:
        """Void the round in progress, or the next one, because its cards are lost."""
        draft = self._draft()
        draft.abandon(LOST_CARDS, VoidCode.LOST_CARDS, cause)
        self._write(Batch(draft))

    def _stop(self, stopped: StopReason) -> None:
        """Stop the table. The log gets it once, because a stopped table may be tried for hours."""
        if self.stopped is None and self._stop_logged != stopped.sentence:
            logger.error("table %s has stopped: %s", self.table.id, stopped.sentence)
            self._stop_logged = stopped.sentence
        self.stopped = stopped

    # Requests ----------------------------------------------------------------------

    def handle(self, requests: Sequence[Request]) -> list[Answer]:
        """Decide requests in order, write everything in one transaction, then answer.

        Raises Lost if another process has taken the table over; then none of the requests is
        answered, and none is known to have been carried out.
        """
        if self.stopped is not None:
            return [self._while_stopped(request) for request in requests]
        return self._try(requests)

    def _while_stopped(self, request: Request) -> Answer:
        """Refuse a request, unless it only returns players' money and the shuffler has failed."""
        assert self.stopped is not None
        cards_only = self.stopped.code is RuntimeCode.SHUFFLER_FAILED
        if cards_only and isinstance(request.command, _BRING_MONEY_HOME):
            return self._try([request])[0]
        return self.stopped.answer(self.head.version)

    def _try(self, requests: Sequence[Request]) -> list[Answer]:
        answers: list[Answer] | None = None
        with self._stops():
            # No wager is in the transaction that seals its deck. Usually all are sealed by now.
            self._seal(decks_bet_on(self.table, (request.command for request in requests)))
            answers = self._handle(requests)
        if answers or self.stopped is None:
            return answers or []
        return [self.stopped.answer(self.head.version)] * len(requests)

    @contextmanager
    def _stops(self) -> Iterator[None]:
        """Stop the table if the store or the shuffler fails; raises Lost if it has moved."""
        try:
            with self._outcomes.doubted():
                yield
        except STOPS as error:
            # These come first: Repeated is a Conflict.
            self._stop(stopped_by(error, self.table.id))
        except (Fenced, Conflict) as error:
            raise self._moved(error) from error

    def _moved(self, reason: Exception) -> Lost:
        """The error for a table that another process has taken over."""
        self.stopped = MOVED
        return Lost(str(reason))

    def try_again(self) -> bool:
        """After a failure of the store, read the record again and continue where it ends.

        A failed shuffler and a lost lease need the operator. Raises Lost if another process has
        taken the table over.
        """
        if self.stopped is None or self.stopped.code is not RuntimeCode.STOPPED:
            return self.stopped is None
        try:
            self.lease = self._outcomes.settle(self.lease)
            recovered = recover(self._services.store, self._services.codec, self.table.id)
            assert recovered is not None
            # Events may have been written although the store failed before it confirmed them.
            missed = events_between(
                self._services.store, self._services.codec, self.head, recovered
            )
            self._services.check_link(recovered.table.link)
        except Lost as error:
            raise self._moved(error) from error
        except (Unavailable, Damaged, KeyFailure, CodecError):
            return False
        self.table, self.head = recovered.table, recovered.head
        self._decks = RoundDecks(recovered.decks)
        self.since = recovered.since
        self._snapshots = SnapshotSchedule(recovered.snapshot_version)
        self.countdown.stop()
        self.stopped = None
        if self._listener is not None and missed:
            self._listener(missed, self.head.version)
        self._go_on_after(recovered)
        if self.stopped is None:
            self._stop_logged = None
            logger.warning("table %s runs again after a stop", self.table.id)
        return self.stopped is None

    def _handle(self, requests: Sequence[Request]) -> list[Answer]:
        stream = table_stream(self.table.id)
        # Nearly all commands are new, and the store refuses a command that was carried out before.
        # So old answers are only read after it has refused, or where a command would be refused:
        # a seat that a command has taken is not free when the command is repeated.
        answered: dict[CommandKey, StoredAnswer] | None = None
        for _ in range(ATTEMPTS_MAX):
            batch = Batch(self._draft())
            answers = [self._decide(batch, request, answered or {}) for request in requests]
            if answered is None and batch.refuses:
                answered = self._services.store.answers(stream, _kept_keys(requests))
                if answered:
                    continue
            try:
                self._write(batch)
            except Repeated:
                if answered:
                    raise
                answered = self._services.store.answers(stream, _kept_keys(requests))
                if not answered:
                    raise
            except Conflict as error:
                if error.stream == stream:
                    raise
                self._services.read_again(error.stream)
            except NotEnough as error:
                # Money has left the wallet since it was read; decide again.
                if error.account.kind is not AccountKind.WALLET:
                    raise
            else:
                return answers
        busy = Refusal(RuntimeCode.BUSY, "The progressive is busy; retry with the same id.")
        return [Answer.of_refusal(busy, self.head.version) for _ in requests]

    def outside(self, table: Table) -> Outside:
        """The outside facts for a command to the table in this state."""
        return outside_now(self._services, table, self.since.round_days)

    @property
    def absent_ms(self) -> Mapping[str, int]:
        """How long each absent person of the table has been gone."""
        return self._services.people.absent_at(self.table.id)

    def _draft(self) -> Draft:
        worker_services = self._services
        shuffler_failed = self.stopped and self.stopped.code is RuntimeCode.SHUFFLER_FAILED
        return Draft(
            self.table,
            self._decks,
            store=worker_services.store,
            shuffler=None if shuffler_failed else worker_services.shuffler,
            links=worker_services.links,
            day=day_of(worker_services.clock.wall_ms()),
            people=worker_services.people,
            round_days=self.since.round_days(worker_services.clock.wall_ms()),
            clock_left_ms=self.time_left_ms,
        )

    def _decide(
        self,
        batch: Batch,
        request: Request,
        answered: dict[CommandKey, StoredAnswer],
    ) -> Answer:
        try:
            request.check_id()
        except Refusal as refusal:
            return Answer.of_refusal(refusal, batch.version(self.head))
        asked, key = digests(self._services.rulebook.codec, request.command), request.key
        first = batch.first_answer(self._services.refusals, key, answered)
        if request.id is not None and first is not None:
            if self._services.is_repeated(table_stream(self.table.id), request, asked, first):
                batch.repeats = True
                return first.answer
            reused = Refusal(
                RuntimeCode.ID_REUSED, "This id has already been used for another command."
            )
            return Answer.of_refusal(reused, batch.version(self.head))
        try:
            if isinstance(request.command, ChangeRules):
                self._services.check_house(request.command.house)
            self._services.held_houses.check(batch.draft.table, request.command)
            cause = request.cause(asked.public)
            batch.draft.take(request.command, request.by, cause, request.approved_by)
            answer = _answer(version=batch.version(self.head))
        except Refusal as refusal:
            answer = Answer.of_refusal(refusal, batch.version(self.head))
        if request.id is not None:
            batch.answers[key] = GivenAnswer(asked.public, answer, asked.with_cards)
        return answer

    # Writing -----------------------------------------------------------------------

    def _write(self, batch: Batch) -> None:
        """Write a batch and make its draft the table's state; raises StoreError."""
        draft = batch.draft
        if draft.events or batch.answers:
            self._commit(batch)
            self._services.remember(table_stream(self.table.id), batch.answers)
            self._outcomes.ended()
        elif batch.repeats:
            self.check_current()
        if draft.shuffler_failure is not None:
            self._stop(stopped_by(draft.shuffler_failure, self.table.id))

    def _commit(self, batch: Batch) -> None:
        draft, worker_services = batch.draft, self._services
        if not draft.events:
            self.check_current()
            worker_services.observer(batch.committed())
            return
        at_ms = self._now_ms()
        append = self._append(batch, at_ms)
        houses = [event.house for event, *_ in draft.events if isinstance(event, RulesChanged)]
        heads = self._timed_commit(
            Commit(
                at_ms=at_ms,
                appends=(append, *draft.other_appends()),
                rule_sets=tuple(worker_services.rulebook.rule_set(house) for house in houses),
            )
        )
        draft.keep_others()
        self._adopt(draft, heads[append.stream], wrote_snapshot=append.snapshot is not None)
        worker_services.observer(batch.committed())

    def _timed_commit(self, commit: Commit) -> Mapping[str, Head]:
        began_ms = self.lively_ms()
        try:
            return self._outcomes.commit(commit)
        finally:
            self.commit_ms += self.lively_ms() - began_ms

    def check_current(self) -> None:
        """Refusals are not written, so check that the table still is what they were decided by.

        Raises Fenced or Conflict where another process has taken the table over.
        """
        stream = table_stream(self.table.id)
        head, fence = (
            self._services.store.head(stream),
            self.lease.fence if self.lease else 0,
        )
        if head.fence != fence:
            raise Fenced(stream, fence=fence, found=head.fence)
        if head.version != self.head.version:
            raise Conflict(stream, expected=self.head.version, found=head.version)

    def _append(self, batch: Batch, at_ms: int) -> Append:
        draft, codec = batch.draft, self._services.codec
        return Append(
            stream=table_stream(self.table.id),
            expected_version=self.head.version,
            fence=self.lease.fence if self.lease else 0,
            events=tuple(
                codec.encode(event, transfers, cause=cause, key=round_key(number))
                for event, transfers, cause, number in draft.events
            ),
            secrets=tuple(draft.secrets),
            snapshot=self._snapshot(draft, at_ms),
            snapshot_key="" if draft.table.round is None else round_key(draft.table.rounds),
        )

    def _snapshot(self, draft: Draft, at_ms: int) -> str | None:
        """The snapshot that is written with a draft, None if none is due."""
        events = tuple(drafted.event for drafted in draft.events)
        if not self._snapshots.is_due(draft.table, self.head.version + len(events), events):
            return None
        since = self.since
        for event in events:
            # The bank's clock may run between rounds. No event is earlier than the one before.
            since = since.after(event, max(at_ms, self.head.at_ms))
        return snapshot_of(self._services.codec, draft.table, since)

    def _write_late_snapshot(self) -> None:
        """Write the snapshot of a stadium's last round, unless the next one has begun."""
        if self._snapshots.late and self.table.playing is None:
            append = replace(
                self._append(Batch(self._draft()), 0),
                snapshot=snapshot_of(self._services.codec, self.table, self.since),
            )
            self._timed_commit(Commit(at_ms=self._now_ms(), appends=(append,)))
            self._snapshots.version = self.head.version
            self._outcomes.ended()
        self._snapshots.late = False

    def _adopt(self, draft: Draft, head: Head, *, wrote_snapshot: bool) -> None:
        """Make the draft the table's state, and tell the listener what has happened."""
        events, before = tuple(drafted.event for drafted in draft.events), self.table.clock
        self.table, self.head, self._decks = draft.table, head, draft.decks
        if wrote_snapshot:
            self._snapshots.version = head.version
        for event in events:
            self.since = self.since.after(event, head.at_ms)
        if self.table.clock is None:
            self.countdown.stop()
        elif before is None or self.table.clock.number != before.number:
            self.countdown.start(self.table.clock.ms)
        if self._listener is not None and events:
            self._listener(events, head.version)


def _kept_keys(requests: Sequence[Request]) -> list[CommandKey]:
    """The keys under which the answers to requests are remembered."""
    return [request.key for request in requests if request.kept]
