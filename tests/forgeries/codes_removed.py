"""A database that is made to look like one of an earlier version, which had no codes: the next
server would take everything as it finds it. The published checkpoints know better."""

from tests.kit.audit.forger import Forger

FOUND = "The event that checkpoint 1 has signed is gone"


def forge(db: Forger) -> None:
    """Pay in, and remove every code and the event that says that there are codes."""
    version = db.append("wallet/cat", "deposited", {"player": "cat", "cents": 5, "note": ""})
    db.book("wallet/cat", version, debit="cash", credit="wallet:cat", cents=5)
    db.run("DELETE FROM events WHERE stream = 'appends'")
    db.run("DELETE FROM streams WHERE name = 'appends'")
    db.run("UPDATE streams SET code = ''")
    db.run("UPDATE snapshots SET code = ''")
