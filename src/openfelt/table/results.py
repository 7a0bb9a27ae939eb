"""The results of recent rounds, as the screens of a table show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from openfelt.rules.lines import Result, Settlement
from openfelt.rules.round import Phase, Round
from openfelt.rules.wagers import Spot

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
    return GameResult(
        number=state.opened.number,
        dealer_hand=settlement.dealer_hand,
        void=state.phase is Phase.VOIDED,
        wins=_hands_by_wager(settlement, Result.WIN),
        stand_offs=_hands_by_wager(settlement, Result.PUSH),
    )


def _hands_by_wager(settlement: Settlement, result: Result) -> dict[str, int]:
    """By wager, how many hands ended so; the wagers of the first of these hands come first."""
    hands: dict[str, set[Spot]] = {}
    for line in settlement.lines:
        if line.result is result:
            hands.setdefault(line.wager, set()).add(line.spot)
    in_order = sorted(hands, key=lambda wager: (min(hands[wager]), wager))
    return {wager: len(hands[wager]) for wager in in_order}
