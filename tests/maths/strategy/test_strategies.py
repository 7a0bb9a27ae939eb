from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from openfelt.cards import Card, parse_cards
from openfelt.catalog import load_house
from openfelt.maths.hands.starting_hands import starting_hands
from openfelt.maths.kernels.card_sets import CHOOSE
from openfelt.maths.kernels.records import new_record
from openfelt.maths.kernels.simulated_round import (
    FELT,
    flop_wish,
    hold_by_table,
    read_board,
    river_wish,
)
from openfelt.maths.simulation.rounds import simulate
from openfelt.maths.simulation.simulated_table import set_table
from openfelt.maths.strategy.strategies import (
    BEST_DRAW,
    STRATEGIES,
    DrawStrategy,
    HoldemStrategy,
    HoldRule,
    RiverPlay,
    box,
    line,
)
from tests.kit.own_houses import own_house


def _holdem(name: str) -> HoldemStrategy:
    strategy = STRATEGIES[name]
    assert isinstance(strategy, HoldemStrategy)
    return strategy


def _numbers(text: str) -> npt.NDArray[np.int64]:
    return np.array([card.number for card in parse_cards(text)])


def _felt(board: str) -> np.record:
    """The working space of a round with these community cards."""
    felt, cards = new_record(FELT), _numbers(board)
    felt.deck[2 : 2 + len(cards)] = cards
    return felt


def test_the_published_chart_bets_4x_with_69_kinds_of_hand() -> None:
    chart = _holdem("published_simple").tables().before_flop
    bet = {hand for hand, multiple in zip(starting_hands(), chart, strict=True) if multiple == 4}
    assert len(bet) == 69
    assert {"33", "A2o", "K2s", "K5o", "Q6s", "Q8o", "J8s", "JTo"} <= bet
    assert not {"22", "K4o", "Q5s", "Q7o", "J7s", "J9o", "T9s"} & bet


FLOPS = [
    ("Ks 7d", "Kd 8c 2h", 2),
    ("2s 2d", "Kd 8c 3h", 0),
    ("2s 2d", "Kd 8c 2h", 2),
    ("3s 3d", "Kd 8c 2h", 2),
    ("9s 7d", "Kd 8c 8h", 0),
    ("9s 7d", "9d 8c 8h", 2),
    ("Ts 4s", "9s 5s Kh", 2),
    ("9s 4s", "8s 5s Kh", 0),
    ("Th 4s", "9s 5s Ks", 0),
    ("Th 9h", "8s 7s 2d", 0),
]


@pytest.mark.parametrize(("hole", "flop", "multiple"), FLOPS)
def test_the_published_strategy_on_the_flop(hole: str, flop: str, multiple: int) -> None:
    table = set_table(load_house("online"), "published_simple").records
    assert flop_wish(_numbers(hole), table, _felt(flop)) == multiple


RIVERS = [
    ("Qs 2d", "As Kd 9c 5h 3s", 1),
    ("Ts 2d", "As Kd 9c 5h 3s", 0),
    ("9s 2d", "As Kd 9c 5h 3s", 1),
    ("2c 2d", "As Ks Qs Js Ts", 1),
    ("3s 4d", "As Ad 9c 9h 5s", 0),
]


def _river(strategy: HoldemStrategy, hole: str, board: str) -> int:
    table, felt = set_table(load_house("online"), strategy).records, _felt(board)
    read_board(felt, table.reading)
    return river_wish(_numbers(hole), table, felt)


@pytest.mark.parametrize(("hole", "board", "multiple"), RIVERS)
def test_the_published_strategy_on_the_river(hole: str, board: str, multiple: int) -> None:
    assert _river(_holdem("published_simple"), hole, board) == multiple


@pytest.mark.parametrize(("hole", "board", "multiple"), RIVERS)
def test_perfect_play_on_the_river_knows_the_clear_cases(
    hole: str, board: str, multiple: int
) -> None:
    assert _river(_holdem("simple_perfect_river"), hole, board) == multiple


