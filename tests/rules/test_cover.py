"""A player/dealer's cover, line by line until it is gone."""

import pytest

from openfelt.rules import Banker, Beneficiary, Spot
from openfelt.rules.cover import cover_lines
from openfelt.rules.house import Cover
from openfelt.rules.lines import Line, PaidBy, Result
from tests.kit.cases import case
from tests.kit.felt import played
from tests.kit.own_houses import own_house


def line_from(text: str) -> Line:
    """``"win 100 at 150"``: a stake of 100 that wins 150; ``"lose 100"``; ``"push 100"``."""
    result, stake, *payout = text.split()
    return Line(
        spot=Spot(1, 1),
        wager="ante",
        beneficiary=Beneficiary.PLAYER,
        stake_cents=int(stake),
        outcome=f"ante.{result}",
        result=Result(result),
        returned_cents=0 if result == "lose" else int(stake),
        payout_cents=int(payout[1]) if payout else 0,
        paid_by=PaidBy.BANK,
        clause="X.1",
        because="Because.",
    )


def told(line: Line) -> str:
    return (
        f"{line.result} back {line.returned_cents} paid {line.payout_cents} "
        f"uncovered {line.uncovered_cents}"
    )


ACTION, PAYOUTS = Cover.ACTION, Cover.PAYOUTS
COVERS = [
    # Enough cover: nothing changes but the cover.
    case(ACTION, 500, ["win 100 at 150"], ["win back 100 paid 150 uncovered 0"], 350),
    case(ACTION, 500, ["lose 100"], ["lose back 0 paid 0 uncovered 0"], 400, proves="R.18"),
    case(ACTION, 500, ["push 100"], ["push back 100 paid 0 uncovered 0"], 500),
    case(PAYOUTS, 500, ["lose 100"], ["lose back 0 paid 0 uncovered 0"], 500, proves="R.18"),
    case(PAYOUTS, 500, ["win 100 at 150"], ["win back 100 paid 150 uncovered 0"], 350),
    # Exactly enough.
    case(ACTION, 150, ["win 100 at 150"], ["win back 100 paid 150 uncovered 0"], 0),
    case(ACTION, 100, ["lose 100"], ["lose back 0 paid 0 uncovered 0"], 0),
    # Less than enough: settled for that part.
    case(ACTION, 149, ["win 100 at 150"], ["win back 100 paid 149 uncovered 1"], 0,
         proves="R.18 C.betting.4 C.19"),
    case(ACTION, 30, ["lose 100"], ["lose back 70 paid 0 uncovered 70"], 0,
         proves="R.18 C.betting.4"),
    case(PAYOUTS, 149, ["win 100 at 150"], ["win back 100 paid 149 uncovered 1"], 0,
         proves="R.18"),
    # Gone: every remaining wager goes back whole, a losing one too; a push stays one.
    case(ACTION, 100, ["lose 100", "lose 40"],
         ["lose back 0 paid 0 uncovered 0", "returned back 40 paid 0 uncovered 40"], 0,
         proves="R.18 C.betting.4"),
    case(ACTION, 100, ["lose 100", "win 40 at 400"],
         ["lose back 0 paid 0 uncovered 0", "returned back 40 paid 0 uncovered 400"], 0,
         proves="R.18 C.19"),
    case(PAYOUTS, 100, ["win 50 at 100", "lose 40"],
         ["win back 50 paid 100 uncovered 0", "returned back 40 paid 0 uncovered 40"], 0,
         proves="R.18"),
    case(ACTION, 100, ["lose 100", "push 40"],
         ["lose back 0 paid 0 uncovered 0", "push back 40 paid 0 uncovered 0"], 0),
    # In order: what comes first is covered first.
    case(ACTION, 120, ["lose 100", "win 50 at 50", "lose 10"],
         ["lose back 0 paid 0 uncovered 0", "win back 50 paid 20 uncovered 30",
          "returned back 10 paid 0 uncovered 10"], 0, proves="R.18"),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "cover_cents", "lines", "covered", "left_cents"), COVERS)
