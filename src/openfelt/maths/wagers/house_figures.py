"""Every exact figure of a house: the game, its side bets, and all of them together."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.holdem.solver import solve_holdem
from openfelt.maths.parallel import Progress
from openfelt.maths.wagers.joint_figures import GAME_NAME, JointFigures, SideTables, join_wagers
from openfelt.maths.wagers.pricers import PRICERS
from openfelt.maths.wagers.side_bet_figures import ProgressiveFigures, SideBet, price_progressive
from openfelt.rules.fingerprints import house_with
from openfelt.rules.house import House
from openfelt.rules.paytable import Paytable
from openfelt.rules.wagers import WagerKind


@dataclass(frozen=True, slots=True)
class HouseFigures:
    """The exact figures of a house under perfect play."""

    house: House
    solution: HoldemSolution
    side_bets: Mapping[str, SideBet]
    """By wager; the progressive at a fixed meter."""
    joint: JointFigures
    progressive: ProgressiveFigures | None
    meter_units: Fraction
    """The meter that the progressive's figures are for, in units of its wager."""

    def std_dev_with_game(self, wager: str) -> float:
        """The standard deviation of an Ante and one unit of a side bet together, in Antes."""
        return sqrt(self.joint.variance({GAME_NAME: 1, wager: 1}))

    def correlation_with_game(self, wager: str) -> float:
        """The correlation of a side bet with the game, from -1 to 1."""
        shared = float(self.joint.covariances[GAME_NAME, wager])
        return shared / (self.solution.std_dev * self.side_bets[wager].std_dev)


def with_paytable(house: House, table: Paytable) -> House:
    """The house with another paytable for the wager that the table is about.

    It has the fingerprint of the changed rules. The returns that its document claims for the whole
    house no longer apply and are dropped. Raises ValueError if the house does not offer that wager.
    """
    kinds = [rule.kind.value for rule in house.wagers]
    if table.wager not in kinds:
        raise ValueError(f"{house.id} offers no {table.wager} wager; it has {', '.join(kinds)}")
    wagers = tuple(
        replace(rule, paytable=table) if rule.kind.value == table.wager else rule
        for rule in house.wagers
    )
    return house_with(house, wagers=wagers, claimed_returns={})


def price_house(
    house: House,
    *,
    meter_units: Fraction | None = None,
    solution: HoldemSolution | None = None,
    progress: Progress | None = None,
) -> HouseFigures:
    """Find every exact figure of a house of Ultimate Texas Hold'em, in about ten seconds.

    ``meter_units`` is the progressive's meter in units of its wager; without it the meter is at its
    seed. ``solution`` is the game under the house's terms if it has been solved before. Raises
    ValueError for terms that are not solved exactly; see `terms_of`.
    """
    terms = terms_of(house)
    meter = _seed_units(house) if meter_units is None else meter_units
    tables = side_tables(house, meter)
    solution = solution or solve_holdem(terms, progress=progress)
    if solution.terms != terms:
        raise ValueError(f"the solution is for terms other than those of {house.id}")
    joint = join_wagers(solution, tables)
    return HouseFigures(
        house=house,
        solution=solution,
        side_bets=joint.side_bets,
        joint=joint,
        progressive=price_progressive(tables.progressive) if tables.progressive else None,
        meter_units=meter,
    )


def _seed_units(house: House) -> Fraction:
    wager = house.wager(WagerKind.PROGRESSIVE)
    if wager is None or house.progressive is None:
        return Fraction(0)
    return Fraction(house.progressive.seed_cents, wager.min_cents)


def side_tables(
    house: House, meter_units: Fraction, *, wagers: Collection[WagerKind] = tuple(PRICERS)
) -> SideTables:
    """The paytables of a house's side bets, or of some of them."""
    tables: dict[str, Any] = {
        rule.kind.value: rule.paytable
        for rule in house.wagers
        if rule.kind in wagers
        and rule.kind in PRICERS
        and isinstance(rule.paytable, PRICERS[rule.kind].paytable)
    }
    return SideTables(**tables, meter_units=meter_units)
