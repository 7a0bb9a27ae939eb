"""Long-run returns of a house's wagers: as its documents claim them, and as computed exactly.

The computation takes some seconds, once for each house. It starts when the house is first
requested; until it is finished, only the claimed returns are shown.
"""

import asyncio
from collections.abc import Awaitable, Callable
from fractions import Fraction
from functools import lru_cache
from typing import Final

from openfelt.protocol.rest import (
    ReturnView,
)
from openfelt.rules.house import GameName, House, WagerRule
from openfelt.rules.paytable import Paytable
from openfelt.rules.wagers import WagerKind

Computed = list[ReturnView]
Runner = Callable[[Callable[[], Computed]], Awaitable[Computed]]
"""Runs slow work in another thread."""
HOUSES_MAX: Final = 100
"""How many houses' returns are kept."""
PAYTABLES_MAX: Final = 200
"""How many paytables' returns are kept."""
_GAME: Final = "game"
"""The subject of a return of the wagers that the game itself requires."""


class HouseReturns:
    """The returns of houses, computed in the background at the first request."""

    def __init__(
        self,
        run: Runner,
        *,
        ready: Callable[[], Awaitable[None]] | None = None,
        compute: Callable[[House], Computed] | None = None,
    ) -> None:
        """``ready`` is awaited before anything is computed: compiling would halt the server.
        ``compute`` computes the returns, in another process; None for within this one."""
        self._run = run
        self._ready = ready
        self._exact = compute or exact_returns
        self._computed: dict[str, Computed] = {}
        self._computing: dict[str, asyncio.Task[None]] = {}

    def of(self, house: House) -> list[ReturnView]:
        """The claimed returns of a house, and the exact ones once they are computed."""
        key = house.fingerprint
        computed = self._computed.get(key)
        if computed is None and key not in self._computing and len(self._computing) < HOUSES_MAX:
            self._computing[key] = asyncio.create_task(self._compute(house))
        return claimed_returns(house) + (computed or [])

    def is_pending(self, house: House) -> bool:
        """Whether the exact returns of a house are not there yet."""
        return house.fingerprint not in self._computed

    async def _compute(self, house: House) -> None:
        try:
            if self._ready is not None:
                await self._ready()
            self._computed[house.fingerprint] = await self._run(lambda: self._exact(house))
            while len(self._computed) > HOUSES_MAX:
                # Players' own houses come and go; those that were asked for first go first.
                del self._computed[next(iter(self._computed))]
        finally:
            del self._computing[house.fingerprint]

    async def close(self) -> None:
        """Cancel what is being computed."""
        tasks = list(self._computing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def claimed_returns(house: House) -> list[ReturnView]:
    """The returns that the documents claim for the house and its wagers."""
    claimed = [
        ReturnView(
            label=label,
            of=label,
            measure="return",
            value=value,
            source="document",
            basis=None if label == _GAME else "wager",
        )
        for label, value in house.claimed_returns.items()
    ]
    tables = [(rule.kind, rule.paytable) for rule in house.wagers if rule.paytable]
    advantages = [
        ReturnView(
            label=f"{kind.words} house advantage",
            of=kind.value,
            measure="advantage",
            value=table.claimed_advantage,
            source="document",
            basis="wager",
        )
        for kind, table in tables
        if table.claimed_advantage is not None
    ]
    return claimed + advantages


def exact_returns(house: House) -> list[ReturnView]:
    """The return of each wager over all deals, with the best play for it.

    It takes seconds the first time.
    """
    holdem = house.game is GameName.ULTIMATE_HOLDEM
    game = _holdem_return(house) if holdem else _draw_return(house)
    label = "Ante, Blind and Play, best play" if holdem else "Ante with its Ante Bonus, best holds"
    shares = [] if game is None else [(label, _GAME, game)]
    for rule in house.wagers:
        share = _side_bet_return(rule)
        if share is not None:
            shares.append((rule.kind.words, rule.kind.value, share))
    return [
        ReturnView(
            label=label,
            of=of,
            measure="return",
            value=f"{float(share):.4%}",
            source="exact",
            basis="staked" if of == _GAME and holdem else "wager",
        )
        for label, of, share in shares
    ]


def _holdem_return(house: House) -> Fraction | None:
    """The return of Ante, Blind and Play together, if the game can be solved."""
    from openfelt.maths.holdem.house_terms import terms_of
    from openfelt.maths.strategy.figures import perfect_figures

    try:
        return 1 - perfect_figures(terms_of(house)).element_of_risk
    except ValueError:
        return None


def _draw_return(house: House) -> Fraction | None:
    """The return of the Ante with its Ante Bonus, if the best holds are kept for these terms."""
    from openfelt.maths.draw.best_play import known_best_holds
    from openfelt.maths.draw.draw_figures import draw_terms_of

    try:
        terms = draw_terms_of(house)
    except ValueError:
        return None
    best = known_best_holds(terms)
    return None if best is None else 1 + best.value(terms)


def _side_bet_return(rule: WagerRule) -> Fraction | None:
    # The return of a progressive depends on its meter.
    if rule.paytable is None or rule.kind is WagerKind.PROGRESSIVE:
        return None
    return _return_of(rule.paytable)


@lru_cache(maxsize=PAYTABLES_MAX)
def _return_of(table: Paytable) -> Fraction | None:
    """The return of a paytable, counted once for all houses, as players' own houses are many."""
    from openfelt.maths.draw.bonus import price_best_play

    try:
        bet = price_best_play(table)
    except ValueError:
        return None
    return None if bet is None else 1 - bet.house_advantage
