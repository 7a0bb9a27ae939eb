"""Health tests of the source of chance: at the start, and of every block that it gives.

The two tests of raw bytes are the repetition count test and the adaptive proportion test of
NIST SP 800-90B, 4.4. They find a source that has broken down: one that is stuck, or that
prefers a value strongly. They cannot show that a source is good.

The operating system promises bytes of which all 256 values are equally likely, so a sample
is a byte and carries 8 bits. The cut-offs let a sound source fail with probability below
2^-60 in a window of 512 bytes. A failure stops dealing until a person has looked, so false
alarms must not happen in the life of a casino. ``docs/internals/shuffle.md`` has the sums.
"""

import hashlib
from collections import Counter
from typing import Final

from openfelt.cards import FULL_DECK, format_cards
from openfelt.table.deck import DrawBelow, shuffled

REPETITIONS_MAX: Final = 9
"""One byte may come up so often in a row. Ten in a row have probability 2^-72."""

WINDOW_BYTES: Final = 512
"""The window of the adaptive proportion test, as SP 800-90B sets it for samples of many values."""

PROPORTION_MAX: Final = 25
"""So often may the first byte of a window come up in it. 26 times have probability 2^-62."""

START_UP_DRAWS: Final = 5200
"""How many draws out of 52 are counted at the start: 100 of each are expected."""

START_UP_SQUARES_MAX: Final = 16_000
"""The largest sum of squared differences from 100 that the counts at the start may have.

Divided by 100 it is a chi-square with 51 degrees of freedom, which is above 160 with
probability 3.5e-13.
"""

KNOWN_SEED: Final = 20_260_101
"""The seed of the shuffle whose answer is known."""

KNOWN_ANSWER: Final = "d102245c0816fcfaf4c8bbc20655c5ae197b7d875253f931fab2cfe4f53fca92"
"""The SHA-256 of the deck that the known seed gives, written as ``As Kd ...``."""


class EntropyFailure(Exception):
    """The source of chance has failed a test, and nothing more is drawn from it."""


class HealthTests:
    """The two continuous tests. They remember the end of a block for the next one.

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
                f"The source gave {len(block)} bytes, which are no whole windows of {WINDOW_BYTES}."
            )
        self._check_repetitions(block)
        for start in range(0, len(block), WINDOW_BYTES):
            first = block[start]
            found = block.count(first, start, start + WINDOW_BYTES)
            if found > PROPORTION_MAX:
                raise EntropyFailure(
                    f"The byte {first} came up {found} times in {WINDOW_BYTES}; "
                    f"{PROPORTION_MAX} are allowed."
                )

    def _check_repetitions(self, block: bytes) -> None:
        """A row may begin in one block and end in the next.

        A byte beside its equal differs from it by 0, so a row of ten is nine zeros. One
        long number gives the differences of all neighbours at once.
        """
        row = self._tail + block
        self._tail = block[-REPETITIONS_MAX:]
        number = int.from_bytes(row, "big")
        differences = (number ^ (number >> 8)).to_bytes(len(row), "big")[1:]
        found = differences.find(bytes(REPETITIONS_MAX))
        if found >= 0:
            raise EntropyFailure(
                f"The byte {row[found]} came up more than {REPETITIONS_MAX} times in a row."
            )


def check_known_answer(draw_below: DrawBelow) -> None:
    """A shuffle from the known seed must give the known deck, or the program is not itself."""
    deck = shuffled(FULL_DECK, draw_below)
    found = hashlib.sha256(format_cards(deck).encode()).hexdigest()
    if found != KNOWN_ANSWER:
        raise EntropyFailure("The shuffle from the known seed does not give the known deck.")


def check_draws(draw_below: DrawBelow) -> None:
    """Draw some thousands of cards and compare how often each comes up."""
    counts = Counter(draw_below(52) for _ in range(START_UP_DRAWS))
    if not counts.keys() <= set(range(52)):
        raise EntropyFailure("A draw below 52 gave something else than 0 to 51.")
    expected = START_UP_DRAWS // 52
    squares = sum((counts[number] - expected) ** 2 for number in range(52))
    if squares > START_UP_SQUARES_MAX:
        raise EntropyFailure(
            f"{START_UP_DRAWS} draws below 52 are too uneven: their squared differences "
            f"are {squares}, and {START_UP_SQUARES_MAX} are allowed."
        )
