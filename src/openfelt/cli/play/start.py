"""The start of ``openfelt play``: the saved game is opened, and a visit begins."""

import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from openfelt.cli.complaint import Complaint
from openfelt.cli.data_folder import data_folder, locked
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.play.bets import STANDARD_CREDIT_CENTS
from openfelt.cli.play.desk import Desk, is_interactive, line_reader
from openfelt.cli.play.earlier_profile import set_aside, take_over
from openfelt.cli.play.saved_game import SavedGame
from openfelt.cli.play.visit import PlayOptions, Visit
from openfelt.cli.rule_data import find_house, open_catalog
from openfelt.cli.terminal import make_console
from openfelt.money import parse_cents
from openfelt.runtime.clock import Clock, SystemClock
from openfelt.runtime.shuffle.entropy import Entropy, SeededEntropy, SystemEntropy
from openfelt.runtime.shuffle.entropy_health import EntropyFailure
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, NotOpenfelt, StoreError
from openfelt.storage.sqlite import SqliteStore

FILE_NAME = "play.db"
"""The saved game in its folder."""
_MEMORY = "/dev/shm"  # noqa: S108, a new folder is made in it under a name of its own.
"""A folder in memory, where the system has one: nothing of a seeded game need last."""
_DATABASE_MARK = b"SQLite format 3\0"
"""With these bytes every SQLite database begins."""


def run(
    options: PlayOptions,
    *,
    desk: Desk | None = None,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
) -> None:
    """Play until the player leaves. Tests bring their own desk, clock and shuffle."""
    catalog = open_catalog(options.houses_folder)
    if options.house is not None:
        find_house(catalog, options.house)
    credit_cents = _read_credit(options.credit)
    desk = desk or _own_desk()
    entropy = entropy or _entropy(options.seed)
    # The player gets a complaint for what the engine logs, not a log line between two screens.
    logging.getLogger("openfelt").addHandler(logging.NullHandler())
    with _folder(options) as folder, _opened(folder / FILE_NAME, desk) as store:
        saved = SavedGame(store, entropy=entropy, clock=clock or SystemClock())
        visit = Visit(
            options=options,
            catalog=catalog,
            desk=desk,
            saved=saved,
            earlier=take_over(folder, saved, catalog),
            credit_cents=credit_cents,
        )
        visit.run()
        saved.close()


@contextmanager
def _folder(options: PlayOptions) -> Iterator[Path]:
    """The folder of the saved game. A seeded game has its own, removed at the end."""
    if options.seed is not None:
        in_memory = _MEMORY if os.access(_MEMORY, os.W_OK) else None
        with tempfile.TemporaryDirectory(prefix="openfelt-play-", dir=in_memory) as name:
            yield Path(name)
        return
    folder = data_folder(options.data, os.environ)
    with locked(folder):
        yield folder


@contextmanager
def _opened(file: Path, desk: Desk) -> Iterator[SqliteStore]:
    """The database of the saved game, until the visit is over; raises Complaint."""
    _set_aside_unless_database(file, desk)
    try:
        with closing(SqliteStore(file)) as store:
            yield store
    except NotOpenfelt as error:
        raise Complaint(f"{error} Use another folder with --data.") from error
    except (CodecError, Damaged) as error:
        raise Complaint(
            f"The saved game is damaged: {error} To see where, run: openfelt audit {file}"
        ) from error
    except StoreError as error:
        raise Complaint(str(error)) from error


def _set_aside_unless_database(file: Path, desk: Desk) -> None:
    """Keep a file that is not a database under another name, and begin a new one."""
    try:
        with file.open("rb") as handle:
            mark = handle.read(len(_DATABASE_MARK))
    except FileNotFoundError:
        return
    except OSError as error:
        raise Complaint(f"{file}: cannot be read: {error.strerror}") from error
    if mark in (b"", _DATABASE_MARK):
        return
    # SQLite would take what is left of its log for the new file's.
    for companion in (file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
        companion.unlink(missing_ok=True)
    aside = set_aside(file, "damaged")
    desk.note(
        f"Your saved game is damaged: it is not a database. It was set aside as {aside.name}, "
        "and a new one begins.",
        "bold red",
    )


def _entropy(seed: int | None) -> Entropy:
    """The source of the shuffle: the system's, or one that deals the same cards again."""
    if seed is not None:
        return SeededEntropy(seed)
    try:
        return SystemEntropy()
    except EntropyFailure as error:
        raise Complaint(f"The shuffler has failed its self-test: {error}") from error


def _own_desk() -> Desk:
    interactive = is_interactive()
    if not interactive and hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    console = make_console()
    return Desk(
        console,
        line_reader(sys.stdin, console, interactive=interactive),
        interactive=interactive,
    )


def _read_credit(text: str | None) -> int:
    if text is None:
        return STANDARD_CREDIT_CENTS
    try:
        cents = parse_cents(text)
    except ValueError as error:
        raise Complaint(f"--credit: {error}.", ExitCode.WRONG_INPUT) from error
    if cents == 0:
        raise Complaint("--credit: an amount above $0.00 is needed to play.", ExitCode.WRONG_INPUT)
    return cents
