"""What a round does to the book: the change of every account, from the referee's own results.

Accounts are written as the ledger writes them. A round is taken as a whole: from the moment before
its first wager to the moment after its settlement. The accounts of the wagers on the felt and of
the bank wager are empty again at its end.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tests.laboratory.referee_bank import dues
from tests.laboratory.referee_sheet import House, Result, Sheet, Verdict


@dataclass(frozen=True, slots=True)
class Floor:
    """Where a round was played: its table, its players by seat, its dealer and its link."""

    table: str
    players: Mapping[int, str]
    dealer: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class LinkChange:
    """By how much a round changed the accounts of its link."""

    meter_cents: int
    reserve_cents: int
    house_cents: int


def changes(
    house: House, sheet: Sheet, verdict: Verdict, floor: Floor, link: LinkChange | None = None
) -> dict[str, int]:
    """The change of every account that the round changes, in cents."""
    change: Counter[str] = Counter()
    for result in verdict.results:
        _book(change, result, floor, banker_seat=sheet.banker_seat)
    if link is not None:
        change[f"meter:{floor.link}"] += link.meter_cents
        change[f"reserve:{floor.link}"] += link.reserve_cents
        change[f"house:{floor.link}"] += link.house_cents
    if house.collection and sheet.closed and not sheet.void:
        for seat, cents in dues(house, sheet).items():
            change[_credit(floor, seat)] -= cents
            change[f"drop:{floor.table}"] += cents
    return {account: cents for account, cents in change.items() if cents}


def _book(change: Counter[str], result: Result, floor: Floor, *, banker_seat: int) -> None:
    """The player's stake is at risk, the bank takes and pays; a dealer's win is a tip."""
    change[_credit(floor, result.seat)] -= result.taken_cents
    winner = f"tips:{floor.dealer}" if result.for_dealer else _credit(floor, result.seat)
    change[winner] += result.paid_cents
    if not result.by_link:
        bank = _credit(floor, banker_seat) if banker_seat else f"house:{floor.table}"
        change[bank] += result.taken_cents - result.paid_cents


def _credit(floor: Floor, seat: int) -> str:
    return f"credit:{floor.table}/{floor.players[seat]}"
