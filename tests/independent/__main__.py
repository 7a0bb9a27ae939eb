"""Check the databases that the command line names; see ``tests.independent.record``."""

import sys

from tests.independent.record import Violation, check_record


def main(databases: list[str]) -> int:
    """Check each database; the exit code is 1 if one of them is wrong."""
    wrong = 0
    for database in databases:
        try:
            look = check_record(database)
        except Violation as violation:
            wrong = 1
            print(f"{database} is wrong:\n{violation}")  # noqa: T201
        else:
            print(f"{database}: {look.events} events and {look.transfers} transfers hold.")  # noqa: T201
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
