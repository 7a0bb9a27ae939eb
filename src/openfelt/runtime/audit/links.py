"""An audit replays a link's record, and lays it beside its tables' where they disagree."""

from collections.abc import Mapping
from typing import Any

from openfelt.ledger import Account, AccountKind
from openfelt.rules.round import RoundSettled
from openfelt.runtime.audit.chain import Booked, check_transfers
from openfelt.runtime.audit.link_tallies import (
    CountedRound,
    Pair,
    counted_by_link,
    counted_by_table,
)
from openfelt.runtime.audit.report import Finding, OutOfPlace
from openfelt.runtime.audit.tables import (
    IMPOSSIBLE,
    Desk,
    check_snapshot_reached,
    impossible,
)
from openfelt.runtime.streams import StreamKind, kind_of, link_stream, name_of, table_stream
from openfelt.storage.codec import read_json
from openfelt.storage.door import Head, Snapshot, StoredEvent
from openfelt.table.chips import transfers_of
from openfelt.table.link import Link, apply_link, link_moves
from openfelt.table.link_events import LinkOpened, RoundCounted
from openfelt.table.state import Table, after, open_table


class LinkAudit:
    """The record of one progressive link."""

    def __init__(self, desk: Desk, stream: str) -> None:
        self._desk = desk
        self._stream = stream
        self._id = name_of(stream)
        self._snapshot = desk.store.snapshot(stream)
        self._link: Link | None = None

    def take(self, booked: Booked) -> None:
        """Replay one event; nothing more once an event could not be replayed."""
        if self._stream in self._desk.broken:
            return
        stored = booked.stored
        try:
            event = self._desk.codec.decode(stored)
            if isinstance(event, LinkOpened) and event.link != self._id:
                raise OutOfPlace(f"The record is that of {event.link}")
            check_transfers(stored, link_moves(self._link, event), booked.transfers, self._desk.pad)
            if isinstance(event, RoundCounted):
                self._count(stored, event)
            self._link = apply_link(self._link, event)
        except IMPOSSIBLE as error:
            impossible(self._desk, stored, error)
            self._desk.broken.add(self._stream)
            return
        if self._snapshot is not None and self._snapshot.version == stored.version:
            self._check_snapshot(self._snapshot, stored, self._link)

    def _count(self, stored: StoredEvent, event: RoundCounted) -> None:
        link, desk = self._link, self._desk
        if link is None:
            raise OutOfPlace("The record of a link begins with its opening")
        desk.pad.counts.rounds_counted += 1
        if event.table not in link.tables:
            desk.find(
                stored,
                f"It counts a round of {event.table}, which does not feed the link.",
                expected="a table of the link",
                found=event.table,
            )
        desk.tallies.at_link(self._id, event.table, counted_by_link(link, event))

    def finish(self) -> None:
        """Say what the link's accounts must hold."""
        link, desk = self._link, self._desk
        if link is None or self._stream in desk.broken:
            desk.broken.add(self._stream)
            return
        check_snapshot_reached(desk, self._stream, self._snapshot)
        desk.fed[self._id] = link.tables
        desk.balances[Account(AccountKind.METER, self._id)] = link.meter.display_cents
        desk.balances[Account(AccountKind.RESERVE, self._id)] = link.meter.reserve_cents

    def _check_snapshot(self, snapshot: Snapshot, stored: StoredEvent, link: Link) -> None:
        desk = self._desk
        desk.pad.counts.snapshots += 1
        try:
            kept: Any = desk.codec.codec.from_plain(Link, read_json(snapshot.body))
        except IMPOSSIBLE as error:
            desk.find(stored, "The snapshot cannot be read.", expected="one", found=str(error))
            return
        if kept != link:
            desk.find(
                stored,
                "The snapshot is not what the events up to here give.",
                expected="the link as replayed",
                found="another one",
            )


# Side by side ----------------------------------------------------------------

_Found = dict[int, tuple[int, CountedRound]]
"""By round, the version of the event and what it says."""


def compare_counts(desk: Desk, heads: Mapping[str, Head]) -> None:
    """Find every table and every round about which a link and its tables do not agree."""
    for name in sorted(desk.feeding.keys() | desk.fed.keys()):
        _compare_tables(desk, name)
    for pair in desk.tallies.differing():
        link, table = link_stream(pair[0]), table_stream(pair[1])
        if not desk.broken & {link, table}:
            _lay_side_by_side(desk, pair, heads)


def _compare_tables(desk: Desk, link: str) -> None:
    """The tables of a link are those whose records say that they feed it."""
    stream = link_stream(link)
    broken = {name_of(name) for name in desk.broken if kind_of(name) is StreamKind.TABLE}
    wanted = desk.feeding.get(link, set()) - broken
    found = set(desk.fed.get(link, ())) - broken
    if wanted != found and stream not in desk.broken:
        desk.pad.find(
            Finding(
                where=stream,
                sentence="Its tables are not those whose records say that they feed it.",
                expected=", ".join(sorted(wanted)) or "none",
                found=", ".join(sorted(found)) or "none",
            )
        )


def _lay_side_by_side(desk: Desk, pair: Pair, heads: Mapping[str, Head]) -> None:
    link, table = pair
    settled = _settled_rounds(desk, pair, heads)
    counted = _counted_rounds(desk, pair, heads)
    for number in sorted(settled.keys() | counted.keys()):
        ours, theirs = settled.get(number), counted.get(number)
        if (ours and ours[1]) == (theirs and theirs[1]):
            continue
        place = (link_stream(link), theirs[0]) if theirs else None
        place = place or (table_stream(table), ours[0] if ours else 0)
        desk.pad.find(
            Finding(
                where=place[0],
                version=place[1],
                sentence=f"The link {link} and the table do not agree about {table}/{number}.",
                expected=f"as settled: {ours[1].words}" if ours else "a round that was settled",
                found=theirs[1].words if theirs else "never counted",
            )
        )


def _settled_rounds(desk: Desk, pair: Pair, heads: Mapping[str, Head]) -> _Found:
    """What the table has settled while it fed the link."""
    link, stream = pair[0], table_stream(pair[1])
    found: _Found = {}
    table: Table | None = None
    for stored in desk.store.events(stream, up_to=_up_to(heads, stream)):
        event = desk.codec.decode(stored)
        if table is None:
            table = open_table(event)
            continue
        if isinstance(event, RoundSettled) and table.link == link:
            counted = counted_by_table(table, event.settlement)
            if counted is not None:
                found[counted.round] = (stored.version, counted)
        table = after(table, event, transfers_of(table, event))
    return found


def _counted_rounds(desk: Desk, pair: Pair, heads: Mapping[str, Head]) -> _Found:
    """What the link has counted of the table."""
    stream, table = link_stream(pair[0]), pair[1]
    found: _Found = {}
    link: Link | None = None
    for stored in desk.store.events(stream, up_to=_up_to(heads, stream)):
        event = desk.codec.decode(stored)
        if link is not None and isinstance(event, RoundCounted) and event.table == table:
            found[event.round] = (stored.version, counted_by_link(link, event))
        link = apply_link(link, event)
    return found


def _up_to(heads: Mapping[str, Head], stream: str) -> int:
    return heads[stream].version if stream in heads else 0
