"""What comes back of each wager in the long run: as the documents claim it, and as it is counted.

Counting takes some seconds, once for each house. It begins when somebody first looks at the
house's page, which shows what is known until then.
"""

import asyncio
from collections.abc import Awaitable, Callable
from fractions import Fraction
from typing import Final

from openfelt.protocol.rest import ReturnView
from openfelt.rules.house import GameName, House, WagerRule
from openfelt.rules.wagers import WagerKind

Counted = list[ReturnView]
Worker = Callable[[Callable[[], Counted]], Awaitable[Counted]]
"""Lets something run that takes seconds."""
HOUSES_MAX: Final = 100
"""How many houses' figures are kept."""


class Returns:
    """Knows the returns of houses, or begins to count them."""

    def __init__(self, work_hard: Worker) -> None:
        self._work_hard = work_hard
        self._counted: dict[str, Counted] = {}
        self._counting: dict[str, asyncio.Task[None]] = {}

    def of(self, house: House) -> list[ReturnView]:
        """What is known of a house by now."""
        wanted = house.fingerprint
        counted = self._counted.get(wanted)
        if counted is None and wanted not in self._counting and len(self._counted) < HOUSES_MAX:
            self._counting[wanted] = asyncio.create_task(self._count(house))
        return claimed_returns(house) + (counted or [])

    async def _count(self, house: House) -> None:
        try:
            self._counted[house.fingerprint] = await self._work_hard(lambda: exact_returns(house))
        finally:
            del self._counting[house.fingerprint]

    async def close(self) -> None:
        """Stop counting."""
        tasks = list(self._counting.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def claimed_returns(house: House) -> list[ReturnView]:
    """What the documents claim for the house and its wagers."""
    claimed = [
        ReturnView(label=label, of=label, measure="return", value=value, source="document")
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
        )
        for kind, table in tables
        if table.claimed_advantage is not None
    ]
    return claimed + advantages


def exact_returns(house: House) -> list[ReturnView]:
    """What comes back of each unit, counted over all deals. It takes seconds the first time."""
    if house.game is not GameName.ULTIMATE_HOLDEM:
        return []
    game = _game_return(house)
    found = [] if game is None else [("Ante, Blind and Play, best play", "game", game)]
    for rule in house.wagers:
        share = _side_bet_return(rule)
        if share is not None:
            found.append((rule.kind.words, rule.kind.value, share))
    return [
        ReturnView(
            label=label, of=of, measure="return", value=f"{float(share):.4%}", source="exact"
        )
        for label, of, share in found
    ]


def _game_return(house: House) -> Fraction | None:
    """What comes back of everything staked on the game itself, where it is known."""
    from openfelt.maths.strategy.figures import known_figures
    from openfelt.maths.wagers.house_figures import terms_of

    try:
        figures = known_figures("perfect", terms_of(house))
    except ValueError:
        return None
    return None if figures is None else 1 - figures.element_of_risk


def _side_bet_return(rule: WagerRule) -> Fraction | None:
    from openfelt.maths.wagers.pricers import price_side_bet

    # The return of a progressive depends on its meter.
    if rule.paytable is None or rule.kind is WagerKind.PROGRESSIVE:
        return None
    bet = price_side_bet(rule.paytable)
    return None if bet is None else 1 - bet.house_advantage
