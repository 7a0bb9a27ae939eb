"""A player who signs on as a dealer, with a badge that was given to another person."""

from tests.kit.audit.forger import Forger

FOUND = "of badges: Its head was not written with a key of the house"


def forge(db: Forger) -> None:
    """Make dora's badge one of ann's, with a correct chain."""
    body = db.value("SELECT body FROM events WHERE stream = 'badges' AND version = 1")
    db.rewrite("badges", 1, body=body.replace('"dora"', '"ann"'))
