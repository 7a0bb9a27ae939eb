"""An answer of an earlier version that is gone: a repeated command would be carried out again."""

from tests.kit.audit.forger import Forger

FOUND = "The answers of earlier versions have been changed"


def forge(db: Forger) -> None:
    """Delete an answer."""
    db.run("DELETE FROM answers WHERE command = 'first'")
