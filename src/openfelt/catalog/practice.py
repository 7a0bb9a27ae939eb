"""A house of a player's own: a house with other paytables or more hands, for practice.

What it changes of its document's limits is named among its departures, as in any other house.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from openfelt.catalog.departures import broken_limits, check_departures
from openfelt.catalog.field_values import Reader
from openfelt.catalog.house_checks import check_whole
from openfelt.rules.dealing import hands_max
from openfelt.rules.fingerprints import dealt_by_either, house_with
from openfelt.rules.house import BankKind, Deck, Departure, House, WagerRule
from openfelt.rules.paytable import Paytable
from openfelt.rules.wagers import WagerKind

HANDS_MAX: Final = 3
"""How many hands a player may play; a terminal has room for three."""
REASON: Final = "Chosen by the player of a private table, for practice with play money."


def offers_practice(house: House) -> bool:
    """Whether a player can have such a house alone: the house banks, and the program deals.

    >>> from openfelt.catalog import load_catalog
    >>> [name for name, house in load_catalog().houses.items() if offers_practice(house)]
    ['draw', 'online', 'stadium', 'washington']
    """
    return house.bank.kind is BankKind.HOUSE


def choosable(house: House) -> tuple[WagerKind, ...]:
    """The wagers whose paytables a player may choose; a progressive belongs to its link.

    >>> from openfelt.catalog import load_house
    >>> [kind.value for kind in choosable(load_house("washington"))]
    ['blind', 'trips', 'bad_beat', 'ultimate_pairs']
    """
    return tuple(
        rule.kind
        for rule in house.wagers
        if rule.paytable is not None and rule.kind is not WagerKind.PROGRESSIVE
    )


def practice_house(
    house: House,
    *,
    paytables: Mapping[WagerKind, Paytable] | None = None,
    hands: int | None = None,
) -> House:
    """The house with these paytables and hands, for one player; raises CatalogError.

    It is dealt by the program, and may be played from anywhere.

    >>> from openfelt.catalog import load_house
    >>> own = practice_house(load_house("stadium"), hands=2)
    >>> own.hands_per_seat, [departure.clause for departure in own.departures]
    (2, ['S.letter.no_internet'])
    """
    read, chosen = Reader(Path(f"{house.id} for practice")), dict(paytables or {})
    if not offers_practice(house):
        read.refuse("bank.kind", "only a house that banks can be played alone")
    for kind in chosen:
        if kind not in choosable(house):
            read.refuse(f"wagers.{kind}.paytable", "cannot be chosen in this house")
    count = house.hands_per_seat if hands is None else hands
    if not 1 <= count <= min(HANDS_MAX, hands_max(house)):
        read.refuse("table.hands_per_seat", f"a player has from 1 to {HANDS_MAX} hands")
    changed = house_with(
        dealt_by_either(house),
        wagers=tuple(_with_table(read, rule, chosen) for rule in house.wagers),
        hands_per_seat=count,
        # One player is alone at the table, so that the deck suffices for all hands.
        seats=1 if house.deck is Deck.SHARED else house.seats,
        remote_play=True,
        claimed_returns=_still_claimed(house, chosen),
    )
    named = {departure.clause for departure in changed.departures}
    added = [Departure(clause, REASON) for clause in broken_limits(changed) if clause not in named]
    if added:
        changed = house_with(changed, departures=(*changed.departures, *added))
    check_whole(read, changed)
    check_departures(read, changed)
    return changed


def _with_table(read: Reader, rule: WagerRule, chosen: Mapping[WagerKind, Paytable]) -> WagerRule:
    table = chosen.get(rule.kind)
    if table is None:
        return rule
    if table.wager != rule.kind.value or type(table) is not type(rule.paytable):
        read.refuse(f"wagers.{rule.kind}.paytable", f"{table.name} is a paytable of {table.wager}")
    return replace(rule, paytable=table)


def _still_claimed(house: House, chosen: Mapping[WagerKind, Paytable]) -> dict[str, str]:
    """The returns that the document claims, without those of wagers that pay otherwise now."""
    changed = {kind.value for kind, table in chosen.items() if table != _table_of(house, kind)}
    if WagerKind.BLIND.value in changed:
        changed.add("game")
    return {of: value for of, value in house.claimed_returns.items() if of not in changed}


def _table_of(house: House, kind: WagerKind) -> Paytable | None:
    rule = house.wager(kind)
    return None if rule is None else rule.paytable
