"""Codes pack what is seen, and sums by code do not depend on the compiler."""

from random import Random

import numpy as np
import pytest

from openfelt.cards import parse_cards
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels.card_sets import CHOOSE
from openfelt.maths.kernels.strategy_features import FLOP_SIZE, flop_features
from openfelt.maths.kernels.strategy_search import (
    CODE_BITS,
    NO_CODE,
    cross_gains,
    find_slot,
    pack_features,
    read_flop_codes,
)

DECK = np.arange(52)


def test_features_are_packed_without_loss() -> None:
    features = [9, 1, 14, 1, 8, 14, 2, 7, 45]
    code = pack_features(np.array(features))
    assert code == pack_features.py_func(np.array(features))
    unpacked = [code >> CODE_BITS * place & 15 for place in range(8)]
    assert [*unpacked, code >> CODE_BITS * 8] == features


@pytest.mark.parametrize("text", ["Ks 8d 2c", "7h 7d 2h", "Ac Kc Qc"])
def test_the_code_of_a_flop_is_what_the_hand_sees(text: str) -> None:
    flop = np.array(sorted(card.number for card in parse_cards(text)))
    codes = np.zeros((1, 1326), dtype=np.int64)
    read_flop_codes(flop[None, :].astype(np.uint8), DECK, reading_tables(), codes)
    assert (codes == NO_CODE).sum() == 1326 - 49 * 48 // 2
    random, out = Random(1), np.zeros(FLOP_SIZE, dtype=np.int64)
    for _ in range(100):
        low, high = sorted(random.sample(range(52), 2))
        found = int(codes[0, int(CHOOSE[high, 2]) + low])
        if {low, high} & set(flop.tolist()):
            assert found == NO_CODE
        else:
            flop_features(np.array([low, high]), flop, reading_tables(), out)
            assert found == pack_features(out)


def test_codes_find_their_slots_in_a_crowd() -> None:
    codes = np.full(64, NO_CODE, dtype=np.int64)
    wanted = [number * 977 for number in range(60)]
    for code in wanted:
        codes[find_slot(code, codes)] = code
    assert sorted(code for code in codes.tolist() if code != NO_CODE) == wanted
    assert all(codes[find_slot(code, codes)] == code for code in wanted)


def test_gains_are_crossed_alike_without_the_compiler() -> None:
    random = np.random.default_rng(4)
    gains, covered = random.integers(-50, 50, 300), random.random(300) < 0.3
    subjects, qualifiers = random.integers(0, 4, 300), random.integers(0, 3, 300)
    found = [np.ones((4, 3), dtype=np.int64) for _ in range(2)]
    cross_gains(gains, covered, subjects, qualifiers, found[0])
    cross_gains.py_func(gains, covered, subjects, qualifiers, found[1])
    assert np.array_equal(found[0], found[1])
    assert found[0].sum() == gains[~covered].sum()
