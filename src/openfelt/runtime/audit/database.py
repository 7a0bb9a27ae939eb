"""The audit of a whole database: everything that can be checked again is checked again.

It reads one stream after another and keeps no record in memory. A database may be audited while
tables play: each stream is read up to where it ended when the audit began. An audit may continue
where an earlier one ended; then only what is new is read.
"""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Final, Protocol

from openfelt.runtime.audit.alert_record import AlertAudit
from openfelt.runtime.audit.answers import audit_old_answers
from openfelt.runtime.audit.archives import ArchivesAudit
from openfelt.runtime.audit.books import BookState, audit_books
from openfelt.runtime.audit.chain import BookedEvent, booked_events, check_kept, check_transfers
from openfelt.runtime.audit.checkpoints import CheckpointAudit
from openfelt.runtime.audit.context import AuditContext
from openfelt.runtime.audit.days import DaysAudit
from openfelt.runtime.audit.dealers import DealerAudit, compare_dealers
from openfelt.runtime.audit.disputes import DisputeAudit
from openfelt.runtime.audit.drawers import DrawerAudit
from openfelt.runtime.audit.feeds import FeedAudit
from openfelt.runtime.audit.kept_secrets import KeptSecrets
from openfelt.runtime.audit.limit_records import LimitsAudit
from openfelt.runtime.audit.links import LinkAudit, compare_counts
from openfelt.runtime.audit.progress.progress_state import (
    AuditedCheckpoints,
    AuditState,
    ChainPosition,
    Saved,
)
from openfelt.runtime.audit.progress.resumption import (
    Resumable,
    Resumption,
    archived_state,
    audit_cut,
    diverged,
    report_diverged,
)
from openfelt.runtime.audit.purges import LostKeyAudit, PurgeAudit
from openfelt.runtime.audit.report import FINDINGS_MAX, AuditReport, ReportDraft
from openfelt.runtime.audit.shipments import ShipmentAudit
from openfelt.runtime.audit.store_checks.authenticity import audit_authenticity
from openfelt.runtime.audit.store_checks.store_rows import audit_store_rows
from openfelt.runtime.audit.tables import TableAudit
from openfelt.runtime.audit.takings import TakingsAudit
from openfelt.runtime.audit.trays import SlipsAudit, TrayAudit
from openfelt.runtime.audit.vouchers import VoucherAudit, VoucherKeysAudit
from openfelt.runtime.audit.wallets import WalletAudit
from openfelt.runtime.notary.checkpoints import checkpoint_hash
from openfelt.runtime.streams import ARCHIVES_STREAM, TAKINGS_STREAM, StreamKind, kind_of
from openfelt.storage.door import Head, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook
from openfelt.storage.streams.append_keys import APPENDS_STREAM


class StreamAudit(Resumable, Protocol):
    """The audit of one stream, event by event."""

    def take(self, booked: BookedEvent) -> None:
        """Check one event."""
        ...

    def finish(self) -> None:
        """Check what follows from all of them."""
        ...


OtherAudits = Callable[[AuditContext, str], StreamAudit]
"""Makes the audit of a stream."""

Progress = Callable[[int, int], object]
"""Called with the number of events checked so far, and of all events."""

PROGRESS_EVERY: Final = 200


def audit(
    store: Store,
    *,
    public_keys: Collection[str] = (),
    published: Path | None = None,
    progress: Progress | None = None,
    findings_max: int = FINDINGS_MAX,
    others: Mapping[str, OtherAudits] | None = None,
) -> AuditReport:
    """Check a whole database, and report what is wrong and where.

    ``others`` are the audits of streams that this package does not know, by their kinds.
    ``public_keys`` are the notary's, in hexadecimal digits; ``published`` is the file to which
    its checkpoints were published. Raises Unavailable if the store cannot be read, and
    OSError if the file cannot.
    """
    report, _ = audit_from(
        store,
        None,
        public_keys=public_keys,
        published=published,
        progress=progress,
        findings_max=findings_max,
        others=others,
    )
    return report


