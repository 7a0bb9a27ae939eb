"""A secret under the name of the deck of a coming round: the table could not write its own deck,
and would stop."""

from tests.kit.audit.forger import Forger

FOUND = "There is a secret that no event names"


def forge(db: Forger) -> None:
    """Take the name of a deck."""
    db.run("INSERT INTO secrets VALUES ('table/washington-1', '9/table', 'x', '')")
