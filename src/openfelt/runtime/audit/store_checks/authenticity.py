"""The audit of authentic appends: every head and every old answer is as the house left it.

A head covers its whole stream, so nothing can be appended, removed or replaced without a key that
is not in the database.
"""

from collections.abc import Mapping

from openfelt.runtime.audit.context import AuditContext
from openfelt.runtime.audit.report import ReportDraft
from openfelt.storage.door import Authentication, Damaged, Forged, Head, KeyMissing, Store
from openfelt.storage.streams.append_keys import APPENDS_STREAM


def audit_authenticity(context: AuditContext, heads: Mapping[str, Head]) -> None:
    """Check the head of every stream, and the old answers."""
    store, report = context.store, context.report
    try:
        begun = store.authentication()
    except KeyMissing as error:
        _report_missing(store, report, error.key)
        return
    except Damaged as error:
        report.find(APPENDS_STREAM, str(error))
        return
    if begun is None:
        _check_none(store, heads, report)
        return
    context.keys_here, context.all_listed = True, not begun.events
    report.counts.events_unauthenticated = begun.events
    for stream, head in heads.items():
        _check(store, stream, head, report)
    _check_answers(store, begun, report)


def _check(store: Store, stream: str, head: Head, report: ReportDraft) -> None:
    try:
        store.check_head(stream, head)
    except Forged:
        report.find(
            stream,
            "Its head was not written with a key of the house: it was appended to or cut off.",
            version=head.version,
            expected="an authentic head",
            found="another one" if head.code else "one without a code",
        )
    except KeyMissing as error:
        # Other keys of the house are here, so this one would be too.
        report.find(
            stream,
            "Its head names a key that is not here, and that was not declared lost.",
            version=head.version,
            expected="a key of the house",
            found=error.key,
        )
    else:
        report.counts.heads_authentic += 1


def _report_missing(store: Store, report: ReportDraft, key: str) -> None:
    if store.key_ids():
        # The keys that are here would include this one, or it would have been declared lost.
        report.find(
            APPENDS_STREAM,
            "Its head names a key that is not here, and that was not declared lost: no head of "
            "any stream can be checked.",
            expected="a key of the house",
            found=key,
        )
        return
    report.note(
        f"The key {key} is not available, so the heads that it authenticates were not checked: "
        "forged appends to their streams would not be detected."
    )


def _check_none(store: Store, heads: Mapping[str, Head], report: ReportDraft) -> None:
    """A database of an earlier version has no codes at all."""
    if any(head.code for head in heads.values()) or (heads and store.was_authenticated()):
        report.find(
            APPENDS_STREAM,
            "The event that records the start of authentic appends is missing.",
            version=1,
            expected="an event",
            found="none",
        )
    elif heads:
        report.note(
            "Appends cannot be authenticated yet, because an earlier version made the last write: "
            "an append with a correct hash chain would go undetected."
        )


def _check_answers(store: Store, begun: Authentication, report: ReportDraft) -> None:
    """Old answers are those that were there when appends became authentic."""
    count, digest = store.old_answers_digest()
    if (count, digest if count else "") != (begun.answers, begun.answers_digest):
        report.find(
            "answers",
            "The answers of earlier versions have been changed.",
            expected=_answers(begun.answers, begun.answers_digest),
            found=_answers(count, digest),
        )


def _answers(count: int, digest: str) -> str:
    return f"{count} answers with the digest {digest}" if count else "no answers"