def audit_from(
    store: Store,
    before: AuditState | None,
    *,
    public_keys: Collection[str] = (),
    published: Path | None = None,
    progress: Progress | None = None,
    findings_max: int = FINDINGS_MAX,
    at_ms: int = 0,
    others: Mapping[str, OtherAudits] | None = None,
    shipped: bool = False,
) -> tuple[AuditReport, AuditState | None]:
    """Continue where an audit ended, and give the report and where this one has ended.

    The caller answers for the state ``before``. What was checked then is not checked again; where
    the database has changed there, a stream is checked from its beginning. The new state is None
    if there are findings. ``at_ms`` is the time of the audit. ``shipped`` is for a copy of the log,
    which has neither secrets nor codes of heads.
    """
    report = ReportDraft(findings_max)
    context = AuditContext(store, EventCodec(Rulebook(store).codec), report, shipped=shipped)
    audit_store_rows(context, full=before is None)
    audit_cut(context)
    archived = archived_state(context)
    if before is None and archived is None:
        with context.reporting("event_forms"):
            # What cannot be read of them is reported at the end.
            context.listed_forms = store.event_forms(damage=lambda _: None)
    heads = context.heads = _all_heads(context)
    if not shipped:
        audit_authenticity(context, heads)
    gone = diverged(store, heads, before)
    if gone:
        # The state is that of another history, such as one that a restore has ended.
        before = None
    if archived is not None and (before is None or before.transfer < archived.transfer):
        before = archived
    context.full = before is None or before is archived
    resumption = Resumption(context, heads, before, archived)
    _StreamsAudit(context, heads, resumption, progress, others or {}).run()
    _compare_streams(context, heads)
    book = None
    with context.reporting("transfers"):
        added_up = BookState(before.transfer, before.balances) if before else None
        book = audit_books(context, heads, added_up)
    checkpoints = CheckpointAudit(
        store,
        heads,
        report,
        public_keys=public_keys,
        before=_signed(context, before),
        archived=context.archived,
        shipped=shipped,
    )
    with context.reporting("checkpoints"):
        checkpoints.run(published)
    report_diverged(report, gone, checkpoints.restored)
    state = None
    if book is not None:
        state = resumption.state(
            at_ms=at_ms,
            transfer=book.transfer,
            balances=book.balances,
            checkpoints=checkpoints.state,
        )
    return report.finished(), state


def _compare_streams(context: AuditContext, heads: Mapping[str, Head]) -> None:
    """Check what follows from all streams together."""
    with context.reporting("event_forms"):
        context.check_forms()
    with context.reporting("links"):
        compare_counts(context, heads)
    with context.reporting("dealers"):
        compare_dealers(context)


def _all_heads(context: AuditContext) -> dict[str, Head]:
    """The heads of all streams, with the store's own, which no reader of the record sees."""
    heads = context.store.heads(damage=context.damage("streams"))
    with context.reporting("streams"):
        own = context.store.head(APPENDS_STREAM)
        if own.version:
            heads[APPENDS_STREAM] = own
    return heads


def _signed(context: AuditContext, before: AuditState | None) -> AuditedCheckpoints | None:
    """The checkpoints that an earlier audit has checked, None to check them all."""
    if before is None or context.full or not _has(context, before.checkpoints):
        return None
    return before.checkpoints


def _has(context: AuditContext, signed: AuditedCheckpoints) -> bool:
    """Whether the database still has the checkpoint at which an audit ended."""
    with context.reporting("checkpoints"):
        last = next(context.store.checkpoints(after=signed.number - 1), None)
        if last is not None:
            last_signed = (last.number, checkpoint_hash(last))
            return last_signed == (signed.number, signed.hash)
    return False


