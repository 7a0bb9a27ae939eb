"""A progress bar on stderr for long computations, if stderr is a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openfelt.maths.parallel import Progress


@contextmanager
def watched(words: str) -> Iterator["Progress | None"]:
    """A progress bar, as a function to be called with the steps done and the total.

    It is None if stderr is not a terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    from openfelt.cli.terminal import make_console

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bars(
        *columns, TimeElapsedColumn(), console=make_console(sys.stderr), transient=True
    ) as bars:
        task = bars.add_task(words, total=None)

        def move(done: int, total: int) -> None:
            bars.update(task, completed=done, total=total)

        yield move
