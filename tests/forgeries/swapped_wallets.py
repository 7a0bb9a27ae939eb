"""Two players whose wallets are exchanged, with every row that belongs to them."""

from tests.kit.audit.forger import Forger

FOUND = "Its head was not written with a key of the house"


def forge(db: Forger) -> None:
    """Give bob's wallet to cat, and cat's to bob."""
    exchanged = "CASE {column} WHEN '{one}' THEN '{other}' WHEN '{other}' THEN '{one}' END"
    # PostgreSQL checks keys row by row, so one of the two steps aside first.
    for column, table in (("name", "streams"), ("stream", "events"), ("stream", "transfers")):
        for before, after in (("bob", "aside"), ("cat", "bob"), ("aside", "cat")):
            db.run(
                f"UPDATE {table} SET {column} = 'wallet/{after}' WHERE {column} = 'wallet/{before}'"
            )
    db.run(
        "UPDATE events SET body = CASE stream"
        " WHEN 'wallet/bob' THEN replace(body, '\"cat\"', '\"bob\"')"
        " ELSE replace(body, '\"bob\"', '\"cat\"') END"
        " WHERE stream IN ('wallet/bob', 'wallet/cat')"
    )
    for side in ("debit", "credit"):
        one, other = "wallet:bob", "wallet:cat"
        changed = exchanged.format(column=side, one=one, other=other)
        db.run(
            f"UPDATE transfers SET {side} = {changed} WHERE {side} IN ('{one}', '{other}')"
            " AND stream IN ('wallet/bob', 'wallet/cat')"
        )
    for player in ("bob", "cat"):
        db.rehash(f"wallet/{player}")
    db.balance_anew()
