"""Bets that were closed too early are opened again, before the first card (R.31)."""

import pytest

from openfelt.rules.house import DealerMode
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import Phase
from openfelt.rules.round_actions import SetWagers
from openfelt.rules.wagers import Spot
from openfelt.table.commands import OpenBets, ReopenBets, RevealSeed, SeededWagers, TakeBank
from openfelt.table.croupier.croupier import direct
from openfelt.table.events import ActApproved, BetsReopened
from openfelt.table.refusal import TableCode
from openfelt.table.seeds import seed_commitment
from tests.kit.felt import wagers_of
from tests.kit.tables import Pit, person, replayed

pytestmark = pytest.mark.clause("R.31")
SEED = "ab" * 32


def closed() -> Pit:
    """A live table whose dealer has closed the bets, with one hand."""
    pit = Pit("washington").sit("ann", 1, 500).sit("bob", 2, 500).do(OpenBets(), "dan")
    return pit.bet("ann", "1.1", "ante 10").close()


def test_wagers_are_taken_again_and_the_round_is_dealt_as_usual() -> None:
    pit = closed()
    assert pit.table.tips_to == "dan"
    pit.do(ReopenBets(), "eve")
    assert pit.phase is Phase.WAGERING
    assert (pit.table.tips_to or "none") == "none"
    pit.refuses(ReopenBets(), "eve", TableCode.BETS_OPEN)
    pit.bet("bob", "2.1", "ante 20").bet("ann", "1.1", "ante 15").close()
    assert pit.table.tips_to == "dan"
    pit.deal("As Ks 2c 7d Qc Qd")
    assert [len(hand.cards) for hand in pit.round.hands.values()] == [2, 2]
    pit.void()
    assert (pit.credit("ann"), pit.credit("bob")) == (50_000, 50_000)
    assert replayed(pit.opened, pit.events) == pit.table


def test_collections_go_back_and_are_taken_again() -> None:
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500)
    pit.do(TakeBank(1, 20_000), "ann").bet("bob", "2.1", "ante 10").close()
    drop_cents = pit.cents("drop:table-1")
    assert drop_cents > 0
    credit_cents = pit.credit("bob")
    pit.do(ReopenBets(), "eve")
    assert pit.cents("drop:table-1") == 0
    assert pit.credit("bob") > credit_cents
    pit.close()
    assert (pit.cents("drop:table-1"), pit.credit("bob")) == (drop_cents, credit_cents)


def test_it_is_too_late_after_a_card_and_where_seeds_are_called() -> None:
    pit = closed().deal("As")
    pit.refuses(ReopenBets(), "eve", RefusalCode.TOO_LATE)
    Pit("washington").refuses(ReopenBets(), "eve", TableCode.NO_ROUND)
    pit = stadium().deal("Ah")
    pit.refuses(ReopenBets(), "eve", RefusalCode.TOO_LATE)
    pit.deal("Ad Kc Kd Qh 2s 3s")
    assert pit.table.seeds is not None
    assert pit.table.seeds.called is not None
    pit.refuses(ReopenBets(), "eve", RefusalCode.TOO_LATE)


def stadium() -> Pit:
    """Bets are closed at terminals beside a live dealer, and Ann's seat is bound to a seed."""
    pit = Pit("stadium", mode=DealerMode.LIVE).sit("ann", 17, 500).sit("bob", 18, 500)
    wagers = SetWagers(Spot(17, 1), wagers_of("ante 10"))
    bound = seed_commitment("table-1/1", 17, SEED)
    return pit.do(OpenBets(), "dan").do(SeededWagers(wagers, bound), "ann").close()


def test_beside_terminals_bets_are_opened_again_until_the_first_scan() -> None:
    pit = stadium()
    pit.do(ReopenBets(), "eve")
    assert pit.phase is Phase.WAGERING
    pit.bet("bob", "18.1", "ante 20").bet("ann", "17.1", "ante 15").close()
    pit.deal("Ah Ad Kc Kd Qh 2s 3s").do(RevealSeed(17, SEED), "ann")
    assert [len(hand.cards) for hand in pit.round.hands.values()] == [2, 2]
    assert replayed(pit.opened, pit.events) == pit.table


def test_the_dealer_needs_the_approval_of_a_supervisor() -> None:
    pit = closed()
    pit.refuses(ReopenBets(), "dan", TableCode.NOT_ALLOWED)
    dan, eve, ann = person("dan"), person("eve"), person("ann")
    events = direct(pit.table, ReopenBets(), by=dan, outside=pit.outside, approved_by=eve)
    assert events == (ActApproved("eve", "reopen_bets"), BetsReopened())
    for by, approver, code in (
        (ann, eve, TableCode.NOT_SIGNED_ON),
        (dan, dan, TableCode.NEEDS_SUPERVISOR),
        (dan, ann, TableCode.NEEDS_SUPERVISOR),
    ):
        with pytest.raises(Refusal) as refused:
            direct(pit.table, ReopenBets(), by=by, outside=pit.outside, approved_by=approver)
        assert refused.value.code is code
