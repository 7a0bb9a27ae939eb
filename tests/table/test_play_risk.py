"""The most that a round can cost a player, with everything that may still follow the wagers."""

import pytest

from openfelt.rules import Beneficiary, MakeDecision, SetWagers
from openfelt.rules.decisions import Bet
from openfelt.rules.house import DealerMode
from openfelt.rules.wagers import Spot, Wager, WagerKind
from openfelt.table.commands import BuyIn, TakeSeat
from openfelt.table.play_risk import most_at_risk_cents
from tests.kit.tables import SECONDS, Pit

SPOT = Spot(1, 1)
OWN = Wager(WagerKind.ANTE, 1000)
FOR_DEALER = Wager(WagerKind.ANTE, 1000, Beneficiary.DEALER)


def hall(*wagers: Wager) -> Pit:
    """A stadium at which Ann has set wagers."""
    pit = Pit("stadium", mode=DealerMode.VIRTUAL, clock=SECONDS)
    pit.fund("ann", 100_000)
    pit.do(TakeSeat(1), "ann").do(BuyIn(1, 50_000), "ann")
    return pit.do(SetWagers(SPOT, wagers), "ann")


@pytest.mark.clause("S.5")
def test_play_follows_the_ante_for_the_dealer_too() -> None:
    # Ante and Blind, and four times the Ante before the flop.
    assert most_at_risk_cents(hall(OWN).table, "ann") == 1000 + 1000 + 4000
    assert most_at_risk_cents(hall(OWN, FOR_DEALER).table, "ann") == 2 * (1000 + 1000 + 4000)


def test_what_was_at_risk_is_what_the_largest_play_costs() -> None:
    pit = hall(OWN, FOR_DEALER)
    most = most_at_risk_cents(pit.table, "ann")
    pit.time_ends()
    assert most_at_risk_cents(pit.table, "ann") == most
    pit.do(MakeDecision(SPOT, Bet(4)), "ann")
    assert sum(wager.cents for wager in pit.round.hands[SPOT].wagers) == most


def test_a_player_who_is_not_in_the_round_risks_nothing() -> None:
    assert most_at_risk_cents(hall(OWN).table, "bob") == 0
