"""Exact figures of houses, computed in a process beside the server.

The first of them loads the compiled mathematics, which holds Python's interpreter lock for a third
of a second at a time: the tables would stand still when a house is first shown, and when the watch
first compares real play with theory. ``python -m openfelt.server.figures_process`` is the
program of the process.
"""

import logging
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final, TypeVar

from openfelt.maths.fairness.bands import WagerOdds
from openfelt.protocol.rest import ReturnView
from openfelt.rules.house import House
from openfelt.server.limits.line_process import LineProcess, answer_lines
from openfelt.server.supervision.real_play.wager_odds import KnownOdds, Unknown, computed_odds
from openfelt.server.tables.house_returns import Computed, exact_returns
from openfelt.storage.codec import Codec

PROGRAM: Final = "openfelt.server.figures_process"
_TRIES: Final = 2
_Figures = TypeVar("_Figures")

logger = logging.getLogger(__name__)


class FiguresProcess:
    """Computes figures in a process that starts with the first house. Calls block.

    If the process fails again and again, the figures are computed within the server.
    """

    def __init__(self) -> None:
        self._process = LineProcess(PROGRAM)
        self._codec = _codec()
        self._closed = False

    def returns_of(self, house: House) -> Computed:
        """The exact returns of a house."""
        return self._asked(
            {"returns": self._codec.house_to_json(house)},
            lambda answer: [ReturnView.model_validate(line) for line in answer],
            lambda: exact_returns(house),
        )

    def odds_of(self, house: House, wager: str) -> KnownOdds | Unknown:
        """What is known exactly of a wager of a house."""
        return self._asked(
            {"odds": self._codec.house_to_json(house), "wager": wager},
            _read_odds,
            lambda: computed_odds(house, wager),
        )

    def close(self) -> None:
        """End the process."""
        self._closed = True
        self._process.close()

    def _asked(
        self, asked: object, read: Callable[[Any], _Figures], here: Callable[[], _Figures]
    ) -> _Figures:
        for _ in range(_TRIES):
            try:
                return read(self._process.ask(asked))
            except (OSError, ValueError) as error:
                if self._closed:
                    raise
                logger.warning("figures were not computed: %s", type(error).__name__)
        return here()


def _read_odds(answer: Any) -> KnownOdds | Unknown:
    if isinstance(answer, str):
        unknown: Unknown = answer  # type: ignore[assignment]
        return unknown
    return KnownOdds(WagerOdds(**answer["odds"]), answer["basis"])


def main() -> None:
    """Answer questions about houses, each written as JSON, until the input ends."""
    codec = _codec()

    def answer(asked: dict[str, str]) -> object:
        if "returns" in asked:
            house = codec.house_from_json(asked["returns"])
            return [line.model_dump() for line in exact_returns(house)]
        odds = computed_odds(codec.house_from_json(asked["odds"]), asked["wager"])
        return odds if isinstance(odds, str) else asdict(odds)

    answer_lines(answer)


def _codec() -> Codec:
    return Codec(lambda _: None)


if __name__ == "__main__":
    main()
