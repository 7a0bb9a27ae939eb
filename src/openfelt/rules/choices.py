"""The decisions that a hand may make now. The referee refuses all others."""

from dataclasses import dataclass
from typing import Final

from openfelt.rules import ultimate_draw, ultimate_holdem
from openfelt.rules.decisions import Bet, Decision, Hold
from openfelt.rules.house import GameName, Turns
from openfelt.rules.quick_replace import maker, quickly_made
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import Round
from openfelt.rules.wagers import Spot


@quickly_made
@dataclass(frozen=True, slots=True)
class Choice:
    """One possible decision of a hand, with its cost."""

    decision: Decision
    cost_cents: int = 0


@quickly_made
@dataclass(frozen=True, slots=True)
class Choices:
    """All decisions that a hand may make now; empty if it is not its turn."""

    options: tuple[Choice, ...] = ()
    """Hold'em: the decisions of the street that the credit covers."""
    may_hold: bool = False
    """Draw: any of the hand's cards may be held, from none to all five."""

    def __bool__(self) -> bool:
        return bool(self.options) or self.may_hold


# Looking a member up in an enumeration takes as long as a call.
_TOGETHER: Final = Turns.TOGETHER
_DRAW: Final = GameName.ULTIMATE_DRAW


NO_CHOICES: Final = Choices()
"""Of a hand that has nothing to decide."""
_ANY_HOLD: Final = Choices(may_hold=True)


def choices(state: Round, spot: Spot, *, credit_cents: int | None = None) -> Choices:
    """The decisions that a hand may make now.

    ``credit_cents`` is the amount that the seat can still stake; only Play wagers
    that it covers are offered (R.9). Without it, every legal wager is offered.
    """
    if spot not in state.pending or spot != first_to_act(state, spot):
        return NO_CHOICES
    if state.house.game is _DRAW:
        return _ANY_HOLD
    hand, street = state.hands[spot], state.street
    assert street is not None
    antes_cents = ultimate_holdem.play_cost_cents(hand, 1)
    options = []
    for decision in ultimate_holdem.decisions_on(state.house, street):
        cost_cents = antes_cents * decision.multiple if isinstance(decision, Bet) else 0
        if credit_cents is None or cost_cents <= credit_cents:
            options.append(_choice(decision, cost_cents))
    return _choices(tuple(options))


_choice: Final = maker(Choice)
_choices: Final = maker(Choices)


def first_to_act(state: Round, spot: Spot) -> Spot:
    """The hand whose turn it is; any hand, if all decide at the same time."""
    if state.house.turns is _TOGETHER or not state.pending:
        return spot
    return next(waiting for waiting in state.hands if waiting in state.pending)


def clock_decision(state: Round, spot: Spot) -> Decision:
    """The default decision of a hand whose time has run out (R.10, R.27).

    It checks, or folds on the river; in Ultimate Draw it plays the house way.
    """
    if spot not in state.pending or state.street is None:
        raise Refusal(RefusalCode.NO_DECISION_DUE, f"Hand {spot} has nothing to decide now.")
    if state.house.game is GameName.ULTIMATE_DRAW:
        return Hold(ultimate_draw.house_way(state.hands[spot].cards))
    return ultimate_holdem.clock_decision(state.street)
