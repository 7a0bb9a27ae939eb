"""The command line. ``main`` is what the command ``openfelt`` runs.

Importing this package loads nothing else: each command imports what it needs when it runs, so
that ``openfelt --help`` is fast.
"""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code; ``arguments`` replace ``sys.argv``."""
    from openfelt.cli.app import app
    from openfelt.cli.complaint import Complaint

    try:
        app(None if arguments is None else list(arguments), prog_name="openfelt")
    except Complaint as complaint:
        sys.stderr.write(f"openfelt: {complaint}\n")
        sys.exit(complaint.exit_code)
