"""Builds that are broken on purpose. The simulator must catch every one of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final
from unittest import mock

from openfelt.rules.paytable import Odds
from openfelt.rules.round_events import RoundOpened
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.causes import acting
from openfelt.runtime.links.drafted_link import DraftedLink
from openfelt.runtime.links.links import Links
from openfelt.runtime.links.versioned_link import CausedLinkEvent, VersionedLink
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.streams import link_stream, wallet_stream
from openfelt.runtime.tables import worker as workers
from openfelt.runtime.tables.batch import Batch
from openfelt.runtime.tables.draft import Draft
from openfelt.runtime.tables.recovery.recovery import RecoveredTable, recover
from openfelt.runtime.tables.recovery.snapshots import Since, snapshot_of
from openfelt.runtime.tables.worker import TableWorker
from openfelt.storage.door import Append, Cause, Commit, Conflict, Head, Lease, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.sqlite import SqliteStore
from openfelt.storage.sqlite import store as sqlite
from openfelt.table import chips, transitions
from openfelt.table.links.link_referee import CountRound
from openfelt.table.state import Table
from tests.simulation.disk import SimulatedStore
from tests.simulation.sim_clock import SimulatedClock
from tests.simulation.simulation import Build

# Workers -------------------------------------------------------------------------


class AnswersFirst(TableWorker):
    """Commits after it has answered: what it promised is lost when it dies in between."""

    _late: Sequence[Request] = ()

    def handle(self, requests: Sequence[Request]) -> list[Answer]:
        """Answer from the draft, and write at the next occasion."""
        self._write_late()
        if self.stopped is not None or all(request.id is None for request in requests):
            return super().handle(requests)
        self._late = requests
        batch = Batch(self._draft())
        return [self._decide(batch, request, {}) for request in requests]

    def tick(self) -> None:
        """Write what has been answered."""
        self._write_late()
        super().tick()

    def _write_late(self) -> None:
        late, self._late = self._late, ()
        if late:
            super().handle(late)


class ForgetsIds(TableWorker):
    """Keeps the answers, but carries a command out again that has its answer."""

    def _decide(self, batch: Batch, request: Request, answered: dict[Any, Any]) -> Answer:
        answer = super()._decide(batch, request, {})
        if request.key in answered:
            batch.answers.pop(request.key, None)
        return answer


class ForgetsTime(TableWorker):
    """Does not resume the clock of the table that it takes over."""

    def _go_on_after(self, recovered: RecoveredTable) -> None:
        pass


class ResumesGenerously(TableWorker):
    """Gives back a little of the time that was used up before an outage."""

    def _go_on_after(self, recovered: RecoveredTable) -> None:
        clock, head = recovered.table.clock, recovered.head
        if clock is not None:
            given_back = max(head.at_ms - clock.ms // 4, recovered.since.clock_ms)
            recovered = replace(recovered, head=replace(head, at_ms=given_back))
        super()._go_on_after(recovered)


class GoesByTheWall(TableWorker):
    """Writes times that jump with the wall clock while players are given time."""

    def _now_ms(self) -> int:
        return self._services.clock.wall_ms()


class TrustsItsMemory(TableWorker):
    """Goes on after a failed write as if nothing of it could have been written."""

    def try_again(self) -> bool:
        """Forget the failure without a look at the record."""
        self.stopped = None
        return True


class TellsRefusedAsDone(TableWorker):
    """Answers yes to what the table has refused."""

    def _decide(self, batch: Batch, request: Request, answered: dict[Any, Any]) -> Answer:
        answer = super()._decide(batch, request, answered)
        return replace(answer, refused=None, sentence=None)


# Stores --------------------------------------------------------------------------


class NoFence(SimulatedStore):
    """Does not ask whether the writer still holds the lease."""

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write under whatever lease holds now."""
        appends = tuple(
            replace(append, fence=self.head(append.stream).fence or None)
            for append in commit.appends
        )
        return super().commit(replace(commit, appends=appends))