def test_cover_reaches_as_far_as_it_does(
    mode: Cover, cover_cents: int, lines: list[str], covered: list[str], left_cents: int
) -> None:
    found, left = cover_lines(
        map(line_from, lines), cover_cents=cover_cents, mode=mode, clause="C.betting.4"
    )
    assert ([told(line) for line in found], left) == (covered, left_cents)


def test_a_line_that_is_not_covered_says_so_and_cites_the_clause() -> None:
    lines, _ = cover_lines(
        map(line_from, ["lose 100", "win 100 at 150", "lose 50"]),
        cover_cents=120,
        mode=ACTION,
        clause="C.betting.4",
    )
    assert lines[0] == line_from("lose 100")
    assert lines[1].because == "Because. The bank covers $0.20 of the payout (C.betting.4)."
    assert (lines[1].clause, lines[1].outcome) == ("X.1", "ante.win")
    assert lines[2].because == "The player/dealer's bank is exhausted: the wager goes back."
    assert (lines[2].clause, lines[2].outcome) == ("C.betting.4", "uncovered")


def test_a_losing_line_that_is_covered_in_part_says_so() -> None:
    (line,), _ = cover_lines(
        [line_from("lose 100")], cover_cents=30, mode=ACTION, clause="C.betting.4"
    )
    assert line.because == "Because. The bank covers $0.30; the rest goes back (C.betting.4)."
    assert line.outcome == "ante.lose"


CARDS = {
    "1.1": "As Ah",
    "2.1": "Ks Kh",
    "5.1": "8s 8h",
    "dealer": "Qc Qd",
    "common": "2c 7d 9h Js 3c",
}
BETS = {"1.1": "ante 10", "2.1": "ante 10", "5.1": "ante 10"}
FOUR_TIMES = {"1.1": "4x", "2.1": "4x", "5.1": "4x"}

# Banked by seat 3, action goes 5, 1, 2: seat 5 loses $60, seats 1 and 2 win $50 each.
BANKS = [
    case("action", 100_000, {5: -6000, 1: 5000, 2: 5000}, 4000, proves="C.9 C.10 R.14 R.18"),
    case("action", 16_000, {5: -6000, 1: 5000, 2: 5000}, 4000, proves="R.18"),
    case("action", 13_500, {5: -6000, 1: 5000, 2: 2500}, 1500, proves="R.18 C.19"),
    case("action", 11_000, {5: -6000, 1: 5000, 2: 0}, -1000, proves="R.18"),
    case("action", 5_500, {5: -5500, 1: 0, 2: 0}, -5500, proves="R.18 C.betting.4"),
    case("payouts", 10_000, {5: -6000, 1: 5000, 2: 5000}, 4000, proves="R.18"),
    case("payouts", 7_500, {5: -6000, 1: 5000, 2: 2500}, 1500, proves="R.18"),
]


@pytest.mark.parametrize(("cover", "cover_cents", "nets", "players_cents"), BANKS)
def test_a_banked_round_is_covered_clockwise_from_the_bankers_left(
    cover: str, cover_cents: int, nets: dict[int, int], players_cents: int
) -> None:
    felt = played(
        own_house("california", {"bank.cover": cover}),
        banker=Banker(3, cover_cents),
        bets=BETS,
        cards=CARDS,
        decisions=FOUR_TIMES,
    )
    settlement = felt.settlement
    found = {seat: sum(line.net_cents for line in settlement.of_seat(seat)) for seat in nets}
    assert found == nets
    assert settlement.bank_net_cents == -players_cents
    seats = list(dict.fromkeys(line.spot.seat for line in settlement.lines))
    assert seats == [5, 1, 2]


@pytest.mark.clause("R.18")
def test_what_is_left_of_the_cover_is_told() -> None:
    felt = played(
        "california", banker=Banker(3, 20_000), bets=BETS, cards=CARDS, decisions=FOUR_TIMES
    )
    assert felt.settlement.cover_left_cents == 20_000 - 6000 - 5000 - 5000
