"""The kernels settle random whole rounds as the rules engine does, line by line."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from random import Random
from typing import Any

import numpy as np
import pytest

from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels import simulated_round, simulated_settlement
from openfelt.maths.kernels.records import new_record
from openfelt.maths.kernels.simulated_round import FELT
from openfelt.maths.kernels.simulated_settlement import BOOKS, LINE_NAMES, RESULT_NAMES
from openfelt.maths.simulation.house_records import house_tables, lay_table
from openfelt.rules import Beneficiary, Bet, House, Round, Settlement
from openfelt.rules.house import GameName
from tests.kit.cases import with_variants
from tests.kit.felt import played
from tests.kit.own_houses import own_house
from tests.kit.random_rounds import random_round

FINAL_SEVEN = """
version = 1
source = "For tests."
[[paytable]]
name = "PRG-OWN"
wager = "progressive"
clause = "R.21"
reads = "final_seven"
rows = [
  { hand = "royal flush",     share = "100%", envy = 7 },
  { hand = "straight flush",  share = "33%", envy = 3 },
  { hand = "four of a kind",  share = "33%" },
  { hand = "full house",      share = "1.5%", envy = 2 },
  { hand = "flush",           for_one = 40 },
  { hand = "straight",        for_one = 30 },
  { hand = "three of a kind", for_one = 9 },
]
"""
DEALT_FIVE = FINAL_SEVEN.replace("final_seven", "dealt_five")
PROGRESSIVE = {
    "wagers.progressive": {
        "min_cents": 100,
        "max_cents": 100,
        "multiple_of_cents": 100,
        "paytable": "PRG-OWN",
    },
    "progressive": {"contribution": "25%", "seed_cents": 10_000},
}
ODD_CENTS = {"wagers.ante.multiple_of_cents": 1, "wagers.trips.multiple_of_cents": 1}
QUARTERS = {"min_cents": 25, "max_cents": 10_000, "multiple_of_cents": 25}
DIMES = dict.fromkeys(ODD_CENTS, 10)
TIPS = {"dealer_wagers": {"min_cents": 1, "max_cents": 10_000, "multiple_of_cents": 1}}
BANKED = {"bank": {"kind": "player_dealer"}, "table.settlement_order": "from_bankers_left"}

AGGREGATES: dict[str, Any] = {
    "limits": [
        {
            "since": date(2000, 1, 1),
            "source": "The tests.",
            "payout_aggregates": {"blind": 50_000, "trips": 25_000},
        }
    ],
    "wagers.ante.max_cents": 1000,
    "wagers.trips.max_cents": 500,
}
TRIPS_AGGREGATE: dict[str, Any] = AGGREGATES | {"wagers.trips.min_cents": 500}
"""Aggregates of 50 times the largest wager, which are small enough to be reached often."""
BUILT_IN = {"washington", "online", "california", "stadium", "draw"}
HOUSES: dict[str, House] = {
    "washington": own_house("washington"),
    "online": own_house("online"),
    "california": own_house("california"),
    "stadium": own_house("stadium"),
    "draw": own_house("draw"),
    "odd cents": own_house("online", ODD_CENTS),
    "odd cents, dimes": own_house("online", {**DIMES, "rounding_unit_cents": 10}),
    "pair of fives qualifies": own_house(
        "stadium", {"dealer_qualifies": {"hand": "pair", "at_least": "5"}}
    ),
    "pays by payouts": own_house("california", {**ODD_CENTS, "bank.cover": "payouts"}),
    "refunds first": own_house("california", {"table.refund_antes_first": True}),
    "folds in turn": own_house("california", {**ODD_CENTS, "bank.folds_first": False}),
    "aggregates": own_house("washington", AGGREGATES),
    "aggregates for the dealer": own_house(
        "stadium",
        {
            **TRIPS_AGGREGATE,
            "rounding_unit_cents": 50,
            "dealer_wagers": {"min_cents": 50, "max_cents": 500, "multiple_of_cents": 50},
        },
    ),
    "other tables": own_house(
        "stadium",
        {
            "wagers.ultimate_pairs.paytable": "UPB-6",
            "wagers.play_the_board.paytable": "PTB-03",
            "wagers.bad_beat.paytable": "BBB-03",
            "wagers.blind.paytable": "UTH-05",
            "wagers.trips.paytable": "UTH-04",
            "table.settlement_order": "left_to_right",
        },
    ),
    "own progressive": own_house("stadium", PROGRESSIVE, paytables=FINAL_SEVEN),
    "own progressive in order": own_house(
        "stadium",
        {**PROGRESSIVE, "progressive.several_winners": "in_order", "rounding_unit_cents": 5},
        paytables=FINAL_SEVEN,
    ),
    "other multiples": own_house(
        "online", {"play.before_flop": [2, 5], "play.on_flop": [], "play.on_river": [1, 3]}
    ),
    "draw for the dealer": own_house(
        "draw",
        {**PROGRESSIVE, "rounding_unit_cents": 25, "dealer_wagers": QUARTERS},
        paytables=DEALT_FIVE,
    ),
    "draw, dealt five": own_house("draw", PROGRESSIVE, paytables=DEALT_FIVE),
    "draw, banked": own_house(
        "draw", {**BANKED, **TIPS, "table.refund_antes_first": True, "wagers.ante.min_cents": 1,
                 "wagers.ante.multiple_of_cents": 1},
    ),
}  # fmt: skip
ROUNDS = 1000
ROUNDS_OF_VARIANTS = 400

Money = dict[tuple[int, str, str], tuple[str, int, int, int]]
"""By seat and hand, line and beneficiary: result, stake, what goes back, what is paid."""


def _engine_money(settlement: Settlement, places: dict[object, int]) -> Money:
    money: Money = {}
    for line in settlement.lines:
        key = places[line.spot], line.wager, line.beneficiary.value
        _, _, _, before = money.get(key, ("", 0, 0, 0))
        assert before == 0 or line.wager == "envy"
        paid = before + line.payout_cents
        money[key] = line.result.value, line.stake_cents, line.returned_cents, paid
    return money


def _kernel_money(books: np.record) -> Money:
    return {
        (hand, LINE_NAMES[line], list(Beneficiary)[who].value): (
            RESULT_NAMES[books.results[hand, who, line]],
            int(books.stakes[hand, who, line]),
            int(books.returned[hand, who, line]),
            int(books.payouts[hand, who, line]),
        )
        for hand, who, line in np.argwhere(books.results).tolist()
    }


def _settle(state: Round, tables: np.record, meter_cents: int) -> tuple[np.record, int]:
    """Settle the engine's round with the kernels."""
    layout = lay_table(
        state.house,
        {
            spot: [wager for wager in hand.wagers if wager.kind.value != "play"]
            for spot, hand in state.hands.items()
        },
        banker=state.opened.banker,
        meter_cents=meter_cents,
        day=state.opened.day,
    )
    reading = reading_tables()
    felt = new_record(FELT)
    books = new_record(BOOKS)
    table_cards = [card.number for card in (*state.dealer, *state.common)]
    felt.deck[: len(table_cards)] = table_cards
    for place, hand in enumerate(state.hands.values()):
        felt.cards[place, : len(hand.cards)] = [card.number for card in hand.cards]
        decision = hand.final_decision
        if isinstance(decision, Bet):
            felt.multiples[place] = decision.multiple
        if hand.held is not None:
            bits = [1 << at for at, card in enumerate(hand.cards) if card in hand.held]
            felt.multiples[place] = sum(bits)
    if state.house.game is GameName.ULTIMATE_DRAW:
        return books, simulated_round.settle_draw_round(
            felt, tables, layout, reading, books, felt.multiples
        )
    simulated_round.read_board(felt, reading)
    return books, simulated_round.settle_holdem_round(felt, tables, layout, reading, books)


