"""An estimate of the guesses that a password takes for an attacker with lists of words.

A password is read as a row of pieces: common passwords, words and names by their rank in lists,
including with digits for letters; keyboard runs, sequences, dates, repetitions; and single
characters. The cheapest reading counts. The lists are those of zxcvbn. Its own estimate is not
used: some texts of forty characters keep it busy for seconds, and any caller may send one.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Final

from zxcvbn.frequency_lists import FREQUENCY_LISTS

WORD_LENGTH_MAX: Final = 24
_RUN_MIN: Final = 3
_KEYBOARD: Final = (
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "azertyuiop",
    "1234567890",
    "1q2w3e4r5t6y7u8i9o0p",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    "q1w2e3r4t5y6u7i8o9p0",
)
_RUNS: Final = (*_KEYBOARD, *(row[::-1] for row in _KEYBOARD))
_READINGS: Final = (
    str.maketrans("4@83!1|0$5+7", "aabelliosstt"),
    str.maketrans("4@83!1|0$5+7", "aabeiilosstt"),
)
"""Letters that are often replaced by other characters."""
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_DATE: Final = re.compile(r"\d{1,4}[-/. ]?\d{1,2}[-/. ]?\d{1,4}")
_YEAR_GUESSES: Final = 120
_DATE_GUESSES: Final = 40_000
_AGAIN_GUESSES: Final = 3


def guesses(password: str, own_words: Iterable[str] = ()) -> int:
    """The number of guesses that find a password, roughly; ``own_words`` are tried first.

    >>> [len(str(guesses(text))) for text in ("password", "Passw0rd!", "x7Kq-m2Vp-9TzR")]
    [1, 3, 16]
    """
    ranks = _ranks()
    own = {word.lower() for word in own_words if len(word) >= _RUN_MIN}
    best = [1]
    for end in range(1, len(password) + 1):
        single = 10 if password[end - 1].isdigit() else 13
        cheapest = best[end - 1] * single
        for start in range(max(0, end - WORD_LENGTH_MAX), end - 1):
            piece = password[start:end]
            cheapest = min(cheapest, best[start] * _piece(piece, ranks, own))
            if password[2 * start - end : start] == piece and 2 * start >= end:
                cheapest = min(cheapest, best[start] * _AGAIN_GUESSES)
        if end >= 2 and password[end - 1] == password[end - 2]:
            cheapest = min(cheapest, best[end - 1] * _AGAIN_GUESSES)
        best.append(cheapest)
    return best[-1]


def _piece(piece: str, ranks: Mapping[str, int], own: set[str]) -> int:
    """The guesses that one piece takes as a whole."""
    lower = piece.lower()
    cost: int = 13 ** len(piece)
    for number, word in enumerate((lower, *(lower.translate(table) for table in _READINGS))):
        rank = 1 if word in own else ranks.get(word) or ranks.get(word[::-1])
        if rank is not None:
            varied = (number > 0) + (piece != lower)
            cost = min(cost, rank << varied)
    if len(piece) >= _RUN_MIN and _is_run(lower):
        cost = min(cost, 10 * len(piece))
    if len(piece) >= 4 and piece[-1].isdigit():
        if _YEAR.fullmatch(piece):
            cost = min(cost, _YEAR_GUESSES)
        elif 6 <= len(piece) <= 10 and _DATE.fullmatch(piece):
            cost = min(cost, _DATE_GUESSES)
    return cost


def _is_run(text: str) -> bool:
    """Whether a text runs along the keyboard, the alphabet or the digits."""
    if any(text in row for row in _RUNS):
        return True
    step = ord(text[1]) - ord(text[0])
    return step in (-1, 0, 1) and all(
        ord(after) - ord(first) == step for first, after in pairwise(text)
    )


@cache
def _ranks() -> Mapping[str, int]:
    """Every word of the lists with its best rank."""
    ranks: dict[str, int] = {}
    for words in FREQUENCY_LISTS.values():
        for rank, word in enumerate(words, 1):
            if rank < ranks.get(word, rank + 1):
                ranks[word] = rank
    return ranks
