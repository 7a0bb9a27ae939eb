"""An adjustment that another supervisor seems to have approved."""

from tests.kit.audit.forger import Forger

FOUND = "of table/live-1: Its head was not written with a key of the house"


def forge(db: Forger) -> None:
    """Change the name under the approval, with a correct chain."""
    where = "stream = 'table/live-1' AND name = 'adjustment_made'"
    db.rewrite(
        "table/live-1", db.value(f"SELECT version FROM events WHERE {where}"), actor="floor:ann"
    )
