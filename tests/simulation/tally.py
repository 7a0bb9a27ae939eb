"""What a simulation did: how often each thing happened, so that a sweep cannot go blind."""

from collections import Counter
from collections.abc import Iterable


class Tally:
    """Counts by name. Names are written as they are printed."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.fingerprint = ""
        """A hash of everything that one seed has written."""

    def add(self, name: str, count: int = 1) -> None:
        """Count something."""
        self.counts[name] += count

    def __getitem__(self, name: str) -> int:
        return self.counts[name]

    def starting(self, prefix: str) -> int:
        """How often anything happened whose name begins so."""
        return sum(count for name, count in self.counts.items() if name.startswith(prefix))

    def take_in(self, other: "Tally") -> None:
        """Add another tally to this one."""
        self.counts.update(other.counts)

    def missing(self, names: Iterable[str]) -> list[str]:
        """Those of the names that nothing of their kind was counted for."""
        return [name for name in names if not self.starting(name)]

    def lines(self) -> list[str]:
        """The whole tally, one line for each name."""
        width = max(map(len, self.counts), default=0)
        return [f"{name:{width}}  {self.counts[name]:>9,}" for name in sorted(self.counts)]
