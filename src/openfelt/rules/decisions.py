"""What a player can decide about a hand, and who decided it."""

from dataclasses import dataclass
from enum import StrEnum

from openfelt.cards import Card, format_cards
from openfelt.rules.dealing import Street


class DecidedBy(StrEnum):
    """Whose decision it was; the record says when the clock decided (R.10)."""

    PLAYER = "player"
    CLOCK = "clock"
    FLOOR = "floor"


@dataclass(frozen=True, slots=True)
class Check:
    """Bet nothing now and see the next cards."""

    def __str__(self) -> str:
        return "check"


@dataclass(frozen=True, slots=True)
class Bet:
    """Make the Play wager of so many times the Ante. It is final."""

    multiple: int

    def __str__(self) -> str:
        return f"bet {self.multiple}x"


@dataclass(frozen=True, slots=True)
class Fold:
    """Give the hand up on the river."""

    def __str__(self) -> str:
        return "fold"


@dataclass(frozen=True, slots=True)
class Hold:
    """Keep these of the five cards and replace the others."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"hold {format_cards(self.cards)}" if self.cards else "hold nothing"


Decision = Check | Bet | Fold | Hold


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision as the record keeps it."""

    street: Street
    decision: Decision
    by: DecidedBy
