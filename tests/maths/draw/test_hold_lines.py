"""Strategies of Ultimate Draw in plain lines: what each line holds, and how lines are read."""

import numpy as np
import pytest

from openfelt.cards import format_cards, parse_cards
from openfelt.maths.draw.hold_lines import (
    held_by_lines,
    parse_line,
    parse_lines,
)


def held(text: str, *lines: str) -> str:
    """What some lines hold of a hand."""
    cards = sorted(parse_cards(text), key=lambda card: card.number)
    numbers = np.array([[card.number for card in cards]])
    (bits,) = held_by_lines([parse_line(line) for line in lines], numbers).tolist()
    return format_cards([card for place, card in enumerate(cards) if bits >> place & 1])


@pytest.mark.parametrize(
    ("line", "hand", "cards"),
    [
        ("a straight or better", "2s 3d 4c 5h Ad", "2s 3d 4c 5h Ad"),
        ("a straight or better", "2s 9s 4s 5s As", "2s 4s 5s 9s As"),
        ("a straight or better", "2s 2d 2c 5h 5d", "2d 2c 2s 5d 5h"),
        ("a straight or better", "2s 2d 2c 5h 6d", ""),
        ("a straight or better", "Js Qd Kc Ah 2d", ""),
        ("three of a kind", "2s 2d 2c 5h 6d", "2c 2d 2s"),
        ("two pair", "2s 2d 5c 5h 6d", "2d 2s 5c 5h"),
        ("a pair", "2s 2d 5c 7h 6d", "2d 2s"),
        ("a pair of threes or better", "2s 2d 5c 7h 6d", ""),
        ("a pair of sixes or better", "6s 6d 5c 7h 2d", "6d 6s"),
        ("a pair of sixes", "7s 7d 5c 6h 2d", ""),
        ("four to a flush", "2s 2d 5s 9s Ks", "2s 5s 9s Ks"),
        ("four to a flush", "2s 4s 5s 9s Ks", ""),
        ("three to a straight flush", "As 2s 4s 9d Kd", "2s 4s As"),
        ("three to a straight flush", "As 2s 7s 9d Kd", ""),
        ("three to a royal flush", "As Ts Qs 9d 2d", "Ts Qs As"),
        ("four in sequence", "As Kd Qc Jh 2d", "Jh Qc Kd As"),
        ("four in sequence", "As 2d 3c 4h 9d", "2d 3c 4h As"),
        ("four in sequence, open at both ends", "As Kd Qc Jh 2d", ""),
        ("four in sequence, open at both ends", "Ts Kd Qc Jh 2d", "Ts Jh Qc Kd"),
        ("four in sequence, open at both ends", "5s 5d 6c 7h 8d", "5d 6c 7h 8d"),
        ("an ace and a king", "As Kd 2c 4d 9h", "Kd As"),
        ("an ace and a king", "As Qd 2c 4d 9h", ""),
        ("a suited ace and king", "As Kd 2c 4d 9h", ""),
        ("a suited ace and king", "As Ks 2c 4d 9h", "Ks As"),
        ("an ace, a king and a queen", "As Ks Qc 4d 9h", "Qc Ks As"),
        ("nothing", "As Ks Qc 4d 9h", ""),
    ],
)
def test_what_a_line_holds(line: str, hand: str, cards: str) -> None:
    found = held(hand, line)
    assert sorted(found.split()) == sorted(cards.split())


def test_the_first_line_that_fits_counts() -> None:
    assert held("2s 2d 5s 9s Ks", "a king", "four to a flush") == "Ks"
    assert held("2s 2d 5s 9s Kd", "four to a flush", "a king") == "Kd"
    assert held("2s 3d 5s 9s Td", "four to a flush", "a king") == ""


def test_lines_are_read_with_comments_and_any_case() -> None:
    lines = parse_lines("# mine\nTwo  Pair.\n\na pair # any\n")
    assert [str(line) for line in lines] == ["two pair", "a pair"]


@pytest.mark.parametrize(
    "text", ["a flush of luck", "a pair of kinks or better", "a king and a king"]
)
def test_a_line_that_names_no_cards_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="names no cards to hold"):
        parse_line(text)


def test_a_strategy_without_a_line_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a line"):
        parse_lines("# nothing here\n")
