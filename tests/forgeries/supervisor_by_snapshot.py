"""A player who becomes a supervisor by a row of the table of snapshots, from which accounts are
read."""

import json

from tests.kit.audit.forger import Forger
from tests.kit.audit.tamperer import literal

FOUND = "The snapshot was not written with a key of the house"


def forge(db: Forger) -> None:
    """Write a snapshot of ann's account at its last event."""
    ((version, at_ms),) = db.run("SELECT version, at_ms FROM streams WHERE name = 'account/ann'")
    account = {"name": "ann", "role": "supervisor", "guest": False, "opened_ms": at_ms}
    row = ("account/ann", version, at_ms, json.dumps(account), "")
    db.run("DELETE FROM snapshots WHERE stream = 'account/ann'")
    db.run(f"INSERT INTO snapshots VALUES ({', '.join(map(literal, row))})")
