"""Names of the secrets of an account: a kind, a slash, and the number of the event that set it.

Every such name in the program is made and taken apart here.
"""

from enum import StrEnum
from typing import Final


class AccountSecret(StrEnum):
    """What a secret of an account is. The values are stored and never change."""

    PASSWORD = "password"  # noqa: S105 (a kind of secret, and not one)
    """The hash of a password."""
    PIN = "pin"
    """The hash of a PIN."""
    CODES = "totp"
    """The secret of one-time codes."""
    RECOVERY = "recovery"
    """The hashes of recovery codes."""

    @property
    def prefix(self) -> str:
        """The prefix of the names of all secrets of this kind."""
        return f"{self.value}/"

    def name_of(self, number: int) -> str:
        """The name of a secret: that of the first password, of the second, and so on.

        >>> AccountSecret.PASSWORD.name_of(2)
        'password/2'
        """
        return f"{self.prefix}{number}"


_KINDS: Final = frozenset(kind.value for kind in AccountSecret)


def is_account_secret(name: str) -> bool:
    """Whether a name is that of a secret of one of these kinds.

    >>> is_account_secret("pin/1"), is_account_secret("decks/1")
    (True, False)
    """
    return name.partition("/")[0] in _KINDS
