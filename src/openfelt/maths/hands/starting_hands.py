"""The 169 starting hands by name, and lists of them as players write them."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from operator import add

from openfelt.cards import Card

_RANKS = "23456789TJQKA"
_ONE = re.compile(r"([2-9TJQKA])([2-9TJQKA])([so]?)(\+?)")


@cache
def starting_hands() -> tuple[str, ...]:
    """Every starting hand, in the order of the grid: ``22``, ``32o``, ..., ``32s``, ``33``, ...

    >>> len(starting_hands()), starting_hands()[:2], starting_hands()[-1]
    (169, ('22', '32o'), 'AA')
    """
    return tuple(_name(row, column) for row in range(13) for column in range(13))


def _name(row: int, column: int) -> str:
    """Suited hands are at 13 * high + low, others at 13 * low + high, pairs on the diagonal."""
    if row == column:
        return 2 * _RANKS[row]
    high, low = max(row, column), min(row, column)
    return f"{_RANKS[high]}{_RANKS[low]}{'s' if row > column else 'o'}"


def grid_place(hand: str) -> int:
    """The place of a hand such as ``"A2s"`` in the grid of thirteen by thirteen.

    >>> grid_place("22"), grid_place("32o"), grid_place("32s")
    (0, 1, 13)
    """
    return starting_hands().index(hand)


def cell_name(cell: int) -> str:
    """Write a cell of the grid of starting hands as players do.

    >>> cell_name(13 * 12 + 11), cell_name(13 * 11 + 12), cell_name(0)
    ('AKs', 'AKo', '22')
    """
    return starting_hands()[cell]


def cell_of(hole: Sequence[Card]) -> int:
    """Find the cell of two cards in the grid of starting hands."""
    low, high = sorted(hole)
    first, second = low.rank - 2, high.rank - 2
    return 13 * second + first if low.suit is high.suit else 13 * first + second


def parse_starting_hands(text: str) -> tuple[str, ...]:
    """Read a list of starting hands: ``33+``, ``A2s+``, ``K5o``, ``Q8`` for both, or ``any``.

    A plus means this hand and the better ones of its kind: higher pairs, or a higher
    second card up to the first. Raises ValueError for anything else.

    >>> parse_starting_hands("QQ+, KTs+, 32")
    ('QQ', 'KK', 'AA', 'KTs', 'KJs', 'KQs', '32s', '32o')
    """
    if text.strip() == "any":
        return starting_hands()
    hands: list[str] = []
    for part in filter(None, re.split(r"[,\s]+", text.strip())):
        match = _ONE.fullmatch(part)
        if match is None:
            raise ValueError(f"{part!r} is not a starting hand such as 33+, A2s+, K5o or Q8")
        hands += _hands_of(part, *match.groups())
    return tuple(hands)


def _hands_of(part: str, first: str, second: str, suits: str, plus: str) -> list[str]:
    high, low = _RANKS.index(first), _RANKS.index(second)
    if high == low and suits:
        raise ValueError(f"{part!r}: a pair is never suited, so write {first}{second}")
    if high < low:
        raise ValueError(f"{part!r}: write the higher card first")
    if high == low:
        return [2 * rank for rank in (_RANKS[low:] if plus else first)]
    lows = _RANKS[low:high] if plus else second
    return [f"{first}{rank}{suit}" for suit in suits or "so" for rank in lows]


def write_starting_hands(hands: Iterable[str]) -> str:
    """Write a list of starting hands as short as players do, so that it reads back the same.

    >>> write_starting_hands(["KK", "AA", "KTs", "KJs", "KQs", "32o", "32s"])
    'KK+, KTs+, 32'
    """
    wanted = set(hands)
    if len(wanted) == 169:
        return "any"
    parts = _runs([rank for rank in _RANKS if 2 * rank in wanted], _RANKS, lambda rank: 2 * rank)
    for high in reversed(range(1, 13)):
        first, seconds = _RANKS[high], _RANKS[:high]
        by_suits = {
            suits: _runs(
                [rank for rank in seconds if f"{first}{rank}{suits}" in wanted],
                seconds,
                partial(add, first),
            )
            for suits in "so"
        }
        both = by_suits["s"] == by_suits["o"]
        for suits, runs in by_suits.items():
            if both:
                parts += runs if suits == "s" else []
            else:
                parts += [f"{run.rstrip('+')}{suits}{'+' * run.endswith('+')}" for run in runs]
    return ", ".join(parts)


def _runs(ranks: list[str], of: str, write: Callable[[str], str]) -> list[str]:
    """Write the ranks up to the highest of a row as one part with a plus, the others singly."""
    run = ""
    while of.endswith(run) and len(run) < len(of) and of[-len(run) - 1] in ranks:
        run = of[-len(run) - 1] + run
    below = [write(rank) for rank in reversed(ranks) if rank not in run]
    if not run:
        return below
    return [write(run[0]) + "+" * (len(run) > 1), *below]
