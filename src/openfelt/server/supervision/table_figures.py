"""One table's figures of the day, counted from its events: rounds, stakes, win, and irregularities.

The figures are exact. Stakes and win are those of rounds that are over, and of adjustments: the
same cents that the ledger has moved to and from the house's account of the table.
"""

from collections import deque
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from openfelt.rules.lines import PaidBy, Settlement
from openfelt.rules.round_events import RoundOpened, RoundSettled
from openfelt.runtime.clock import day_of
from openfelt.storage.event_forms import ROUND_OPENED, ROUND_SETTLED, ROUND_VOIDED
from openfelt.table.adjustments import Adjustment
from openfelt.table.events import AdjustmentMade, AdjustmentProposed

HOUR_MS: Final = 3_600_000

ADJUSTMENT_PROPOSED: Final = "adjustment_proposed"
DECODED: Final = frozenset({ROUND_OPENED, ROUND_SETTLED, ADJUSTMENT_PROPOSED, "adjustment_made"})
"""The events whose content counts; of the others in ``COUNTED`` the name is enough."""
COUNTED: Final = DECODED | {ROUND_VOIDED, "card_corrected", "floor_called"}


@dataclass(slots=True, kw_only=True)
class DayFigures:
    """The figures of a table for one day, UTC; all amounts in cents."""

    day: date
    rounds: int = 0
    """Rounds that were settled."""
    rounds_voided: int = 0
    stakes_cents: int = 0
    """The stakes of settled rounds, without progressive wagers."""
    progressive_cents: int = 0
    """The progressive wagers of settled rounds, which go to the link."""
    win_cents: int = 0
    """The win of the house's bank, less payouts, including tips and adjustments."""
    banked_by_players: int = 0
    """How many of the rounds a player has banked, in which the house wins and loses nothing."""
    corrections: int = 0
    """Cards that were corrected."""
    holds: int = 0
    """How often the floor was called."""


@dataclass(slots=True)
class TableFigures:
    """The figures of a table, which grow with its record."""

    version: int
    """The last event that is counted."""
    from_ms: int
    """From when on rounds are counted for the last hour."""
    figures: DayFigures
    settled_ms: deque[int] = field(default_factory=deque)
    """When the rounds of the last hour were settled."""
    ended_ms: int | None = None
    """When the last round was over, None if none was since ``from_ms``."""
    player_banks: bool = False
    """Whether a player banks the round in progress."""
    proposed: dict[int, Adjustment] = field(default_factory=dict)
    """The adjustments that were proposed, by number."""

    def count(self, name: str, event: object, at_ms: int) -> None:
        """Count an event; ``event`` is its content where that matters."""
        if (day := day_of(at_ms)) != self.figures.day:
            self.figures = DayFigures(day=day)
        figures = self.figures
        match event:
            case RoundOpened(banker=banker):
                self.player_banks = banker is not None
            case RoundSettled(settlement):
                self._settled(settlement, at_ms)
            case AdjustmentProposed(number, adjustment):
                self.proposed[number] = adjustment
            case AdjustmentMade(number):
                made = self.proposed.pop(number)
                figures.win_cents -= made.cents if made.banker is None else 0
        match name:
            case "round_voided":
                figures.rounds_voided += 1
                self.ended_ms = at_ms
            case "card_corrected":
                figures.corrections += 1
            case "floor_called":
                figures.holds += 1

    def _settled(self, settlement: Settlement, at_ms: int) -> None:
        figures = self.figures
        figures.rounds += 1
        figures.banked_by_players += self.player_banks
        for line in settlement.lines:
            if line.paid_by is PaidBy.LINK:
                figures.progressive_cents += line.stake_cents
                continue
            figures.stakes_cents += line.stake_cents
            if not self.player_banks:
                figures.win_cents += line.taken_cents - line.payout_cents
        self.ended_ms = at_ms
        self.settled_ms.append(at_ms)

    def on(self, day: date) -> DayFigures:
        """The figures of a day up to now; nothing has happened in a day that has just begun."""
        return self.figures if self.figures.day == day else DayFigures(day=day)

    def hour(self, now_ms: int) -> tuple[int, int]:
        """How many rounds were settled in the last hour, and how much of the hour is covered."""
        while self.settled_ms and self.settled_ms[0] <= now_ms - HOUR_MS:
            self.settled_ms.popleft()
        return len(self.settled_ms), max(0, min(HOUR_MS, now_ms - self.from_ms))
