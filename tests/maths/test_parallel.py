"""Pieces of long counts: shared among threads, given to a crew, and asked for only once."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from openfelt.maths import stored_counts
from openfelt.maths.draw.house_way_ante import count_house_way_ante
from openfelt.maths.parallel import piece_results, workers_available, working

_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")
SMALL_DECK = tuple(card for card in range(52) if card >> 2 in (0, 1, 5, 6, 9, 11, 12))


class CountedCrew:
    """Computes pieces one after another, and counts them. It leaves after some."""

    def __init__(self, stops_after: int | None = None) -> None:
        self.computed = 0
        self._stops_after = stops_after

    def results(
        self, task: Callable[[_Piece], _Result], pieces: Sequence[_Piece]
    ) -> Iterator[tuple[int, _Result]]:
        for number, piece in reversed(list(enumerate(pieces))):
            if self.computed == self._stops_after:
                raise InterruptedError
            self.computed += 1
            yield number, task(piece)


@pytest.fixture(autouse=True)
def counts_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_counts, "cache_root", lambda: tmp_path)


def test_a_count_that_was_interrupted_goes_on_with_the_missing_pieces() -> None:
    whole = CountedCrew(stops_after=7)
    with working(crew=whole), pytest.raises(InterruptedError):
        count_house_way_ante(SMALL_DECK)
    rest, none = CountedCrew(), CountedCrew()
    reported: list[tuple[int, int]] = []
    with working(crew=rest):
        counted = count_house_way_ante(SMALL_DECK, progress=lambda *now: reported.append(now))
    with working(crew=none):
        assert count_house_way_ante(SMALL_DECK) == counted
    pieces = reported[-1][1]
    assert reported == [(done, pieces) for done in range(1, pieces + 1)]
    assert (rest.computed, none.computed) == (pieces - 7, 0)


def test_what_threads_raise_ends_the_work() -> None:
    started = []

    def fail(piece: int) -> None:
        started.append(piece)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        list(piece_results(fail, range(1000), workers=2))
    assert len(started) <= 6


def test_chosen_workers_hold_inside_only() -> None:
    before = workers_available()
    with working(workers=before + 3):
        assert workers_available() == before + 3
    assert workers_available() == before
