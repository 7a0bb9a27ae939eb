"""A process that never ends, so that tables are left to it for good."""

from tests.kit.audit.forger import Forger

FOUND = "was not listed by Openfelt"


def forge(db: Forger) -> None:
    """List a process that does not run, and will always be taken for a living one."""
    db.run(
        "INSERT INTO members"
        " (name, home, run, role, version, started_ms, beat_ms, until_ms, drained)"
        " VALUES ('forger', 'f', 'f', 'both', '1', 0, 0, 9000000000000000, 0)"
    )
