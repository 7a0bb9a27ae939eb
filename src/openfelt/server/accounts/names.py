"""The names of accounts: their form, and those that are reserved for the house."""

from http import HTTPStatus
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.server.errors import Denied
from openfelt.table.croupier.house_money import HOUSE_PREFIX
from openfelt.table.permissions import check_name

NAME_LENGTH_MAX: Final = 32
GUEST_PREFIX: Final = "guest-"
COMPUTER_PREFIX: Final = "computer-"
"""The prefix of the names of computer players."""
RESERVED: Final = frozenset(
    ("openfelt", "system", "house", "dealer", "floor", "cashier", "nobody", "absence", "supervisor")
)
"""Names under which the house itself acts, or seems to act."""


def is_account_name(name: str) -> bool:
    """Whether an account may have this name."""
    try:
        check_name(name, "player")
    except Refusal:
        return False
    return len(name) <= NAME_LENGTH_MAX


def check_account_name(name: str) -> None:
    """Refuse a name that is malformed or reserved."""
    if not is_account_name(name):
        raise Denied(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "bad_name",
            f"A name must have 1 to {NAME_LENGTH_MAX} lower-case letters, digits and . _ @ - "
            "and begin with a letter or digit.",
        )
    if name.startswith((GUEST_PREFIX, COMPUTER_PREFIX, HOUSE_PREFIX)) or name in RESERVED:
        raise name_taken()


def name_taken() -> Denied:
    """The name is taken or reserved."""
    return Denied(HTTPStatus.CONFLICT, "name_taken", "This name is taken.")
