"""The rules of one table as its supervisor sets them: a house with other limits and paytables.

What they change of the document's limits is named among the departures of the house, with the
supervisor's reason.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from openfelt.catalog.departures import broken_limits, check_departures
from openfelt.catalog.field_values import Reader
from openfelt.catalog.house_checks import check_whole
from openfelt.rules.fingerprints import house_with
from openfelt.rules.house import Departure, House, WagerRule
from openfelt.rules.paytable import Paytable
from openfelt.rules.wagers import WagerKind


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerOffer:
    """One wager as a table offers it."""

    kind: WagerKind
    min_cents: int
    max_cents: int
    paytable: Paytable | None
    """None for the paytable that it has."""


def house_on_terms(
    base: House,
    offered: Iterable[WagerOffer],
    *,
    reason: str,
    withdrawn: Mapping[WagerKind, WagerRule] | None = None,
) -> House:
    """The house with these wagers only, under its own fingerprint; raises CatalogError.

    ``withdrawn`` are rules of wagers that the house does not have at the moment, and may offer
    again.

    >>> from openfelt.catalog import load_house
    >>> online = load_house("online")
    >>> ante, blind = online.wagers[:2]
    >>> terms = [
    ...     WagerOffer(kind=rule.kind, min_cents=1000, max_cents=5000, paytable=None)
    ...     for rule in (ante, blind)
    ... ]
    >>> changed = house_on_terms(online, terms, reason="A quiet evening.")
    >>> [(rule.kind.value, rule.max_cents) for rule in changed.wagers]
    [('ante', 5000), ('blind', 5000)]
    """
    read, rules = Reader(Path(f"{base.id} at a table")), dict(withdrawn or {})
    rules |= {rule.kind: rule for rule in base.wagers}
    wanted: dict[WagerKind, WagerOffer] = {}
    for terms in offered:
        where = f"wagers.{terms.kind.value}"
        if terms.kind in wanted:
            read.refuse(where, "is named twice")
        if terms.kind not in rules:
            read.refuse(where, "is not offered by this house")
        if not 0 < terms.min_cents <= terms.max_cents:
            read.refuse(where, "the smallest wager is above the largest")
        wanted[terms.kind] = terms
    for rule in base.wagers:
        if rule.kind not in wanted and any(rule.kind in rules[kind].requires for kind in wanted):
            read.refuse(f"wagers.{rule.kind.value}", "other wagers need it")
    wagers = tuple(_on_terms(read, rules[kind], wanted[kind]) for kind in rules if kind in wanted)
    changed = house_with(
        base,
        wagers=wagers,
        progressive=base.progressive if WagerKind.PROGRESSIVE in wanted else None,
        claimed_returns=_still_claimed(base, wagers),
        departures=(),
    )
    named = {departure.clause: departure for departure in base.departures}
    departures = tuple(
        named.get(clause, Departure(clause, reason)) for clause in broken_limits(changed)
    )
    changed = house_with(changed, departures=departures)
    check_whole(read, changed)
    check_departures(read, changed)
    return changed


def _on_terms(read: Reader, rule: WagerRule, terms: WagerOffer) -> WagerRule:
    where, table = f"wagers.{rule.kind.value}", terms.paytable or rule.paytable
    if table is not None and (
        table.wager != rule.kind.value or type(table) is not type(rule.paytable)
    ):
        read.refuse(f"{where}.paytable", f"{table.name} is a paytable of {table.wager}")
    for cents in (terms.min_cents, terms.max_cents):
        if cents % rule.multiple_of_cents:
            read.refuse(where, f"limits are multiples of {rule.multiple_of_cents} cents")
    return replace(rule, min_cents=terms.min_cents, max_cents=terms.max_cents, paytable=table)


def _still_claimed(base: House, wagers: Iterable[WagerRule]) -> dict[str, str]:
    """The returns that the document claims, without those of wagers that pay otherwise now."""
    now = {rule.kind: rule.paytable for rule in wagers}
    changed = {rule.kind.value for rule in base.wagers if now.get(rule.kind) != rule.paytable}
    if WagerKind.BLIND.value in changed:
        changed.add("game")
    return {of: value for of, value in base.claimed_returns.items() if of not in changed}
