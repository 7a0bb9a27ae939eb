"""A snapshot with another time than its event."""

from tests.kit.audit.forger import Forger

FOUND = "The snapshot has another time than its event"


def forge(db: Forger) -> None:
    """Let the snapshot of a table be taken earlier."""
    db.run("UPDATE snapshots SET at_ms = at_ms - 1000 WHERE stream = 'table/draw-1'")
