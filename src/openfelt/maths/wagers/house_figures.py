"""Every exact figure of a house at once: the game, its side bets, and all of them together."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.holdem.solver import solve_holdem
from openfelt.maths.holdem.terms import FLOP_MULTIPLE, RIVER_MULTIPLE, HoldemTerms
from openfelt.maths.parallel import Progress
from openfelt.maths.wagers.joint_figures import GAME_NAME, JointFigures, SideTables, join_wagers
from openfelt.maths.wagers.side_bet_figures import ProgressiveFigures, SideBet, price_progressive
from openfelt.rules.house import GameName, House
from openfelt.rules.paytable import HandPaytable, PairsPaytable, Paytable, ProgressivePaytable
from openfelt.rules.wagers import WagerKind


@dataclass(frozen=True, slots=True)
class HouseFigures:
    """What a house's rules come to when they are played perfectly."""

    house: House
    solution: HoldemSolution
    side_bets: Mapping[str, SideBet]
    """By wager; the progressive with its meter standing still."""
    joint: JointFigures
    progressive: ProgressiveFigures | None
    meter_units: Fraction
    """The meter that the progressive's figures stand for, in units of its wager."""

    def std_dev_with_game(self, wager: str) -> float:
        """The standard deviation of an Ante and one unit of a side bet together, in Antes."""
        return sqrt(self.joint.variance({GAME_NAME: 1, wager: 1}))

    def correlation_with_game(self, wager: str) -> float:
        """How closely a side bet follows the game, from -1 to 1."""
        shared = float(self.joint.covariances[GAME_NAME, wager])
        return shared / (self.solution.std_dev * self.side_bets[wager].std_dev)


def terms_of(house: House) -> HoldemTerms:
    """The terms of a house that its mathematics depend on.

    Raises ValueError for a house that is not Ultimate Texas Hold'em, or whose Play wagers
    on flop and river are other than 2x and 1x.

    >>> from openfelt.catalog import load_house
    >>> terms_of(load_house("online")).first_multiples
    (4, 3)
    """
    if house.game is not GameName.ULTIMATE_HOLDEM or house.play is None:
        raise ValueError(f"{house.id} is not Ultimate Texas Hold'em, which alone is solved exactly")
    if (house.play.on_flop, house.play.on_river) != ((FLOP_MULTIPLE,), (RIVER_MULTIPLE,)):
        raise ValueError(
            f"{house.id} has Play wagers other than 2x on the flop and 1x on the river"
        )
    table = house.hand_table(WagerKind.BLIND)
    if any(row.hand.at_least for row in table.rows):
        raise ValueError(f"the Blind of {house.id} pays by the rank of a pair")
    return HoldemTerms.of(
        {row.hand.category: row.odds.ratio for row in table.rows},
        qualifying=house.dealer_qualifies,
        first_multiples=house.play.before_flop,
    )


def with_paytable(house: House, table: Paytable) -> House:
    """The house with another paytable for the wager that the table is about.

    What its document claims for the whole house no longer holds and is left out; the
    fingerprint is for the catalog to renew. Raises ValueError where the house does not
    offer that wager.
    """
    kinds = [rule.kind.value for rule in house.wagers]
    if table.wager not in kinds:
        raise ValueError(f"{house.id} offers no {table.wager} wager; it has {', '.join(kinds)}")
    wagers = tuple(
        replace(rule, paytable=table) if rule.kind.value == table.wager else rule
        for rule in house.wagers
    )
    return replace(house, wagers=wagers, claimed_returns={})


def price_house(
    house: House, *, meter_units: Fraction | None = None, progress: Progress | None = None
) -> HouseFigures:
    """Find every exact figure of a house of Ultimate Texas Hold'em, in about ten seconds.

    ``meter_units`` is the progressive's meter in units of its wager; without it the meter
    stands at its seed. Raises ValueError for what is not solved exactly; see `terms_of`.
    """
    terms = terms_of(house)
    meter = _seed_units(house) if meter_units is None else meter_units
    tables = side_tables(house, meter)
    solution = solve_holdem(terms, progress=progress)
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


def side_tables(house: House, meter_units: Fraction) -> SideTables:
    """The paytables of a house's side bets."""
    found = {rule.kind: rule.paytable for rule in house.wagers}

    def by_hand(kind: WagerKind) -> HandPaytable | None:
        table = found.get(kind)
        return table if isinstance(table, HandPaytable) else None

    pairs = found.get(WagerKind.ULTIMATE_PAIRS)
    progressive = found.get(WagerKind.PROGRESSIVE)
    return SideTables(
        trips=by_hand(WagerKind.TRIPS),
        bad_beat=by_hand(WagerKind.BAD_BEAT),
        play_the_board=by_hand(WagerKind.PLAY_THE_BOARD),
        ultimate_pairs=pairs if isinstance(pairs, PairsPaytable) else None,
        progressive=progressive if isinstance(progressive, ProgressivePaytable) else None,
        meter_units=meter_units,
    )
