"""The role in the event that opened an account is another one, and its hash is left alone."""

from tests.kit.audit.forger import Forger

FOUND = "Its content does not match its hash"


def forge(db: Forger) -> None:
    """Open ann's account as that of a supervisor."""
    db.run(
        'UPDATE events SET body = replace(body, \'"role":"player"\', \'"role":"supervisor"\')'
        " WHERE stream = 'account/ann' AND version = 1"
    )
