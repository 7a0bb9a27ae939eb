"""The number of a lease in the row of a progressive link, which no process ever leases: every table
that feeds it would be shut out."""

from tests.kit.audit.forger import Forger

FOUND = "It is leased, and no stream of its kind ever is"


def forge(db: Forger) -> None:
    """Set the number."""
    db.run("UPDATE streams SET fence = 7 WHERE name LIKE 'link/%'")
