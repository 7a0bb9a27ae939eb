"""Health tests of the entropy source, at start-up and for every block.

The two tests of raw bytes are the repetition count test and the adaptive proportion test of
NIST SP 800-90B, 4.4. They detect a source that has failed: one that is stuck, or that strongly
prefers a value. They cannot show that a source is good.

The operating system promises bytes of which all 256 values are equally likely, so a sample
is a byte and carries 8 bits. With these cut-offs a healthy source fails with probability below
2^-60 in a window of 512 bytes. A failure stops dealing until the operator has investigated, so
a false alarm must not happen in the lifetime of a casino. ``docs/internals/shuffle.md`` shows
the calculation.
"""

import hashlib
from collections import Counter
from typing import Final

from openfelt.cards import FULL_DECK, format_cards
from openfelt.table.deck import DrawBelow, shuffled

REPETITIONS_MAX: Final = 9
"""How often a byte may repeat in a row. Ten in a row have probability 2^-72."""

WINDOW_BYTES: Final = 512
"""The window of the adaptive proportion test, as SP 800-90B sets it for samples of many values."""

PROPORTION_MAX: Final = 25
"""How often the first byte of a window may occur in it. 26 times have probability 2^-62."""

START_UP_DRAWS: Final = 5200
"""How many draws out of 52 are counted at start-up: 100 of each are expected."""

START_UP_SQUARES_MAX: Final = 16_000
"""The largest sum of squared differences from 100 that the counts at start-up may have.

Divided by 100 it is a chi-square with 51 degrees of freedom, which is above 160 with
probability 3.5e-13.
"""

KNOWN_SEED: Final = 20_260_101
"""The seed of the known-answer test."""

KNOWN_ANSWER: Final = "d102245c0816fcfaf4c8bbc20655c5ae197b7d875253f931fab2cfe4f53fca92"
"""The SHA-256 of the deck that this seed gives, written as ``As Kd ...``."""


class EntropyFailure(Exception):
    """The entropy source has failed a test, and nothing more is drawn from it."""


class HealthTests:
    """The two continuous tests. They keep the end of a block for the next one.

    >>> tests = HealthTests()
    >>> tests.check(bytes(range(256)) * 2)
    >>> tests.check(bytes(512))
    Traceback (most recent call last):
    ...
    openfelt...EntropyFailure: The byte 0 came up more than 9 times in a row.
    """

    __slots__ = ("_tail",)

    def __init__(self) -> None:
        self._tail = b""

    def check(self, block: bytes) -> None:
        """Test a block of whole windows; raises EntropyFailure."""
        if not block or len(block) % WINDOW_BYTES:
            raise EntropyFailure(
                f"The source gave {len(block)} bytes, not whole windows of {WINDOW_BYTES}."
            )
        self._check_repetitions(block)
        for start in range(0, len(block), WINDOW_BYTES):
            first = block[start]
            count = block.count(first, start, start + WINDOW_BYTES)
            if count > PROPORTION_MAX:
                raise EntropyFailure(
                    f"The byte {first} came up {count} times in {WINDOW_BYTES}; "
                    f"{PROPORTION_MAX} are allowed."
                )

    def _check_repetitions(self, block: bytes) -> None:
        """Find a byte that repeats too often; a run may begin in one block and end in the next.

        Equal neighbours differ by 0, so a run of ten gives nine zeros. One long number gives
        the differences of all neighbours at once.
        """
        row = self._tail + block
        self._tail = block[-REPETITIONS_MAX:]
        number = int.from_bytes(row, "big")
        differences = (number ^ (number >> 8)).to_bytes(len(row), "big")[1:]
        run_start = differences.find(bytes(REPETITIONS_MAX))
        if run_start >= 0:
            raise EntropyFailure(
                f"The byte {row[run_start]} came up more than {REPETITIONS_MAX} times in a row."
            )


def check_known_answer(draw_below: DrawBelow) -> None:
    """Check that a shuffle from the known seed gives the known deck, as the program was tested."""
    deck = shuffled(FULL_DECK, draw_below)
    if hashlib.sha256(format_cards(deck).encode()).hexdigest() != KNOWN_ANSWER:
        raise EntropyFailure("The shuffle from the known seed does not give the known deck.")


def check_draws(draw_below: DrawBelow) -> None:
    """Draw several thousand cards and check that they come up about equally often."""
    counts = Counter(draw_below(52) for _ in range(START_UP_DRAWS))
    if not counts.keys() <= set(range(52)):
        raise EntropyFailure("A draw below 52 gave a number outside 0 to 51.")
    expected = START_UP_DRAWS // 52
    squares = sum((counts[number] - expected) ** 2 for number in range(52))
    if squares > START_UP_SQUARES_MAX:
        raise EntropyFailure(
            f"{START_UP_DRAWS} draws below 52 are too uneven: their squared differences "
            f"are {squares}, and {START_UP_SQUARES_MAX} are allowed."
        )
