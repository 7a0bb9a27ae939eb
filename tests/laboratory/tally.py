"""What the laboratory has checked, counted."""

from collections import Counter
from dataclasses import dataclass, field

from tests.laboratory.record import Recorded


@dataclass(slots=True)
class Tally:
    """What a laboratory has checked."""

    rounds: int = 0
    lines: int = 0
    accounts: int = 0
    """Accounts that rounds changed, counted once for each round."""
    seen: Counter[str] = field(default_factory=Counter)
    """How often each wager ended in each way, and other things worth knowing."""

    def count(self, recorded: Recorded, changed: int = 0) -> None:
        """Take a round into account that changed so many accounts."""
        self.rounds += 1
        self.lines += len(recorded.results)
        self.accounts += changed
        for result in recorded.results:
            self.seen[f"{result.wager} {result.result}"] += 1
            if result.for_dealer:
                self.seen["for the dealer"] += 1
        for wager in recorded.cut:
            self.seen[f"{wager} cut"] += 1
        self.seen["void"] += recorded.sheet.void
        for hand in recorded.sheet.hands:
            self.seen["folded"] += hand.folded
            self.seen[f"{hand.ended} hand"] += hand.ended != ""
            self.seen["by the clock"] += any(one.by_clock for one in hand.decisions)

    def add(self, other: "Tally") -> None:
        """Take what another laboratory has checked."""
        self.rounds += other.rounds
        self.lines += other.lines
        self.accounts += other.accounts
        self.seen += other.seen
