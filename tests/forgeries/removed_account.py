"""An account that never was: its whole stream is removed with everything that belongs to it, so
that its name is free."""

from tests.kit.audit.forger import Forger

FOUND = "has signed is gone"


def forge(db: Forger) -> None:
    """Remove every row of ann's account."""
    for table in ("events", "secrets", "snapshots"):
        db.run(f"DELETE FROM {table} WHERE stream = 'account/ann'")
    db.run("DELETE FROM streams WHERE name = 'account/ann'")
