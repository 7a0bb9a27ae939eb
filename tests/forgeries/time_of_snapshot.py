"""A snapshot whose time differs from that of its event."""

from tests.kit.audit.forger import Forger

FOUND = "The time of the snapshot differs from that of its event"


def forge(db: Forger) -> None:
    """Let the snapshot of a table be taken earlier."""
    db.run("UPDATE snapshots SET at_ms = at_ms - 1000 WHERE stream = 'table/draw-1'")
