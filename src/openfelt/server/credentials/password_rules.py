"""The rules for passwords: long enough, and not among the first that an attacker tries."""

import re
from http import HTTPStatus
from typing import Final

from openfelt.server.credentials.password_guesses import guesses
from openfelt.server.errors import Denied

LENGTH_MIN: Final = 8
STAFF_LENGTH_MIN: Final = 12
LENGTH_MAX: Final = 128
_GUESSES_MIN: Final = 10**6
"""Guesses that a player's password takes: years, at the rate that sign-ins allow."""
_STAFF_GUESSES_MIN: Final = 10**8
_HOUSE_WORDS: Final = ("openfelt", "casino", "poker", "supervisor", "dealer", "stadium")


def check_password(password: str, *, name: str, staff: bool) -> None:
    """Refuse a password that is too short, too long or easy to guess; raises Denied.

    It takes a few milliseconds, so call it in a thread.

    >>> check_password("correct horse battery", name="ann", staff=True)
    """
    shortest = STAFF_LENGTH_MIN if staff else LENGTH_MIN
    if not shortest <= len(password) <= LENGTH_MAX:
        raise _bad("bad_password", f"A password must have {shortest} to {LENGTH_MAX} characters.")
    own_words = (name, *re.split(r"[._@-]", name), *_HOUSE_WORDS)
    if guesses(password, own_words) < (_STAFF_GUESSES_MIN if staff else _GUESSES_MIN):
        raise _bad("easy_password", "That password is too easy to guess.")


def _bad(code: str, sentence: str) -> Denied:
    return Denied(HTTPStatus.UNPROCESSABLE_ENTITY, code, sentence)
