"""Lines of a settlement: an outcome in money, and the sums over them."""

from dataclasses import replace

import pytest

from openfelt.cards import evaluate, parse_cards
from openfelt.rules import Beneficiary, Settlement, Spot, Wager, WagerKind
from openfelt.rules.lines import Line, Outcome, PaidBy, Result, comparison_of, line_of
from openfelt.rules.paytable import EVEN_MONEY, Odds

ONE = Spot(1, 1)

OUTCOMES = [
    # result, odds, stake: returned, payout, taken, net
    (Result.WIN, EVEN_MONEY, 1000, (1000, 1000, 0, 1000)),
    (Result.WIN, Odds(3, 2), 1001, (1001, 1501, 0, 1501)),
    (Result.LOSE, None, 1000, (0, 0, 1000, -1000)),
    (Result.PUSH, None, 1000, (1000, 0, 0, 0)),
    (Result.RETURNED, None, 1000, (1000, 0, 0, 0)),
]


@pytest.mark.parametrize(("result", "odds", "stake_cents", "money"), OUTCOMES)
def test_an_outcome_in_money(
    result: Result, odds: Odds | None, stake_cents: int, money: tuple[int, int, int, int]
) -> None:
    line = line_of(
        ONE,
        Wager(WagerKind.ANTE, stake_cents, Beneficiary.DEALER),
        Outcome(result, "ante.win", "Because.", odds),
        clause="X.1",
        unit_cents=1,
    )
    assert (line.returned_cents, line.payout_cents, line.taken_cents, line.net_cents) == money
    assert (line.spot, line.wager, line.beneficiary) == (ONE, "ante", Beneficiary.DEALER)
    assert (line.clause, line.because, line.paid_by) == ("X.1", "Because.", PaidBy.BANK)
    assert line.outcome == "ante.win"


def line(seat: int, *, stake: int, returned: int, payout: int, paid_by: PaidBy) -> Line:
    return Line(
        spot=Spot(seat, 1),
        wager="ante",
        beneficiary=Beneficiary.PLAYER,
        stake_cents=stake,
        outcome="ante.win",
        result=Result.WIN,
        returned_cents=returned,
        payout_cents=payout,
        paid_by=paid_by,
        clause="X.1",
        because="",
    )


SETTLEMENT = Settlement(
    lines=(
        line(1, stake=100, returned=100, payout=150, paid_by=PaidBy.BANK),
        line(2, stake=400, returned=0, payout=0, paid_by=PaidBy.BANK),
        line(1, stake=100, returned=0, payout=900, paid_by=PaidBy.LINK),
        line(2, stake=100, returned=0, payout=0, paid_by=PaidBy.LINK),
    )
)


def test_bank_and_link_have_books_of_their_own() -> None:
    assert (SETTLEMENT.bank_net_cents, SETTLEMENT.link_net_cents) == (250, -700)


# A wager for the dealer: what a seat has won with it, beside the wagers above.
TIPS = [
    # stake, returned, payout: the seat's net
    (300, 0, 0, -300),  # It is lost: the seat paid for it.
    (300, 300, 0, 0),  # It pushes and goes back to the seat.
    (300, 300, 450, 0),  # It wins: the stake goes back, the payout is the dealer's.
    (300, 120, 0, -180),  # It is lost in part, to the extent that a bank covers it.
]


@pytest.mark.clause("R.12")
@pytest.mark.parametrize(("stake", "returned", "payout", "net"), TIPS)
def test_stakes_for_the_dealer_are_the_seats_and_their_payouts_the_dealers(
    stake: int, returned: int, payout: int, net: int
) -> None:
    own = line(2, stake=stake, returned=returned, payout=payout, paid_by=PaidBy.BANK)
    tip = replace(own, beneficiary=Beneficiary.DEALER)
    settlement = replace(SETTLEMENT, lines=(*SETTLEMENT.lines, tip))
    assert [settlement.net_cents(seat) for seat in (1, 2, 9)] == [150 + 800, -400 - 100 + net, 0]
    assert settlement.bank_net_cents == SETTLEMENT.bank_net_cents + stake - returned - payout


def test_the_net_of_one_hand_is_its_part_of_the_seats() -> None:
    first, second = (
        line(1, stake=100, returned=0, payout=0, paid_by=PaidBy.BANK),
        line(1, stake=300, returned=300, payout=450, paid_by=PaidBy.BANK),
    )
    settlement = replace(SETTLEMENT, lines=(first, replace(second, spot=Spot(1, 2))))
    assert [settlement.net_cents(1, hand) for hand in (1, 2, 3)] == [-100, 450, 0]
    assert settlement.net_cents(1) == 350
    assert [settlement.bank_net_against_cents(Spot(1, hand)) for hand in (1, 2)] == [100, -450]


def test_the_lines_of_one_seat() -> None:
    assert SETTLEMENT.of_seat(1) == (SETTLEMENT.lines[0], SETTLEMENT.lines[2])
    assert SETTLEMENT.of_seat(9) == ()


@pytest.mark.parametrize(
    ("player", "dealer", "words"),
    [
        ("As Ad 2c 3h 4d", "Ks Kd 2c 3h 4d", "Pair of aces beats the dealer's pair of kings"),
        ("Ks Kd 2c 3h 4d", "As Ad 2c 3h 4d", "Pair of kings loses to the dealer's pair of aces"),
        ("Ks Kd 2c 3h 4d", "Kh Kc 2s 3c 4h", "Pair of kings ties the dealer's"),
        (
            "Ks Kd 2c 3h 5d",
            "Kh Kc 2s 3c 4h",
            "Pair of kings beats the dealer's pair of kings on the next card",
        ),
        (
            "Ks 9d 2c 3h 5d",
            "Kh Tc 2s 3c 4h",
            "King high loses to the dealer's king high on the next card",
        ),
    ],
)
def test_a_comparison_in_words(player: str, dealer: str, words: str) -> None:
    compared = comparison_of(evaluate(parse_cards(player)), evaluate(parse_cards(dealer)))
    assert compared.words == words