class TwoTransactions(SimulatedStore):
    """Writes all events but the last ones first, and those in a transaction of their own."""

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write one commit as two."""
        first = tuple(replace(append, events=append.events[:-1]) for append in commit.appends)
        heads = super().commit(replace(commit, appends=first))
        later = tuple(
            Append(
                stream=append.stream,
                expected_version=heads[append.stream].version,
                fence=heads[append.stream].fence or None,
                events=append.events[-1:],
            )
            for append in commit.appends
        )
        return super().commit(Commit(at_ms=commit.at_ms, appends=later))


class LeasesForever(SimulatedStore):
    """Hands a lease to any process that asks, under the old number."""

    def take_lease(self, stream: str, owner: str, *, ttl_ms: int) -> Lease | None:
        """Give every process the existing lease."""
        fence = self.head(stream).fence
        if fence == 0:
            return super().take_lease(stream, owner, ttl_ms=ttl_ms)
        return Lease(stream=stream, owner=owner, fence=fence, until_ms=self._now_ms() + ttl_ms)


def _store(kind: type[SqliteStore]) -> Callable[[Path, SimulatedClock], SqliteStore]:
    return lambda path, clock: kind(path, now_ms=clock.wall_ms)


# Single functions ------------------------------------------------------------------


def _float_payout(self: Odds, stake_cents: int, *, unit_cents: int) -> int:
    """A payout by way of dollars, as a float."""
    dollars = stake_cents / 100 * (self.pays / self.per)
    return int(dollars * 100) // unit_cents * unit_cents


def _float_cents(self: Odds, stake_cents: int, *, unit_cents: int) -> Any:
    """A payout that is itself a float."""
    return stake_cents * float(Fraction(self.pays, self.per))


def _reshuffled(store: Store, codec: EventCodec, table: str) -> RecoveredTable | None:
    """A table as its record tells it, but with its decks in another order."""
    found = recover(store, codec, table)
    if found is None:
        return None
    decks = {
        name: replace(deck, cards=(*deck.cards[20:], *deck.cards[:20]))
        for name, deck in found.decks.items()
    }
    return replace(found, decks=decks)


def _last_writer_wins(
    self: Links, link: str, before: VersionedLink, events: tuple[CausedLinkEvent, ...]
) -> Append:
    """What a commit adds to a link, whatever others have done to it meanwhile."""
    append = _SOUND_APPEND(self, link, before, events)
    return replace(append, expected_version=self._store.head(link_stream(link)).version)


_SOUND_APPEND: Final = Links.append


def _remembered_link(self: Draft, link: str) -> DraftedLink:
    """The link as this process remembers it, for a round that wins a share of its meter."""
    if link not in self.links:
        self._keep_link(link, DraftedLink.of(self._all_links.get(link)))
    return self.links[link]


def folds_twice(self: Links, link: str) -> int:
    """Let a link count what waits in its feeds, and the same once more."""
    drafted = DraftedLink.of(self.reload(link)).folded()
    if drafted.events:
        try:
            self._commit(self.appends(link, drafted))
            self._commit((self.append(link, drafted.written, drafted.events),))
        except Conflict:
            pass
        self.reload(link)
    return len(drafted.events)


def _feeds_late(self: DraftedLink, command: CountRound, cause: Cause) -> DraftedLink:
    """The link after a round that it counts by itself, as if it came by no feed."""
    return replace(_SOUND_FEEDING(self, command, cause), fed=self.fed)


_SOUND_FEEDING: Final = DraftedLink.feeding


class PaysTwice(Cashier):
    """Books a payment a second time when it comes a second time."""

    def _book(self, event: Any, command: str) -> Answer:
        stream, key = wallet_stream(event.player), (acting().actor, command)
        if key in self._store.answers(stream, [key]):
            super()._book(event, f"{command} again {self._store.head(stream).version}")
        return super()._book(event, command)


def _seats_remembered(table: Table, event: RoundOpened) -> Table:
    """A round is opened, and seats that were left before still count as left."""
    return replace(_SOUND_OPENING(table, event), vacated=table.vacated)


_SOUND_OPENING: Final = transitions._round_opened


def _forgetful_snapshot(codec: EventCodec, table: Table, since: Since) -> str:
    """A snapshot without the results of the last games."""
    return snapshot_of(codec, replace(table, results=()), since)


@contextmanager
def _patched(*targets: tuple[object, str, object]) -> Iterator[None]:
    """Exchange some functions for as long as a seed runs."""
    patches = [mock.patch.object(where, name, new) for where, name, new in targets]
    for patch in patches:
        patch.start()
    try:
        yield
    finally:
        for patch in reversed(patches):
            patch.stop()


def _patches(*targets: tuple[object, str, object]) -> Callable[[], AbstractContextManager[None]]:
    return lambda: _patched(*targets)


@dataclass(frozen=True, slots=True)
class Broken:
    """A broken build, and the checks that may catch it."""

    build: Build
    caught_by: tuple[str, ...]
    first_seed: int = 1
    """The seed to begin with: one that is known to catch it soon."""


BROKEN: Final = (
    Broken(
        Build("commit after answer", worker=AnswersFirst),
        ("no answered command lost",),
    ),
    Broken(
        Build("missing fencing", make_store=_store(NoFence)),
        ("fencing",),
    ),
    Broken(
        Build("float money", patches=_patches((Odds, "payout_cents", _float_payout))),
        ("money by the model", "payout to the cent"),
        first_seed=14,
    ),
    Broken(
        Build("float cents", patches=_patches((Odds, "payout_cents", _float_cents))),
        ("unexpected error", "whole cents", "payout to the cent", "money by the model"),
        first_seed=9,
    ),
    Broken(
        Build("one command in two transactions", make_store=_store(TwoTransactions)),
        ("torn commit", "applied twice", "recovery equals replay", "live equals replay"),
        first_seed=2,
    ),
    Broken(
        Build("one lease for every process", make_store=_store(LeasesForever)),
        ("live equals replay", "unexpected error"),
        first_seed=3,
    ),
    Broken(
        Build("ids forgotten", worker=ForgetsIds),
        ("applied twice", "first answer again", "no answered command lost"),
        first_seed=6,
    ),
    Broken(Build("payments booked twice", cashier=PaysTwice), ("payments booked once",)),
    Broken(
        Build("clock not resumed", worker=ForgetsTime),
        ("clock runs",),
        first_seed=25,
    ),
    Broken(
        Build("clock by the wall", worker=GoesByTheWall),
        ("times of a running clock", "clock goes on"),
        first_seed=23,
    ),
    Broken(
        Build("memory trusted", worker=TrustsItsMemory),
        ("live equals replay", "clock runs"),
        first_seed=25,
    ),
    Broken(
        Build("refusals told as done", worker=TellsRefusedAsDone),
        ("no answered command lost", "one command, one version"),
        first_seed=8,
    ),
    Broken(
        Build("deck shuffled again", patches=_patches((workers, "recover", _reshuffled))),
        ("same cards", "deck"),
        first_seed=3,
    ),
    Broken(
        Build(
            "last writer wins a link",
            patches=_patches(
                (Links, "append", _last_writer_wins),
                (Draft, "_exact_link", _remembered_link),
                (DraftedLink, "guarded", {}),
            ),
        ),
        (
            "counted once, in order",
            "settled by the meter",
            "transfers of an event",
            "meter and reserve",
            "money by the model",
        ),
        first_seed=3,
    ),
    Broken(
        Build("link folded twice", patches=_patches((Links, "fold", folds_twice))),
        ("counted once, in order",),
    ),
    Broken(
        Build("round not fed", patches=_patches((DraftedLink, "feeding", _feeds_late))),
        ("a table feeds each round", "feed of a settled round"),
    ),
    Broken(
        Build("snapshots forget", patches=_patches((workers, "snapshot_of", _forgetful_snapshot))),
        ("recovery equals replay", "live equals replay"),
        first_seed=3,
    ),
    Broken(
        Build(
            "balances not checked",
            patches=_patches((sqlite, "check_balances", lambda *_: None)),
        ),
        ("no account negative",),
        first_seed=25,
    ),
    Broken(
        Build(
            "collection of a void round kept",
            patches=_patches((chips, "_collections_returned", lambda *_: ())),
        ),
        ("money by the model",),
    ),
    Broken(
        Build(
            "vacated seats remembered",
            patches=_patches((transitions, "_round_opened", _seats_remembered)),
        ),
        ("vacated seats",),
        first_seed=2,
    ),
    Broken(Build("clock resumed with more", worker=ResumesGenerously), ("clock goes on",)),
)
