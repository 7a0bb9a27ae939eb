"""The decisions that a player can make about a hand."""

from dataclasses import dataclass
from enum import StrEnum

from openfelt.cards import Card, format_cards
from openfelt.rules.dealing import Street
from openfelt.rules.quick_replace import quickly_made


class DecidedBy(StrEnum):
    """Who made a decision; the record says if it was the clock (R.10)."""

    PLAYER = "player"
    CLOCK = "clock"
    FLOOR = "floor"


@dataclass(frozen=True, slots=True)
class Check:
    """Make no wager and wait for the next cards."""

    def __str__(self) -> str:
        return "check"


@dataclass(frozen=True, slots=True)
class Bet:
    """Make a Play wager of a multiple of the Ante. It is final."""

    multiple: int

    def __str__(self) -> str:
        return f"bet {self.multiple}x"


@dataclass(frozen=True, slots=True)
class Fold:
    """Fold the hand on the river."""

    def __str__(self) -> str:
        return "fold"


@dataclass(frozen=True, slots=True)
class Hold:
    """Keep these of the five cards and replace the others."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"hold {format_cards(self.cards)}" if self.cards else "hold nothing"


Decision = Check | Bet | Fold | Hold


@quickly_made
@dataclass(frozen=True, slots=True)
class Decided:
    """A decision as it is recorded."""

    street: Street
    decision: Decision
    by: DecidedBy
