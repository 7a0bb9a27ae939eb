"""How much a piece of work reads from a store: statements and rows, never time."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from openfelt.storage import Store


@dataclass(slots=True)
class Reads:
    """What has been read so far."""

    statements: int = 0
    rows: int = 0


@contextmanager
def counted_reads(store: Store) -> Iterator[Reads]:
    """Count what is read from a store for as long as a block lasts."""
    reads, hidden = Reads(), {}
    subject: Any = store
    for name in ("_read", "_read_numbered"):
        hidden[name] = getattr(subject, name)

    def counting(name: str) -> Any:
        def read(statement: str, *values: Sequence[object]) -> Any:
            result = hidden[name](statement, *values)
            reads.statements += 1
            reads.rows += len(result)
            return result

        return read

    for name in hidden:
        setattr(subject, name, counting(name))
    try:
        yield reads
    finally:
        for name in hidden:
            delattr(subject, name)
