"""Counts by denomination, as forms have them and as the record has them."""

from openfelt.ledger.counts import Count
from openfelt.protocol.cage_forms import CountLine


def count_of(lines: list[CountLine]) -> Count:
    """A count by denomination; lines of the same denomination are added up."""
    count: dict[int, int] = {}
    for line in lines:
        if line.pieces:
            before = count.get(line.denomination_cents, 0)
            count[line.denomination_cents] = before + line.pieces
    return count


def count_lines(count: Count) -> list[CountLine]:
    """A count as a form has it, the largest denomination first."""
    return [
        CountLine(denomination_cents=cents, pieces=pieces)
        for cents, pieces in sorted(count.items(), reverse=True)
    ]
