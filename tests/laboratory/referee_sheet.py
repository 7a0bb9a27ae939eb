"""What the laboratory's referee is given: one round as plain values, and the rules of its house."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Bet(NamedTuple):
    """One wager that was made before the deal. A Blind is never listed: it equals its Ante."""

    wager: str
    cents: int
    for_dealer: bool = False


class Decision(NamedTuple):
    """One decision: ``check``, ``bet`` so many times the Ante, ``fold``, or ``hold`` cards."""

    word: str
    times: int = 0
    held: tuple[str, ...] = ()
    by_clock: bool = False


class Hand(NamedTuple):
    """One hand with its wagers, the cards it was dealt, and its decisions in order."""

    seat: int
    number: int
    bets: tuple[Bet, ...]
    cards: tuple[str, ...]
    decisions: tuple[Decision, ...]
    ended: str = ""
    """How the hand left the round before its end: ``void`` or ``fouled`` (rulings 37 and 41)."""

    @property
    def folded(self) -> bool:
        """Whether the hand was folded."""
        return any(decision.word == "fold" for decision in self.decisions)

    @property
    def times(self) -> int:
        """The Play wager as a multiple of the Ante, 0 without one."""
        return sum(decision.times for decision in self.decisions)


class Sheet(NamedTuple):
    """One round: every hand, the dealer's cards, and the common cards in their order.

    The dealer's cards may be missing where no wager depends on them.
    """

    house: str
    number: int
    hands: tuple[Hand, ...]
    dealer: tuple[str, ...]
    common: tuple[str, ...]
    banker_seat: int = 0
    cover_cents: int = 0
    void: bool = False
    closed: bool = True
    """Whether bets were closed; a round can be void before."""


@dataclass(frozen=True, slots=True)
class House:
    """What the referee knows of a house."""

    document: str
    game: str
    blind: str = ""
    trips: str = ""
    bad_beat: str = ""
    ultimate_pairs: str = ""
    play_the_board: str = ""
    bonus: str = ""
    ante_bonus: str = ""
    progressive: str = ""
    progressive_reads: str = ""
    contribution_percent: int = 0
    seed_cents: int = 0
    several_winners: str = "split"
    cover: str = ""
    folds_first: bool = False
    collection: tuple[tuple[int, int, int], ...] = ()
    own_decks: bool = False
    rounding_unit_cents: int = 1
    payout_aggregates: Mapping[str, int] = field(default_factory=dict)
    """By wager, the most that a round pays on all of them, in cents."""
    largest_cents: Mapping[str, int] = field(default_factory=dict)
    """By wager, the largest, where it is not that of the catalog."""
    step_cents: int = 100
    """Wagers are multiples of it; only those who make wagers need to know."""
    like: str = ""
    """The house of the catalog that this one varies."""

    @property
    def contribution(self) -> Fraction:
        """The part of a progressive wager that feeds the meter."""
        return Fraction(self.contribution_percent, 100)


class Result(NamedTuple):
    """How one wager ended: what comes back of its stake, and what is paid on top."""

    seat: int
    number: int
    wager: str
    for_dealer: bool
    stake_cents: int
    result: str
    returned_cents: int
    paid_cents: int
    by_link: bool = False

    @property
    def taken_cents(self) -> int:
        """What is lost of the stake."""
        return self.stake_cents - self.returned_cents


@dataclass(slots=True)
class Verdict:
    """The settlement of a round, as the referee sees it."""

    results: list[Result] = field(default_factory=list)
    dealer_qualified: bool | None = None
    """None where the dealer's cards are not known, or the round is void."""
    cover_left_cents: int | None = None
    meter_cents: int | None = None
    """The meter as it stood when the awards were paid, the wagers of the round included."""


def load_houses() -> dict[str, House]:
    """The houses of ``houses.toml``; one that is ``like`` another differs where it says so."""
    houses: dict[str, House] = {}
    values: dict[str, dict[str, object]] = {}
    written = tomllib.loads((HERE / "houses.toml").read_text(encoding="utf-8"))
    for name, changes in written.items():
        merged = values.get(changes.get("like", ""), {}) | changes
        merged["collection"] = tuple(tuple(band) for band in merged.get("collection", ()))
        values[name] = merged
        houses[name] = House(**merged)
    return houses
