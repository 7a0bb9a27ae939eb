"""A password that is gone, so that its owner can no longer sign in."""

from tests.kit.audit.forger import Forger

FOUND = "The secret password/1 is missing"


def forge(db: Forger) -> None:
    """Delete ann's password."""
    db.run("DELETE FROM secrets WHERE stream = 'account/ann' AND name = 'password/1'")
