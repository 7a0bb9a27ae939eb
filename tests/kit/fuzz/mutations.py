"""Small changes to bytes that were valid, as a fuzzer makes them."""

from collections.abc import Callable
from random import Random
from typing import Final

_PIECES: Final = (
    *(b"\x00", b"\xff", b"\r\n", b"\n", b"\r", b"\r\n\r\n", b" ", b"\t", b'"', b"\\", b"{", b"["),
    *(b"%00", b"\xc0\xaf", b"\xed\xa0\x80", b"\xe2\x80\xae", b"-1", b"1e999", b"NaN", b":" * 40),
)


def mutated(rng: Random, data: bytes) -> bytes:
    """The same bytes with one to four changes."""
    for _ in range(rng.randint(1, 4)):
        data = rng.choice(_CHANGES)(rng, data)
    return data


def _flipped(rng: Random, data: bytes) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _inserted(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(_PIECES) + data[at:]


def _removed(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + data[at + rng.randint(1, 12) :]


def _repeated(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + data[at : at + rng.randint(1, 40)] * rng.choice((2, 3, 50)) + data[at:]


def _replaced(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.randbytes(rng.randint(1, 8)) + data[at + rng.randint(1, 8) :]


def _cut(rng: Random, data: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


_CHANGES: Final[tuple[Callable[[Random, bytes], bytes], ...]] = (
    *(_flipped, _flipped, _inserted, _inserted, _removed, _repeated, _replaced, _cut),
)
