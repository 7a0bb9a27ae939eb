"""The door for chance: exact sampling, the latch, seeds, threads and forks."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.cards import FULL_DECK
from openfelt.runtime.shuffle.entropy import (
    BLOCK_BYTES,
    BlockEntropy,
    Entropy,
    SeededEntropy,
    SystemEntropy,
    TestedEntropy,
)
from openfelt.runtime.shuffle.entropy_health import EntropyFailure
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.table import shuffled


class GivenBytes(BlockEntropy):
    """Chance that is written out, in blocks of a size that draws do not fit."""

    def __init__(self, given_bytes: Iterable[int], block: int = 3) -> None:
        super().__init__()
        self.left = iter(given_bytes)
        self.block = block

    def _next_block(self) -> bytes:
        block = bytes(islice(self.left, self.block))
        if not block:
            raise EntropyFailure("used up")
        return block


def first_draws(limit: int, size: int) -> Counter[int | None]:
    """What every possible beginning of the bytes gives, None where it is rejected."""
    found: Counter[int | None] = Counter()
    for beginning in product(range(256), repeat=size):
        try:
            found[GivenBytes(beginning).draw_below(limit)] += 1
        except EntropyFailure:
            found[None] += 1
    return found


@pytest.mark.parametrize("limit", [2, 3, 5, 7, 32, 33, 45, 51, 52, 127, 128, 129, 255, 256])
def test_every_outcome_of_one_byte_is_equally_frequent(limit: int) -> None:
    found = first_draws(limit, 1)
    rejected = found.pop(None, 0)
    assert sorted(key for key in found if key is not None) == list(range(limit))
    assert len(set(found.values())) == 1
    assert rejected < 128


@pytest.mark.parametrize("limit", [257, 300, 512, 1326])
def test_every_outcome_of_two_bytes_is_equally_frequent(limit: int) -> None:
    found = first_draws(limit, 2)
    assert found.pop(None, 0) < 2**15
    assert len(found) == limit
    assert len(set(found.values())) == 1


def test_a_rejected_byte_is_not_used_again() -> None:
    entropy = GivenBytes([63, 52, 51, 0xC0])
    assert entropy.draw_below(52) == 51
    assert entropy.draw_below(52) == 0
    with pytest.raises(EntropyFailure):
        entropy.draw_below(52)


def test_a_limit_of_one_needs_no_bytes() -> None:
    assert GivenBytes([]).draw_below(1) == 0


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_of_zero_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="drawn below"):
        SeededEntropy(1).draw_below(limit)
    with pytest.raises(ValueError, match="bytes"):
        SeededEntropy(1).token(-1)


@given(st.lists(st.integers(0, 200), max_size=20), st.integers(1, 70))
def test_tokens_are_the_bytes_one_after_another(sizes: list[int], block: int) -> None:
    given_bytes = [n * 7 % 256 for n in range(sum(sizes))]
    entropy = GivenBytes(given_bytes, block)
    assert b"".join(entropy.token(size) for size in sizes) == bytes(given_bytes)


@given(st.integers(0, 2**64), st.integers(1, 2**300))
def test_a_draw_lies_below_its_limit(seed: int, limit: int) -> None:
    assert 0 <= SeededEntropy(seed).draw_below(limit) < limit


def test_a_seed_always_gives_the_same_draws() -> None:
    """Simulations print their seed, so these numbers never change."""
    entropy = SeededEntropy(7)
    assert [entropy.draw_below(52) for _ in range(10)] == [12, 3, 32, 28, 22, 27, 31, 17, 8, 3]
    assert SeededEntropy(7).token(4).hex() == "4c8320dc"
    assert SeededEntropy(8).token(8) != SeededEntropy(7).token(8)


def test_the_system_deals_other_cards_each_time() -> None:
    sources: list[Entropy] = [SystemEntropy(), SystemEntropy()]
    decks = {shuffled(FULL_DECK, source.draw_below) for source in sources for _ in range(20)}
    assert len(decks) == 40
    assert len({source.token(32) for source in sources for _ in range(500)}) == 1000


class FailsAfter:
    """A source of the system's bytes that breaks down after some blocks."""

    def __init__(self, blocks: int, broken: bytes | Exception) -> None:
        self.blocks = blocks
        self.broken = broken
        self.reads = 0

    def __call__(self, size: int) -> bytes:
        self.reads += 1
        if self.reads <= self.blocks:
            return SeededEntropy(self.reads).token(size)
        if isinstance(self.broken, Exception):
            raise self.broken
        return self.broken


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (bytes(BLOCK_BYTES), "in a row"),
        (bytes(range(16)) * (BLOCK_BYTES // 16), "came up 32 times"),
        (b"\x00" * 100, "100 bytes of 512"),
        (b"", "0 bytes of 512"),
        (OSError("gone"), "cannot be read: gone"),
        (NotImplementedError("no source"), "cannot be read: no source"),
    ],
)
def test_a_failure_latches(broken: bytes | Exception, sentence: str) -> None:
    source = FailsAfter(20, broken)
    entropy = TestedEntropy(source)
    assert entropy.failure is None
    with pytest.raises(EntropyFailure, match=sentence):
        entropy.token(21 * BLOCK_BYTES)
    reads = source.reads
    source.blocks = 10**9
    for limit in (1, 52, 10**9):
        with pytest.raises(EntropyFailure, match=sentence):
            entropy.draw_below(limit)
    for size in (0, 1, 32):
        with pytest.raises(EntropyFailure, match=sentence):
            entropy.token(size)
    assert source.reads == reads
    assert entropy.failure is not None


