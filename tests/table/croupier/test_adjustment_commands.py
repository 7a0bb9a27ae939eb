"""Wrong payouts found after confirmation, and how they are put right (R.38)."""

import pytest

from openfelt.cards import FULL_DECK
from openfelt.ledger import Reason
from openfelt.rules import DealCard, MakeDecision, Phase, RefusalCode, Spot, TurnCards, choices
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.house import DealerMode
from openfelt.table.adjustments import PROPOSED_MAX, ROUNDS_ADJUSTABLE
from openfelt.table.chips import transfers_of
from openfelt.table.commands import (
    ApproveAdjustment,
    LeaveSeat,
    OpenBets,
    Person,
    ProposeAdjustment,
    RejectAdjustment,
    Role,
    TakeBank,
)
from openfelt.table.croupier.permits import Permits
from openfelt.table.events import AdjustmentMade
from openfelt.table.refusal import TableCode
from tests.kit.tables import DEALER, FLOOR, Pit, replayed

OTHER = Person(Role.FLOOR, "eva")
"""A second supervisor."""


def play(pit: Pit) -> Pit:
    """Play a round to its end, by the first choice of each hand."""
    deck = iter(FULL_DECK)
    while pit.phase is Phase.PLAYING:
        step = pit.round.current_step
        if isinstance(step, Deal):
            pit.do(DealCard(next(deck)), DEALER)
        elif isinstance(step, Turn):
            pit.do(TurnCards(), DEALER)
        else:
            spot = min(pit.round.pending)
            decision = choices(pit.round, spot).options[-1].decision
            pit.do(MakeDecision(spot, decision), pit.table.seats[spot.seat].player)
    return pit.confirm()


def confirmed() -> Pit:
    """Ann has played a round at a live table, and has $100 in her wallet."""
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan").fund("ann", 100)
    return play(pit.bet("ann", "1.1", "ante 10").close())


def cardroom() -> Pit:
    """Bob has played a round that Ann banked; both have $100 in their wallets."""
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500).fund("ann", 100).fund("bob", 100)
    pit.do(TakeBank(1, 20_000), "ann").bet("bob", "2.1", "ante 10").close()
    return play(pit)


@pytest.mark.clause("R.38")
@pytest.mark.parametrize("cents", [500, -500])
def test_an_adjustment_moves_money_once_another_supervisor_approves_it(cents: int) -> None:
    pit = confirmed()
    before, house = pit.round, pit.cents("house:table-1")
    pit.do(ProposeAdjustment(1, 1, cents, " Trips paid as a flush. "), DEALER)
    assert (pit.cents("wallet:ann"), pit.cents("house:table-1")) == (10_000, house)
    table = pit.table
    pit.told(wallet_cents=10_000).do(ApproveAdjustment(1), FLOOR)
    assert (pit.cents("wallet:ann"), pit.cents("house:table-1")) == (10_000 + cents, house - cents)
    (moved,) = transfers_of(table, AdjustmentMade(1))
    assert (moved.reason, moved.round, moved.clause) == (Reason.CORRECTION, "table-1/1", "R.38")
    assert moved.note == "Trips paid as a flush."
    # The confirmed round is what it was, and nothing waits any more.
    assert pit.round is before
    assert not pit.table.adjustments
    pit.refuses(ApproveAdjustment(1), FLOOR, TableCode.NOT_ADJUSTABLE)
    assert replayed(pit.opened, pit.events) == pit.table


@pytest.mark.clause("R.38")
def test_the_proposer_does_not_approve() -> None:
    pit = confirmed().do(ProposeAdjustment(1, 1, 500, "Short paid."), FLOOR)
    assert "another supervisor" in pit.refuses(
        ApproveAdjustment(1), FLOOR, TableCode.NEEDS_SUPERVISOR
    )
    pit.refuses(ApproveAdjustment(1), DEALER, TableCode.NOT_ALLOWED)
    assert "approve_adjustment" not in Permits(pit.table, pit.outside).of(FLOOR)
    assert "approve_adjustment" in Permits(pit.table, pit.outside).of(OTHER)
    pit.do(ApproveAdjustment(1), OTHER)
    assert pit.cents("wallet:ann") == 10_500


@pytest.mark.clause("R.38")
def test_a_rejected_adjustment_moves_nothing_and_its_number_is_not_used_again() -> None:
    pit = confirmed().do(ProposeAdjustment(1, 1, 500, "Short paid."), DEALER)
    pit.do(RejectAdjustment(1, "The camera shows otherwise."), FLOOR)
    pit.refuses(RejectAdjustment(1, "Again."), FLOOR, TableCode.NOT_ADJUSTABLE)
    pit.do(ProposeAdjustment(1, 1, 500, "Short paid."), DEALER)
    assert list(pit.table.adjustments) == [2]
    assert pit.cents("wallet:ann") == 10_000


@pytest.mark.clause("R.38")
@pytest.mark.parametrize(("cents", "payer"), [(500, "ann"), (-500, "bob")])
def test_in_a_cardroom_the_bank_is_the_bankers(cents: int, payer: str) -> None:
    pit = cardroom().do(ProposeAdjustment(1, 2, cents, "Blind paid wrongly."), DEALER)
    # No wallet is overdrawn: the adjustment waits.
    sentence = pit.told(wallet_cents=499).refuses(
        ApproveAdjustment(1), FLOOR, TableCode.WALLET_SHORT
    )
    assert payer in sentence
    pit.told(wallet_cents=500).do(ApproveAdjustment(1), FLOOR)
    assert pit.cents("wallet:ann") == 10_000 - cents
    assert pit.cents("wallet:bob") == 10_000 + cents
    assert pit.cents("house:table-1") == 0


