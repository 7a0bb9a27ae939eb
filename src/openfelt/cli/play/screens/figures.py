"""The figures on the screen besides the cards: meters, results, chips, names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from openfelt.cli.play.history import GAMES_COUNTED, PlayedGame
from openfelt.money import format_cents
from openfelt.rules import House, WagerKind
from openfelt.rules.house import GameName
from openfelt.rules.wager_rules import ante_max_cents

RESULT_KINDS = {
    GameName.ULTIMATE_HOLDEM: (WagerKind.ANTE, WagerKind.BLIND, WagerKind.PLAY),
    GameName.ULTIMATE_DRAW: (WagerKind.ANTE, WagerKind.BONUS),
}
"""The wagers whose results the terminal counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Everything that the screen shows and the round does not know."""

    house: House
    seat: int
    day: date
    credit_cents: int
    bet_cents: int
    win_cents: int
    """The winnings of the last game beyond its stakes, 0 while a game runs."""
    tips_cents: int
    collection_cents: int
    """The flat collection of this round from the player, 0 if the house takes none."""
    meter_cents: int | None
    games: Sequence[PlayedGame]
    chip_cents: int
    picked_hands: tuple[int, ...]
    names: Mapping[int, str]
    """The computer players, by seat."""
    note: str
    """That it is a demonstration, and on which cards (S.screen.demo)."""
    four_colour: bool = False
    floor: bool = False
    """Whether the person at the keyboard also acts as floor staff."""

    @property
    def table_name(self) -> str:
        """The table's own name and number."""
        return f"{self.house.id.upper()}-1"

    @property
    def limits(self) -> tuple[int, int]:
        """The smallest and the largest Ante of the day."""
        ante = self.house.wager(WagerKind.ANTE)
        assert ante is not None
        return ante.min_cents, ante_max_cents(self.house, self.house.limits_on(self.day))

    def results(self) -> list[tuple[str, int, int]]:
        """For each counted wager its wins and stand-offs over the last five games."""
        games = self.games[-GAMES_COUNTED:]
        return [
            (
                kind.words,
                sum(game.wins.get(kind.value, 0) for game in games),
                sum(game.stand_offs.get(kind.value, 0) for game in games),
            )
            for kind in RESULT_KINDS[self.house.game]
        ]


def counted(number: int, thing: str) -> str:
    """A number of things in words: one has no plural.

    >>> counted(1, "round"), counted(2, "round"), counted(0, "hand")
    ('one round', '2 rounds', 'no hands')
    """
    if number == 1:
        return f"one {thing}"
    return f"{number or 'no'} {thing}s"


def chip_words(cents: int) -> str:
    """An amount as it is printed on a chip: no cents if there are none.

    >>> chip_words(2500), chip_words(250), chip_words(200000)
    ('$25', '$2.50', '$2,000')
    """
    return format_cents(cents).removesuffix(".00")