def test_no_byte_of_a_failed_block_is_used() -> None:
    good = SeededEntropy(1).token(BLOCK_BYTES - 10)
    source = FailsAfter(20, good + bytes(10))
    entropy = TestedEntropy(source)
    taken = 0
    while entropy.failure is None:
        try:
            entropy.token(1)
        except EntropyFailure:
            break
        taken += 1
    assert source.reads == 21
    assert taken < 10 * BLOCK_BYTES


def test_every_deck_is_shuffled_from_bytes_that_are_read_for_it_alone() -> None:
    """A machine that is cloned between two decks deals different cards from its clone."""
    source = FailsAfter(10**9, b"")
    entropy = TestedEntropy(source)
    shuffler = Shuffler(entropy)
    for _ in range(3):
        before = source.reads
        shuffler.shuffle("t/1", "table", FULL_DECK)
        assert source.reads == before + 1
        assert entropy._block == b""


def test_every_byte_that_a_deck_uses_is_tested() -> None:
    source = FailsAfter(10**9, bytes(BLOCK_BYTES))
    shuffler = Shuffler(TestedEntropy(source))
    shuffler.shuffle("t/1", "table", FULL_DECK)
    source.blocks = 0
    with pytest.raises(EntropyFailure, match="in a row"):
        shuffler.shuffle("t/2", "table", FULL_DECK)


def test_a_source_that_fails_at_start_up_is_never_used() -> None:
    with pytest.raises(EntropyFailure, match="in a row"):
        TestedEntropy(bytes)
    with pytest.raises(EntropyFailure, match="too uneven"):
        TestedEntropy(lambda size: bytes(byte & 0xDF for byte in os.urandom(size)))


def test_threads_never_share_bytes() -> None:
    entropy = SystemEntropy()
    with ThreadPoolExecutor(8) as threads:
        lists = threads.map(lambda _: [entropy.token(16) for _ in range(2000)], range(8))
        tokens = [token for one in lists for token in one]
    assert len(set(tokens)) == len(tokens) == 16_000


FORKING = """
import os, sys
from openfelt.runtime.shuffle.entropy import SystemEntropy
entropy = SystemEntropy()
entropy.token(5)
held = entropy._lock.acquire()  # as another thread might, at the moment of the fork
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    os.write(writing, entropy.token(64))
    os._exit(0)
entropy._lock.release()
os.waitpid(child, 0)
print(os.read(reading, 64).hex(), entropy.token(64).hex())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_deals_other_cards() -> None:
    run = subprocess.run(
        [sys.executable, "-c", FORKING], capture_output=True, text=True, check=True, timeout=60
    )
    childs, parents = run.stdout.split()
    assert len(childs) == len(parents) == 128
    assert childs != parents
