from random import Random

import pytest

from openfelt.maths.hands.starting_hands import (
    grid_place,
    parse_starting_hands,
    starting_hands,
    write_starting_hands,
)


def test_there_are_169_starting_hands() -> None:
    assert len(set(starting_hands())) == 169
    assert [starting_hands()[grid_place(hand)] for hand in ("AA", "72o", "T9s")] == [
        "AA",
        "72o",
        "T9s",
    ]


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("", ()),
        ("JTo", ("JTo",)),
        ("KK+", ("KK", "AA")),
        ("Q9s+, 22", ("Q9s", "QTs", "QJs", "22")),
        ("AK", ("AKs", "AKo")),
        ("AQ+", ("AQs", "AKs", "AQo", "AKo")),
        ("any", starting_hands()),
    ],
)
def test_reads_lists_of_starting_hands(text: str, hands: tuple[str, ...]) -> None:
    assert parse_starting_hands(text) == hands


@pytest.mark.parametrize("text", ["KA", "22s", "1A", "AKx", "A", "AK-"])
def test_refuses_what_is_no_starting_hand(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        parse_starting_hands(text)


@pytest.mark.parametrize(
    "text", ["", "any", "JTo", "33+, A2+, K2s+, K5o+, Q6s+, Q8o+, J8s+, JTo", "77, K9+, KTs, 32"]
)
def test_writes_lists_that_read_back_the_same(text: str) -> None:
    hands = parse_starting_hands(text)
    assert set(parse_starting_hands(write_starting_hands(hands))) == set(hands)


def test_writes_what_it_read() -> None:
    random = Random(2)
    for _ in range(200):
        hands = random.sample(starting_hands(), random.randint(0, 169))
        written = write_starting_hands(hands)
        assert sorted(parse_starting_hands(written)) == sorted(hands)
        assert write_starting_hands(parse_starting_hands(written)) == written
