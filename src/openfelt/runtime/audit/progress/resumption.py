"""An audit that continues where the last one ended, if that part of the database is unchanged."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Final, Protocol

from openfelt.runtime.audit.context import AuditContext
from openfelt.runtime.audit.link_tallies import Pair, RoundSum
from openfelt.runtime.audit.progress.progress_state import (
    FORMAT,
    AuditedCheckpoints,
    AuditedStream,
    AuditedTally,
    AuditState,
    ChainPosition,
    NotResumable,
    Saved,
    snapshot_digest,
)
from openfelt.runtime.audit.report import ReportDraft
from openfelt.runtime.streams import StreamKind, feed_of, kind_of, name_of
from openfelt.storage.backup.archived_history import Archive
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Head, KeyMissing, Store, StoreError
from openfelt.storage.inspection.interface import StreamRows

_QUIET_KINDS: Final = (StreamKind.WALLET, StreamKind.ACCOUNT, StreamKind.VOUCHER)
"""The kinds of streams on which no other check depends, but for vouchers that are open."""


class Resumable(Protocol):
    """The audit of a stream that can be left and continued."""

    def saved(self) -> Saved:
        """The state that a later audit of the stream needs to continue from here."""
        ...

    def resume(self, saved: Saved) -> None:
        """Continue from what was saved; raises NotResumable."""
        ...


class Resumption:
    """The state from the last audit, and the state for the next one."""

    def __init__(
        self,
        context: AuditContext,
        heads: Mapping[str, Head],
        before: AuditState | None,
        archived: AuditState | None = None,
    ) -> None:
        """``archived`` is the state at the end of what has been moved to archives."""
        self._context = context
        self._heads = heads
        self._before = before
        self._archived = archived
        self._streams: dict[str, AuditedStream] = {}
        self.events_before = 0
        """How many events are not checked again."""
        if before is not None:
            _load(context.tallies.tables, before.tables)
            _load(context.tallies.links, before.links)
            _load(context.tallies.feeds, before.feeds)
            _load(context.tallies.folded, before.folded)

    def start(self, stream: str, stream_audit: Resumable) -> ChainPosition:
        """Where the audit of a stream begins: where the last one ended, if that still holds.

        If not, it begins where its archived history ends, or at its beginning.
        """
        for state in (self._before, self._archived):
            audited = state.streams.get(stream) if state is not None else None
            if state is None or audited is None:
                continue
            try:
                _check_same(self._context.store, stream, self._heads[stream], audited)
                stream_audit.resume(audited.saved)
            except (NotResumable, CodecError, StoreError):
                continue
            if state is not self._before:
                self._set_tallies(stream, state)
            self.events_before += audited.position.version
            return replace(audited.position)
        self._set_tallies(stream, None)
        return ChainPosition()

    def is_quiet(self, stream: str) -> bool:
        """Whether nothing of a stream can have changed since the last audit.

        Its head has been checked to be authentic, and it is the one at which that audit ended. Such
        streams are most of a database: wallets and guests who have not come back. Those with
        secrets or snapshots are compared each time, and so are tables and links, whose accounts
        are. A full audit, which begins at the end of an archive, passes over none.
        """
        if self._context.full:
            return False
        audited = self._before.streams.get(stream) if self._before is not None else None
        if audited is None or kind_of(stream) not in _QUIET_KINDS:
            return False
        head, position, rows = self._heads[stream], audited.position, self._rows.get(stream)
        return (
            (head.version, head.hash, head.at_ms)
            == (position.version, position.hash, position.at_ms)
            and rows is not None
            and not rows.others
            and rows.last_transfer <= position.transfer
            and not audited.snapshot
            and not audited.saved.get("secrets")
            and not audited.saved.get("open")
        )

    @cached_property
    def _rows(self) -> Mapping[str, StreamRows]:
        return self._context.store.stream_rows()

    def skip(self, stream: str) -> None:
        """Keep the state of a quiet stream as it is."""
        assert self._before is not None
        audited = self._before.streams[stream]
        self.events_before += audited.position.version
        self._streams[stream] = audited

    def _set_tallies(self, stream: str, state: AuditState | None) -> None:
        """Let a stream add its rounds up from another state, or from its beginning."""
        tallies, name = self._context.tallies, name_of(stream)
        if kind_of(stream) is StreamKind.TABLE:
            _forget(tallies.tables, [pair for pair in tallies.tables if pair[1] == name])
            _load(
                tallies.tables,
                (kept for kept in state.tables if kept.table == name) if state else (),
            )
        elif kind_of(stream) is StreamKind.LINK:
            for sums, kept in (
                (tallies.links, state.links if state else []),
                (tallies.folded, state.folded if state else []),
            ):
                _forget(sums, [pair for pair in sums if pair[0] == name])
                _load(sums, (tally for tally in kept if tally.link == name))
        elif kind_of(stream) is StreamKind.FEED:
            _forget(tallies.feeds, [pair for pair in tallies.feeds if pair == feed_of(stream)])
            own = state.feeds if state else []
            _load(
                tallies.feeds, (kept for kept in own if (kept.link, kept.table) == feed_of(stream))
            )

    def leave(self, stream: str, stream_audit: Resumable, position: ChainPosition) -> None:
        """Keep the state of a stream for the next audit."""
        if stream in self._context.broken or self._context.report.findings:
            return
        snapshot = self._context.store.snapshot(stream)
        if snapshot is not None and snapshot.version > position.version:
            # It is newer than what has been checked; the next audit compares it.
            snapshot = None
        self._streams[stream] = AuditedStream(
            position, snapshot_digest(snapshot), dict(stream_audit.saved())
        )

    def state(
        self,
        *,
        at_ms: int,
        transfer: int,
        balances: Mapping[str, int],
        checkpoints: AuditedCheckpoints,
    ) -> AuditState | None:
        """The state for the next audit; None after one with findings or without keys."""
        context = self._context
        if context.report.findings or context.broken:
            return None
        return AuditState(
            format=FORMAT,
            at_ms=at_ms,
            events=self.events_before + context.report.counts.events,
            streams=self._streams,
            tables=list(_kept(context.tallies.tables)),
            links=list(_kept(context.tallies.links)),
            feeds=list(_kept(context.tallies.feeds)),
            folded=list(_kept(context.tallies.folded)),
            transfer=transfer,
            balances=dict(balances),
            checkpoints=checkpoints,
        )


def audit_cut(context: AuditContext) -> None:
    """Check the mark by which a database says that it is itself an archive."""
    try:
        context.store.check_cut()
    except KeyMissing as error:
        if context.store.key_ids():
            _find_archive(context, error)
        else:
            context.report.note(f"It is not checked whether this is an archive: {error}")
    except StoreError as error:
        _find_archive(context, error)


def _find_archive(context: AuditContext, error: Exception) -> None:
    context.report.find(
        "archives",
        "What the database keeps of its archived history cannot be trusted.",
        expected="a state that an archiving Openfelt has written",
        found=str(error),
    )


def _check_archive(archive: Archive, state: AuditState) -> None:
    """Compare the columns of an archive with its state, which is encrypted."""
    columns = (archive.checkpoint, archive.at_ms, archive.transfer, dict(archive.balances))
    signed = state.checkpoints
    if columns != (signed.number, signed.at_ms, state.transfer, state.balances):
        raise NotResumable("its balances, its time or its checkpoint have been changed")


def _check_older(store: Store, number: int) -> None:
    """Check the archives before one: putting that back makes the one before it the newest."""
    while number > 1:
        archive = store.archive(before=number)
        if archive is None or archive.number != number - 1:
            raise NotResumable(f"archive {number - 1} is missing")
        _check_archive(archive, AuditState.from_json(archive.state))
        number = archive.number


def archived_state(context: AuditContext) -> AuditState | None:
    """The state at the end of what has been moved to archives, None if nothing has been.

    It is encrypted with a key that is not in the database. One that cannot be read is a finding:
    without it, the history in the database begins in the middle.
    """
    try:
        archive = context.store.archive()
        if archive is None:
            return None
        state = AuditState.from_json(archive.state)
        _check_archive(archive, state)
        _check_older(context.store, archive.number)
    except (StoreError, NotResumable) as error:
        _find_archive(context, error)
        return None
    context.report.note(
        f"The history up to checkpoint {archive.checkpoint} is in an archive, and is not checked "
        "again. To check all of it together, name the archives with --archive."
    )
    context.archived = {
        stream: audited.position.version for stream, audited in state.streams.items()
    }
    return state


def diverged(store: Store, heads: Mapping[str, Head], before: AuditState | None) -> dict[str, int]:
    """The streams that lack events which the last audit has seen, with how many they had."""
    gone = {}
    for stream, audited in before.streams.items() if before is not None else ():
        head, position = heads.get(stream), audited.position
        if head is None or _hash_at(store, stream, head, position.version) != position.hash:
            gone[stream] = position.version
    return gone


def report_diverged(
    report: ReportDraft, gone: Mapping[str, int], restored: Mapping[str, int]
) -> None:
    """Report events that are gone since the last audit, unless an older state was restored."""
    for stream, version in gone.items():
        if restored.get(stream, version) >= version:
            report.find(
                stream,
                "An event that the last audit has seen is gone or has been replaced.",
                version=version,
                expected="the same event",
                found="another one, or none",
            )


def _hash_at(store: Store, stream: str, head: Head, version: int) -> str:
    """The hash of an event of a stream, empty if there is none that can be read."""
    if head.version == version:
        return head.hash
    last = min(version, head.version)
    events = store.events(stream, after=version - 1, up_to=last, damage=lambda _: None)
    return next((event.hash for event in events), "")


def _check_same(store: Store, stream: str, head: Head, audited: AuditedStream) -> None:
    """The stream still has the event at which the last audit ended, and the same snapshot."""
    position = audited.position
    if _hash_at(store, stream, head, position.version) != position.hash:
        raise NotResumable("the last event is gone or has been replaced")
    snapshot = store.snapshot(stream)
    newer = snapshot is None or snapshot.version > position.version
    if not newer and snapshot_digest(snapshot) != audited.snapshot:
        raise NotResumable("the snapshot has been replaced")


def _load(sums: dict[Pair, RoundSum], kept: Iterable[AuditedTally]) -> None:
    for tally in kept:
        sums[tally.link, tally.table] = RoundSum(tally.rounds, int(tally.hashes, 16))


def _kept(sums: Mapping[Pair, RoundSum]) -> Iterable[AuditedTally]:
    for (link, table), added in sorted(sums.items()):
        yield AuditedTally(link, table, added.rounds, f"{added.hashes:x}")


def _forget(sums: dict[Pair, RoundSum], pairs: list[Pair]) -> None:
    for pair in pairs:
        del sums[pair]
