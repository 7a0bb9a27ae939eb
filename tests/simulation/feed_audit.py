"""The feeds of tables to their links: every round is fed once, and counted once, in order."""

from collections import Counter

from openfelt.ledger import Account, AccountKind
from openfelt.table.links.link_events import RoundCounted, RoundFed
from tests.simulation.failure import require


class FeedAudit:
    """What tables have settled and fed, and links have not counted yet."""

    def __init__(self) -> None:
        self._to_feed: dict[tuple[str, int], int] = {}
        """Settled rounds that a table must feed in the same commit, with their meters."""
        self._waiting: dict[tuple[str, str], dict[int, tuple[RoundFed, int]]] = {}
        """By link and table, the rounds that wait, with the meters that they were settled by."""

    def settle(self, table: str, number: int, meter_cents: int) -> None:
        """A table has settled a round with progressive wagers."""
        self._to_feed[table, number] = meter_cents

    def feed(self, name: str, version: int, event: object) -> None:
        """A table has fed a round to a link."""
        link, _, table = name.partition("/")
        assert isinstance(event, RoundFed)
        meter_cents = self._to_feed.pop((table, event.round), None)
        require(meter_cents is not None, "feed of a settled round", f"{name} {event}")
        assert meter_cents is not None
        self._waiting.setdefault((link, table), {})[version] = event, meter_cents

    def count(self, link: str, event: RoundCounted) -> int:
        """A link has counted a round; gives the meter that it was settled by."""
        waiting = self._waiting.get((link, event.table), {})
        require(event.fed == min(waiting, default=0), "counted once, in order", f"{link} {event}")
        fed, meter_cents = waiting.pop(event.fed)
        counted = RoundFed(
            round=event.round,
            wagered_cents=event.wagered_cents,
            awarded_cents=event.awarded_cents,
            envied_cents=event.envied_cents,
            from_meter_cents=event.from_meter_cents,
        )
        require(counted == fed, "counted as fed", f"{link} {event}, not {fed}")
        return meter_cents

    def check(self, balances: Counter[Account]) -> None:
        """Rounds are fed at once, shares counted at once, and the accounts hold the rest."""
        require(not self._to_feed, "a table feeds each round", f"{self._to_feed}")
        for (link, table), waiting in self._waiting.items():
            shares = [fed for fed, _ in waiting.values() if fed.from_meter_cents]
            require(not shares, "shares are counted at once", f"{link} {table} {shares}")
            held = balances[Account(AccountKind.RESERVE, f"{link}/{table}")]
            wanted = sum(
                fed.wagered_cents - fed.awarded_cents - fed.envied_cents
                for fed, _ in waiting.values()
            )
            require(held == wanted, "account of a feed", f"{link} {table}: {held}, not {wanted}")
