"""Sessions played from a script, in this process: lines in, everything that was shown out."""

import io
import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from openfelt.cards import FULL_DECK, Card, parse_cards
from openfelt.cli.play.desk import Desk, TimeUp
from openfelt.cli.play.saved_game import PLAYER, SavedGame
from openfelt.cli.play.start import FILE_NAME, run
from openfelt.cli.play.visit import PlayOptions
from openfelt.cli.terminal import make_console
from openfelt.runtime.audit.database import audit
from openfelt.runtime.clock import SystemClock
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.state import Table
from tests.independent.record import check_record
from tests.kit.floors import StandingClock

DAY = date(2026, 3, 1)
CTRL_C = "<ctrl-c>"
TIME_UP = "<time up>"


class Script:
    """A desk whose keyboard is a list of lines; after the last one the input ends."""

    def __init__(
        self, lines: Iterable[str], *, width: int = 80, height: int = 60, interactive: bool = False
    ) -> None:
        self.stream = io.StringIO()
        self.console = make_console(self.stream, environment={}, width=width, height=height)
        self.lines = iter(lines)
        self.prompts: list[str] = []
        self.shown: list[str] = []
        """What was shown before each prompt, since the one before it."""
        self._seen = 0
        self.desk = Desk(self.console, self._read, interactive=interactive, now=lambda: 0.0)

    def _read(self, prompt: str, _seconds: float | None) -> str:
        self.prompts.append(prompt)
        self.shown.append(self.text[self._seen :])
        line = next(self.lines, None)
        self.stream.write(f"{prompt}{'' if line is None else line}\n")
        self._seen = len(self.text)
        if line is None:
            raise EOFError
        if line == CTRL_C:
            raise KeyboardInterrupt
        if line == TIME_UP:
            raise TimeUp
        return line

    @property
    def text(self) -> str:
        """Everything shown so far."""
        return self.stream.getvalue()


def play(
    *lines: str,
    options: PlayOptions | None = None,
    data: Path | None = None,
    day: date = DAY,
    deck: str | None = None,
    own_deck: str | None = None,
    width: int = 80,
    height: int = 60,
    interactive: bool = False,
    **named: object,
) -> Script:
    """Play a session; it is seeded unless a data folder is given.

    ``deck`` stacks the cards, and ``own_deck`` those of the terminal where it has its own.
    """
    options = options or PlayOptions(**named)  # type: ignore[arg-type]
    if data is not None:
        options = replace(options, data=data)
    elif options.seed is None:
        options = replace(options, seed=7)
    script = Script(lines, width=width, height=height, interactive=interactive)
    entropy = StackedEntropy(deck, own_deck) if deck is not None else None
    run(options, desk=script.desk, clock=clock_on(day), entropy=entropy)
    return script


_SESSIONS = itertools.count()


def clock_on(day: date) -> StandingClock:
    """A clock that stands at a moment of this day, each time a second later."""
    clock = StandingClock()
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    clock.wall = int(noon.timestamp() * 1000) + 1000 * next(_SESSIONS)
    return clock


class StackedEntropy:
    """Chance that makes the shuffle deal these cards first, in every round.

    The shuffle goes from the last place down, so the draws are found by doing it backwards.
    """

    def __init__(self, cards: str, own_deck: str | None = None) -> None:
        first = parse_cards(cards)
        self._draws = _draws_for(FULL_DECK, first)
        if own_deck is not None:
            self._draws += _draws_for(FULL_DECK, parse_cards(own_deck))
        self._position = 0

    def draw_below(self, limit: int) -> int:
        """The next draw of the stack."""
        chosen = self._draws[self._position % len(self._draws)]
        self._position += 1
        assert chosen < limit
        return chosen

    def token(self, size: int) -> bytes:
        """A key that needs not be secret here."""
        return bytes(size)

    def refresh(self) -> None:
        """The stack stays as it is."""


def _draws_for(deck: Sequence[Card], first: Sequence[Card]) -> list[int]:
    target = [*first, *(card for card in deck if card not in first)]
    order = list(deck)
    draws = []
    for last in range(len(order) - 1, 0, -1):
        chosen = order.index(target[last])
        order[last], order[chosen] = order[chosen], order[last]
        draws.append(chosen)
    return draws


@contextmanager
def saved_game(folder: Path) -> Iterator[SavedGame]:
    """The saved game as it is on disk, while another program may have it open."""
    with closing(SqliteStore(folder / FILE_NAME)) as store:
        yield SavedGame(store, entropy=SeededEntropy(1), clock=SystemClock())


def saved_credit(folder: Path) -> int:
    """The player's credit as it is on disk."""
    with saved_game(folder) as saved:
        return saved.credit_cents


def saved_table(folder: Path, house: str) -> Table:
    """A table as it is on disk."""
    with saved_game(folder) as saved:
        return next(table for table in saved.tables() if table.id == f"{house}-1")


def round_waits(folder: Path, house: str) -> bool:
    """Whether wagers of the player lie in a round of this house's table."""
    table = saved_table(folder, house)
    seat = table.seat_of(PLAYER.name)
    return seat is not None and table.wagers_of(seat)


def check_audit(folder: Path) -> None:
    """Let the audit check every event, round, card and cent of the saved game, and the
    independent checker everything that it can know without the program."""
    check_record(folder / FILE_NAME)
    with closing(SqliteStore(folder / FILE_NAME)) as store:
        report = audit(store)
    assert report.clean, report
