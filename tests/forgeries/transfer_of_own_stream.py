"""Money on the store's own stream ``appends``, which belongs to no table and no player: its one
event moves none, but is there, so that the transfer seems to belong to it."""

from tests.kit.audit.forger import Forger

FOUND = "Its transfer 1 is not the one that it causes"


def forge(db: Forger) -> None:
    """Pay in for cat, as a transfer of the event that says from when on appends are authentic."""
    db.book("appends", 1, debit="cash", credit="wallet:cat", cents=5_000_000)
