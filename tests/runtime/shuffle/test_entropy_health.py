"""The health tests: their cut-offs, what they find, and what they let pass."""

from fractions import Fraction
from math import comb

import pytest

from openfelt.maths.shuffle_statistics import chi_square_tail
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.entropy_health import (
    KNOWN_SEED,
    PROPORTION_MAX,
    REPETITIONS_MAX,
    START_UP_DRAWS,
    START_UP_SQUARES_MAX,
    WINDOW_BYTES,
    EntropyFailure,
    HealthTests,
    check_draws,
    check_known_answer,
)

FALSE_ALARM = Fraction(1, 2**60)


def fair_block(seed: int = 1, windows: int = 8) -> bytes:
    return SeededEntropy(seed).token(windows * WINDOW_BYTES)


def proportion_tail(count: int) -> Fraction:
    """The chance that the first byte of a window comes up so often in it, itself included."""
    rest = WINDOW_BYTES - 1
    ways = sum(comb(rest, k) * 255 ** (rest - k) for k in range(count - 1, rest + 1))
    return Fraction(ways, 256**rest)


def test_the_cut_offs_are_the_smallest_with_the_stated_false_alarm() -> None:
    row = Fraction(1, 256**REPETITIONS_MAX)
    assert row * WINDOW_BYTES <= FALSE_ALARM < row * 256 * WINDOW_BYTES
    assert proportion_tail(PROPORTION_MAX + 1) <= FALSE_ALARM < proportion_tail(PROPORTION_MAX)


def test_the_start_up_draws_fail_a_fair_source_less_than_once_in_a_million_millions() -> None:
    statistic = START_UP_SQUARES_MAX / (START_UP_DRAWS / 52)
    assert chi_square_tail(statistic, 51) == pytest.approx(3.53e-13, rel=0.01)


def test_fair_bytes_pass() -> None:
    tests = HealthTests()
    for seed in range(200):
        tests.check(fair_block(seed))


@pytest.mark.parametrize("at", [0, 1, 100, 506, 4096 - 10])
@pytest.mark.parametrize("value", [0, 1, 255])
def test_ten_in_a_row_fail_and_nine_pass(at: int, value: int) -> None:
    block = bytearray(fair_block())
    around = (value + 1) % 256
    block[at : at + 10] = bytes([value] * 9 + [around])
    block[at - 1 : at] = bytes([around]) if at else b""
    HealthTests().check(bytes(block))
    block[at : at + 10] = bytes([value] * 10)
    with pytest.raises(EntropyFailure, match=f"byte {value} came up more than 9 times in a row"):
        HealthTests().check(bytes(block))


@pytest.mark.parametrize("before", range(1, 10))
def test_a_run_is_found_across_two_blocks(before: int) -> None:
    tests = HealthTests()
    fair = fair_block()
    tests.check(fair[:-before] + bytes([7] * before))
    with pytest.raises(EntropyFailure, match="byte 7"):
        tests.check(bytes([7] * (10 - before)) + fair[10 - before :])


@pytest.mark.parametrize("window", range(8))
def test_one_value_too_often_in_a_window_fails(window: int) -> None:
    block = bytearray(fair_block())
    start = window * WINDOW_BYTES
    value = block[start]
    at = start
    while block.count(value, start, start + WINDOW_BYTES) < PROPORTION_MAX:
        at += 17
        block[at] = value
    HealthTests().check(bytes(block))
    block[next(at for at in range(start, len(block)) if block[at] != value)] = value
    with pytest.raises(EntropyFailure, match=f"byte {value} came up 26 times in 512"):
        HealthTests().check(bytes(block))


@pytest.mark.parametrize("length", [0, 1, 511, 513])
def test_only_whole_windows_are_tested(length: int) -> None:
    with pytest.raises(EntropyFailure, match="not whole windows"):
        HealthTests().check(bytes(length))


def test_the_known_answer_depends_on_every_draw() -> None:
    check_known_answer(SeededEntropy(KNOWN_SEED).draw_below)
    with pytest.raises(EntropyFailure, match="known deck"):
        check_known_answer(SeededEntropy(KNOWN_SEED + 1).draw_below)
    entropy = SeededEntropy(KNOWN_SEED)
    with pytest.raises(EntropyFailure, match="known deck"):
        check_known_answer(lambda limit: entropy.draw_below(limit) ^ (limit == 2))


def test_uneven_draws_fail_at_the_start() -> None:
    check_draws(SeededEntropy(3).draw_below)
    entropy = SeededEntropy(3)
    with pytest.raises(EntropyFailure, match="too uneven"):
        check_draws(lambda limit: min(entropy.draw_below(limit), limit - 3))
    with pytest.raises(EntropyFailure, match="too uneven"):
        check_draws(lambda _: 3)
    with pytest.raises(EntropyFailure, match="0 to 51"):
        check_draws(lambda limit: limit)
