"""A trigger that changes what is written, later and by itself."""

import psycopg

from tests.kit.audit.forger import Forger

FOUND = "Its own check reports"


def forge(db: Forger) -> None:
    """Make a trigger, in the words of either database."""
    try:
        db.run(
            "CREATE TRIGGER forger AFTER INSERT ON transfers BEGIN"
            " UPDATE balances SET cents = cents + 1 WHERE account = 'wallet:cat'; END"
        )
    except psycopg.Error:
        db.run(
            "CREATE FUNCTION forge() RETURNS trigger AS $$ BEGIN UPDATE balances SET"
            " cents = cents + 1 WHERE account = 'wallet:cat'; RETURN NEW; END $$ LANGUAGE plpgsql"
        )
        db.run(
            "CREATE TRIGGER forger AFTER INSERT ON transfers FOR EACH ROW EXECUTE FUNCTION forge()"
        )
