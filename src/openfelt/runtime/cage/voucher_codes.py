"""The codes of vouchers: easy to type, checked for mistakes, and too long to guess.

A code has 16 characters in groups of four, such as ``7K3M-2QXD-9WTB-HC4E``. Fourteen carry 70
random bits; the last two check them, so that one wrong character, and any two that are exchanged,
are always noticed. The alphabet leaves out I, L, O and U; I and L are read as 1, and O as 0.
"""

import hmac
import re
from typing import Final

from openfelt.storage.chain import delimited

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH: Final = 16
_CHECKS: Final = 2
_BASE: Final = len(ALPHABET)
_BITS: Final = 5 * (LENGTH - _CHECKS)
_MODULUS: Final = 1021
"""The largest prime below 1024. A code as a number in base 32 leaves 1 when divided by it. No
product of a difference of two characters and one of two powers of 32 is a multiple of it."""
_VALUES: Final = {character: value for value, character in enumerate(ALPHABET)}
_READ_AS: Final = str.maketrans("ILO", "110")
_GAPS: Final = re.compile(r"[\s-]+")
_ID_BYTES: Final = 16


def read_code(text: str) -> str | None:
    """A code as it was typed or scanned, in its one form without dashes; None if it is none.

    >>> read_code(" 0000-0000-0000-0o01 ")
    '0000000000000001'
    >>> read_code("0000-0000-0000-0002") is None
    True
    """
    plain = _GAPS.sub("", text).upper().translate(_READ_AS)
    if len(plain) != LENGTH or not set(plain) <= _VALUES.keys():
        return None
    number = 0
    for character in plain:
        number = number * _BASE + _VALUES[character]
    return plain if number % _MODULUS == 1 else None


def shown_code(code: str) -> str:
    """A code in groups of four, as a voucher shows it.

    >>> shown_code("0000000000000001")
    '0000-0000-0000-0001'
    """
    return "-".join(code[start : start + 4] for start in range(0, LENGTH, 4))


def new_code(key: bytes, *parts: str) -> str:
    """The code that a key gives for a command, by the parts that name it.

    A command that is repeated gets the same code again, though no code is kept anywhere.
    """
    digest = hmac.digest(key, delimited("openfelt.voucher-code/1", *parts).encode(), "sha256")
    number = int.from_bytes(digest, "big") >> (8 * len(digest) - _BITS)
    number *= _BASE**_CHECKS
    number += (1 - number) % _MODULUS
    characters = []
    for _ in range(LENGTH):
        number, value = divmod(number, _BASE)
        characters.append(ALPHABET[value])
    return "".join(reversed(characters))


def voucher_id(key: bytes, code: str) -> str:
    """The id of a voucher: a keyed hash, from which its code cannot be found without the key."""
    digest = hmac.digest(key, delimited("openfelt.voucher-id/1", code).encode(), "sha256")
    return digest[:_ID_BYTES].hex()
