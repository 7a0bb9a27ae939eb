"""A withdrawal that never happened: the end of a wallet is cut off, with its transfer, and the
balances and the head are set back."""

from tests.kit.audit.forger import Forger

FOUND = "Its head was not written with a key of the house"


def forge(db: Forger) -> None:
    """Take cat's withdrawal of 500 cents back."""
    db.run("DELETE FROM transfers WHERE stream = 'wallet/cat' AND version = 2")
    db.run("DELETE FROM events WHERE stream = 'wallet/cat' AND version = 2")
    db.run(
        "UPDATE streams SET version = 1, hash = (SELECT hash FROM events WHERE"
        " stream = 'wallet/cat' AND version = 1) WHERE name = 'wallet/cat'"
    )
    db.run("UPDATE balances SET cents = cents + 500 WHERE account = 'wallet:cat'")
    db.run("UPDATE balances SET cents = cents - 500 WHERE account = 'cash'")
