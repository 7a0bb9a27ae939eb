"""A player/dealer's bank: who is settled when, how far the cover reaches, and the collection.

C.betting.4 and C.19: losing wagers are collected and winning ones paid to the extent of the bank
wager; what it does not cover goes back. Ruling 18 says what uses it up.
"""

from collections.abc import Iterable

from tests.laboratory.referee_sheet import Hand, House, Result, Sheet


def clockwise(seats: Iterable[int], banker_seat: int) -> list[int]:
    """Seats from the player/dealer's left: those with higher numbers, then from 1 again."""
    return sorted(seats, key=lambda seat: (seat <= banker_seat, seat))


def in_action_order(
    house: House, results: dict[Hand, list[Result]], banker_seat: int
) -> list[Result]:
    """Every result in the order in which the bank meets it; folded losses first (C.6.1)."""
    order = clockwise({hand.seat for hand in results}, banker_seat)
    hands = sorted(results, key=lambda hand: (order.index(hand.seat), hand.number))
    first = [
        result
        for hand in hands
        if house.folds_first and (hand.folded or hand.ended == "fouled")
        for result in results[hand]
        if result.result == "lose"
    ]
    return first + [result for hand in hands for result in results[hand] if result not in first]


def settle_by_cover(
    house: House, results: list[Result], cover_cents: int
) -> tuple[list[Result], int]:
    """The results to the extent that the bank wager covers them, and what is left of it."""
    settled = []
    left = cover_cents
    for result in results:
        if result.result == "push":
            settled.append(result)  # Nothing changes hands, so it needs no cover.
        elif left == 0:
            settled.append(
                result._replace(result="returned", returned_cents=result.stake_cents, paid_cents=0)
            )
        elif result.result == "win":
            paid_cents = min(result.paid_cents, left)
            left -= paid_cents
            settled.append(result._replace(paid_cents=paid_cents))
        elif result.result == "lose" and house.cover == "action":
            taken_cents = min(result.stake_cents, left)
            left -= taken_cents
            settled.append(result._replace(returned_cents=result.stake_cents - taken_cents))
        else:
            settled.append(result)
    return settled, left


def dues(house: House, sheet: Sheet) -> dict[int, int]:
    """The flat collection of each seat (ruling 20); the player/dealer's by the largest Ante."""
    fees: dict[int, int] = {}
    largest = 0
    for hand in sheet.hands:
        ante_cents = sum(bet.cents for bet in hand.bets if bet.wager == "ante")
        largest = max(largest, ante_cents)
        fees[hand.seat] = 0 if hand.ended == "void" else _band(house, ante_cents)[1]
    fees[sheet.banker_seat] = _band(house, largest)[2]
    return fees


def _band(house: House, ante_cents: int) -> tuple[int, int, int]:
    if not ante_cents:
        return 0, 0, 0
    return next(band for band in house.collection if ante_cents <= band[0])
