"""The audit of the feeds of tables: confirmed rounds that a link has counted, or has yet to."""

from collections.abc import Mapping
from typing import NamedTuple

from openfelt.ledger.accounts import feed_account
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.link_tallies import CountedRound, Pair, counted_by_feed
from openfelt.runtime.audit.progress.progress_state import Saved
from openfelt.runtime.streams import StreamKind, feed_of, kind_of, link_stream
from openfelt.storage.door import Head
from openfelt.storage.shown_names import shown
from openfelt.table.links.link_events import RoundFed


class FeedAudit:
    """The audit of one table's feed to one link."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._pair: Pair = feed_of(stream)
        self._round = 0
        context.snapshot(stream)

    def take(self, booked: BookedEvent) -> None:
        """Check one round; after one that cannot be read, later ones are skipped."""
        context, stored = self._context, booked.stored
        if self._stream in context.broken:
            return
        # The table's own event has moved the money.
        check_transfers(booked, (), context.report)
        try:
            fed = context.codec.decode(stored)
            if not isinstance(fed, RoundFed) or fed.round <= self._round:
                raise ImpossibleEvent("A feed has each round once, in the order of the rounds")
        except REPLAY_ERRORS as error:
            context.find_break(stored, error)
            return
        self._round = fed.round
        context.tallies.at_feed(*self._pair, counted_by_feed(fed))

    def saved(self) -> Saved:
        """The number of the last round."""
        return {"round": self._round}

    def resume(self, saved: Saved) -> None:
        """Continue after the last round."""
        self._round = int(saved["round"])

    def finish(self) -> None:
        """A feed has no secrets."""
        self._context.check_secret_names(self._stream, lambda _: False)


class WaitingRound(NamedTuple):
    """A round of a feed that its link has not counted."""

    version: int
    counted: CountedRound


def waiting_rounds(
    context: AuditContext, heads: Mapping[str, Head]
) -> dict[Pair, list[WaitingRound]]:
    """The waiting rounds of each feed; notes the required balances of the accounts at links."""
    waiting: dict[Pair, list[WaitingRound]] = {}
    for stream, head in heads.items():
        if kind_of(stream) is StreamKind.FEED:
            link, table = feed_of(stream)
            if not context.broken & {stream, link_stream(link)}:
                waiting[link, table] = _waiting_in(context, stream, head)
    for link, folded in context.folded.items():
        for table in sorted(folded):
            if (link, table) not in waiting and not context.broken & {link_stream(link)}:
                _find(context, link_stream(link), f"It counts a feed of {shown(table)}.", "a feed")
    return waiting


def _waiting_in(context: AuditContext, stream: str, head: Head) -> list[WaitingRound]:
    link, table = feed_of(stream)
    counted = context.folded.get(link, {}).get(table, 0)
    if link not in context.folded:
        _find(context, stream, f"It feeds a link {shown(link)}.", "a link")
    if counted > head.version:
        sentence = f"The link has counted {counted} rounds of the feed, which has {head.version}."
        _find(context, stream, sentence, "a feed as long as what was counted")
    rounds, cents = [], 0
    for stored in context.store.events(stream, after=counted, up_to=head.version):
        fed: RoundFed = context.codec.decode(stored)
        if fed.from_meter_cents:
            sentence = "A round that won a share of the meter waits to be counted."
            _find(context, stream, sentence, "a round that the link counted at once")
        rounds.append(WaitingRound(stored.version, counted_by_feed(fed)))
        cents += fed.net_cents
    context.balances[feed_account(link, table)] = cents
    return rounds


def _find(context: AuditContext, where: str, sentence: str, expected: str) -> None:
    context.report.find(where, sentence, expected=expected, found="none")
