"""One player's hand in a round: its wagers, its cards and what was decided about it."""

from dataclasses import dataclass
from typing import Final

from openfelt.cards import Card
from openfelt.rules.decisions import Check, Decided, Decision, Fold, Hold
from openfelt.rules.quick_replace import quickly_made, quickly_replaced
from openfelt.rules.wagers import Beneficiary, Spot, Wager, WagerKind, stake_cents

_LOST_BY_FOLDING: Final = (WagerKind.ANTE, WagerKind.BLIND, WagerKind.PLAY)


@quickly_replaced
@quickly_made
@dataclass(frozen=True, slots=True)
class PlayerHand:
    """One player's hand in the round."""

    spot: Spot
    wagers: tuple[Wager, ...]
    cards: tuple[Card, ...] = ()
    face_up: bool = False
    decisions: tuple[Decided, ...] = ()

    def stake_cents(self, kind: WagerKind, beneficiary: Beneficiary = Beneficiary.PLAYER) -> int:
        """The stake on one of the hand's circles."""
        return stake_cents(self.wagers, kind, beneficiary)

    @property
    def final_decision(self) -> Decision | None:
        """The hand's last decision; None while it has only checked."""
        for decided in self.decisions:
            decision = decided.decision
            if type(decision) is not Check:
                return decision
        return None

    @property
    def folded(self) -> bool:
        """Whether the hand was folded."""
        return isinstance(self.final_decision, Fold)

    @property
    def held(self) -> tuple[Card, ...] | None:
        """The cards held in Ultimate Draw; None before that decision."""
        decision = self.final_decision
        return decision.cards if isinstance(decision, Hold) else None

    def has_side_bets(self) -> bool:
        """Whether the hand has a wager that stays in action after a fold (R.3)."""
        return any(wager.kind not in _LOST_BY_FOLDING for wager in self.wagers)
