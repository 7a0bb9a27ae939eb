"""A rule set under the name of another house."""

from tests.kit.audit.forger import Forger

FOUND = "is stored for another house"


def forge(db: Forger) -> None:
    """Call the rules of one house those of another."""
    db.run("UPDATE rule_sets SET house = 'stadium' WHERE house = 'draw'")
