"""The event of a checkpoint of the floor: what each table had done by then on that day."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointFigures:
    """The figures of one table, from the beginning of the day to the checkpoint."""

    rounds: int
    stakes_cents: int
    win_cents: int
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorCheckpointed:
    """A supervisor has kept the figures of the floor, to see later what has changed since."""

    day: date
    note: str
    tables: Mapping[str, CheckpointFigures]
    """Tables whose figures were not known then are left out."""
