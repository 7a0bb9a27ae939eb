"""The rules of both games: one round, without clock, randomness or disk.

The package answers five questions. What may this hand do now: ``choices``. What
follows from this action, or why is it refused: ``decide``. What is the state after
this event: ``apply``. How is every wager settled: ``settle``. What may this viewer
see: ``view``.
"""

from openfelt.rules.choices import Choice, Choices, choices, clock_decision
from openfelt.rules.dealing import Deal, Decide, Street, Turn
from openfelt.rules.decisions import Bet, Check, DecidedBy, Fold, Hold
from openfelt.rules.house import House
from openfelt.rules.lines import Line, Settlement
from openfelt.rules.referee import act, decide, open_round
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import Phase, Round, apply, begin, replay
from openfelt.rules.round_actions import (
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    MakeDecision,
    SetWagers,
    TurnCards,
    VoidRound,
)
from openfelt.rules.round_events import Banker
from openfelt.rules.settlement import settle
from openfelt.rules.view import RoundView, view
from openfelt.rules.wagers import Beneficiary, Spot, Wager, WagerKind

__all__ = [
    "Banker",
    "Beneficiary",
    "Bet",
    "Check",
    "Choice",
    "Choices",
    "CloseBets",
    "Confirm",
    "CorrectCard",
    "Deal",
    "DealCard",
    "Decide",
    "DecidedBy",
    "Fold",
    "Hold",
    "House",
    "Line",
    "MakeDecision",
    "Phase",
    "Refusal",
    "RefusalCode",
    "Round",
    "RoundView",
    "SetWagers",
    "Settlement",
    "Spot",
    "Street",
    "Turn",
    "TurnCards",
    "VoidRound",
    "Wager",
    "WagerKind",
    "act",
    "apply",
    "begin",
    "choices",
    "clock_decision",
    "decide",
    "open_round",
    "replay",
    "settle",
    "view",
]
