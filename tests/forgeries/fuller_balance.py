"""A wallet that holds more than was ever paid into it."""

from tests.kit.audit.forger import Forger

FOUND = "The balance of wallet:cat is not the sum of its transfers"


def forge(db: Forger) -> None:
    """Add to a balance, and take it from the house."""
    db.run("UPDATE balances SET cents = cents + 5 WHERE account = 'wallet:cat'")
    db.run("UPDATE balances SET cents = cents - 5 WHERE account = 'house'")
