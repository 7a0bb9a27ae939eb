"""The audit of what belongs to no single stream: files, stray rows, leases, the processes that run
and rule sets."""

from typing import Final

from openfelt.runtime.audit.context import AuditContext
from openfelt.runtime.streams import DUTY_PREFIX, StreamKind, kind_of
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged
from openfelt.storage.rulebook import Rulebook
from openfelt.storage.shown_names import shown, shown_hash

LEASE_MS_MAX: Final = 3_600_000
"""No lease is taken for longer than a few seconds; one of an hour was not taken by Openfelt."""
FENCE_END: Final = 2**40
"""Leases are numbered from 1; a table would be taken over for thousands of years to get here."""
PROBE: Final = "health"
"""The stream without events that a server leases to see whether it can write."""


def audit_store_rows(context: AuditContext, *, full: bool) -> None:
    """Check everything in the store that no stream would notice.

    The database's own check reads every page, so only a full audit runs it.
    """
    if not full:
        context.report.note("The database's own check of its files is part of a full audit only.")
    for check in (*((_integrity,) if full else ()), _strays, _leases, _members, _rule_sets):
        with context.reporting("database"):
            check(context)


def _integrity(context: AuditContext) -> None:
    """The database's own check of its files, indexes and schema."""
    faults, notes = context.store.integrity()
    for fault in faults:
        context.report.find("database", f"Its own check reports: {fault}.")
    for note in notes:
        context.report.note(note)


def _strays(context: AuditContext) -> None:
    for stray in context.store.strays():
        where, sentence = stray.table, f"It has rows of {stray.row} that belong to no event."
        if stray.version is not None:
            where, sentence = stray.row, "Events lie beyond the head of the stream."
        context.report.find(
            where,
            sentence,
            version=stray.version,
            expected=stray.expected,
            found=stray.found,
        )


def _leases(context: AuditContext) -> None:
    """Leases are not part of the record. Only tables and duties are leased, and never for long."""
    for lease in context.store.lease_rows():
        where = f"lease {lease.fence} of {shown(lease.owner) if lease.owner else 'no process'}"
        if not _is_leased_kind(lease.stream):
            context.report.find(
                lease.stream,
                "It is leased, and no stream of its kind ever is.",
                expected="no lease",
                found=where,
            )
        elif lease.left_ms > LEASE_MS_MAX or not 0 < lease.fence < FENCE_END:
            context.report.find(
                lease.stream,
                "Its lease was not taken by Openfelt.",
                expected="a lease of a few seconds",
                found=f"{where}, which ends in {lease.left_ms // 1000} seconds",
            )


def _is_leased_kind(stream: str) -> bool:
    duty = stream.startswith(DUTY_PREFIX)
    return duty or stream == PROBE or kind_of(stream) is StreamKind.TABLE


def _members(context: AuditContext) -> None:
    """The processes that run are not part of the record either, and none is renewed for long."""
    for member in context.store.members():
        if member.left_ms > LEASE_MS_MAX:
            context.report.find(
                "members",
                f"The process {shown(member.name)} was not listed by Openfelt.",
                expected="a process that is renewed every few seconds",
                found=f"one that lives for {member.left_ms // 1000} seconds",
            )


def _rule_sets(context: AuditContext) -> None:
    """Every rule set is the one of its fingerprint, under the name of its house."""
    rulebook = Rulebook(context.store)
    for name in context.store.rule_set_names():
        if shown_hash(name) != name:
            fault = "its fingerprint is not a hash"
            context.report.find("rule_sets", str(Damaged("rule_sets", name, fault)))
            continue
        try:
            rule_set, house = context.store.rule_set(name), rulebook.house(name)
        except (CodecError, Damaged) as error:
            context.report.find("rule_sets", str(error))
            continue
        if rule_set is not None and house is not None and rule_set.house != house.id:
            context.report.find(
                "rule_sets",
                f"The rule set {name[:12]} is stored for another house.",
                expected=house.id,
                found=shown(rule_set.house),
            )
