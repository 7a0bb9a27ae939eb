"""The referee's results beside those of the program, and the differences as readable lines."""

from collections import Counter
from collections.abc import Iterable, Mapping

from tests.laboratory.record import Recorded
from tests.laboratory.referee_sheet import Result, Sheet, Verdict


class Disagreement(AssertionError):
    """The laboratory and the program settle a round differently."""


def compare(verdict: Verdict, recorded: Recorded) -> None:
    """Raise Disagreement unless the record of a round says what the referee says."""
    compare_results(recorded.sheet, verdict.results, recorded.results)
    for value in ("cover_left_cents", "meter_cents", "dealer_qualified"):
        ours, theirs = getattr(verdict, value), getattr(recorded, value)
        # A dealer whose cards were never turned is not said to qualify.
        if ours != theirs and not (value == "dealer_qualified" and theirs is None):
            raise Disagreement(f"{recorded.sheet}\n{value}: laboratory {ours}, program {theirs}")


def compare_results(sheet: Sheet, ours: Iterable[Result], theirs: Iterable[Result]) -> None:
    """Raise Disagreement unless both have the same results, to the cent and to the word."""
    ours, theirs = list(ours), list(theirs)
    if sorted(ours) != sorted(theirs):
        expected, found = Counter(ours), Counter(theirs)
        lines = [f"laboratory  {_words(result)}" for result in (expected - found).elements()]
        lines += [f"program     {_words(result)}" for result in (found - expected).elements()]
        raise Disagreement("\n".join([f"{sheet}", *sorted(lines, key=_by_wager)]))


def compare_changes(sheet: Sheet, ours: Mapping[str, int], theirs: Mapping[str, int]) -> None:
    """Raise Disagreement unless the round changed the same accounts by the same amounts."""
    if dict(ours) != dict(theirs):
        lines = [
            f"{account}: laboratory {ours.get(account, 0)}, program {theirs.get(account, 0)}"
            for account in sorted({*ours, *theirs})
            if ours.get(account, 0) != theirs.get(account, 0)
        ]
        raise Disagreement("\n".join([f"{sheet}", *lines]))


def _words(result: Result) -> str:
    whose = " for the dealer" if result.for_dealer else ""
    return (
        f"{result.seat}.{result.number} {result.wager}{whose} {result.stake_cents}: "
        f"{result.result}, back {result.returned_cents}, paid {result.paid_cents}"
    )


def _by_wager(line: str) -> tuple[str, str]:
    return line[12:], line
