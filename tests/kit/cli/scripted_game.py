"""Sessions played from a script, in this process: lines in, everything that was shown out."""

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from openfelt.cards import FULL_DECK, Card, parse_cards
from openfelt.cli.play.desk import Desk, TimeUp
from openfelt.cli.play.profile import Profile, decode
from openfelt.cli.play.start import Settings, run
from openfelt.cli.play.store import FILE_NAME
from openfelt.cli.terminal import make_console

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
    settings: Settings | None = None,
    data: Path | None = None,
    day: date = DAY,
    deck: str | None = None,
    own_deck: str | None = None,
    width: int = 80,
    height: int = 60,
    interactive: bool = False,
    **options: object,
) -> Script:
    """Play a session; it is seeded unless a data folder is given.

    ``deck`` stacks the cards, and ``own_deck`` those of the terminal where it has its own.
    """
    settings = settings or Settings(**options)  # type: ignore[arg-type]
    if data is not None:
        settings = replace(settings, data=data)
    elif settings.seed is None:
        settings = replace(settings, seed=7)
    script = Script(lines, width=width, height=height, interactive=interactive)
    draw = stacked(deck, own_deck) if deck is not None else None
    run(settings, desk=script.desk, clock=lambda: day, draw_below=draw)
    return script


def stacked(cards: str, own_deck: str | None = None) -> Callable[[int], int]:
    """Draws that make the shuffle deal these cards first, in every round.

    The shuffle goes from the last place down, so the draws are found by doing it backwards.
    """
    first = parse_cards(cards)
    draws = _draws_for(FULL_DECK, first)
    if own_deck is not None:
        left = [card for card in FULL_DECK if card not in first]
        draws += _draws_for(left, parse_cards(own_deck))
    position = 0

    def draw_below(limit: int) -> int:
        nonlocal position
        chosen = draws[position % len(draws)]
        position += 1
        assert chosen < limit
        return chosen

    return draw_below


def _draws_for(deck: Sequence[Card], first: Sequence[Card]) -> list[int]:
    target = [*first, *(card for card in deck if card not in first)]
    order = list(deck)
    draws = []
    for last in range(len(order) - 1, 0, -1):
        chosen = order.index(target[last])
        order[last], order[chosen] = order[chosen], order[last]
        draws.append(chosen)
    return draws


def saved_profile(folder: Path) -> Profile:
    """The profile as it stands on disk."""
    return decode((folder / FILE_NAME).read_bytes())
