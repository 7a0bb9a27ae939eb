"""Tallies of progressive rounds: what links have counted, and what their tables have settled.

A link may count millions of rounds of a thousand tables. So for each link and table both sides
add up hashes of what they record about each round; only where the two sums differ are the two
records read again and compared round by round.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from openfelt.rules.round_events import RoundSettled
from openfelt.table.links.link import Link
from openfelt.table.links.link_events import RoundCounted, RoundFed
from openfelt.table.links.link_referee import count_round
from openfelt.table.state import Table


class CountedRound(NamedTuple):
    """The facts of one round on which a link and a table must agree."""

    round: int
    wagered_cents: int
    awarded_cents: int
    envied_cents: int
    from_meter_cents: int
    meter_cents: int | None
    """The meter by which the table settled, with the round's own wagers in it; None if the round
    came by a feed and won no share, so that no amount depends on the meter."""
    seed_cents: int | None
    """Where the meter began again for further winners of the round; None as above."""

    @property
    def words(self) -> str:
        """The amounts in cents, in words."""
        return ", ".join(f"{name} {value}" for name, value in self._asdict().items())


def counted_by_table(table: Table, event: RoundSettled) -> CountedRound | None:
    """A settled round as its link has to count it; None without progressive wagers."""
    settlement = event.settlement
    counted = count_round(table.id, table.rounds, settlement)
    if counted is None:
        return None
    exact = not event.feeds or counted.from_meter_cents > 0
    return CountedRound(
        counted.round,
        counted.wagered_cents,
        counted.awarded_cents,
        counted.envied_cents,
        counted.from_meter_cents,
        counted.meter_cents if exact else None,
        settlement.seed_cents if exact else None,
    )


def counted_by_link(link: Link, event: RoundCounted) -> CountedRound:
    """A round as its link has counted it, with the meter at that time."""
    exact = not event.fed or event.won
    return CountedRound(
        event.round,
        event.wagered_cents,
        event.awarded_cents,
        event.envied_cents,
        event.from_meter_cents,
        link.meter_cents_with(event.wagered_cents) if exact else None,
        link.next_seed_cents if exact else None,
    )


def counted_by_feed(fed: RoundFed) -> CountedRound:
    """A round as the feed of its table describes it, without the meter."""
    return CountedRound(
        fed.round,
        fed.wagered_cents,
        fed.awarded_cents,
        fed.envied_cents,
        fed.from_meter_cents,
        None,
        None,
    )


@dataclass(slots=True)
class RoundSum:
    """Rounds added up, in any order."""

    rounds: int = 0
    hashes: int = 0

    def add(self, counted: CountedRound) -> None:
        digest = hashlib.sha256(repr(tuple(counted)).encode()).digest()
        self.rounds += 1
        self.hashes = (self.hashes + int.from_bytes(digest, "big")) % 2**256

    def with_rounds(self, counted: Iterable[CountedRound]) -> "RoundSum":
        """This sum and some more rounds."""
        longer = RoundSum(self.rounds, self.hashes)
        for counted_round in counted:
            longer.add(counted_round)
        return longer


Pair = tuple[str, str]
"""A link and one of its tables."""


@dataclass(slots=True)
class Tallies:
    """Rounds as settled and fed by tables and as counted by links, by link and table."""

    tables: dict[Pair, RoundSum] = field(default_factory=lambda: defaultdict(RoundSum))
    links: dict[Pair, RoundSum] = field(default_factory=lambda: defaultdict(RoundSum))
    feeds: dict[Pair, RoundSum] = field(default_factory=lambda: defaultdict(RoundSum))
    folded: dict[Pair, RoundSum] = field(default_factory=lambda: defaultdict(RoundSum))
    """The rounds of feeds that links have counted."""

    def at_table(self, link: str, table: str, counted: CountedRound) -> None:
        """Add a round that a table has settled."""
        self.tables[link, table].add(counted)

    def at_link(self, link: str, table: str, counted: CountedRound) -> None:
        """Add a round that a link has counted."""
        self.links[link, table].add(counted)

    def at_feed(self, link: str, table: str, counted: CountedRound) -> None:
        """Add a round of a table's feed."""
        self.feeds[link, table].add(counted)

    def at_fold(self, link: str, table: str, counted: CountedRound) -> None:
        """Add a round that a link has counted of a feed."""
        self.folded[link, table].add(counted._replace(meter_cents=None, seed_cents=None))

    def differing(self, waiting: Mapping[Pair, Sequence[CountedRound]]) -> list[Pair]:
        """The links and tables that disagree, although these rounds wait to be counted."""
        sums = (self.tables, self.links, self.feeds, self.folded)
        none = RoundSum()

        def differs(pair: Pair) -> bool:
            rounds = waiting.get(pair, ())
            tables, links, feeds, folded = (added.get(pair, none) for added in sums)
            return tables != links.with_rounds(rounds) or feeds != folded.with_rounds(rounds)

        return sorted(filter(differs, {pair for added in sums for pair in added}))
