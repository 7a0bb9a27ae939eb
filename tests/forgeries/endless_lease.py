"""A lease that never ends, so that no process can run the table."""

from tests.kit.audit.forger import Forger

FOUND = "Its lease was not taken by Openfelt"


def forge(db: Forger) -> None:
    """Lease a table to no process for a long time."""
    db.run(
        "UPDATE streams SET owner = 'forger', until_ms = 9000000000000000"
        " WHERE name = 'table/draw-1'"
    )
