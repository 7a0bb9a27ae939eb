"""An answer of an earlier version that tells of another end: a repeated command would get it."""

from tests.kit.audit.forger import Forger

FOUND = "The answers of earlier versions have been changed"


def forge(db: Forger) -> None:
    """Change the digest of a command, so that its repetition is refused as another one."""
    db.run(f"UPDATE answers SET digest = '{'f' * 64}' WHERE command = 'first'")
