"""The command line. ``main`` is what the command ``openfelt`` runs.

Importing this package loads nothing else: each command imports what it needs when it runs, so
that ``openfelt --help`` is fast.
"""

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code; ``arguments`` replace ``sys.argv``."""
    from openfelt.cli.app import app
    from openfelt.cli.complaint import Complaint

    try:
        try:
            app(None if arguments is None else list(arguments), prog_name="openfelt")
        except Complaint as complaint:
            sys.stderr.write(f"openfelt: {complaint}\n")
            sys.exit(complaint.exit_code)
        finally:
            # What is left in the buffer meets a closed pipe here, and not after the last line.
            sys.stdout.flush()
    except BrokenPipeError:
        _end_with_closed_output()
    except SystemExit as ended:
        # Rich and Typer turn a closed pipe into their own exit.
        if isinstance(ended.__context__, BrokenPipeError):
            _end_with_closed_output()
        raise


def _end_with_closed_output() -> None:
    """End quietly where the reader of the output has left, as ``head`` does."""
    from openfelt.cli.exit_codes import ExitCode

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(ExitCode.OUTPUT_CLOSED)
