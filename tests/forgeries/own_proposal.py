"""A supervisor who approves an adjustment of their own: another person has proposed it, now."""

from tests.kit.audit.forger import Forger

FOUND = "of table/live-1: Its head was not written with a key of the house"


def forge(db: Forger) -> None:
    """Let the adjustment that waits be one that dora has not proposed."""
    where = "stream = 'table/live-1' AND name = 'adjustment_proposed'"
    version = db.value(f"SELECT max(version) FROM events WHERE {where}")
    body = db.value(f"SELECT body FROM events WHERE {where} AND version = {version}")
    assert '"dealer:dora"' in body
    db.rewrite("table/live-1", version, body=body.replace('"dealer:dora"', '"dealer:dan"'))
