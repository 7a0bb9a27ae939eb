"""A deposit that was never paid in: an event with a correct hash, its transfer and balances, and
the head of the wallet moved to it."""

from tests.kit.audit.forger import Forger

FOUND = "Its head was not written with a key of the house"


def forge(db: Forger) -> None:
    """Pay in a million cents for cat."""
    body = {"player": "cat", "cents": 1_000_000, "note": ""}
    version = db.append("wallet/cat", "deposited", body)
    db.book("wallet/cat", version, debit="cash", credit="wallet:cat", cents=1_000_000)
