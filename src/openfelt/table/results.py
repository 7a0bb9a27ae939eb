"""The results of recent rounds, as the screens of a table show them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from openfelt.rules.lines import Result, Settlement
from openfelt.rules.round import Phase, Round

RESULTS_KEPT: Final = 10
"""How many results a table keeps for its screens."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a recent round."""

    number: int
    dealer_hand: str | None
    void: bool
    wins: Mapping[str, int]
    """By wager, how many hands won it."""
    stand_offs: Mapping[str, int]
    """By wager, how many hands pushed."""


def result_of(state: Round, settlement: Settlement) -> GameResult:
    """Count hands, not lines: a wager for the dealer ends like the player's beside it."""
    ended = {(line.spot, line.wager, line.result) for line in settlement.lines}
    won = Counter(wager for _, wager, result in sorted(ended) if result is Result.WIN)
    pushed = Counter(wager for _, wager, result in sorted(ended) if result is Result.PUSH)
    return GameResult(
        number=state.opened.number,
        dealer_hand=settlement.dealer_hand,
        void=state.phase is Phase.VOIDED,
        wins=dict(won),
        stand_offs=dict(pushed),
    )
