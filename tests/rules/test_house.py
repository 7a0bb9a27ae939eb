"""What a house can be asked."""

from datetime import date

import pytest

from openfelt.rules import WagerKind
from openfelt.rules.house import GameName
from tests.kit.own_houses import own_house


@pytest.mark.parametrize(
    ("day", "since"),
    [
        (date(2008, 12, 31), None),
        (date(2009, 1, 1), date(2009, 1, 1)),
        (date(2023, 8, 18), date(2009, 1, 1)),
        (date(2023, 8, 19), date(2023, 8, 19)),
        (date(9999, 12, 31), date(2023, 8, 19)),
    ],
)
def test_the_newest_limits_that_have_begun_are_in_force(day: date, since: date | None) -> None:
    limits = own_house("washington").limits_on(day)
    assert (limits.since if limits else None) == since


def test_the_order_of_the_limits_in_the_file_does_not_matter() -> None:
    house = own_house("washington")
    turned = own_house(
        "washington",
        {
            "limits": [
                {"since": date(2023, 8, 19), "single_wager_max_cents": 40000, "source": "law"},
                {"since": date(2009, 1, 1), "single_wager_max_cents": 30000, "source": "law"},
            ]
        },
    )
    for day in (date(2010, 1, 1), date(2024, 1, 1)):
        one, other = house.limits_on(day), turned.limits_on(day)
        assert one
        assert other
        assert one.single_wager_max_cents == other.single_wager_max_cents


def test_a_house_without_dated_limits_has_none() -> None:
    assert own_house("online").limits_on(date(2026, 1, 1)) is None


@pytest.mark.parametrize(
    ("house_id", "kinds"),
    [
        ("washington", "ante blind trips bad_beat ultimate_pairs progressive"),
        ("online", "ante blind trips"),
        ("california", "ante blind trips"),
        ("stadium", "ante blind trips bad_beat ultimate_pairs play_the_board"),
        ("draw", "ante bonus"),
    ],
)
def test_each_house_offers_its_wagers(house_id: str, kinds: str) -> None:
    house = own_house(house_id)
    assert " ".join(rule.kind for rule in house.wagers) == kinds
    for kind in WagerKind:
        rule = house.wager(kind)
        assert (rule is not None) == (kind in kinds.split())


def test_the_blind_has_the_limits_of_the_ante() -> None:
    house = own_house("stadium")
    ante, blind = house.wager(WagerKind.ANTE), house.wager(WagerKind.BLIND)
    assert ante
    assert blind
    assert (ante.min_cents, ante.max_cents) == (blind.min_cents, blind.max_cents)


def test_a_table_that_the_house_does_not_have_is_a_lookup_error() -> None:
    house = own_house("online")
    assert house.hand_table(WagerKind.TRIPS).name == "UTH-03"
    with pytest.raises(LookupError, match="online has no Bad Beat table"):
        house.hand_table(WagerKind.BAD_BEAT)
    with pytest.raises(LookupError, match="no Ultimate Pairs table"):
        house.pairs_table()
    with pytest.raises(LookupError, match="no Progressive table"):
        house.progressive_table()
    with pytest.raises(LookupError, match="no Ante table"):
        house.hand_table(WagerKind.ANTE)


def test_a_game_in_words() -> None:
    assert GameName.ULTIMATE_HOLDEM.words == "Ultimate Texas Hold'em"
    assert GameName.ULTIMATE_DRAW.words == "Ultimate Draw Poker"
