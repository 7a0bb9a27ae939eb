"""An answer that was never given: the command would be taken for one that was carried out."""

from tests.kit.audit.forger import Forger

FOUND = "The answers of earlier versions have been changed"


def forge(db: Forger) -> None:
    """Add an answer to a command that has not come yet."""
    db.run(
        "INSERT INTO answers SELECT stream, actor, 'not yet', digest, body FROM answers"
        " WHERE command = 'first'"
    )
