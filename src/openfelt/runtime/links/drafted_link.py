"""A link in a draft: what would be added to its record, and to the feed of the draft's table."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from openfelt.runtime.links.versioned_link import (
    CausedLinkEvent,
    FedRound,
    VersionedLink,
    with_rounds,
)
from openfelt.storage.door import Cause
from openfelt.table.links.link import Link, apply_link
from openfelt.table.links.link_events import LinkEvent, RoundCounted
from openfelt.table.links.link_referee import CountRound, LinkCommand, decide_link, feed_round


@dataclass(frozen=True, slots=True)
class DraftedLink:
    """A link with the events that a draft adds to it, and the rounds that its table feeds to it."""

    before: VersionedLink
    """The link as it was read."""
    link: Link | None
    """The link by its own record, after the events."""
    waiting: tuple[FedRound, ...] = ()
    """The rounds that it will not have counted."""
    events: tuple[CausedLinkEvent, ...] = ()
    fed: tuple[FedRound, ...] = ()
    """The rounds that the draft adds to the feed of its table."""

    @classmethod
    def of(cls, before: VersionedLink) -> "DraftedLink":
        """A link to which nothing has been added yet."""
        return cls(before, before.link, before.waiting)

    @property
    def shown(self) -> Link | None:
        """The link with all rounds that are known, counted or not."""
        return with_rounds(self.link, self.waiting)

    def after(self, command: LinkCommand, cause: Cause) -> "DraftedLink":
        """The link after a command; raises Refusal.

        The id of the cause's command belongs to the table, so the link takes no digest of it.
        """
        return self._with(decide_link(self.link, command), replace(cause, digest=""))

    def _with(self, added: tuple[LinkEvent, ...], cause: Cause) -> "DraftedLink":
        link = self.link
        for event in added:
            link = apply_link(link, event)
        caused = (CausedLinkEvent(event, cause) for event in added)
        return replace(self, link=link, events=(*self.events, *caused))

    def folded(self) -> "DraftedLink":
        """The link once it has counted every round that waits, in the order of the feeds.

        A round that won no share of the meter adds the same wherever it is counted, so the order
        among feeds changes no amount.
        """
        drafted = self
        for fed in self.waiting:
            assert drafted.link is not None
            drafted = drafted._with(fed.counted(drafted.link), replace(fed.cause, digest=""))
        return replace(drafted, waiting=())

    def feeding(self, command: CountRound, cause: Cause) -> "DraftedLink":
        """The link after a round of the draft's table; raises Refusal.

        A round that won a share of the meter is counted immediately, after all waiting rounds: the
        meter that it was settled by is exact, and of two such rounds the second finds the link
        changed. All other rounds wait in the feed.
        """
        version = self._fed_to(command.table) + 1
        fed = FedRound(command.table, version, feed_round(command), replace(cause, digest=""))
        if command.from_meter_cents:
            drafted = self.folded().after(replace(command, fed=version), cause)
        else:
            drafted = replace(self, waiting=(*self.waiting, fed))
        return replace(drafted, fed=(*self.fed, fed))

    def _fed_to(self, table: str) -> int:
        return self.fed[-1].version if self.fed else self.before.feeds.get(table, 0)

    @property
    def guarded(self) -> Mapping[str, int]:
        """By table, the versions of other feeds that must not have changed when the draft is
        written: none, unless the draft wins a share of the meter, to which all of them belong."""
        won = any(isinstance(event, RoundCounted) and event.won for event, _ in self.events)
        if not won or self.before.link is None:
            return {}
        own = {fed.table for fed in self.fed}
        return {
            table: self.before.feeds.get(table, 0)
            for table in sorted(self.before.link.tables - own)
        }

    @property
    def written(self) -> VersionedLink:
        """The link once the draft has been written."""
        feeds = {fed.table: fed.version for fed in self.fed}
        version = self.before.version + len(self.events)
        return VersionedLink(self.link, version, {**self.before.feeds, **feeds}, self.waiting)
