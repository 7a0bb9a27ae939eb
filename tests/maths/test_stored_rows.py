"""Rows that are counted in pieces and kept in blocks."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from openfelt.maths import stored_counts, stored_rows
from openfelt.maths.stored_counts import StoredCounts
from openfelt.maths.stored_rows import Numbers, RowBlocks, counted_rows

ITEMS = range(100, 125)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stored_counts, "cache_root", lambda: tmp_path)
    return tmp_path


def squares(numbers: Sequence[int]) -> Numbers:
    return np.array([[number, number**2] for number in numbers])


EXPECTED = squares(ITEMS).tolist()


class Count:
    """A count of squares in blocks of six, with all that it says."""

    def __init__(self, *, stop_after: int = 1000) -> None:
        self.stop_after = stop_after
        self.kept: list[tuple[int, int]] = []
        self.steps: list[int] = []

    def rows(self, *, workers: int = 1) -> list[list[int]]:
        stored = StoredCounts("squares", [], "some", packed=True)
        rows: list[list[int]] = counted_rows(
            squares,
            ITEMS,
            columns=2,
            at_once=4,
            blocks=RowBlocks(
                stored=stored, items=6, resumed=lambda *amounts: self.kept.append(amounts)
            ),
            workers=workers,
            progress=self.progress,
        ).tolist()
        return rows

    def progress(self, done: int, total: int) -> None:
        assert total == len(ITEMS)
        if done > self.stop_after:
            raise InterruptedError
        self.steps.append(done)


def one_by_one(
    task: Callable[[Sequence[int]], Numbers], pieces: Sequence[Sequence[int]], *, workers: int
) -> Iterator[tuple[int, Numbers]]:
    """The pieces in their order, which threads do not promise."""
    return ((number, task(piece)) for number, piece in enumerate(pieces))


def test_an_interrupted_count_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(stored_rows, "piece_results", one_by_one)
        with pytest.raises(InterruptedError):
            Count(stop_after=14).rows()
    again = Count()
    assert again.rows(workers=3) == EXPECTED
    # Two blocks of six were whole, and the third one was not.
    assert again.kept == [(12, 25)]
    assert again.steps[-1] == 25
    finished = Count()
    assert finished.rows() == EXPECTED
    assert (finished.kept, finished.steps) == ([(25, 25)], [])


def test_a_block_that_was_altered_is_counted_again(folder: Path) -> None:
    assert Count().rows() == EXPECTED
    first, second, *_ = sorted(folder.glob("squares-*/piece-*.bin"))
    first.write_bytes(first.read_bytes()[:-1])
    second.unlink()
    again = Count()
    assert again.rows() == EXPECTED
    assert again.kept == [(13, 25)]


def test_without_blocks_nothing_is_kept(folder: Path) -> None:
    assert counted_rows(squares, ITEMS, columns=2, at_once=7, workers=2).tolist() == EXPECTED
    assert counted_rows(squares, (), columns=2, at_once=7).tolist() == []
    assert list(folder.iterdir()) == []
