"""A player who becomes a supervisor by an event with a correct hash."""

from tests.kit.audit.forger import Forger

FOUND = "Its head was not written with a key of the house"


def forge(db: Forger) -> None:
    """Give ann the role of a supervisor."""
    db.append("account/ann", "account_role_given", {"role": "supervisor", "by": "supervisor"})
