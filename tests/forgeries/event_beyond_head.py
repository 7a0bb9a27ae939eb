"""An event beyond the head of an account: readers who do not look at the head would take it, and no
writer could write in its place."""

from tests.kit.audit.forger import Forger

FOUND = "Events lie beyond the head of the stream"


def forge(db: Forger) -> None:
    """Give ann a role in an event to which the head is not moved."""
    body = {"role": "supervisor", "by": "supervisor"}
    db.append("account/ann", "account_role_given", body, moved=False)
