"""The feeds of tables to their links: each round is fed once, and counted once or waiting."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

AMOUNTS = ("wagered_cents", "awarded_cents", "envied_cents", "from_meter_cents")

Amounts = tuple[int, ...]
"""What was wagered, awarded and envied in a round, and what of it came from the meter."""
Rounds = Mapping[tuple[str, int], Amounts]
"""By table and number of the round."""


class Feeds:
    """What tables have fed to links, and what the links have counted of it."""

    def __init__(self) -> None:
        self._fed: dict[tuple[str, str], dict[int, tuple[int, Amounts]]] = defaultdict(dict)
        """By link and table, the round and its amounts at each version."""
        self._counted: dict[tuple[str, str], list[tuple[int, int, Amounts]]] = defaultdict(list)
        """By link and table, the versions, rounds and amounts in the order of the link."""

    def feed(self, owner: str, version: int, name: str, body: Any) -> None:
        """Take an event of a feed."""
        link, _, table = owner.partition("/")
        if name != "link_round_fed":
            raise ValueError(f"A feed has an event {name}.")
        amounts = tuple(body.get(each, 0) for each in AMOUNTS)
        self._fed[link, table][version] = body["round"], amounts

    def count(self, link: str, body: Any) -> None:
        """Take a round that a link has counted of a feed."""
        amounts = tuple(body[each] for each in AMOUNTS)
        self._counted[link, body["table"]].append((body["fed"], body["round"], amounts))

    def waiting(self) -> Rounds:
        """The rounds that no link has counted yet."""
        return {
            (table, number): amounts
            for (link, table), fed in self._fed.items()
            for version, (number, amounts) in fed.items()
            if version > len(self._counted[link, table])
        }

    def fed(self) -> Rounds:
        """All rounds of all feeds."""
        return {
            (table, number): amounts
            for (_, table), fed in self._fed.items()
            for number, amounts in fed.values()
        }

    def faults(self, sums: Counter[str]) -> Iterator[str]:
        """What is wrong with the feeds, given what every account has got."""
        for link, table in sorted(self._fed.keys() | self._counted.keys()):
            fed, counted = self._fed[link, table], self._counted[link, table]
            expected = [(version, *fed.get(version, (0, ()))) for version in sorted(fed)]
            if counted != expected[: len(counted)]:
                yield f"{link} counts {counted} of the feed {expected} of {table}."
            left = [amounts for _, _, amounts in expected[len(counted) :]]
            if any(amounts[3] for amounts in left):
                yield f"{link} has not counted a share of its meter at {table}."
            net = sum(wagered - awarded - envied for wagered, awarded, envied, _ in left)
            account = f"reserve:{link}/{table}"
            if sums[account] != net:
                yield f"{account} got {sums[account]}, and {net} waits in the feed."
