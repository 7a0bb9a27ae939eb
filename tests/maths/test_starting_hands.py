import pytest

from openfelt.maths.starting_hands import grid_place, parse_starting_hands, starting_hands


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
