"""A forged head with the authentic code of another stream."""

from tests.kit.audit.forger import Forger

FOUND = "Its head was not written with a key of the house"


def forge(db: Forger) -> None:
    """Append to cat's wallet, and copy the code of bob's."""
    version = db.append("wallet/cat", "deposited", {"player": "cat", "cents": 5, "note": ""})
    db.book("wallet/cat", version, debit="cash", credit="wallet:cat", cents=5)
    db.run(
        "UPDATE streams SET code = (SELECT code FROM streams WHERE name = 'wallet/bob')"
        " WHERE name = 'wallet/cat'"
    )
