"""Wagers as they are typed."""

import pytest

from openfelt.catalog import load_house
from openfelt.cli.play.wager_words import (
    changed,
    doubled,
    read_change,
    split_changes,
    wager_list,
)
from openfelt.rules import Beneficiary, Wager, WagerKind

K, DEALER = WagerKind, Beneficiary.DEALER


@pytest.mark.parametrize(
    ("typed", "kind", "cents", "add", "beneficiary"),
    [
        ("10", K.ANTE, 1000, False, Beneficiary.PLAYER),
        ("$10", K.ANTE, 1000, False, Beneficiary.PLAYER),
        ("2.50", K.ANTE, 250, False, Beneficiary.PLAYER),
        ("1,000", K.ANTE, 100_000, False, Beneficiary.PLAYER),
        ("+5", K.ANTE, 500, True, Beneficiary.PLAYER),
        ("ante 10", K.ANTE, 1000, False, Beneficiary.PLAYER),
        ("blind 10", K.ANTE, 1000, False, Beneficiary.PLAYER),
        ("trips 5", K.TRIPS, 500, False, Beneficiary.PLAYER),
        ("trips5", K.TRIPS, 500, False, Beneficiary.PLAYER),
        ("trips +5", K.TRIPS, 500, True, Beneficiary.PLAYER),
        ("trips off", K.TRIPS, 0, False, Beneficiary.PLAYER),
        ("trips", K.TRIPS, None, False, Beneficiary.PLAYER),
        ("pairs 5", K.ULTIMATE_PAIRS, 500, False, Beneficiary.PLAYER),
        ("ultimate pairs 5", K.ULTIMATE_PAIRS, 500, False, Beneficiary.PLAYER),
        ("bad beat 5", K.BAD_BEAT, 500, False, Beneficiary.PLAYER),
        ("bb 5", K.BAD_BEAT, 500, False, Beneficiary.PLAYER),
        ("board 5", K.PLAY_THE_BOARD, 500, False, Beneficiary.PLAYER),
        ("play the board 5", K.PLAY_THE_BOARD, 500, False, Beneficiary.PLAYER),
        ("bonus 5", K.BONUS, 500, False, Beneficiary.PLAYER),
        ("prog", K.PROGRESSIVE, None, False, Beneficiary.PLAYER),
        ("dealer ante 5", K.ANTE, 500, False, DEALER),
        ("dealer 5", K.ANTE, 500, False, DEALER),
        ("dealer trips +5", K.TRIPS, 500, True, DEALER),
    ],
)
def test_every_wager_can_be_typed(
    typed: str, kind: WagerKind, cents: int | None, add: bool, beneficiary: Beneficiary
) -> None:
    change = read_change(typed)
    assert change is not None
    assert (change.kind, change.cents, change.add, change.beneficiary) == (
        kind,
        cents,
        add,
        beneficiary,
    )


@pytest.mark.parametrize("typed", ["", "foo", "foo 5", "-5", "5 trips", "dealer", "10 20", "é"])
def test_other_words_are_no_wager(typed: str) -> None:
    assert read_change(typed) is None


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("10", ["10"]),
        ("10 trips 5", ["10", "trips 5"]),
        ("ante 10 trips 5", ["ante 10", "trips 5"]),
        ("$10 trips $5 bad beat 1,000", ["$10", "trips $5", "bad beat 1,000"]),
        ("10 play the board 5 prog 1", ["10", "play the board 5", "prog 1"]),
        ("10 dealer 5 dealer trips +5", ["10", "dealer 5", "dealer trips +5"]),
        ("10 trips off", ["10", "trips off"]),
        ("trips5 pairs5", ["trips5", "pairs5"]),
        # What may mean two things means neither, and every other command is left alone.
        ("5 trips", ["5 trips"]),
        ("10 20", ["10 20"]),
        ("10 trips", ["10 trips"]),
        ("trips 5 10", ["trips 5 10"]),
        ("hand 2", ["hand 2"]),
        ("chip 25", ["chip 25"]),
        ("10 banana 5", ["10 banana 5"]),
        ("deal", ["deal"]),
        ("", [""]),
    ],
)
def test_several_wagers_need_no_commas(typed: str, wanted: list[str]) -> None:
    assert split_changes(typed) == wanted


@pytest.mark.parametrize("typed", ["1.234", "10,00", "99999999999999999999", "trips 5.5.5"])
def test_a_wrong_amount_says_so(typed: str) -> None:
    with pytest.raises(ValueError, match=r"amount such as|more than any table"):
        read_change(typed)


def test_a_new_ante_takes_its_blind_along_and_leaves_the_rest() -> None:
    house = load_house("stadium")
    before = (
        Wager(K.ANTE, 1000),
        Wager(K.BLIND, 1000),
        Wager(K.TRIPS, 500),
        Wager(K.ANTE, 500, DEALER),
        Wager(K.BLIND, 500, DEALER),
    )
    change = read_change("20")
    assert change is not None
    after = changed(before, change, house=house, chip_cents=1000)
    assert wager_list(after) == (
        "Trips $5, Ante $5 for the dealer, Blind $5 for the dealer, Ante $20"
    )


@pytest.mark.parametrize(
    ("typed", "cents"),
    [("trips 5", 500), ("trips +5", 800), ("trips", 1300), ("trips off", 0), ("trips 0", 0)],
)
def test_amounts_are_set_added_or_taken_away(typed: str, cents: int) -> None:
    change = read_change(typed)
    assert change is not None
    house = load_house("washington")
    after = changed((Wager(K.TRIPS, 300),), change, house=house, chip_cents=1000)
    assert sum(wager.cents for wager in after) == cents


def test_a_wager_of_one_size_needs_no_amount_and_is_not_doubled() -> None:
    house = load_house("washington")
    change = read_change("prog")
    assert change is not None
    wagers = changed((Wager(K.ANTE, 1000),), change, house=house, chip_cents=2500)
    assert wager_list(doubled(house, wagers)) == "Ante $20, Progressive $1"
