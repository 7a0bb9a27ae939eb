"""The store's own stream under a key that no one has: without it, no other head could be checked,
and every forgery would pass as a matter of a missing key."""

from tests.kit.audit.forger import Forger

FOUND = "Row appends of the table streams is damaged: it was not written with a key of this house"


def forge(db: Forger) -> None:
    """Pay in for cat, and give the head of ``appends`` a code under an invented key."""
    version = db.append("wallet/cat", "deposited", {"player": "cat", "cents": 5, "note": ""})
    db.book("wallet/cat", version, debit="cash", credit="wallet:cat", cents=5)
    db.run("UPDATE streams SET code = 'deadbeef:00' WHERE name = 'appends'")
