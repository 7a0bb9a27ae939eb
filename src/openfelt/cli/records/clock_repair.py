"""``openfelt clock`` shows whether the record is ahead of the clock, and repairs that."""

import os
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import Database, open_database, usual_address, without_servers
from openfelt.cli.exit_codes import ExitCode

SHOWN_MAX = 20
"""How many records are listed."""
_YEARS_END_MS = 253_402_300_800_000
"""The first moment of the year 10000, UTC."""


def clock(
    database: Database = None,
    correct: Annotated[
        str | None,
        typer.Option(
            metavar="REASON",
            help="Record that times ahead of the clock are wrong, and why. Stop the server first.",
        ),
    ] = None,
) -> None:
    """Show the records whose last event is ahead of this machine's clock.

    Times in a record never go backwards, so after a clock was ahead for a while, later events would
    carry that wrong time until the clock catches up. With --correct, the record notes that those
    times are wrong, and follows the clock again.
    """
    from openfelt.runtime.causes import operator
    from openfelt.runtime.clock import SystemClock
    from openfelt.runtime.clock_correction import NothingToCorrect, correct_clock, streams_ahead
    from openfelt.storage.shown_names import shown

    if correct is not None and not correct.strip():
        raise Complaint("Give the reason why the clock was wrong.", ExitCode.WRONG_INPUT)
    address = database or usual_address(os.environ)
    with open_database(address) as store:
        if correct is not None:
            try:
                with without_servers(address, store):
                    done = correct_clock(
                        store, SystemClock(), reason=correct.strip(), cause=operator()
                    )
            except NothingToCorrect as error:
                raise Complaint(str(error), ExitCode.WRONG_INPUT) from error
            typer.echo(
                f"Recorded: times up to {_words(done.wrong_ms)} are wrong. Start the server again; "
                "these records then follow the clock again."
            )
            return
        now_ms = SystemClock().wall_ms()
        ahead = streams_ahead(store, now_ms)
    typer.echo(f"The clock of this machine says {_words(now_ms)}.")
    for stream, head in islice(ahead.items(), SHOWN_MAX):
        typer.echo(f"{shown(stream)} ends at {_words(head.at_ms)}.")
    if len(ahead) > SHOWN_MAX:
        typer.echo(f"... and {len(ahead) - SHOWN_MAX:,} more.")
    typer.echo(f"{len(ahead):,} record{'s are' if len(ahead) != 1 else ' is'} ahead of the clock.")
    if ahead:
        typer.echo(
            "If this machine's clock is wrong now, set it right; nothing else is needed. If it is "
            "right, it was wrong then: stop the server, run openfelt clock DATABASE --correct "
            '"what was wrong", and start it again. Until then, these records stand still at their '
            "last time."
        )


def _words(at_ms: int) -> str:
    if at_ms >= _YEARS_END_MS:
        # Only a damaged row has such a time.
        return "a time after the year 9999"
    return f"{datetime.fromtimestamp(at_ms // 1000, tz=UTC):%Y-%m-%d %H:%M:%S} UTC"