def _rounds(name: str, count: int) -> Iterator[tuple[Round, np.record, int]]:
    random = Random(name)
    tables = house_tables(HOUSES[name])
    for _ in range(count):
        state, meter_cents = random_round(HOUSES[name], random)
        yield state, *_settle(state, tables, meter_cents)


@pytest.mark.slow
@pytest.mark.parametrize("name", with_variants(HOUSES, plain=8))
def test_kernels_settle_as_the_rules_engine_does(name: str) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for state, books, left in _rounds(name, ROUNDS if name in BUILT_IN else ROUNDS_OF_VARIANTS):
        assert state.settlement is not None
        places: dict[object, int] = {spot: place for place, spot in enumerate(state.hands)}
        engine = _engine_money(state.settlement, places)
        assert _kernel_money(books) == engine, state
        assert left == (-1 if state.opened.banker is None else state.settlement.cover_left_cents), (
            state
        )
        seen.update((line, result) for (_, line, _), (result, *_) in engine.items())
        seen["shares", "paid"] += state.settlement.meter_paid_cents > 0
        for line in state.settlement.lines:
            seen[line.wager, "cut"] += line.over_aggregate_cents > 0
    offered = {rule.kind.value for rule in HOUSES[name].wagers}
    if HOUSES[name].progressive:
        assert seen["shares", "paid"] > 0
        assert seen["envy", "win"] > 0
    for kind in offered:
        assert {result for found, result in seen if found == kind} >= {"win", "lose"}, kind
    for limits in HOUSES[name].limits:
        for aggregate in limits.payout_aggregates:
            assert seen[aggregate.wager, "cut"] > 0


@pytest.mark.clause("R.22", "R.24")
@pytest.mark.parametrize("meter_cents", [1, 99_999])
@pytest.mark.parametrize("name", ["own progressive", "own progressive in order"])
def test_shares_beside_a_whole_meter_come_from_its_seed(name: str, meter_cents: int) -> None:
    felt = played(
        HOUSES[name],
        bets=dict.fromkeys(("1.1", "2.1", "3.1"), "ante 10, progressive 1"),
        cards={
            "1.1": "Ac Td",
            "2.1": "Qs 2c",
            "3.1": "Ad Tc",
            "dealer": "3c 4d",
            "common": "As Ks Ah Js Ts",
        },
        decisions=dict.fromkeys(("1.1", "2.1", "3.1"), "4x"),
        meter_cents=meter_cents,
    )
    books, _ = _settle(felt.state, house_tables(HOUSES[name]), meter_cents)
    places: dict[object, int] = {spot: place for place, spot in enumerate(felt.state.hands)}
    assert _kernel_money(books) == _engine_money(felt.settlement, places)
    assert felt.line("2.1", "progressive").payout_cents >= meter_cents // 2
    assert felt.line("1.1", "progressive").payout_cents > 0


@pytest.mark.parametrize(
    "name", ["california", "own progressive", "draw for the dealer", "aggregates"]
)
def test_kernels_settle_alike_uncompiled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = [(state, _kernel_money(books), left) for state, books, left in _rounds(name, 30)]
    for module in (simulated_round, simulated_settlement):
        for attribute, value in vars(module).items():
            if hasattr(value, "py_func"):
                monkeypatch.setattr(module, attribute, value.py_func)
    with np.errstate(over="ignore"):
        plain = [(state, _kernel_money(books), left) for state, books, left in _rounds(name, 30)]
    assert plain == compiled
