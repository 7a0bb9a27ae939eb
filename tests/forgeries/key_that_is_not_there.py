"""A forged head with a code under a key that the house does not have, so that no one could tell."""

from tests.kit.audit.forger import Forger

FOUND = "Its head was not written with a key of the house"


def forge(db: Forger) -> None:
    """Append to cat's wallet, with a code under an invented key."""
    version = db.append("wallet/cat", "deposited", {"player": "cat", "cents": 5, "note": ""})
    db.book("wallet/cat", version, debit="cash", credit="wallet:cat", cents=5)
    db.run(f"UPDATE streams SET code = 'deadbeef:{'0' * 64}' WHERE name = 'wallet/cat'")
