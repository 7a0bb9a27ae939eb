"""The next banker of a table whose players bank in turn (C.20, R.19)."""

from collections.abc import Callable, Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BankTurn:
    """A player's turn as player/dealer."""

    seat: int
    rounds: int
    """How many rounds in a row the player has banked, this one included."""


def next_banker(
    seated: Collection[int],
    last: BankTurn | None,
    *,
    rounds_in_a_row_max: int,
    accepts: Callable[[int], bool],
    has_left: bool = False,
) -> BankTurn | None:
    """The player/dealer of the next round, or None if no player may or wants to bank it.

    The last banker continues up to the limit; then the bank moves clockwise to the next
    player who accepts. The house never takes it. If the last banker ``has_left``, a new player
    at that seat is asked like any other, when the bank has gone round to it.

    >>> next_banker([1, 2, 5], BankTurn(2, 2), rounds_in_a_row_max=2, accepts=lambda seat: True)
    BankTurn(seat=5, rounds=1)
    """
    stays = None if last is None or has_left or last.seat not in seated else last
    if stays and stays.rounds < rounds_in_a_row_max and accepts(stays.seat):
        return BankTurn(stays.seat, stays.rounds + 1)
    after = last.seat if last else 0
    clockwise = sorted(seated, key=lambda seat: (seat <= after, seat))
    for seat in clockwise:
        if not (stays and seat == stays.seat) and accepts(seat):
            return BankTurn(seat, 1)
    return None
