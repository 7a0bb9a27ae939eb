"""A house with the limits that a supervisor sets at a table."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from openfelt.catalog.field_values import Reader
from openfelt.catalog.fingerprints import house_with
from openfelt.catalog.house_checks import check_whole
from openfelt.rules.house import House, WagerRule
from openfelt.rules.wagers import WagerKind


class WagerLimits(NamedTuple):
    """The minimum and the maximum of one wager."""

    min_cents: int
    max_cents: int


def with_limits(house: House, limits: Mapping[WagerKind, WagerLimits]) -> House:
    """The house with other limits and a new fingerprint; raises CatalogError.

    The Blind follows the Ante.

    >>> from openfelt.catalog import load_house
    >>> quiet = with_limits(load_house("stadium"), {WagerKind.ANTE: WagerLimits(500, 5000)})
    >>> quiet.wager(WagerKind.BLIND).max_cents
    5000
    """
    read = Reader(Path(f"{house.id} with other limits"))
    for kind in limits:
        if house.wager(kind) is None or kind is WagerKind.BLIND:
            read.refuse(f"wagers.{kind}", "is not a wager of this house, or has no separate limits")
    wagers = tuple(_limited(read, rule, limits) for rule in house.wagers)
    changed = house_with(house, wagers=wagers)
    check_whole(read, changed)
    return changed


def _limited(read: Reader, rule: WagerRule, limits: Mapping[WagerKind, WagerLimits]) -> WagerRule:
    wanted = limits.get(WagerKind.ANTE if rule.kind is WagerKind.BLIND else rule.kind)
    if wanted is None:
        return rule
    key = f"wagers.{rule.kind}"
    read.at_least(f"{key}.min_cents", wanted.min_cents, 1)
    read.at_least(f"{key}.max_cents", wanted.max_cents, wanted.min_cents)
    if wanted.min_cents % rule.multiple_of_cents or wanted.max_cents % rule.multiple_of_cents:
        read.refuse(key, f"limits are multiples of {rule.multiple_of_cents} cents")
    return replace(rule, min_cents=wanted.min_cents, max_cents=wanted.max_cents)
