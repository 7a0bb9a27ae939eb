"""The kinds of line in a plain strategy: the hands that each matches, and its wording.

A line is a subject, such as "four to a flush with a hole card of ten or higher in it", and at most
one qualifier, such as "and a straight draw". Both come in families of parts, ordered from the
narrowest to the broadest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category, Rank
from openfelt.maths.kernels.strategy_features import FLOP_FEATURES, RIVER_FEATURES
from openfelt.maths.strategy.strategies import Box, StrategyLine, box

_ANY = 1 << 30


@dataclass(frozen=True, slots=True)
class Part:
    """One condition, in words and as a box; an exception matches everything outside its box."""

    words: str
    limits: Box
    is_exception: bool = False

    def boxes(self) -> tuple[Box, ...]:
        """The part as boxes that do not overlap."""
        if not self.is_exception:
            return (self.limits,)
        outside: list[Box] = []
        inside: Box = ()
        for name, low, high in self.limits:
            if low > -_ANY:
                outside.append((*inside, (name, -_ANY, low - 1)))
            if high < _ANY:
                outside.append((*inside, (name, high + 1, _ANY)))
            inside = (*inside, (name, low, high))
        return tuple(outside)

    def fits(self, features: npt.NDArray[np.int64], names: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Return for each row of features whether the part matches."""
        fits = np.ones(len(features), dtype=np.bool_)
        for name, low, high in self.limits:
            column = features[:, names.index(name)]
            fits &= (low <= column) & (column <= high)
        return ~fits if self.is_exception else fits


@dataclass(frozen=True, slots=True)
class Family:
    """Parts of one kind: nested, so that each matches wherever the earlier ones do, or disjoint."""

    parts: tuple[Part, ...]
    nested: bool = True

    def places(
        self, features: npt.NDArray[np.int64], names: Sequence[str]
    ) -> npt.NDArray[np.int64]:
        """The number of the first part that matches each row, or the number of all parts."""
        fits = np.array([part.fits(features, names) for part in self.parts])
        return np.where(fits.any(axis=0), fits.argmax(axis=0), len(self.parts))


@dataclass(frozen=True, slots=True)
class StreetLines:
    """The lines that may be chosen for one decision."""

    features: tuple[str, ...]
    subjects: tuple[Family, ...]
    qualifiers: tuple[Family, ...]


def write_line(subject: Part, qualifier: Part | None) -> StrategyLine:
    """Make a line from its parts.

    >>> flop = flop_street()
    >>> write_line(flop.subjects[3].parts[0], flop.qualifiers[3].parts[0]).words
    'four to a flush with a hole card of ace in it and a straight draw of two ranks'
    """
    if qualifier is None:
        return StrategyLine(subject.words, subject.boxes())
    met = (
        _meet(subject_box, qualifier_box)
        for subject_box in subject.boxes()
        for qualifier_box in qualifier.boxes()
    )
    joint = ", " if qualifier.is_exception else " "
    boxes = tuple(limits for limits in met if limits is not None)
    return StrategyLine(f"{subject.words}{joint}{qualifier.words}", boxes)


def _meet(first: Box, second: Box) -> Box | None:
    """The intersection of two boxes; None if they are disjoint."""
    limits: dict[str, tuple[int, int]] = {}
    for name, low, high in (*first, *second):
        lowest, highest = limits.get(name, (-_ANY, _ANY))
        limits[name] = max(low, lowest), min(high, highest)
    if any(low > high for low, high in limits.values()):
        return None
    return tuple((name, low, high) for name, (low, high) in limits.items())


_HIGH_TO_LOW = tuple(reversed(Rank))
_MADE = tuple(category for category in reversed(Category) if category > Category.HIGH_CARD)
_ARTICLES = {
    Category.TWO_PAIR: "two pair",
    Category.THREE_OF_A_KIND: "three of a kind",
    Category.FOUR_OF_A_KIND: "four of a kind",
}


def _category(category: Category) -> str:
    return _ARTICLES.get(category, f"a {category.words}")


def _made(name: str) -> Family:
    return Family(
        tuple(
            Part(
                f"{_category(category)} or better that {name}",
                box(made=(category, None), uses_hole=1),
            )
            for category in _MADE
        )
    )


def _one_card(words: str, feature: str, ranks: Sequence[Rank]) -> Family:
    return Family(
        tuple(
            Part(words.format(rank=_or_higher(rank)), box(**{feature: (rank.value, None)}))
            for rank in ranks
        )
    )


def _or_higher(rank: Rank) -> str:
    return rank.word if rank is Rank.ACE else f"{rank.word} or higher"


