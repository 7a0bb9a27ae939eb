"""Who banks next."""

import pytest

from openfelt.table import BankTurn, next_banker
from tests.kit.cases import case
from tests.kit.own_houses import own_house

BANKERS = [
    # seated, last turn, who accepts: next turn
    case([1, 2, 5], None, "1 2 5", (1, 1), proves="C.20 R.19"),
    case([5, 2], None, "2 5", (2, 1)),
    case([1, 2, 5], (2, 1), "1 2 5", (2, 2), proves="C.20 R.19 C.standards.rotation"),
    case([1, 2, 5], (2, 2), "1 2 5", (5, 1), proves="C.20 R.19 C.standards.rotation"),
    case([1, 2, 5], (5, 2), "1 2 5", (1, 1), proves="C.20"),
    case([1, 2, 5], (2, 2), "1 2", (1, 1), proves="R.19"),
    case([1, 2, 5], (2, 1), "1 5", (5, 1), proves="R.19"),
    case([1, 5], (2, 1), "1 5", (5, 1)),
    case([1, 2, 5], (2, 2), "2", None, proves="R.19 C.19.house_never_banks"),
    case([2], (2, 2), "2", None, proves="C.20"),
    case([2], (2, 1), "2", (2, 2)),
    case([1, 2, 5], (2, 1), "", None, proves="R.19 C.19.house_never_banks"),
    case([1, 2, 5], None, "5", (5, 1)),
    case([], None, "", None, proves="R.19"),
    case([], (2, 1), "2", None),
]


@pytest.mark.parametrize(("seated", "last", "accepting", "turn"), BANKERS)
def test_the_next_banker(
    seated: list[int],
    last: tuple[int, int] | None,
    accepting: str,
    turn: tuple[int, int] | None,
) -> None:
    willing = {int(seat) for seat in accepting.split()}
    found = next_banker(
        seated,
        BankTurn(*last) if last else None,
        rounds_in_a_row_max=own_house("california").bank.rounds_in_a_row_max,
        accepts=willing.__contains__,
    )
    assert found == (BankTurn(*turn) if turn else None)


@pytest.mark.clause("C.20", "C.standards.rotation")
def test_over_a_long_evening_no_player_banks_more_than_two_rounds_in_a_row() -> None:
    turn, seats = None, []
    for _ in range(20):
        turn = next_banker([1, 3, 4], turn, rounds_in_a_row_max=2, accepts=lambda _: True)
        assert turn
        seats.append(turn.seat)
    assert seats == [1, 1, 3, 3, 4, 4] * 3 + [1, 1]


def test_a_house_may_allow_more_rounds() -> None:
    turn = next_banker([1, 3], BankTurn(1, 4), rounds_in_a_row_max=5, accepts=lambda _: True)
    assert turn == BankTurn(1, 5)
