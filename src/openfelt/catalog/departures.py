"""The limits that a document sets for a house, and the departures that a house must name."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from openfelt.catalog.clauses import ClauseLimit, load_documents
from openfelt.catalog.field_values import Reader
from openfelt.rules.house import House
from openfelt.rules.wagers import WagerKind

_VALUES: Final[Mapping[str, Callable[[House], Any]]] = {
    "ante_bonus": lambda house: house.ante_bonus.name if house.ante_bonus else None,
    "bank.folds_first": lambda house: house.bank.folds_first,
    "bank.kind": lambda house: house.bank.kind.value,
    "bank.rounds_in_a_row_max": lambda house: house.bank.rounds_in_a_row_max,
    "clock": lambda house: house.clock is not None,
    "dealer_qualifies": lambda house: house.dealer_qualifies.or_better,
    "dealer_wagers": lambda house: house.dealer_wagers is not None,
    "limits": lambda house: bool(house.limits),
    "limits.payout_aggregates": lambda house: any(
        limits.payout_aggregates for limits in house.limits
    ),
    "play.before_flop": lambda house: list(house.play.before_flop) if house.play else None,
    "play.on_flop": lambda house: list(house.play.on_flop) if house.play else None,
    "play.on_river": lambda house: list(house.play.on_river) if house.play else None,
    "table.deck": lambda house: house.deck.value,
    "table.folds_face_down": lambda house: house.folds_face_down,
    "table.hands_per_seat": lambda house: house.hands_per_seat,
    "table.player_cards_face_up": lambda house: house.player_cards_face_up,
    "table.procedures": lambda house: [procedure.value for procedure in house.procedures],
    "table.refund_antes_first": lambda house: house.refund_antes_first,
    "table.remote_play": lambda house: house.remote_play,
    "table.seats": lambda house: house.seats,
    "table.showdown": lambda house: house.showdown.value,
    "unfinished": lambda house: house.unfinished.value,
    "unfinished_days": lambda house: house.unfinished_days,
    "wagers": lambda house: [rule.kind.value for rule in house.wagers],
    "wagers.bad_beat.paytable": lambda house: _lowest_paid(house, WagerKind.BAD_BEAT),
    "wagers.bad_beat.requires": lambda house: _requires(house, WagerKind.BAD_BEAT),
    "wagers.blind.paytable": lambda house: _lowest_paid(house, WagerKind.BLIND),
    "wagers.bonus.paytable": lambda house: _lowest_paid(house, WagerKind.BONUS),
    "wagers.bonus.requires": lambda house: _requires(house, WagerKind.BONUS),
    "wagers.play_the_board.paytable": lambda house: _lowest_paid(house, WagerKind.PLAY_THE_BOARD),
    "wagers.requires": lambda house: "ante" if _all_need_ante(house) else "nothing",
    "wagers.trips.paytable": lambda house: _lowest_paid(house, WagerKind.TRIPS),
}
"""The values of a house that a document may limit, by their keys in the house file."""


def broken_limits(house: House) -> dict[str, ClauseLimit]:
    """The limits of its document that a house does not keep, by clause.

    >>> from openfelt.catalog import load_house
    >>> from openfelt.rules.fingerprints import house_with
    >>> sorted(broken_limits(house_with(load_house("stadium"), hands_per_seat=7)))
    ['S.3']
    """
    (document,) = (
        candidate for candidate in load_documents() if candidate.letter == house.document
    )
    return {
        clause.id: limit
        for clause in document.clauses
        for limit in clause.limits
        if not _kept(limit, _VALUES[limit.key](house))
    }


def check_departures(read: Reader, house: House) -> None:
    """Reject an undeclared departure from the document, and a declared one that does not exist."""
    broken = broken_limits(house)
    named = [departure.clause for departure in house.departures]
    for number, clause in enumerate(named):
        if clause in named[:number]:
            read.refuse(f"departures[{number}].clause", f"{clause} is named twice")
        if clause not in broken:
            read.refuse(
                f"departures[{number}].clause",
                f"{clause} is not a limit of document {house.document}, or the house keeps it",
            )
    for clause, limit in broken.items():
        if clause not in named:
            read.refuse(
                limit.key,
                f"departs from {clause}, which asks for {limit.words}; keep to it, or name the "
                "departure and its reason in [[departures]]",
            )


def _kept(limit: ClauseLimit, value: Any) -> bool:
    """Whether a value is within a limit; what the house does not have breaks no limit."""
    if value is None and limit.required is False:
        return True
    if limit.at_most is not None:
        return isinstance(value, int) and value <= limit.at_most
    if limit.within is not None:
        return set(value) <= set(limit.within)
    return bool(value == limit.equals)


def _requires(house: House, kind: WagerKind) -> list[str] | None:
    rule = house.wager(kind)
    return None if rule is None else sorted(need.value for need in rule.requires)


def _all_need_ante(house: House) -> bool:
    """Whether a hand without an Ante has no wager of the player's own."""
    needing = {WagerKind.ANTE}
    for _ in house.wagers:
        needing |= {rule.kind for rule in house.wagers if needing & set(rule.requires)}
    return needing >= {rule.kind for rule in house.wagers}


def _lowest_paid(house: House, kind: WagerKind) -> str | None:
    """The lowest hand that a wager pays; documents say which hands win, and the felt how much."""
    if house.wager(kind) is None:
        return None
    return house.hand_table(kind).rows[-1].hand.or_better
