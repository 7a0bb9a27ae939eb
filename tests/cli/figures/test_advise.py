"""``openfelt advise``."""

from fractions import Fraction
from itertools import combinations

import pytest

from openfelt.cards import parse_cards
from openfelt.cli.figures.draw_advice import basic_sentence
from openfelt.maths.draw.hold_advice import HoldValue
from tests.kit.cli.commands import complaint, facts, output


def test_the_best_decision_stands_first(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "advise", "--hole", "Ah Kd").splitlines()
    assert shown[1].split()[:2] == ["Bet", "4x"]
    assert shown[1].endswith("best")


def test_json_gives_actions_and_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "advise", "--hole", "7h2d", "--board", "Ac Kc Qd Jd 9s")
    assert [one["action"] for one in found["actions"]] == ["fold", "bet_1x"]
    assert found["best"] == "fold"
    for one in found["actions"]:
        assert one["ev"] == pytest.approx(float(Fraction(one["ev_fraction"])))


def test_seen_cards_change_the_value(capsys: pytest.CaptureFixture[str]) -> None:
    board = ("--board", "2c 7h 9d")
    plain = facts(capsys, "advise", "--hole", "Ah Kd", *board)
    seen = facts(capsys, "advise", "--hole", "Ah Kd", *board, "--seen", "As Ac Kh Ks")
    assert seen["seen"] == ["As", "Ac", "Kh", "Ks"]
    assert seen["actions"][1]["ev"] < plain["actions"][1]["ev"]


def test_a_flashed_dealer_card_changes_the_value(capsys: pytest.CaptureFixture[str]) -> None:
    board = ("--board", "2c 7h 9d Js 3c")
    plain = facts(capsys, "advise", "--hole", "Ah Kd", *board)
    flashed = facts(capsys, "advise", "--hole", "Ah Kd", *board, "--dealer", "Jd")
    assert flashed["actions"][1]["ev"] < plain["actions"][1]["ev"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), 'Give your two cards, such as --hole "Ah Kd".'),
        (("--hole", "Kh Kh"), "Kh is given more than once"),
        (("--hole", "Kh"), "two hole cards"),
        (("--hole", "Kh Qz"), "is not a card"),
        (("--hole", "Kh Qd", "--board", "2c 3c"), "0, 3 or 5 cards"),
        (("--hole", "Kh Qd", "--seen", "As As As"), "openfelt: As is given more than once.\n"),
        (("--hole", "Kh Qd", "--seen", "Kh Qd"), "Qd Kh are given more than once."),
        (("--hole", "Kh Qd", "--house", "nowhere"), "no house called 'nowhere'"),
        (("--hole", "Kh Qd", "--house", "draw"), "not Ultimate Texas Hold'em"),
    ],
)
def test_impossible_questions_get_a_clear_answer(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, code = complaint(capsys, "advise", *arguments)
    assert said in sentence
    assert code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--game", "draw"), 'Give your five cards, such as --hand "Ks Kd 9s 5h 2s".'),
        (("--game", "draw", "--hand", "Ks Kd 9s 5h Ks"), "Ks is given more than once"),
        (("--game", "draw", "--hand", "Ks Kd 9s 5h 2s", "--hole", "Ah Kd"), "are for hold'em"),
        (("--game", "draw", "--hand", "Ks Kd 9s 5h 2s", "--bonus", "some"), "is not a number"),
        (("--game", "draw", "--hand", "Ks Kd 9s 5h 2s", "--bonus", "-1"), "cannot be negative"),
        (("--game", "draw", "--hand", "Ks Kd 9s 5h 2s", "--house", "online"), "not Ultimate Draw"),
        (("--hole", "Kh Qd", "--hand", "Ks Kd 9s 5h 2s"), "add --game draw"),
    ],
)
def test_impossible_questions_about_draw_get_a_clear_answer(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, code = complaint(capsys, "advise", *arguments)
    assert said in sentence
    assert code == 2


@pytest.mark.sweep
def test_every_hold_of_a_draw_hand_is_priced(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "advise", "--game", "draw", "--hand", "Ks Kd 9s 5h 2s", "--bonus", "0.5")
    assert len(found["holds"]) == 32
    best = found["holds"][0]
    assert best["held"] == ["Kd", "Ks"]
    assert best["win"] + best["tie"] + best["lose"] + best["unqualified"] == pytest.approx(1)
    shown = output(capsys, "advise", "--game", "draw", "--hand", "Ks Kd 9s 5h 2s").splitlines()
    assert shown[1].startswith("Kd Ks")
    assert len(shown) == 34
    assert shown[-1] == (
        "The basic strategy holds Kd Ks (line 4, a pair of fours or better), which is as good as "
        "any."
    )


def test_the_basic_strategy_stands_below_the_holds() -> None:
    hand = parse_cards("2c 3d Tc Kh As")
    nothing = Fraction(0)
    values = [
        HoldValue(held, nothing, nothing, nothing, {}, Fraction(4 - len(held), 8), nothing, nothing)
        for size in range(6)
        for held in combinations(hand, size)
    ]
    assert basic_sentence(values) == (
        "The basic strategy holds Kh As (line 6, an ace and a king), which costs 0.250000 Antes."
    )
