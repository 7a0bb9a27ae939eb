"""Who banks the next round of a table that its players bank in turn, and with how much."""

from collections.abc import Callable

from openfelt.cli.play.game import Game
from openfelt.cli.play.opponents import bank_wager_cents
from openfelt.money import format_cents, parse_cents
from openfelt.rules import Banker
from openfelt.table import BankTurn, next_banker
from openfelt.table.collection import banker_due_max_cents

AskBank = Callable[[], int | None]
"""Asks the player for a bank wager in cents; None where the player declines."""


def next_bank(game: Game, last: BankTurn | None, ask: AskBank) -> tuple[BankTurn, Banker] | None:
    """The player/dealer of the next round and the bank wager; None where nobody takes it."""
    offered_cents: list[int] = []

    def accepts(seat: int) -> bool:
        if seat != game.seat:
            return True
        if game.credit_cents <= banker_due_max_cents(game.house):
            return False
        cents = ask()
        if cents is not None:
            offered_cents.append(cents)
        return cents is not None

    seats = [game.seat, *(one.seat for one in game.opponents)]
    turn = next_banker(
        seats, last, rounds_in_a_row_max=game.house.bank.rounds_in_a_row_max, accepts=accepts
    )
    if turn is None:
        return None
    if turn.seat == game.seat:
        return turn, Banker(turn.seat, offered_cents[-1])
    banker = next(one for one in game.opponents if one.seat == turn.seat)
    game.top_up(banker)
    cents = bank_wager_cents(game.house, game.draw_below, game.book.of(turn.seat))
    return turn, Banker(turn.seat, cents)


def read_bank(text: str, game: Game) -> int | None:
    """Read the player's answer: an amount, or None for passing. ValueError says what is wrong."""
    words = text.removeprefix("bank").strip()
    if words in ("pass", "no", "n", "decline"):
        return None
    if not words:
        raise ValueError("Type a bank wager such as 200, or pass.")
    most_cents = game.credit_cents - banker_due_max_cents(game.house)
    cents = most_cents if words == "all" else parse_cents(words)
    if cents == 0:
        raise ValueError("A bank wager is more than nothing. Type pass to decline.")
    if cents > most_cents:
        raise ValueError(
            f"You can bank with {format_cents(most_cents)} at most, "
            "your credit less the collection."
        )
    return cents
