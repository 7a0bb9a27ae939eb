"""Table aggregates: the most that a round pays on all wagers of one kind.

The document allows them (W.additional.3) and ruling 36 says how payouts are cut: each winner gets
the part of the aggregate that its payout is of all payouts, in whole units, and every stake back.
"""

from fractions import Fraction

from tests.laboratory.referee_sheet import House, Result


def settle_by_aggregates(house: House, results: list[Result]) -> list[Result]:
    """The results with no wager paid beyond its aggregate."""
    for wager, most_cents in house.payout_aggregates.items():
        owed_cents = sum(result.paid_cents for result in results if result.wager == wager)
        if owed_cents > most_cents:
            part = Fraction(most_cents, owed_cents)
            results = [_in_part(house, one, part) if one.wager == wager else one for one in results]
    return results


def _in_part(house: House, result: Result, part: Fraction) -> Result:
    units = result.paid_cents * part / house.rounding_unit_cents
    return result._replace(paid_cents=int(units) * house.rounding_unit_cents)
