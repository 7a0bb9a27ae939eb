"""A table's worker: takes commands in order, writes what follows, and only then answers.

It has no network and no thread of its own, so a server, a test and a simulator drive it
alike. A batch of requests is decided against the state in memory and written in one
transaction; callers and watchers learn nothing that is not on disk.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from openfelt.catalog.fingerprints import fingerprint
from openfelt.ledger import AccountKind
from openfelt.rules.house import House
from openfelt.rules.referee import VoidRound
from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock, day_of
from openfelt.runtime.commits import (
    AnsweredCommand,
    CommitObserver,
    Committed,
    unobserved,
)
from openfelt.runtime.refusals import GivenAnswer, Refusals
from openfelt.runtime.requests import Answer, Request, RuntimeCode, digest, is_digest_of
from openfelt.runtime.shuffle.deck_stock import DeckStock
from openfelt.runtime.shuffle.entropy_health import EntropyFailure
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler
from openfelt.runtime.streams import StreamKind, name_of, table_stream
from openfelt.runtime.tables.draft import Draft, outside_of
from openfelt.runtime.tables.links import Links
from openfelt.runtime.tables.recovery import Recovered, recover, snapshot_of
from openfelt.storage.door import (
    Append,
    CommandKey,
    Commit,
    Conflict,
    Fenced,
    Head,
    Lease,
    NotEnough,
    Repeated,
    Store,
    StoredAnswer,
    Unavailable,
)
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook
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
from openfelt.table.events import RulesChanged, TableEvent
from openfelt.table.permissions import Outside, bad_table
from openfelt.table.state import Table

ATTEMPTS_MAX: Final = 50
"""How many times a batch is tried, because a link or a wallet may have changed meanwhile."""
SNAPSHOT_EVERY: Final = 500
"""A snapshot is written between rounds, once this many events have followed the last one."""

_BRING_MONEY_HOME: Final = (Collect, LeaveSeat, VoidRound, ExpireRound, CloseTable)
"""Commands that need no cards, and are carried out even if the shuffler has failed."""

DECKS_AHEAD_MAX: Final = 16
"""How many decks are shuffled ahead before the worker checks for requests again."""


class Lost(Exception):
    """Another process runs the table now; this worker must no longer be used."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What all workers of one process share."""

    store: Store
    rulebook: Rulebook
    codec: EventCodec
    links: Links
    shuffler: Shuffler
    clock: Clock
    refusals: Refusals
    observer: CommitObserver = unobserved
    """Called with everything that a worker commits."""

    @classmethod
    def of(
        cls,
        store: Store,
        shuffler: Shuffler,
        clock: Clock,
        observer: CommitObserver = unobserved,
    ) -> "Tools":
        """The tools of a process on one store."""
        rulebook = Rulebook(store)
        codec = EventCodec(rulebook.codec)
        links = Links(store, codec, clock)
        return cls(store, rulebook, codec, links, shuffler, clock, Refusals(clock), observer)

    def check_house(self, house: object) -> None:
        """Refuse rules that do not match their fingerprint: the record could not keep them."""
        if isinstance(house, House) and fingerprint(house) != house.fingerprint:
            raise bad_table(f"The fingerprint of {house.id} is not that of its rules.")


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why a table has stopped."""

    code: RuntimeCode
    sentence: str


Listener = Callable[[tuple[TableEvent, ...], int], None]
"""Called with the events that have been written, and the version after them."""


class TableWorker:
    """Runs one table, under an exclusive lease."""

    def __init__(
        self, tools: Tools, lease: Lease | None, recovered: Recovered, *, listener: Listener | None
    ) -> None:
        self._tools = tools
        self.lease = lease
        self.table: Table = recovered.table
        self.head: Head = recovered.head
        self.stopped: Stopped | None = None
        self._decks: dict[str, SecretDeck] = recovered.decks
        self.since = recovered.since
        self._snapshot_version = recovered.snapshot_version
        self._deadline_ms: int | None = None
        self._listener = listener
        self._stock = DeckStock(tools.shuffler)

    @classmethod
    def start(
        cls, tools: Tools, table: str, lease: Lease | None, *, listener: Listener | None = None
    ) -> "TableWorker":
        """Start a table where its record ends, with what was left of its clock."""
        recovered = recover(tools.store, tools.codec, table)
        if recovered is None:
            raise Refusal(RuntimeCode.NO_SUCH_TABLE, f"There is no table called {table}.")
        worker = cls(tools, lease, recovered, listener=listener)
        worker._go_on_after(recovered)
        return worker

    def _go_on_after(self, recovered: Recovered) -> None:
        left_ms = recovered.clock_left_ms
        if left_ms is not None:
            self.handle([Request(by=SYSTEM, command=ResumeClock(left_ms))])

    def listen(self, listener: Listener) -> None:
        """Call this listener with everything that is written from now on."""
        self._listener = listener

    # Time --------------------------------------------------------------------------

    @property
    def time_left_ms(self) -> int | None:
        """How long the running clock still runs, None if none does."""
        if self._deadline_ms is None:
            return None
        return max(0, self._deadline_ms - self._tools.clock.monotonic_ms())

    def _now_ms(self) -> int:
        """The time of the next events. While a clock runs, it is the clock's start plus its use.

        So the record tells how much of a clock was left, even if the wall clock is set meanwhile.
        """
        clock, now = self.table.clock, self._tools.clock
        if clock is None or self._deadline_ms is None:
            return now.wall_ms()
        return self.since.clock_ms + clock.ms - (self._deadline_ms - now.monotonic_ms())

    def tick(self) -> None:
        """End the running clock if its time is up."""
        clock = self.table.clock
        if clock is not None and self.time_left_ms == 0 and self.stopped is None:
            self.handle([Request(by=SYSTEM, command=EndTime(clock.number))])

    def prepare(self) -> bool:
        """Shuffle some decks of the next round ahead; False if there is nothing to do."""
        if self.stopped is not None:
            return False
        try:
            return self._stock.prepare(self.table, most=DECKS_AHEAD_MAX) > 0
        except EntropyFailure as error:
            self._stop_for_shuffler(error)
            return False

    def _stop_for_shuffler(self, error: EntropyFailure) -> None:
        self.stopped = Stopped(
            RuntimeCode.SHUFFLER_FAILED, f"The shuffler has failed its self-test: {error}"
        )

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
        return self._refused_as_stopped()

    def _try(self, requests: Sequence[Request]) -> list[Answer]:
        try:
            return self._handle(requests)
        except (Fenced, Conflict) as error:
            self.stopped = Stopped(RuntimeCode.MOVED, "Another process now runs this table.")
            raise Lost(str(error)) from error
        except Unavailable as error:
            self.stopped = Stopped(RuntimeCode.STOPPED, f"This table has stopped: {error}")
        except EntropyFailure as error:
            self._stop_for_shuffler(error)
        return [self._refused_as_stopped() for _ in requests]

    def try_again(self) -> bool:
        """After a failure of the store, read the record again and continue where it ends.

        A failed shuffler and a lost lease need the operator.
        """
        if self.stopped is None or self.stopped.code is not RuntimeCode.STOPPED:
            return self.stopped is None
        try:
            recovered = recover(self._tools.store, self._tools.codec, self.table.id)
            assert recovered is not None
            missed = self._missed(recovered.head)
        except Unavailable:
            return False
        self.table, self.head, self._decks = recovered.table, recovered.head, recovered.decks
        self.since = recovered.since
        self._snapshot_version = recovered.snapshot_version
        self._deadline_ms = None
        self.stopped = None
        if self._listener is not None and missed:
            self._listener(missed, self.head.version)
        self._go_on_after(recovered)
        return self.stopped is None

    def _missed(self, head: Head) -> tuple[TableEvent, ...]:
        """The events that were written although the store failed before it confirmed them."""
        stream, codec = table_stream(self.table.id), self._tools.codec
        stored = self._tools.store.events(stream, after=self.head.version, up_to=head.version)
        return tuple(codec.decode(event) for event in stored)

    def _refused_as_stopped(self) -> Answer:
        assert self.stopped is not None
        return Answer(
            version=self.head.version,
            refused=self.stopped.code.value,
            sentence=self.stopped.sentence,
        )

    def _handle(self, requests: Sequence[Request]) -> list[Answer]:
        stream = table_stream(self.table.id)
        keys = [request.key for request in requests if request.kept]
        # Nearly all commands are new, and the store refuses a command that was carried out before.
        # So old answers are only read after it has refused, or where a command would be refused:
        # a seat that a command has taken is not free when the command is repeated.
        answered: dict[CommandKey, StoredAnswer] | None = None
        for _ in range(ATTEMPTS_MAX):
            batch = _Batch(self._draft())
            answers = [self._decide(batch, request, answered or {}) for request in requests]
            if answered is None and batch.refuses:
                answered = self._tools.store.answers(stream, keys)
                if answered:
                    continue
            try:
                self._write(batch)
            except Repeated:
                if answered:
                    raise
                answered = self._tools.store.answers(stream, keys)
                if not answered:
                    raise
            except Conflict as error:
                if error.stream == stream:
                    raise
                self._tools.links.reload(name_of(error.stream))
            except NotEnough as error:
                # Money has left the wallet since it was read; decide again.
                if error.account.kind is not AccountKind.WALLET:
                    raise
            else:
                self._remember(batch)
                return answers
        busy = Refusal(RuntimeCode.BUSY, "The progressive is busy; retry with the same id.")
        return [Answer.of_refusal(busy, self.head.version) for _ in requests]

    def outside(self, table: Table) -> Outside:
        """What the table, in this state, would be told from outside with a command now."""
        link = self._tools.links.get(table.link).link if table.link else None
        return outside_of(table, link, day=day_of(self._tools.clock.wall_ms()))

    def _draft(self) -> Draft:
        tools = self._tools
        return Draft(
            self.table,
            self._decks,
            store=tools.store,
            stock=self._stock,
            links=tools.links,
            day=day_of(tools.clock.wall_ms()),
        )

    def _decide(
        self,
        batch: "_Batch",
        request: Request,
        answered: dict[CommandKey, StoredAnswer],
    ) -> Answer:
        try:
            request.check_id()
        except Refusal as refusal:
            return Answer.of_refusal(refusal, batch.version(self.head))
        asked = digest(self._tools.rulebook.codec, request.command)
        first = self._first_answer(batch, request, answered)
        if request.id is not None and first is not None:
            if is_digest_of(first.digest, self._tools.rulebook.codec, request.command):
                return first.answer
            reused = Refusal(
                RuntimeCode.ID_REUSED, "This id has already been used for another command."
            )
            return Answer.of_refusal(reused, batch.version(self.head))
        try:
            if isinstance(request.command, ChangeRules):
                self._tools.check_house(request.command.house)
            batch.draft.take(request.command, request.by, request.cause(asked))
            answer = Answer(version=batch.version(self.head))
        except Refusal as refusal:
            answer = Answer.of_refusal(refusal, batch.version(self.head))
        if request.id is not None:
            batch.answers[request.key] = GivenAnswer(asked, answer)
        return answer

    def _first_answer(
        self, batch: "_Batch", request: Request, answered: dict[CommandKey, StoredAnswer]
    ) -> GivenAnswer | None:
        """The answer that a repeated command got before, None for a new command."""
        key = request.key
        return (
            _read_answer(answered.get(key))
            or batch.answers.get(key)
            or self._tools.refusals.get(table_stream(self.table.id), key)
        )

    def _remember(self, batch: "_Batch") -> None:
        """Remember refusals: a second copy of a command must not be carried out."""
        stream = table_stream(self.table.id)
        for key, given in batch.answers.items():
            if not given.answer.accepted:
                self._tools.refusals.add(stream, key, given)

    # Writing -----------------------------------------------------------------------

    def _write(self, batch: "_Batch") -> None:
        """Write a batch and make its draft the table's state; raises StoreError."""
        draft, tools = batch.draft, self._tools
        if not draft.events:
            if batch.answers:
                self._check_current()
                tools.observer(batch.committed())
            return
        at_ms = self._now_ms()
        append = self._append(batch, at_ms)
        links = tuple(
            tools.links.append(link, drafted.before, drafted.events)
            for link, drafted in draft.links.items()
        )
        houses = [event.house for event, *_ in draft.events if isinstance(event, RulesChanged)]
        heads = tools.store.commit(
            Commit(
                at_ms=at_ms,
                appends=(append, *links),
                rule_sets=tuple(tools.rulebook.rule_set(house) for house in houses),
            )
        )
        for link, drafted in draft.links.items():
            tools.links.keep(link, drafted.written)
        self._adopt(draft, heads[append.stream], wrote_snapshot=append.snapshot is not None)
        tools.observer(batch.committed())

    def _check_current(self) -> None:
        """Refusals are not written, so check that the table still is what they were decided by.

        Raises Fenced or Conflict where another process has taken the table over.
        """
        stream = table_stream(self.table.id)
        head, fence = self._tools.store.head(stream), self.lease.fence if self.lease else 0
        if head.fence != fence:
            raise Fenced(stream, fence=fence, found=head.fence)
        if head.version != self.head.version:
            raise Conflict(stream, expected=self.head.version, found=head.version)

    def _append(self, batch: "_Batch", at_ms: int) -> Append:
        draft, codec = batch.draft, self._tools.codec
        return Append(
            stream=table_stream(self.table.id),
            expected_version=self.head.version,
            fence=self.lease.fence if self.lease else None,
            events=tuple(
                codec.encode(event, transfers, cause=cause)
                for event, transfers, cause in draft.events
            ),
            secrets=tuple(draft.secrets),
            snapshot=self._snapshot(draft, at_ms),
            snapshot_hidden=True,
        )

    def _snapshot(self, draft: Draft, at_ms: int) -> str | None:
        """A snapshot between rounds, once enough events have followed the last one."""
        version = self.head.version + len(draft.events)
        if draft.table.playing is not None or version - self._snapshot_version < SNAPSHOT_EVERY:
            return None
        since = self.since
        for drafted in draft.events:
            # The bank's clock may run between rounds. No event is earlier than the one before.
            since = since.after(drafted.event, max(at_ms, self.head.at_ms))
        return snapshot_of(self._tools.codec, draft.table, since)

    def _adopt(self, draft: Draft, head: Head, *, wrote_snapshot: bool) -> None:
        """Make the draft the table's state, and tell the listener what has happened."""
        events = tuple(event for event, *_ in draft.events)
        before = self.table.clock
        self.table, self.head, self._decks = draft.table, head, draft.decks
        if wrote_snapshot:
            self._snapshot_version = head.version
        for event in events:
            self.since = self.since.after(event, head.at_ms)
        if self.table.clock is None:
            self._deadline_ms = None
        elif before is None or self.table.clock.number != before.number:
            self._deadline_ms = self._tools.clock.monotonic_ms() + self.table.clock.ms
        if self._listener is not None and events:
            self._listener(events, head.version)


def _read_answer(stored: StoredAnswer | None) -> GivenAnswer | None:
    return GivenAnswer(stored.digest, Answer.from_json(stored.body)) if stored else None


class _Batch:
    """Requests being decided: the draft that they make, and the answers under their ids."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.answers: dict[CommandKey, GivenAnswer] = {}

    @property
    def refuses(self) -> bool:
        """Whether it refuses a command that is new, as far as this process remembers."""
        return any(not given.answer.accepted for given in self.answers.values())

    def version(self, head: Head) -> int:
        """The version that the table will have after what has been drafted so far."""
        return head.version + len(self.draft.events)

    def committed(self) -> Committed:
        """What observers are told once the batch is written."""
        table = self.draft.table
        return Committed(
            kind=StreamKind.TABLE,
            name=table.id,
            round=table.round_id if table.rounds else None,
            events=tuple(drafted.event for drafted in self.draft.events),
            answers=tuple(
                AnsweredCommand(actor=actor, command=command, refused=given.answer.refused)
                for (actor, command), given in self.answers.items()
            ),
        )
