"""The hash of a password that the forger knows, in the place of the supervisor's."""

from argon2 import PasswordHasher

from tests.kit.audit.forger import Forger
from tests.kit.audit.tamperer import literal

FOUND = "The secret password/1 is not the one that was set"


def forge(db: Forger) -> None:
    """Set the supervisor's password to one of the forger's."""
    known = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("known to the forger")
    db.run(
        f"UPDATE secrets SET body = {literal(known)}, key = ''"
        " WHERE stream = 'account/supervisor' AND name LIKE 'password/%'"
    )