class _OtherAudit:
    """The audit of a stream of another kind: it must not move money."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._report = context.report
        context.snapshot(stream)

    def take(self, booked: BookedEvent) -> None:
        """Check that the event moves no money."""
        check_transfers(booked, (), self._report)

    def saved(self) -> Saved:
        """Each event is checked on its own."""
        return {}

    def resume(self, saved: Saved) -> None:
        """Nothing is needed to continue."""

    def finish(self) -> None:
        """Nothing follows from such a stream."""


_AUDITS: Final[Mapping[StreamKind | None, tuple[str, OtherAudits]]] = {
    StreamKind.TABLE: ("tables", TableAudit),
    StreamKind.LINK: ("links", LinkAudit),
    StreamKind.FEED: ("others", FeedAudit),
    StreamKind.WALLET: ("wallets", WalletAudit),
    StreamKind.VOUCHER: ("vouchers", VoucherAudit),
    StreamKind.VOUCHER_KEYS: ("others", VoucherKeysAudit),
    StreamKind.DRAWER: ("drawers", DrawerAudit),
    StreamKind.TRAY: ("trays", TrayAudit),
    StreamKind.SLIPS: ("others", SlipsAudit),
    StreamKind.LIMITS: ("others", LimitsAudit),
    StreamKind.DEALER: ("dealers", DealerAudit),
    StreamKind.PURGE: ("purges", PurgeAudit),
    StreamKind.LOST_KEY: ("others", LostKeyAudit),
    StreamKind.DISPUTE: ("others", DisputeAudit),
    StreamKind.ALERT: ("others", AlertAudit),
    StreamKind.BOOK: ("others", DaysAudit),
    StreamKind.SHIPMENT: ("others", ShipmentAudit),
}
"""By kind of stream, under which name it is counted, and its audit."""
_BOOK_AUDITS: Final[Mapping[str, OtherAudits]] = {
    ARCHIVES_STREAM: ArchivesAudit,
    TAKINGS_STREAM: TakingsAudit,
}
"""The streams of the book that are not of closed days."""


class _StreamsAudit:
    """Audits all streams, one after another."""

    def __init__(
        self,
        context: AuditContext,
        heads: Mapping[str, Head],
        resumption: Resumption,
        progress: Progress | None,
        others: Mapping[str, OtherAudits],
    ) -> None:
        self._context = context
        self._heads = heads
        self._resumption = resumption
        self._progress = progress
        self._others = others
        self._total = sum(head.version for head in heads.values())

    def run(self) -> None:
        """Check every stream up to its head."""
        report = self._context.report
        for stream, head in self._heads.items():
            report.counts.streams += 1
            with self._context.reporting(stream):
                if self._resumption.is_quiet(stream):
                    self._skip(stream)
                else:
                    self._check(stream, head)
        self._show_progress(self._total - self._resumption.events_before)

    def _skip(self, stream: str) -> None:
        counts = self._context.report.counts
        match kind_of(stream):
            case StreamKind.WALLET:
                counts.wallets += 1
            case StreamKind.VOUCHER:
                counts.vouchers += 1
            case _:
                counts.others += 1
        self._resumption.skip(stream)

    def _check(self, stream: str, head: Head) -> None:
        context, counts = self._context, self._context.report.counts
        stream_audit = self._audit_of(stream)
        position = self._resumption.start(stream, stream_audit)
        if context.full and position.version:
            # What an archive covers is not replayed, but what is still here must be the same.
            self._check_kept(stream, position)
        for booked in booked_events(context, stream, head, position):
            counts.events += 1
            counts.answers += bool(booked.stored.cause.digest)
            if stream != APPENDS_STREAM:
                # The store itself writes its own stream, and lists no forms for it.
                context.see_form(booked.stored)
            stream_audit.take(booked)
            if counts.events % PROGRESS_EVERY == 0:
                self._show_progress(counts.events)
        stream_audit.finish()
        audit_old_answers(context, stream, old_events=position.old_events)
        self._resumption.leave(stream, stream_audit, position)

    def _check_kept(self, stream: str, position: ChainPosition) -> None:
        if kind_of(stream) is StreamKind.TABLE:
            secrets = KeptSecrets(self._context, stream)
            check_kept(self._context, stream, position, each=secrets.take)
            secrets.finish()
        else:
            check_kept(self._context, stream, position)

    def _audit_of(self, stream: str) -> StreamAudit:
        """The audit of a stream by its kind, which is counted."""
        counts, kind = self._context.report.counts, kind_of(stream)
        make: OtherAudits
        if stream in _BOOK_AUDITS:
            counted, make = "others", _BOOK_AUDITS[stream]
        elif kind in _AUDITS:
            counted, make = _AUDITS[kind]
        else:
            name = stream.partition("/")[0]
            counted, make = "others", self._others.get(name, _OtherAudit)
        setattr(counts, counted, getattr(counts, counted) + 1)
        return make(self._context, stream)

    def _show_progress(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done + self._resumption.events_before, self._total)