def test_a_flop_table_plays_as_the_lines_it_was_made_of() -> None:
    by_lines = _holdem("published_simple")
    by_table = replace(by_lines, flop_bets=by_lines.flop_table(), on_flop=())
    house = load_house("online")
    results = [simulate(house, one, rounds=100_000) for one in (by_lines, by_table)]
    assert results[0] == results[1]
    assert by_table.describe()[1] == "On the flop bet 2x by the exact table."


def test_a_table_of_holds_is_read_whatever_the_order_of_the_cards() -> None:
    holds = np.zeros(2_598_960, dtype=np.uint8)
    low_to_high = parse_cards("2c 5d 9h Ks As")
    number = sum(int(CHOOSE[card.number, k]) for k, card in enumerate(low_to_high, 1))
    holds[number] = 0b11000
    for text in ("2c 5d 9h Ks As", "As 2c Ks 9h 5d"):
        bits = hold_by_table(_numbers(text), holds)
        held = {card for place, card in enumerate(parse_cards(text)) if bits >> place & 1}
        assert held == {Card.parse("Ks"), Card.parse("As")}


def test_a_table_that_holds_everything_stands_pat() -> None:
    table = DrawStrategy(
        name="stand_pat",
        title="Hold every card",
        rule=HoldRule.BY_TABLE,
        holds=np.full(2_598_960, 31, dtype=np.uint8),
    )
    house = load_house("draw")
    assert simulate(house, table, rounds=20_000) == simulate(house, "stand_pat", rounds=20_000)


def test_every_shipped_strategy_can_be_told_and_played() -> None:
    for name, strategy in STRATEGIES.items():
        assert strategy.name == name
        assert all(told.endswith(".") for told in strategy.describe())
        # The best holds beside a Bonus are read as those of the Ante alone are.
        if name.startswith(f"{BEST_DRAW}_"):
            continue
        house = load_house("draw" if isinstance(strategy, DrawStrategy) else "online")
        assert simulate(house, strategy, rounds=200).rounds == 200


def _with(**changes: object) -> HoldemStrategy:
    return replace(_holdem("published_simple"), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"before_flop": {4: "AA", 3: "KK+"}}, "AA is in the chart twice"),
        ({"before_flop": {4: "AX"}}, "'AX' is not a starting hand"),
        ({"on_flop": (line("suits", box(suits=3)),)}, "no feature 'suits'"),
        ({"on_flop": (line("outs", box(outs=3)),)}, "no feature 'outs'"),
        ({"on_river": (line("all", *(box(),) * 65),)}, "64 boxes at most, not 65"),
        ({"flop_bets": np.zeros((3, 3), dtype=np.uint8)}, "shape"),
    ],
)
def test_strategies_that_make_no_sense_are_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        _with(**changes).tables()


def test_strategies_bet_only_what_the_house_offers() -> None:
    only_3x = own_house("online", {"play.before_flop": [3]})
    with pytest.raises(ValueError, match="bets 4x before the flop; online offers 3x there"):
        simulate(only_3x, "published_simple", rounds=1)
    no_flop = own_house("online", {"play.on_flop": []})
    with pytest.raises(ValueError, match="on the flop; online offers no bet there"):
        simulate(no_flop, "published_simple", rounds=1)
    draw, online = load_house("draw"), load_house("online")
    with pytest.raises(ValueError, match="plays Ultimate Texas Hold'em"):
        simulate(draw, STRATEGIES["published_simple"], rounds=1)
    with pytest.raises(ValueError, match="plays Ultimate Draw Poker"):
        simulate(online, STRATEGIES["house_way"], rounds=1)


def test_perfect_river_play_takes_the_best_of_several_bets() -> None:
    house = own_house("online", {"play.on_river": [1, 3]})
    strategy = _with(on_river=(), river=RiverPlay.PERFECT)
    decisions = simulate(house, strategy, rounds=5_000).decisions
    assert decisions["bet_3x"] > 0
    assert decisions["bet_1x"] > 0
