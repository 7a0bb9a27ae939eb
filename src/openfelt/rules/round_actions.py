"""The actions of a round: what a player, the dealer or the clock asks the referee for."""

from dataclasses import dataclass, field

from openfelt.cards import Card
from openfelt.rules.dealing import Place, Street
from openfelt.rules.decisions import DecidedBy, Decision
from openfelt.rules.quick_replace import quickly_made
from openfelt.rules.wagers import Spot, Wager


@quickly_made
@dataclass(frozen=True, slots=True)
class SetWagers:
    """Replace the wagers on the spot; an empty tuple clears it."""

    spot: Spot
    wagers: tuple[Wager, ...]
    round: int | None = field(default=None, kw_only=True)
    """The round that they are meant for. If it is given, late wagers do not apply to the
    next round."""


@quickly_made
@dataclass(frozen=True, slots=True)
class CloseBets:
    """Call "no more bets"."""

    checked_cents: int | None = None
    """The chips that the dealer has counted on the felt; bets close only if they are the wagers
    that were accepted."""


@quickly_made
@dataclass(frozen=True, slots=True)
class DealCard:
    """Deal the next card of the plan."""

    card: Card
    round: int | None = field(default=None, kw_only=True)
    place: Place | None = field(default=None, kw_only=True)
    """The place that the sender has seen to be due. If it is given, a card that arrives too late
    does not go to another place."""


@dataclass(frozen=True, slots=True)
class CorrectCard:
    """Correct a wrongly scanned card, at any time before the round is confirmed."""

    place: Place
    card: Card


@dataclass(frozen=True, slots=True)
class SwapCards:
    """Correct two cards that were scanned in the wrong order: each lies at the other's place."""

    place: Place
    other: Place
    round: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class TurnCards:
    """Turn over the cards that come next in the plan."""


@quickly_made
@dataclass(frozen=True, slots=True)
class MakeDecision:
    """Decide for a hand."""

    spot: Spot
    decision: Decision
    by: DecidedBy = DecidedBy.PLAYER
    round: int | None = field(default=None, kw_only=True)
    street: Street | None = field(default=None, kw_only=True)
    """The street that the player saw. If it is given, a late or repeated decision does not
    apply to a street that the player has not seen."""


@quickly_made
@dataclass(frozen=True, slots=True)
class Confirm:
    """Confirm the round, which settles every wager and ends it."""

    meter_cents: int | None = None
    seed_cents: int | None = None
    """The value of the meter after it is won; by default the house's own seed."""


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Declare the round void."""

    reason: str


Action = (
    SetWagers
    | CloseBets
    | DealCard
    | CorrectCard
    | SwapCards
    | TurnCards
    | MakeDecision
    | Confirm
    | VoidRound
)
