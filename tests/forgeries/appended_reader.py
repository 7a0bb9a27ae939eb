"""A card reader that no supervisor has issued: its token sends cards to a live table."""

import hashlib

from tests.kit.audit.forger import Forger

FOUND = "of readers: Its head was not written with a key of the house"
TOKEN = "reader.known-to-the-forger"


def forge(db: Forger) -> None:
    """Append a reader whose token is known."""
    reader = hashlib.sha256(TOKEN.encode()).hexdigest()
    issued = {"reader": reader, "table": "live-1", "label": "shoe 2", "by": "supervisor"}
    db.append("readers", "reader_issued", issued)
