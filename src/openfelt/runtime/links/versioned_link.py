"""A progressive link as it was read: its state, and the rounds that it has not counted yet."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from openfelt.storage.door import Cause
from openfelt.table.links.link import Link, apply_link
from openfelt.table.links.link_events import LinkEvent, RoundCounted, RoundFed
from openfelt.table.links.link_referee import count_fed, decide_link


class CausedLinkEvent(NamedTuple):
    """An event of a link, and its cause."""

    event: LinkEvent
    cause: Cause


class FedRound(NamedTuple):
    """A confirmed round in the feed of a table."""

    table: str
    version: int
    """Its version in the feed."""
    fed: RoundFed
    cause: Cause

    def counted(self, link: Link) -> tuple[LinkEvent, ...]:
        """The events of the link that count the round; raises Refusal."""
        return decide_link(link, count_fed(self.table, self.version, self.fed))

    @property
    def event(self) -> RoundCounted:
        """The round as the link will have counted it."""
        return RoundCounted(
            table=self.table,
            round=self.fed.round,
            wagered_cents=self.fed.wagered_cents,
            awarded_cents=self.fed.awarded_cents,
            envied_cents=self.fed.envied_cents,
            from_meter_cents=self.fed.from_meter_cents,
            fed=self.version,
        )


@dataclass(frozen=True, slots=True)
class VersionedLink:
    """A link at one version of its record, with what its tables have fed to it since."""

    link: Link | None
    """The link by its own record, None before it is opened."""
    version: int
    feeds: Mapping[str, int] = field(default_factory=dict)
    """By table, the version of its feed."""
    waiting: tuple[FedRound, ...] = ()
    """The rounds that the link has not counted, by table and version."""

    @property
    def shown(self) -> Link | None:
        """The link with all rounds that are known: what screens show."""
        return with_rounds(self.link, self.waiting)

    def merged(self, other: "VersionedLink") -> "VersionedLink":
        """The combined knowledge of both: the newer record, and all rounds that it has not counted.

        Records and feeds only grow, so neither of two readings is wrong, although one may be older.
        """
        newer = self if self.version > other.version else other
        folded = newer.link.folded if newer.link is not None else {}
        waiting = {
            (fed.table, fed.version): fed
            for fed in (*self.waiting, *other.waiting)
            if fed.version > folded.get(fed.table, 0)
        }
        feeds = {
            table: max(self.feeds.get(table, 0), other.feeds.get(table, 0))
            for table in self.feeds.keys() | other.feeds.keys()
        }
        rounds = tuple(waiting[key] for key in sorted(waiting))
        return replace(newer, feeds=feeds, waiting=rounds)


def with_rounds(link: Link | None, waiting: tuple[FedRound, ...]) -> Link | None:
    """A link after rounds that it has not counted."""
    for fed in waiting if link is not None else ():
        link = apply_link(link, fed.event)
    return link
