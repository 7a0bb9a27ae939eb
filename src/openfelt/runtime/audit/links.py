"""The audit of a progressive link's record, and of where it disagrees with its tables' records."""

from collections.abc import Mapping, Sequence

from openfelt.ledger import Account, AccountKind
from openfelt.rules.round_events import RoundSettled
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import AuditContext, ImpossibleEvent
from openfelt.runtime.audit.feeds import WaitingRound, waiting_rounds
from openfelt.runtime.audit.link_tallies import (
    CountedRound,
    Pair,
    counted_by_feed,
    counted_by_link,
    counted_by_table,
)
from openfelt.runtime.audit.progress.progress_state import Saved
from openfelt.runtime.streams import (
    StreamKind,
    feed_stream,
    kind_of,
    link_stream,
    name_of,
    table_stream,
)
from openfelt.storage.door import Head, StoredEvent
from openfelt.storage.shown_names import shown
from openfelt.table.chips import transfers_of
from openfelt.table.links.link import Link, apply_link, link_moves
from openfelt.table.links.link_events import LinkOpened, RoundCounted
from openfelt.table.state import Table, open_table
from openfelt.table.transitions import after


class LinkAudit:
    """The audit of one link's record, replayed event by event."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._id = name_of(stream)
        self._snapshot = context.snapshot(stream)
        self._link: Link | None = None

    def take(self, booked: BookedEvent) -> None:
        """Replay one event; after one that cannot be replayed, later ones are skipped."""
        context, stored = self._context, booked.stored
        link = context.replayed(stored, lambda _: self._after(booked))
        if link is not None:
            self._link = link
            context.check_snapshot(self._snapshot, stored, link, word="link")

    def _after(self, booked: BookedEvent) -> Link:
        context, stored = self._context, booked.stored
        event = context.codec.decode(stored)
        if isinstance(event, LinkOpened) and event.link != self._id:
            raise ImpossibleEvent(f"The record is that of {shown(event.link)}")
        check_transfers(booked, link_moves(self._link, event), context.report)
        if isinstance(event, RoundCounted):
            self._tally(stored, event)
        return apply_link(self._link, event)

    def _tally(self, stored: StoredEvent, event: RoundCounted) -> None:
        link, context = self._link, self._context
        if link is None:
            raise ImpossibleEvent("The record of a link begins with its opening")
        context.report.counts.rounds_counted += 1
        if event.table not in link.tables:
            context.find(
                stored,
                f"It counts a round of {shown(event.table)}, which does not feed the link.",
                expected="a table of the link",
                found=shown(event.table),
            )
        counted = counted_by_link(link, event)
        context.tallies.at_link(self._id, event.table, counted)
        if event.fed:
            context.tallies.at_fold(self._id, event.table, counted)
            self._check_order(stored, link, event)

    def _check_order(self, stored: StoredEvent, link: Link, event: RoundCounted) -> None:
        """A link counts each round of a feed once, in the order of the feed."""
        expected = link.folded.get(event.table, 0) + 1
        if event.fed != expected:
            self._context.find(
                stored,
                f"It counts a round out of order from the feed of {shown(event.table)}.",
                expected=str(expected),
                found=str(event.fed),
            )

    def saved(self) -> Saved:
        """The link as it is."""
        return {"link": self._context.codec.codec.to_json(Link, self._link)}

    def resume(self, saved: Saved) -> None:
        """Continue with the link as it was."""
        self._link = self._context.codec.codec.from_json(Link, str(saved["link"]))

    def finish(self) -> None:
        """Note what the link's accounts must hold."""
        link, context = self._link, self._context
        if link is None or self._stream in context.broken:
            context.broken.add(self._stream)
            return
        context.check_snapshot_version(self._stream, self._snapshot)
        context.check_secret_names(self._stream, lambda _: False)
        context.fed[self._id] = link.tables
        context.folded[self._id] = link.folded
        context.balances[Account(AccountKind.METER, self._id)] = link.meter.display_cents
        context.balances[Account(AccountKind.RESERVE, self._id)] = link.meter.reserve_cents


# Side by side ----------------------------------------------------------------

_CountedRounds = dict[int, tuple[int, CountedRound]]
"""By round, the version of the event and what it records."""


