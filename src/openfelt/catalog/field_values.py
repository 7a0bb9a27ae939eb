"""Parsers of the values that the files share: odds, percentages, ranks, hands, names."""

import re
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import NoReturn, TypeVar

from openfelt.cards import CATEGORIES_BY_WORDS, Category, Rank
from openfelt.catalog.errors import CatalogError
from openfelt.catalog.files import HandForm
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules.paytable import HandMinimum, Odds

_Name = TypeVar("_Name", bound=StrEnum)
_ODDS = re.compile(r"(\d{1,6}) to (\d{1,3})", re.ASCII)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)%", re.ASCII)
RANKS = {rank.letter: rank for rank in Rank} | {"10": Rank.TEN}
"""Ranks in the notation of rule data."""


class Reader:
    """Parses the values of one file; errors name the file and the key."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def refuse(self, key: str, problem: str) -> NoReturn:
        """Reject the file because of one key."""
        raise CatalogError(self.file, key, problem)

    def odds(self, key: str, text: str) -> Odds:
        """Parse ``"3 to 2"``."""
        match = _ODDS.fullmatch(text)
        if match is None or int(match[2]) == 0 or int(match[1]) == 0:
            self.refuse(key, f"{text!r} are not odds such as '3 to 2'")
        return Odds(int(match[1]), int(match[2]))

    def percent(self, key: str, text: str) -> Fraction:
        """Parse ``"10%"`` as a fraction between 0 and 1."""
        match = _PERCENT.fullmatch(text)
        part = Fraction(match[1]) / 100 if match else None
        if part is None or part > 1:
            self.refuse(key, f"{text!r} is not a percentage such as '10%', at most '100%'")
        return part

    def category(self, key: str, words: str) -> Category:
        """Parse ``"three of a kind"``."""
        if words not in CATEGORIES_BY_WORDS:
            self.refuse(key, f"{words!r} is not one of {', '.join(CATEGORIES_BY_WORDS)}")
        return CATEGORIES_BY_WORDS[words]

    def hand_minimum(self, key: str, form: HandForm) -> HandMinimum:
        """Parse a category and, for a pair, its lowest rank."""
        category = self.category(f"{key}.hand", form.hand)
        if form.at_least is None:
            return HandMinimum(category)
        if category is not Category.PAIR:
            self.refuse(f"{key}.at_least", "only a pair has a lowest rank")
        if form.at_least not in RANKS:
            self.refuse(f"{key}.at_least", f"{form.at_least!r} is not a rank such as '10' or 'J'")
        return HandMinimum(category, RANKS[form.at_least])

    def name(self, key: str, text: str, names: type[_Name]) -> _Name:
        """Parse one of a fixed set of names."""
        try:
            return names(text)
        except ValueError:
            self.refuse(key, f"{text!r} is not one of {', '.join(names)}")

    def at_least(self, key: str, number: int, least: int) -> int:
        """Check a whole number against its minimum."""
        if number < least:
            self.refuse(key, f"{number} is less than {least}")
        if number > AMOUNT_MAX_CENTS:
            self.refuse(key, f"{number} is more than any table takes")
        return number
