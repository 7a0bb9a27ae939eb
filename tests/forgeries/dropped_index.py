"""The index that keeps a command from being carried out twice is gone."""

from tests.kit.audit.forger import Forger

FOUND = "events_by_command is missing"


def forge(db: Forger) -> None:
    """Drop the index."""
    db.run("DROP INDEX events_by_command")