def compare_counts(context: AuditContext, heads: Mapping[str, Head]) -> None:
    """Report every table and every round about which a link and its tables disagree."""
    for name in sorted(context.feeding.keys() | context.fed.keys()):
        _compare_tables(context, name)
    waiting = waiting_rounds(context, heads)
    rounds = {
        pair: [waiting_round.counted for waiting_round in of_pair]
        for pair, of_pair in waiting.items()
    }
    for pair in context.tallies.differing(rounds):
        link, table, feed = link_stream(pair[0]), table_stream(pair[1]), feed_stream(*pair)
        if not context.broken & {link, table, feed}:
            _compare_rounds(context, pair, heads, waiting.get(pair, ()))


def _compare_tables(context: AuditContext, link: str) -> None:
    """The tables of a link are those whose own records name it."""
    stream = link_stream(link)
    broken = {name_of(name) for name in context.broken if kind_of(name) is StreamKind.TABLE}
    feeding = context.feeding.get(link, set()) - broken
    fed = set(context.fed.get(link, ())) - broken
    if feeding != fed and stream not in context.broken:
        context.report.find(
            stream,
            "Its tables are not those whose own records name it.",
            expected=", ".join(map(shown, sorted(feeding))) or "none",
            found=", ".join(map(shown, sorted(fed))) or "none",
        )


def _compare_rounds(
    context: AuditContext,
    pair: Pair,
    heads: Mapping[str, Head],
    waiting: Sequence[WaitingRound],
) -> None:
    link, table = pair
    settled = _settled_rounds(context, pair, heads)
    counted = _counted_rounds(context, pair, heads)
    in_feed = _fed_rounds(context, pair, heads)
    for number, (version, by_feed) in in_feed.items():
        by_table = settled.get(number)
        if by_table is None or not _same(by_table[1], by_feed):
            context.report.find(
                feed_stream(link, table),
                f"The feed and the table disagree about {table}/{number}.",
                version=version,
                expected=f"as settled: {by_table[1].words}" if by_table else "a settled round",
                found=by_feed.words,
            )
    counted |= {
        waiting_round.counted.round: (waiting_round.version, waiting_round.counted)
        for waiting_round in waiting
    }
    for number in sorted(settled.keys() | counted.keys()):
        by_table, by_link = settled.get(number), counted.get(number)
        if (by_table and by_table[1]) == (by_link and by_link[1]):
            continue
        place = (link_stream(link), by_link[0]) if by_link else None
        stream, version = place or (table_stream(table), by_table[0] if by_table else 0)
        context.report.find(
            stream,
            f"The link {link} and the table disagree about {table}/{number}.",
            version=version,
            expected=f"as settled: {by_table[1].words}" if by_table else "a settled round",
            found=by_link[1].words if by_link else "never counted",
        )


def _same(by_table: CountedRound, by_feed: CountedRound) -> bool:
    return by_table._replace(meter_cents=None, seed_cents=None) == by_feed


def _fed_rounds(context: AuditContext, pair: Pair, heads: Mapping[str, Head]) -> _CountedRounds:
    """The rounds in the feed of the table."""
    stream = feed_stream(*pair)
    rounds: _CountedRounds = {}
    for stored in context.store.events(stream, up_to=_up_to(heads, stream)):
        counted = counted_by_feed(context.codec.decode(stored))
        rounds[counted.round] = (stored.version, counted)
    return rounds


def _settled_rounds(context: AuditContext, pair: Pair, heads: Mapping[str, Head]) -> _CountedRounds:
    """The rounds that the table has settled while it fed the link."""
    link, stream = pair[0], table_stream(pair[1])
    settled: _CountedRounds = {}
    table: Table | None = None
    for stored in context.store.events(stream, up_to=_up_to(heads, stream)):
        event = context.codec.decode(stored)
        if table is None:
            table = open_table(event)
            continue
        if isinstance(event, RoundSettled) and table.link == link:
            counted = counted_by_table(table, event)
            if counted is not None:
                settled[counted.round] = (stored.version, counted)
        table = after(table, event, transfers_of(table, event))
    return settled


def _counted_rounds(context: AuditContext, pair: Pair, heads: Mapping[str, Head]) -> _CountedRounds:
    """The rounds of the table that the link has counted."""
    stream, table = link_stream(pair[0]), pair[1]
    counted: _CountedRounds = {}
    link: Link | None = None
    for stored in context.store.events(stream, up_to=_up_to(heads, stream)):
        event = context.codec.decode(stored)
        if link is not None and isinstance(event, RoundCounted) and event.table == table:
            counted[event.round] = (stored.version, counted_by_link(link, event))
        link = apply_link(link, event)
    return counted


def _up_to(heads: Mapping[str, Head], stream: str) -> int:
    return heads[stream].version if stream in heads else 0
