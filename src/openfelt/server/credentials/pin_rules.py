"""The rules for PINs: six to eight digits that are not easy to guess, locked by wrong ones."""

from http import HTTPStatus
from typing import Final

from zxcvbn.frequency_lists import FREQUENCY_LISTS

from openfelt.runtime.clock import DAY_MS
from openfelt.server.errors import Denied

LENGTH_MIN: Final = 6
LENGTH_MAX: Final = 8
DISTINCT_MIN: Final = 3
FAILURES_MAX: Final = 5
"""This many wrong PINs in a row lock the PIN."""
PINS_WRONG_MAX: Final = 30
PINS_WRONG_MS: Final = 30 * DAY_MS
"""The period, 30 days, in which that many wrong PINs lock the PIN, even with right ones between."""
_RUNS: Final = ("01234567890123456789", "98765432109876543210")
_COMMON: Final = frozenset(
    word
    for words in FREQUENCY_LISTS.values()
    for word in words
    if word.isdigit() and LENGTH_MIN <= len(word) <= LENGTH_MAX
)


def check_pin(pin: str, *, badge: str) -> None:
    """Refuse a PIN that is easy to guess."""
    if not (pin.isascii() and pin.isdigit() and LENGTH_MIN <= len(pin) <= LENGTH_MAX):
        raise _refused(f"A PIN must have {LENGTH_MIN} to {LENGTH_MAX} digits.")
    if is_weak(pin, badge=badge):
        raise _refused("This PIN is too easy to guess. Choose another one.")


def is_weak(pin: str, *, badge: str) -> bool:
    """Whether a PIN is easy to guess.

    >>> [is_weak(pin, badge="4711") for pin in ("111111", "123456", "820820", "004711", "730184")]
    [True, True, True, True, False]
    """
    half = len(pin) // 2
    return (
        len(set(pin)) < DISTINCT_MIN
        or any(pin in run for run in _RUNS)
        or (len(pin) % 2 == 0 and pin[:half] in (pin[half:], pin[half:][::-1]))
        or pin.lstrip("0") == badge.lstrip("0")
        or pin in _COMMON
    )


def _refused(sentence: str) -> Denied:
    return Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "weak_pin", sentence)
