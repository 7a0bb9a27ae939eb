"""A dealer who was given a badge and denies it: the whole list of badges is gone, with its head."""

from tests.kit.audit.forger import Forger

FOUND = "of badges: The event that checkpoint 1 has signed is gone"


def forge(db: Forger) -> None:
    """Remove the stream and everything of it."""
    db.cut("badges", 0)
