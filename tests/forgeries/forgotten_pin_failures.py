"""A guesser of PINs who takes the wrong guesses back: the end of an account is cut off."""

from tests.kit.audit.forger import Forger

FOUND = "of account/dora: Its head was not written with a key of the house"


def forge(db: Forger) -> None:
    """Delete the last event of dora's account, and set its head back."""
    last = db.value("SELECT version FROM streams WHERE name = 'account/dora'")
    db.cut("account/dora", last - 1)
