"""Staff's notes at a table besides the deal: chips that differ, a table on hold, mispayments.

None of it moves money in the book. The record keeps what was found and how it ended.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from openfelt.rules.round import Round
from openfelt.rules.wagers import Spot, total_cents

HOLD_MAX_MS: Final = 600_000
"""How long a table is on hold at most, before its clock resumes automatically (R.42)."""
HOLDS_MAX: Final = 3
"""How often the floor may be called in one round."""
MISPAYMENTS_MAX: Final = 20
"""How many mispayments of a table may wait for the floor."""


class ClockFor(StrEnum):
    """The purpose of a running clock."""

    WAGERS = "wagers"
    DECISIONS = "decisions"
    BANK = "bank"
    """For the player to whom the bank is offered."""
    SEEDS = "seeds"
    """For the terminals that have not revealed their seeds yet."""
    FLOOR = "floor"
    """For the floor, while the table is on hold."""


class FeltMatch(StrEnum):
    """The way in which chips that differed from the wagers were put right."""

    CHIPS = "chips"
    """The chips were made to match the terminals."""
    WAGERS = "wagers"
    """The players have changed their wagers."""
    BOTH = "both"


class Resolution(StrEnum):
    """The outcome of a mispayment."""

    RECOVERED = "recovered"
    """The chips came back, or the player got what was missing."""
    NOT_RECOVERED = "not_recovered"


# Events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SpotCount:
    """A spot whose chips were not its wagers."""

    spot: Spot
    counted_cents: int
    booked_cents: int


@dataclass(frozen=True, slots=True)
class FeltCounted:
    """The dealer has counted the chips on the felt before the first card (R.40)."""

    round: int
    counted_cents: int
    booked_cents: int
    """The wagers that the terminals had accepted by then."""
    spots: tuple[SpotCount, ...] = ()
    """The spots that differed, if the chips were counted spot by spot."""

    @property
    def matches(self) -> bool:
        """Whether the chips were the wagers."""
        return self.counted_cents == self.booked_cents and not self.spots


@dataclass(frozen=True, slots=True)
class FeltMatched:
    """Chips that differed are the wagers again."""

    round: int
    how: FeltMatch


@dataclass(frozen=True, slots=True)
class FloorCalled:
    """The dealer has called the floor: the table is on hold, and its clock is stopped (R.42)."""

    gives_time_for: ClockFor | None = None
    """The purpose of the clock, None where none ran."""
    left_ms: int = 0
    """The time left on it."""
    note: str = ""
    """The staff's note; players do not see it."""


@dataclass(frozen=True, slots=True)
class PlayResumed:
    """The table is no longer on hold."""

    in_time: bool = True
    """Whether staff have resumed it, before the time of the hold was over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mispayment:
    """Chips that were paid wrongly by hand, although the book is right (R.43)."""

    round: int
    seat: int
    player: str
    cents: int
    """The amount that the player got too much; negative if it was too little."""
    reason: str
    by: str
    """Who reported it, such as ``dealer:dan``."""


@dataclass(frozen=True, slots=True)
class MispaymentReported:
    """Staff have reported chips that were paid wrongly."""

    number: int
    """Counts the mispayments of the table."""
    mispayment: Mispayment


@dataclass(frozen=True, slots=True)
class MispaymentResolved:
    """A supervisor has noted how a mispayment ended."""

    number: int
    resolution: Resolution


IncidentEvent = (
    FeltCounted | FeltMatched | FloorCalled | PlayResumed | MispaymentReported | MispaymentResolved
)


# State -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Incidents:
    """The incidents that staff have noted at a table."""

    hold: FloorCalled | None = None
    """Why the table is on hold, None if it is not."""
    holds: int = 0
    """How often the floor was called in the round in progress."""
    felt: FeltCounted | None = None
    """The last count of the chips of this round."""
    mispayments: Mapping[int, Mispayment] = field(default_factory=dict)
    """Those that wait for the floor, by number."""
    mispayments_reported: int = 0

    @property
    def felt_differs(self) -> FeltCounted | None:
        """The count whose difference has not been put right yet."""
        return self.felt if self.felt is not None and not self.felt.matches else None

    def in_new_round(self) -> "Incidents":
        """Without what belongs to the round before."""
        return replace(self, hold=None, holds=0, felt=None)

    def after(self, event: IncidentEvent) -> "Incidents":
        """The state after an event."""
        match event:
            case FeltCounted():
                return replace(self, felt=event)
            case FeltMatched():
                return replace(self, felt=None)
            case FloorCalled():
                return replace(self, hold=event, holds=self.holds + 1)
            case PlayResumed():
                return replace(self, hold=None)
            case MispaymentReported(number, mispayment):
                waiting = {**self.mispayments, number: mispayment}
                return replace(self, mispayments=waiting, mispayments_reported=number)
            case MispaymentResolved(number):
                rest = {
                    open_number: self.mispayments[open_number]
                    for open_number in self.mispayments
                    if open_number != number
                }
                return replace(self, mispayments=rest)


def booked_cents(state: Round) -> dict[Spot, int]:
    """The wagers of each hand, as the terminals have made them."""
    return {spot: total_cents(hand.wagers) for spot, hand in state.hands.items()}


def how_matched(before: FeltCounted, booked: Mapping[Spot, int]) -> FeltMatch:
    """How a difference was put right, given the wagers of each spot as they are now."""
    if before.spots:
        changed = {
            booked.get(spot_count.spot, 0) != spot_count.booked_cents for spot_count in before.spots
        }
    else:
        now_cents = sum(booked.values())
        changed = {now_cents != before.booked_cents, now_cents == before.counted_cents}
    if changed == {True}:
        return FeltMatch.WAGERS
    return FeltMatch.BOTH if True in changed else FeltMatch.CHIPS
