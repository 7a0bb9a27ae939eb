import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.random_cards import deal_cards, draw_below, next_random, seed_stream

# The first numbers of xoshiro256++ from the state 1, 2, 3, 4, as its authors' program gives them.
PUBLISHED = (41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205)


def _state(*words: int) -> npt.NDArray[np.uint64]:
    return np.array(words, dtype=np.uint64)


def test_the_generator_is_the_published_one() -> None:
    state = _state(1, 2, 3, 4)
    assert tuple(int(next_random(state)) for _ in PUBLISHED) == PUBLISHED


def test_the_generator_is_the_same_uncompiled() -> None:
    state = _state(1, 2, 3, 4)
    with np.errstate(over="ignore"):
        assert tuple(int(next_random.py_func(state)) for _ in PUBLISHED) == PUBLISHED


def test_streams_of_one_seed_and_seeds_of_one_stream_differ() -> None:
    found = set()
    for seed in range(20):
        for stream in range(20):
            state = _state(0, 0, 0, 0)
            seed_stream(np.uint64(seed), np.uint64(stream), state)
            found.add(tuple(state.tolist()))
    assert len(found) == 400


def test_draws_stay_below_their_limit_and_are_even() -> None:
    state = _state(1, 2, 3, 4)
    for limit in (1, 2, 3, 45, 52):
        counts = np.bincount([int(draw_below(state, np.uint64(limit))) for _ in range(20_000)])
        assert len(counts) == limit
        expected = 20_000 / limit
        assert (((counts - expected) ** 2 / expected).sum()) < limit + 5 * (2 * limit) ** 0.5


def test_draws_reject_what_would_favour_some_numbers() -> None:
    # 2^32 is not a multiple of 3 * 2^30: without rejection every third number were too likely.
    limit = np.uint64(3 << 30)
    state = _state(1, 2, 3, 4)
    thirds = np.bincount([int(draw_below(state, limit)) >> 30 for _ in range(20_000)])
    assert abs(thirds - 20_000 / 3).max() < 350


def test_every_card_comes_to_every_place_equally_often() -> None:
    state = _state(1, 2, 3, 4)
    deck = np.arange(52)
    counts = np.zeros((9, 52))
    rounds = 20_000
    for _ in range(rounds):
        deal_cards(state, deck, 0, 7)
        deal_cards(state, deck, 7, 2)
        counts[np.arange(9), deck[:9]] += 1
    assert sorted(deck) == list(range(52))
    expected = rounds / 52
    assert abs(counts - expected).max() < 5 * expected**0.5
