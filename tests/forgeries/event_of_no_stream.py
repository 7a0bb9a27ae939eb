"""Events of a wallet that has no head, and so is in no list of streams."""

from tests.kit.audit.forger import Forger

FOUND = "Events lie beyond the head of the stream"


def forge(db: Forger) -> None:
    """Copy a deposit into a wallet of the forger's."""
    db.run(
        "INSERT INTO events SELECT 'wallet/forger', version, name, schema, body, at_ms, previous,"
        " hash, actor, terminal, command, '' FROM events WHERE stream = 'wallet/bob'"
    )
