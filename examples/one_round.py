"""Plays one round with a fixed deal, and prints the settlement of every wager.

Run it with: .venv/bin/python examples/one_round.py
"""

from datetime import date

from openfelt.cards import format_cards, parse_cards
from openfelt.catalog import load_house
from openfelt.money import format_cents
from openfelt.rules import (
    Bet,
    Check,
    CloseBets,
    Confirm,
    DealCard,
    MakeDecision,
    Round,
    SetWagers,
    Spot,
    TurnCards,
    Wager,
    WagerKind,
    apply,
    begin,
    decide,
    open_round,
)
from openfelt.rules.round_actions import Action

SPOT = Spot(seat=1, hand=1)
WAGERS = (Wager(WagerKind.ANTE, 1000), Wager(WagerKind.TRIPS, 500))


def script() -> list[Action]:
    """Every action of the round, in order."""
    return [
        SetWagers(SPOT, WAGERS),
        CloseBets(),
        *map(DealCard, parse_cards("9h 8h Qd Qs")),
        MakeDecision(SPOT, Check()),
        *map(DealCard, parse_cards("Th 7h 2c")),
        MakeDecision(SPOT, Bet(2)),
        *map(DealCard, parse_cards("Ah 2s")),
        TurnCards(),
        Confirm(),
    ]


def play() -> Round:
    """The round after its last event."""
    house = load_house("online")
    state = begin(house, open_round(house, number=1, day=date(2026, 1, 1)))
    for action in script():
        for event in decide(state, action):
            state = apply(state, event)
    return state


def main() -> None:
    state = play()
    settlement = state.settlement
    assert settlement is not None
    print(f"Board: {format_cards(state.common)}")
    print(f"Dealer: {format_cards(state.dealer)}, {settlement.dealer_hand}")
    for line in settlement.lines:
        print(
            f"{line.wager:6} {format_cents(line.stake_cents):>7} {line.result:5}"
            f" {format_cents(line.net_cents):>8}  {line.clause:6} {line.because}"
        )
    print(f"Total: {format_cents(sum(line.net_cents for line in settlement.lines))}")


if __name__ == "__main__":
    main()
