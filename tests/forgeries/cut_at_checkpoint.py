"""Everything after the first checkpoint never happened: all streams end where it has signed them,
and the later checkpoint is gone, also from the numbering."""

import json

from tests.kit.audit.forger import Forger

FOUND = "Its head was not written with a key of the house"


def forge(db: Forger) -> None:
    """Set the whole database back to a moment at which everything was in order."""
    heads = json.loads(db.value("SELECT body FROM checkpoints WHERE number = 1"))["heads"]
    signed = {head["stream"]: head["version"] for head in heads}
    for (stream,) in db.run("SELECT name FROM streams WHERE name <> 'appends'"):
        db.cut(stream, signed.get(stream, 0))
    db.run("DELETE FROM checkpoints WHERE number > 1")
    db.balance_anew()
