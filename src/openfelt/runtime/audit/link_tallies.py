"""Tallies of progressive rounds: what links have counted, and what their tables have settled.

A link may count millions of rounds of a thousand tables. So for each link and table both sides
add up hashes of what they record about each round; only where the two sums differ are the two
records read again and compared round by round.
"""

import hashlib
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from openfelt.rules.lines import Settlement
from openfelt.table.links.link import Link
from openfelt.table.links.link_events import RoundCounted
from openfelt.table.links.link_referee import count_round
from openfelt.table.state import Table


class CountedRound(NamedTuple):
    """What a link and a table must agree about in one round."""

    round: int
    wagered_cents: int
    awarded_cents: int
    envied_cents: int
    from_meter_cents: int
    meter_cents: int
    """The meter by which the table settled, with the round's own wagers in it."""
    seed_cents: int | None
    """Where the meter began again for further winners of the round."""

    @property
    def words(self) -> str:
        """The amounts in cents, in words."""
        return ", ".join(f"{name} {value}" for name, value in self._asdict().items())


def counted_by_table(table: Table, settlement: Settlement) -> CountedRound | None:
    """What the link has to count of a settled round; None without progressive wagers."""
    counted = count_round(table.id, table.rounds, settlement)
    if counted is None:
        return None
    return CountedRound(
        counted.round,
        counted.wagered_cents,
        counted.awarded_cents,
        counted.envied_cents,
        counted.from_meter_cents,
        counted.meter_cents,
        settlement.seed_cents,
    )


def counted_by_link(link: Link, event: RoundCounted) -> CountedRound:
    """What a link has counted of a round, with the meter that it showed then."""
    return CountedRound(
        event.round,
        event.wagered_cents,
        event.awarded_cents,
        event.envied_cents,
        event.from_meter_cents,
        link.meter_cents_with(event.wagered_cents),
        link.next_seed_cents,
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


Pair = tuple[str, str]
"""A link and one of its tables."""


@dataclass(slots=True)
class Tallies:
    """What tables have settled and what links have counted, by link and table."""

    tables: dict[Pair, RoundSum] = field(default_factory=lambda: defaultdict(RoundSum))
    links: dict[Pair, RoundSum] = field(default_factory=lambda: defaultdict(RoundSum))

    def at_table(self, link: str, table: str, counted: CountedRound) -> None:
        """Add a round that a table has settled."""
        self.tables[link, table].add(counted)

    def at_link(self, link: str, table: str, counted: CountedRound) -> None:
        """Add a round that a link has counted."""
        self.links[link, table].add(counted)

    def differing(self) -> list[Pair]:
        """The links and tables that disagree."""
        pairs, none = sorted(self.tables.keys() | self.links.keys()), RoundSum()
        return [pair for pair in pairs if self.tables.get(pair, none) != self.links.get(pair, none)]
