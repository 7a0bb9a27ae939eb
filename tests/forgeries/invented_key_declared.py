"""The same, more skilfully: an event of the store's own stream says that the invented key was
used, as if the house had begun to use it and lost it."""

from tests.kit.audit.forger import Forger

FOUND = "Its head names a key that is not here, and that was not declared lost: no head of any"


def forge(db: Forger) -> None:
    """Pay in for cat, and let the database say that it uses the key deadbeef."""
    version = db.append("wallet/cat", "deposited", {"player": "cat", "cents": 5, "note": ""})
    db.book("wallet/cat", version, debit="cash", credit="wallet:cat", cents=5)
    db.append("appends", "append_keys_used", {"keys": ["deadbeef"]})
    db.run("UPDATE streams SET code = 'deadbeef:00' WHERE name = 'appends'")