def _at_least(words: str, rank: Rank) -> str:
    """The words for a pair of a rank or better; any pair is one of twos or better."""
    return words.format("" if rank is Rank.TWO else f" of {rank.plural} or better")


_HIGH = "and a hole card of {rank}"
_LOW = "and both hole cards of {rank}"


_STRAIGHT_DRAWS = tuple(
    Part(words, box(straight_draw=(ranks, None)))
    for ranks, words in ((2, "a straight draw of two ranks"), (1, "a straight draw"))
)


@cache
def flop_street() -> StreetLines:
    """The parts of lines on the flop."""
    pockets = tuple(
        Part(_at_least("a pocket pair{}", rank), box(hidden_pair=(rank.value, None), pocket=1))
        for rank in _HIGH_TO_LOW
    )
    paired = tuple(
        Part(
            _at_least("a pair{} with the flop", rank),
            box(hidden_pair=(rank.value, None), pocket=0),
        )
        for rank in _HIGH_TO_LOW
    )
    flush = "four to a flush with a hole card of {rank} in it"
    return StreetLines(
        features=FLOP_FEATURES,
        subjects=(
            _made("uses a hole card"),
            Family(paired),
            Family(pockets),
            _one_card(flush, "flush_draw", _HIGH_TO_LOW),
            Family(_STRAIGHT_DRAWS),
            _one_card("a hole card of {rank}", "high", _HIGH_TO_LOW[:7]),
        ),
        qualifiers=(
            _low_pockets(),
            _one_card(_HIGH, "high", _HIGH_TO_LOW),
            _one_card(_LOW, "low", _HIGH_TO_LOW),
            Family(tuple(Part(f"and {part.words}", part.limits) for part in _STRAIGHT_DRAWS)),
            *_flops(),
        ),
    )


def _flops() -> tuple[Family, ...]:
    """The conditions on the flop alone."""
    overcards = Family(
        (
            Part("and two cards higher than the flop", box(overcards=2)),
            Part("and a card higher than the flop", box(overcards=(1, None))),
        )
    )
    pairs = Family(
        (
            Part("on a flop without a pair", box(flop_made=0)),
            Part("on a flop with a pair", box(flop_made=1)),
            Part("on a flop of three of a kind", box(flop_made=3)),
        ),
        nested=False,
    )
    low = Family(
        tuple(
            Part(f"on a flop with no card above {rank.word}", box(flop_high=(None, rank.value)))
            for rank in Rank
        )
    )
    return overcards, pairs, low


def _low_pockets() -> Family:
    """The exception for low pocket pairs that have not improved."""
    words = {Rank.TWO: "pocket deuces"}
    return Family(
        tuple(
            Part(
                f"except {words.get(rank, f'pocket {rank.plural} or lower')} "
                "with less than three of a kind",
                box(
                    pocket=(1, None),
                    hidden_pair=(None, rank.value),
                    made=(None, Category.TWO_PAIR),
                ),
                is_exception=True,
            )
            for rank in _HIGH_TO_LOW
        )
    )


_BOARDS = {
    Category.HIGH_CARD: "when the board has no pair",
    Category.PAIR: "when the board has a pair",
    Category.TWO_PAIR: "when the board has two pair",
    Category.THREE_OF_A_KIND: "when the board has three of a kind",
    Category.STRAIGHT: "when the board is a straight",
    Category.FLUSH: "when the board is a flush",
    Category.FULL_HOUSE: "when the board is a full house",
    Category.FOUR_OF_A_KIND: "when the board has four of a kind",
}


@cache
def river_street() -> StreetLines:
    """The parts of lines on the river."""
    outs = tuple(Part(f"at most {most} dealer outs", box(outs=(None, most))) for most in range(46))
    return StreetLines(
        features=RIVER_FEATURES,
        subjects=(
            Family(outs),
            _made("uses a hole card"),
            _one_card("a hole card of {rank}", "high", _HIGH_TO_LOW[:7]),
        ),
        qualifiers=(
            _one_card(_HIGH, "high", _HIGH_TO_LOW),
            _one_card(_LOW, "low", _HIGH_TO_LOW),
            Family(
                tuple(
                    Part(words, box(board_made=category.value))
                    for category, words in _BOARDS.items()
                ),
                nested=False,
            ),
            Family(
                tuple(
                    Part(
                        _at_least("and a hidden pair{}", rank),
                        box(hidden_pair=(rank.value, None)),
                    )
                    for rank in _HIGH_TO_LOW
                )
            ),
            Family(
                tuple(
                    Part(f"and at most {most} better kickers left", box(kickers_above=(None, most)))
                    for most in range(9)
                )
            ),
        ),
    )
