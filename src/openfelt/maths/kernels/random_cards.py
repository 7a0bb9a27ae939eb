"""Random numbers and cards for simulations: small, seeded, and the same on every machine.

Each batch of rounds has a stream of its own, seeded from the simulation's seed and the
batch's number, so that the result does not depend on which thread plays which batch. The
generator is xoshiro256++ by Blackman and Vigna, seeded by splitmix64 as they recommend. It
deals simulated cards only: tables with real play shuffle with the operating system's
entropy.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel

GENERATOR = "xoshiro256++ by Blackman and Vigna"
"""The generator of `next_random`, in words."""
SEEDING = "splitmix64"
"""How `seed_stream` sets the generator, in words."""
DEALING = "a Fisher-Yates shuffle with Lemire's method for fair whole numbers"
"""How `deal_cards` and `draw_below` use it, in words."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_1, _17, _19, _23, _27 = (np.uint64(number) for number in (1, 17, 19, 23, 27))
_30, _31, _32, _41, _45 = (np.uint64(number) for number in (30, 31, 32, 41, 45))
_LOW_HALF = np.uint64(0xFFFF_FFFF)
_HALF_RANGE = np.uint64(1 << 32)


@kernel
def mixed(word: np.uint64) -> np.uint64:
    """Scatter the bits of a word: the output step of splitmix64, one to one."""
    word = (word ^ (word >> _30)) * _MIX1
    word = (word ^ (word >> _27)) * _MIX2
    return word ^ (word >> _31)


@kernel
def seed_stream(seed: np.uint64, stream: np.uint64, state: npt.NDArray[np.uint64]) -> None:
    """Set a generator to the beginning of one numbered stream of a seed."""
    word = mixed(mixed(seed + _GOLDEN) ^ (stream + _1) * _GOLDEN)
    for place in range(4):
        word += _GOLDEN
        state[place] = mixed(word)


@kernel
def next_random(state: npt.NDArray[np.uint64]) -> np.uint64:
    """Draw 64 random bits, and advance the generator."""
    total = state[0] + state[3]
    drawn = ((total << _23) | (total >> _41)) + state[0]
    shifted = state[1] << _17
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = (state[3] << _45) | (state[3] >> _19)
    return np.uint64(drawn)


@kernel
def draw_below(state: npt.NDArray[np.uint64], limit: np.uint64) -> np.uint64:
    """Draw a whole number from 0 to limit - 1, all equally likely.

    Lemire's method: 32 random bits times the limit, the high half is the number. The few
    low halves that would favour some numbers are drawn again.
    """
    product = (next_random(state) >> _32) * limit
    if product & _LOW_HALF < limit:
        unfair = (_HALF_RANGE - limit) % limit
        while product & _LOW_HALF < unfair:
            product = (next_random(state) >> _32) * limit
    return product >> _32


@kernel
def deal_cards(
    state: npt.NDArray[np.uint64], deck: npt.NDArray[np.int64], first: int, count: int
) -> None:
    """Deal fair random cards to positions `first` and up, from the cards there and above.

    The deck needs no order to begin with: any order, shuffled fairly, is a fair order.
    """
    for place in range(first, first + count):
        chosen = place + np.int64(draw_below(state, np.uint64(deck.size - place)))
        card = deck[chosen]
        deck[chosen] = deck[place]
        deck[place] = card
