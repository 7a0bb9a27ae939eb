"""Strategies by their names.

Perfect play is one of them, solved for the house where it is played.
The command line and the library both look up strategies here, so a name means the same in both.
"""

from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.strategy_counts import usual_counts
from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.holdem.solver import solve_holdem
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.parallel import Progress
from openfelt.maths.strategy.figures import PERFECT
from openfelt.maths.strategy.prices import perfect_strategy
from openfelt.maths.strategy.strategies import (
    BEST_DRAW,
    STRATEGIES,
    DrawStrategy,
    HoldemStrategy,
    Strategy,
)
from openfelt.rules.house import GameName, House


def find_strategy(
    name: str, house: House | None = None, *, progress: Progress | None = None
) -> Strategy:
    """Find a strategy by its name, to be played at a house.

    ``perfect`` is solved for the terms of the house, or for the usual ones without a house, which
    takes some seconds. The best holds of Ultimate Draw are stored for the published terms. Case,
    spaces and hyphens do not matter. Raises ValueError for an unknown name, and for a strategy that
    cannot be played at the house.

    >>> find_strategy("House way").title
    'Hold as the dealer does'
    """
    wanted = plain_name(name)
    if wanted == PERFECT and house is not None and house.game is GameName.ULTIMATE_DRAW:
        return _best_draw(house)
    if wanted == PERFECT:
        terms = HoldemTerms.of() if house is None else terms_of(house)
        return perfect_strategy(solve_holdem(terms, progress=progress))
    strategy = STRATEGIES.get(wanted)
    kind = None if house is None else HoldemStrategy if house.play else DrawStrategy
    if strategy is None or (kind is not None and not isinstance(strategy, kind)):
        where = "" if house is None else f" for {house.id}"
        raise ValueError(
            f"no strategy{where} is called {name!r}; try {', '.join(names_of_kind(kind))}"
        )
    if house is not None:
        strategy.check_playable(house)
    return strategy


def _best_draw(house: House) -> Strategy:
    best = usual_counts().best_with(draw_terms_of(house))
    if best is None or best.strategy != "best":
        raise ValueError(
            f"the best holds are not kept for the terms of {house.id}; "
            f"try openfelt edge {house.id} --best-play, which counts what they are worth"
        )
    return STRATEGIES[BEST_DRAW]


def names_of_kind(kind: type[HoldemStrategy] | type[DrawStrategy] | None = None) -> list[str]:
    """The names of all strategies, or of those of one kind."""
    return [
        PERFECT,
        *(
            name
            for name, strategy in STRATEGIES.items()
            if kind is None or isinstance(strategy, kind)
        ),
    ]


def plain_name(name: str) -> str:
    """The canonical spelling of a strategy's name.

    >>> plain_name(" Published-Simple")
    'published_simple'
    """
    return name.strip().lower().replace("-", "_").replace(" ", "_")
