"""The rows of an export: what each of its tables has, read from the record one event at a time.

Hidden parts of events are not exported, because an export is passed on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from openfelt.rules.round_events import RoundSettled
from openfelt.runtime.exports.significant_events import is_significant
from openfelt.runtime.rounds.record import EndedRound, RoundReader, Steps
from openfelt.runtime.streams import StreamKind, name_of
from openfelt.storage.door import Store
from openfelt.storage.rulebook import Rulebook

Value = str | int | None
Columns = dict[str, type]


class ExportTable(StrEnum):
    """The tables that can be exported, each as one file."""

    ROUNDS = "rounds"
    LINES = "lines"
    """The settlement lines of rounds: one for each wager."""
    TRANSFERS = "transfers"
    EVENTS = "events"
    """The significant events."""


@dataclass(frozen=True, slots=True)
class Period:
    """A time, without its end, in milliseconds since 1970, UTC."""

    start_ms: int
    end_ms: int

    def __contains__(self, at_ms: int) -> bool:
        return self.start_ms <= at_ms < self.end_ms


COLUMNS: Final[dict[ExportTable, Columns]] = {
    ExportTable.ROUNDS: {
        **dict.fromkeys(("table", "house", "fingerprint", "opened_at", "ended_at"), str),
        "round": int,
        "ended_ms": int,
        "result": str,
        "wagers": int,
        "stake_cents": int,
        "returned_cents": int,
        "payout_cents": int,
        "event": int,
    },
    ExportTable.LINES: {
        "table": str,
        "round": int,
        "ended_at": str,
        "ended_ms": int,
        "seat": int,
        "hand": int,
        "wager": str,
        "beneficiary": str,
        "outcome": str,
        "stake_cents": int,
        "returned_cents": int,
        "payout_cents": int,
        "clause": str,
    },
    ExportTable.TRANSFERS: {
        "number": int,
        "at": str,
        "at_ms": int,
        "stream": str,
        "event": int,
        "debit": str,
        "credit": str,
        "cents": int,
        "reason": str,
        "round": str,
        "clause": str,
        "note": str,
    },
    ExportTable.EVENTS: {
        "at": str,
        "at_ms": int,
        "stream": str,
        "event": int,
        "name": str,
        "actor": str,
        "terminal": str,
        "command": str,
        "fields": str,
        "hash": str,
    },
}


def rows_of(
    store: Store, rulebook: Rulebook, table: ExportTable, period: Period, steps: Steps
) -> Iterator[dict[str, Value]]:
    """The rows of a table whose times are in a period; raises StoreError and CodecError."""
    match table:
        case ExportTable.ROUNDS:
            return _rounds(store, rulebook, period, steps)
        case ExportTable.LINES:
            return _lines(store, rulebook, period, steps)
        case ExportTable.TRANSFERS:
            return _transfers(store, period)
        case ExportTable.EVENTS:
            return _events(store, period, steps)


def _rounds(
    store: Store, rulebook: Rulebook, period: Period, steps: Steps
) -> Iterator[dict[str, Value]]:
    for table, ended in _ended_rounds(store, rulebook, period, steps):
        lines, opened = ended.end.settlement.lines, ended.opened
        yield {
            "table": table,
            "house": opened.house,
            "fingerprint": opened.fingerprint,
            "opened_at": time_text(ended.opened_ms),
            "ended_at": time_text(ended.ended_ms),
            "round": opened.number,
            "ended_ms": ended.ended_ms,
            "result": "settled" if isinstance(ended.end, RoundSettled) else "void",
            "wagers": len(lines),
            "stake_cents": sum(line.stake_cents for line in lines),
            "returned_cents": sum(line.returned_cents for line in lines),
            "payout_cents": sum(line.payout_cents for line in lines),
            "event": ended.version,
        }


def _lines(
    store: Store, rulebook: Rulebook, period: Period, steps: Steps
) -> Iterator[dict[str, Value]]:
    for table, ended in _ended_rounds(store, rulebook, period, steps):
        for line in ended.end.settlement.lines:
            yield {
                "table": table,
                "round": ended.opened.number,
                "ended_at": time_text(ended.ended_ms),
                "ended_ms": ended.ended_ms,
                "seat": line.spot.seat,
                "hand": line.spot.hand,
                "wager": line.wager,
                "beneficiary": line.beneficiary.value,
                "outcome": line.outcome,
                "stake_cents": line.stake_cents,
                "returned_cents": line.returned_cents,
                "payout_cents": line.payout_cents,
                "clause": line.clause,
            }


def _ended_rounds(
    store: Store, rulebook: Rulebook, period: Period, steps: Steps
) -> Iterator[tuple[str, EndedRound]]:
    """The rounds that ended in a period, each with its table, table by table."""
    reader = RoundReader(store, rulebook)
    for table in map(name_of, store.streams(StreamKind.TABLE.prefix)):
        for ended in reader.ended_between(table, period.start_ms, period.end_ms, steps=steps):
            yield table, ended


def _transfers(store: Store, period: Period) -> Iterator[dict[str, Value]]:
    for booked in store.transfers_between(period.start_ms, period.end_ms):
        transfer = booked.transfer
        yield {
            "number": booked.number,
            "at": time_text(booked.at_ms),
            "at_ms": booked.at_ms,
            "stream": booked.stream,
            "event": booked.version,
            "debit": str(transfer.debit),
            "credit": str(transfer.credit),
            "cents": transfer.cents,
            "reason": transfer.reason.value,
            "round": transfer.round,
            "clause": transfer.clause,
            "note": transfer.note,
        }


def _events(store: Store, period: Period, steps: Steps) -> Iterator[dict[str, Value]]:
    for stream in store.streams():
        for stored in store.events(stream):
            steps(1)
            if stored.at_ms >= period.end_ms:
                break
            if stored.at_ms in period and is_significant(stored.name, stored.cause.actor):
                cause = stored.cause
                yield {
                    "at": time_text(stored.at_ms),
                    "at_ms": stored.at_ms,
                    "stream": stream,
                    "event": stored.version,
                    "name": stored.name,
                    "actor": cause.actor,
                    "terminal": cause.terminal,
                    "command": cause.command,
                    "fields": stored.open_body,
                    "hash": stored.hash,
                }


def time_text(at_ms: int) -> str:
    """A time as text, UTC.

    >>> time_text(1767225600123)
    '2026-01-01T00:00:00.123Z'
    """
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
