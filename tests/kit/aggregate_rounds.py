"""A round whose payouts reach an aggregate."""

from tests.kit.felt import Felt, played
from tests.kit.own_houses import own_house


def aggregate_round() -> Felt:
    """Three hands with four of a kind on the board; Trips are due $60, and paid $50."""
    house = own_house(
        "washington",
        {"wagers.trips.max_cents": 100, "limits.1.payout_aggregates": {"trips": 5000}},
    )
    return played(
        house,
        bets={"1.1": "ante 5, trips 1", "2.1": "ante 5, trips 1", "3.1": "ante 5"},
        cards={
            "1.1": "Ac 2d",
            "2.1": "Kd Qc",
            "3.1": "8c 7c",
            "dealer": "Kc 3c",
            "common": "9c 9d 9h 9s 4d",
        },
        decisions={"1.1": "4x", "2.1": "4x", "3.1": "4x"},
    )
