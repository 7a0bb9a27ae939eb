"""The forms of the coach: the exact value of every decision that a player had, and has made."""

from typing import Literal

from pydantic import BaseModel


class PricedChoice(BaseModel):
    """One decision that the rules offered, and what it is worth."""

    kind: Literal["check", "fold", "bet"]
    multiple: int | None
    """The Play wager in Antes, for a bet."""
    ev: float
    """The average result of Ante, Blind and Play from here, in Antes."""
    ev_fraction: str
    """The same, exactly."""
    cost: float
    """How much less than the best decision that is, in Antes; 0 for the best."""


class CoachedDecision(BaseModel):
    """One decision of a hand, beside the best one."""

    hand: int
    street: str
    by: str
    """Who decided: ``player``, ``clock`` or ``floor``."""
    ante_cents: int
    choices: list[PricedChoice]
    """The best first."""
    chosen: int
    """Which of them was chosen."""


class CoachView(BaseModel):
    """The best decisions of the caller's own round, and the cost of the caller's own decisions."""

    round: str
    number: int
    decisions: list[CoachedDecision]
    """In the order in which they were made."""
    missing: Literal["game", "terms", "cards"] | None
    """Why there is no exact advice, or not for every decision: the game or the terms of the house
    are not solved, or the cards of a mucked hand are no longer known."""
