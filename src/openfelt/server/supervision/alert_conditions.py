"""What the house raises alerts for now: tables, dealers, results, players, shuffles and links."""

from collections.abc import Iterable, Iterator
from datetime import date
from math import log10
from typing import Final

from openfelt.maths.shuffle_statistics import suite_p_value
from openfelt.protocol.floor_forms import FloorView
from openfelt.server.supervision.alert_book import Condition
from openfelt.server.supervision.alert_limits import HouseAlerts
from openfelt.server.supervision.jackpots.link_books import LinkBooks
from openfelt.server.supervision.real_play.fairness_watch import FairnessWatch

ROUNDS_MIN: Final = 200
"""The hold of a wager with fewer rounds is not judged."""
_DAY: Final = 1_000_000
"""Counts of a day are levels below this, so that those of the next day are higher."""
_FLOOR_KINDS: Final = frozenset(
    {"stopped", "unreadable", "house_held", "idle", "voids", "corrections"}
)


def of_the_floor(view: FloorView) -> Iterator[Condition]:
    """The alerts of tables that a person has to close, from the floor's own view."""
    day = date.fromisoformat(view.day)
    for line in view.tables:
        for alert in line.alerts:
            if alert.kind in _FLOOR_KINDS:
                level = alert.since_ms or _on(day, alert.count or 0)
                yield Condition(alert.kind, line.table, level, str(alert.count or ""))


def of_dealers(watch: FairnessWatch, limits: HouseAlerts, today: date) -> Iterator[Condition]:
    """Many void rounds or corrected cards of one dealer today."""
    house = limits.house
    for dealer, counted in watch.dealers.items():
        if counted.day == today:
            for kind, count, limit in (
                ("dealer_voids", counted.voids, house.dealer_voids),
                ("dealer_corrections", counted.corrections, house.dealer_corrections),
            ):
                if 0 < limit <= count:
                    yield Condition(kind, dealer, _on(today, count), str(count))


def of_results(watch: FairnessWatch, limits: HouseAlerts) -> Iterator[Condition]:
    """Wagers whose result is outside of what chance allows."""
    for (kind, name), figures in watch.subjects.items():
        own = limits.at(name) if kind == "table" else limits.house
        for wager, series in figures.wagers.items():
            if own.hold_one_in and series.rounds >= ROUNDS_MIN:
                p_value = max(series.p_value, 1e-300)
                if p_value * own.hold_one_in <= 1:
                    subject = "/".join(part for part in (kind, name, wager) if part)
                    level = int(-log10(p_value))
                    yield Condition("hold", subject, level, f"p={p_value:.1e}")


def of_players(watch: FairnessWatch, limits: HouseAlerts) -> Iterator[Condition]:
    """Players whose cards or decisions are better than chance allows."""
    wanted = limits.house.evidence_one_in
    if not wanted:
        return
    for player, evidence in watch.players.players.items():
        for kind, one_in in (
            ("always_wins", evidence.wins.one_in),
            ("follows_unseen", evidence.follows_one_in),
        ):
            if one_in >= wanted:
                detail = f"1 in {one_in:.3g}"
                yield Condition(kind, player, int(log10(one_in)), detail)


def of_shuffles(watch: FairnessWatch, limits: HouseAlerts) -> Iterator[Condition]:
    """Shuffles that a fair shuffler would not give."""
    results = watch.shuffles.results()
    if not results or not limits.house.shuffle_one_in:
        return
    p_value = max(suite_p_value(results), 1e-300)
    if p_value * limits.house.shuffle_one_in <= 1:
        yield Condition("shuffle", "house", int(-log10(p_value)), f"p={p_value:.1e}")


def of_links(books: Iterable[LinkBooks]) -> Iterator[Condition]:
    """Links whose books differ from the ledger."""
    for link_books in books:
        if cents := link_books.reconciliation.difference_cents:
            yield Condition("link_differs", link_books.link.id, cents, str(cents))


def _on(day: date, count: int) -> int:
    return day.toordinal() * _DAY + min(count, _DAY - 1)
