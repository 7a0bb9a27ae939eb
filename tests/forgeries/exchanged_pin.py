"""A dealer who signs on as a colleague: the forger's PIN in the place of the colleague's."""

from tests.kit.audit.forger import Forger

FOUND = "The secret pin/2 is not the one that was set"


def forge(db: Forger) -> None:
    """Put the hash of dan's PIN, encrypted as it is, where dora's is."""
    newest = "SELECT max(name) FROM secrets WHERE stream = 'account/{}' AND name LIKE 'pin/%'"
    mine, theirs = (db.value(newest.format(name)) for name in ("dan", "dora"))
    for column in ("key", "body"):
        db.run(
            f"UPDATE secrets SET {column} = (SELECT {column} FROM secrets"
            f" WHERE stream = 'account/dan' AND name = '{mine}')"
            f" WHERE stream = 'account/dora' AND name = '{theirs}'"
        )
