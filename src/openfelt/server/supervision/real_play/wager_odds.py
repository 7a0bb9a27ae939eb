"""The exact odds of a house's wagers, and why the others are not compared."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final, Literal

from openfelt.maths.fairness.bands import WagerOdds
from openfelt.rules.house import GameName, House
from openfelt.rules.paytable import Paytable
from openfelt.rules.wagers import WagerKind

HOLDEM_GAME: Final = "game"
"""The wagers that hold'em itself requires: Ante, Blind and Play together, by the Ante."""
DRAW_GAME: Final = "draw_game"
"""The Ante of draw poker with its Ante Bonus."""
GAMES: Final = {GameName.ULTIMATE_HOLDEM: HOLDEM_GAME, GameName.ULTIMATE_DRAW: DRAW_GAME}
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
"""Why a wager is not compared: its return moves with the meter, the exact value or variance of this
game under these rules is not known, or the paytable is not counted exactly."""


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
    is_game = wager == GAMES[house.game]
    rule = None if is_game else house.wager(WagerKind(wager))
    if not is_game and (rule is None or rule.paytable is None):
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
    if wager == GAMES[house.game]:
        return _holdem_game(house) if wager == HOLDEM_GAME else _draw_game(house)
    rule = house.wager(WagerKind(wager))
    if rule is None or rule.paytable is None:
        return "not_counted"
    return _side_bet(rule.paytable, wager)


def _side_bet(table: Paytable, wager: str) -> KnownOdds | Unknown:
    from openfelt.maths.draw.bonus import price_best_play

    try:
        bet = price_best_play(table)
    except ValueError:
        return "not_counted"
    if bet is None:
        return "not_counted"
    return KnownOdds(WagerOdds.of(bet), "best_play" if wager == WagerKind.BONUS else "exact")


def _holdem_game(house: House) -> KnownOdds | Unknown:
    from openfelt.cards import Category
    from openfelt.maths.holdem.house_terms import terms_of
    from openfelt.maths.strategy.figures import perfect_figures

    try:
        terms = terms_of(house)
        figures = perfect_figures(terms)
    except ValueError:
        return "not_solved"
    odds = WagerOdds(
        expected=-float(figures.ev_per_ante),
        std_dev=figures.std_dev,
        rare_chance=_ROYAL_CHANCE,
        rare_units=float(terms.blind[Category.ROYAL_FLUSH]),
    )
    return KnownOdds(odds, "best_play")


def _draw_game(house: House) -> KnownOdds | Unknown:
    from openfelt.maths.draw.best_play import known_best_holds
    from openfelt.maths.draw.draw_figures import draw_terms_of

    try:
        terms = draw_terms_of(house)
    except ValueError:
        return "not_solved"
    best = known_best_holds(terms)
    spread = best.spread if best else None
    if spread is None or not spread.prices(terms):
        return "not_solved"
    expected = spread.expected(terms)
    rare, chance = max(
        spread.nets(terms).items(), key=lambda award: (award[0] - expected) ** 2 * award[1]
    )
    odds = WagerOdds(
        expected=-float(expected),
        std_dev=spread.std_dev(terms),
        rare_chance=float(chance),
        rare_units=float(rare - expected),
    )
    return KnownOdds(odds, "best_play")
