"""Names in messages: a damaged one may contain anything, so only a plausible name is shown.

A row is named by its key. Where the key itself was damaged or replaced it could hold a card, so
only what Openfelt could have written as a name, a number or a hash is repeated.
"""

import re
from typing import Final

HIDDEN_NAME: Final = "(a name that is not shown)"
"""The placeholder for a name that Openfelt would not have written."""
_PART: Final = r"(?![0-9a-f]{64})[a-z0-9_.@:-]{1,80}"
_NAME: Final = re.compile(rf"{_PART}(?:/{_PART}){{0,4}}")
_HASH: Final = re.compile(r"[0-9a-f]{64}(?:[0-9a-f]{64})?")
KEY_ID: Final = re.compile(r"[0-9a-f]{8}")
"""The id of a main key."""


def shown(name: object) -> str:
    """A name as messages may repeat it.

    >>> shown("table/stadium-1"), shown(31), shown("wallet:ann")
    ('table/stadium-1', '31', 'wallet:ann')
    >>> shown('{"cards":"As Kd"}')
    '(a name that is not shown)'
    """
    text = str(name)
    return text if _NAME.fullmatch(text) else HIDDEN_NAME


def shown_hash(text: str) -> str:
    """A hash, a public key or a signature as messages may repeat it.

    >>> shown_hash("ab" * 32) == "ab" * 32, shown_hash("As Kd")
    (True, 'no hash')
    """
    return text if _HASH.fullmatch(text) else "no hash"
