"""The exact odds of a house's wagers, and why the others are not compared."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final, Literal

from openfelt.maths.fairness.bands import WagerOdds
from openfelt.rules.house import GameName, House
from openfelt.rules.paytable import HandPaytable, Paytable
from openfelt.rules.wagers import WagerKind

GAME: Final = "game"
"""The wagers that the game itself requires: Ante, Blind and Play together, by the Ante."""
GAME_LINES: Final = frozenset({"ante", "blind", "play", "ante_bonus"})
Basis = Literal["exact", "best_play"]
_ROYAL_CHANCE: Final = float(Fraction(4 * comb(47, 2), comb(52, 7)))


@dataclass(frozen=True, slots=True)
class KnownOdds:
    """The odds of a wager, and what they mean."""

    odds: WagerOdds
    basis: Basis
    """``exact`` where no decision matters. ``best_play`` is what the house wins at least, on
    average: players may play worse, and not better."""


Unknown = Literal["meter", "not_solved", "not_counted"]
"""Why a wager is not compared: its return moves with the meter, the exact variance of this game
under these terms is not known, or the paytable is not counted exactly."""


KEPT_MAX: Final = 400
_KEPT: Final[dict[tuple[object, str], KnownOdds | Unknown]] = {}
"""By wager, and the house's fingerprint for the game or the paytable for a side bet."""
Compute = Callable[[House, str], KnownOdds | Unknown]


def wager_odds(house: House, wager: str, compute: Compute | None = None) -> KnownOdds | Unknown:
    """The odds of a wager of a house, which are kept.

    The first call for a paytable takes a while. ``compute`` computes them, in another process;
    None for within this one.
    """
    if wager in ("progressive", "envy"):
        return "meter"
    rule = None if wager == GAME else house.wager(WagerKind(wager))
    if wager != GAME and (rule is None or rule.paytable is None):
        return "not_counted"
    key = house.fingerprint if rule is None else rule.paytable, wager
    odds = _KEPT.get(key)
    if odds is None:
        odds = (compute or computed_odds)(house, wager)
        if len(_KEPT) >= KEPT_MAX:
            _KEPT.pop(next(iter(_KEPT)), None)
        _KEPT[key] = odds
    return odds


def computed_odds(house: House, wager: str) -> KnownOdds | Unknown:
    """The odds of the game or of a side bet of a house."""
    if wager == GAME:
        return _game(house)
    rule = house.wager(WagerKind(wager))
    if rule is None or rule.paytable is None:
        return "not_counted"
    return _side_bet(rule.paytable, wager)


def _side_bet(table: Paytable, wager: str) -> KnownOdds | Unknown:
    from openfelt.maths.draw.bonus import DrawPlay, price_draw_bonus
    from openfelt.maths.wagers.pricers import price_side_bet

    try:
        if wager == WagerKind.BONUS and isinstance(table, HandPaytable):
            best = price_draw_bonus(table, DrawPlay.BEST)
            return KnownOdds(WagerOdds.of(best), "best_play")
        bet = price_side_bet(table)
    except ValueError:
        return "not_counted"
    return "not_counted" if bet is None else KnownOdds(WagerOdds.of(bet), "exact")


def _game(house: House) -> KnownOdds | Unknown:
    from openfelt.cards import Category
    from openfelt.maths.holdem.house_terms import terms_of
    from openfelt.maths.strategy.figures import known_figures

    if house.game is not GameName.ULTIMATE_HOLDEM:
        return "not_solved"
    try:
        terms = terms_of(house)
    except ValueError:
        return "not_solved"
    figures = known_figures("perfect", terms)
    if figures is None:
        return "not_solved"
    odds = WagerOdds(
        expected=-float(figures.ev_per_ante),
        std_dev=figures.std_dev,
        rare_chance=_ROYAL_CHANCE,
        rare_units=float(terms.blind[Category.ROYAL_FLUSH]),
    )
    return KnownOdds(odds, "best_play")
