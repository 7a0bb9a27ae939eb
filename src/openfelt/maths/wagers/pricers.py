"""The pricer of each wager: the single table behind every figure of a side bet."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from openfelt.maths.wagers.joint_sums import losing_hands
from openfelt.maths.wagers.side_bet_figures import (
    SideBet,
    price_bad_beat,
    price_play_the_board,
    price_trips,
    price_ultimate_pairs,
    progressive_at,
)
from openfelt.rules.paytable import HandPaytable, PairsPaytable, Paytable, ProgressivePaytable
from openfelt.rules.wagers import WagerKind


@dataclass(frozen=True, slots=True)
class Pricer:
    """How a wager is priced exactly."""

    paytable: type[Paytable]
    """The kind of paytable that the wager has."""
    price: Callable[[Any, Fraction], SideBet]
    """Called with the paytable, and the progressive's meter in units of the wager."""


PRICERS: Final[Mapping[WagerKind, Pricer]] = MappingProxyType(
    {
        WagerKind.TRIPS: Pricer(HandPaytable, lambda table, _: price_trips(table)),
        WagerKind.BAD_BEAT: Pricer(
            HandPaytable, lambda table, _: price_bad_beat(table, losing_hands())
        ),
        WagerKind.PLAY_THE_BOARD: Pricer(
            HandPaytable, lambda table, _: price_play_the_board(table)
        ),
        WagerKind.ULTIMATE_PAIRS: Pricer(
            PairsPaytable, lambda table, _: price_ultimate_pairs(table)
        ),
        WagerKind.PROGRESSIVE: Pricer(
            ProgressivePaytable, lambda table, meter: progressive_at(table, meter_units=meter)
        ),
    }
)
"""The side bets of Ultimate Texas Hold'em, in the order in which they are listed."""


def price_side_bet(table: Paytable, *, meter_units: Fraction = Fraction(0)) -> SideBet | None:
    """The exact figures of a side bet by its paytable; None if the wager is not a side bet.

    ``meter_units`` is the meter of a progressive, in units of the wager. Raises ValueError
    for a table that pays by the rank of a pair where only categories are counted.

    >>> from openfelt.catalog import load_catalog
    >>> tables = load_catalog().paytables
    >>> price_side_bet(tables["trips", "UTH-01"]).deals
    133784560
    >>> price_side_bet(tables["blind", "UTH-01"])
    """
    for kind, pricer in PRICERS.items():
        if kind.value == table.wager and isinstance(table, pricer.paytable):
            return pricer.price(table, meter_units)
    return None