def test_a_player_who_has_left_the_table_is_still_paid() -> None:
    pit = confirmed().do(LeaveSeat(1), "ann").sit("bob", 1, 500)
    wallet = pit.cents("wallet:ann")
    pit.do(ProposeAdjustment(1, 1, 500, "Short paid."), DEALER).do(ApproveAdjustment(1), FLOOR)
    assert pit.cents("wallet:ann") == wallet + 500


def test_only_hands_of_the_last_confirmed_rounds_are_adjusted() -> None:
    pit = confirmed()
    for command in (
        ProposeAdjustment(2, 1, 500, "Short paid."),
        ProposeAdjustment(1, 2, 500, "Short paid."),
    ):
        pit.refuses(command, DEALER, TableCode.NOT_ADJUSTABLE)
    for _ in range(ROUNDS_ADJUSTABLE):
        play(pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 5").close())
    pit.refuses(ProposeAdjustment(1, 1, 500, "Late."), DEALER, TableCode.NOT_ADJUSTABLE)
    pit.do(ProposeAdjustment(2, 1, 500, "Just in time."), DEALER)
    pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 5").void()
    void = pit.table.rounds
    pit.refuses(ProposeAdjustment(void, 1, 500, "Void."), DEALER, TableCode.NOT_ADJUSTABLE)


def test_proposals_do_not_pile_up() -> None:
    pit = confirmed()
    for _ in range(PROPOSED_MAX):
        pit.do(ProposeAdjustment(1, 1, 1, "Short paid."), DEALER)
    pit.refuses(ProposeAdjustment(1, 1, 1, "Short paid."), DEALER, TableCode.NOT_ADJUSTABLE)


@pytest.mark.parametrize(
    "command",
    [
        ProposeAdjustment(1, 1, 0, "Nothing."),
        ProposeAdjustment(1, 1, 10**15, "Too much."),
        ProposeAdjustment(1, 1, 500, " "),
    ],
)
def test_an_amount_and_a_reason_are_needed(command: ProposeAdjustment) -> None:
    confirmed().refuses(command, DEALER, RefusalCode.MALFORMED)


def test_the_program_pays_nothing_wrongly() -> None:
    pit = Pit("online", mode=DealerMode.VIRTUAL).sit("ann", 1, 500)
    pit.bet("ann", "1.1", "ante 10").close("ann")
    while pit.table.playing is not None:
        decision = choices(pit.round, Spot(1, 1)).options[-1].decision
        pit.do(MakeDecision(Spot(1, 1), decision), "ann")
    assert pit.phase is Phase.SETTLED
    assert not pit.table.played
    pit.refuses(ProposeAdjustment(1, 1, 500, "?"), FLOOR, TableCode.CARDS_ARE_VIRTUAL)


@pytest.mark.clause("R.38", "C.betting.4")
def test_a_player_who_banked_pays_no_more_than_is_left_of_the_bank_wager() -> None:
    """Whatever the wallet holds. What players pay back frees as much of the bank wager again."""
    pit = cardroom().fund("ann", 1_000)
    settlement = pit.round.settlement
    assert settlement is not None
    left = settlement.cover_left_cents
    assert left is not None
    assert 0 < left <= 20_000
    pit.told(wallet_cents=100_000)
    sentence = pit.refuses(
        ProposeAdjustment(1, 2, left + 1, "Paid short."), DEALER, TableCode.COVER_SPENT
    )
    assert "bank wager" in sentence
    # Two that fit alone do not fit together: the second one waits.
    for cents in (left, 100):
        pit.do(ProposeAdjustment(1, 2, cents, "Paid short."), DEALER)
    pit.do(ApproveAdjustment(1), OTHER)
    pit.refuses(ApproveAdjustment(2), OTHER, TableCode.COVER_SPENT)
    pit.do(ProposeAdjustment(1, 2, -100, "Paid twice."), DEALER).do(ApproveAdjustment(3), OTHER)
    pit.do(ApproveAdjustment(2), OTHER)
    assert replayed(pit.opened, pit.events) == pit.table


@pytest.mark.clause("R.38", "R.18", "C.betting.4")
def test_a_player_who_banked_wins_no_more_than_the_bank_wager() -> None:
    pit = cardroom().told(wallet_cents=10_000)
    settlement = pit.round.settlement
    assert settlement is not None
    left = 20_000 - settlement.bank_net_cents
    sentence = pit.refuses(
        ProposeAdjustment(1, 2, -left - 1, "Taken short."), DEALER, TableCode.COVER_SPENT
    )
    assert "bank wager" in sentence
    # Two that fit alone do not fit together, until the bank has paid some of it back.
    pit.told(wallet_cents=50_000).fund("bob", 500)
    for cents in (-left, -100):
        pit.do(ProposeAdjustment(1, 2, cents, "Taken short."), DEALER)
    pit.do(ApproveAdjustment(1), OTHER)
    pit.refuses(ApproveAdjustment(2), OTHER, TableCode.COVER_SPENT)
    pit.do(ProposeAdjustment(1, 2, 100, "Taken twice."), DEALER).do(ApproveAdjustment(3), OTHER)
    pit.do(ApproveAdjustment(2), OTHER)
    assert pit.cents("wallet:ann") == 10_000 + left
    assert replayed(pit.opened, pit.events) == pit.table
