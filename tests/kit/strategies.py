"""What the property tests draw from: houses, wagers, decks, and whole rounds.

A story is one round from its opening to its end, with the state after each event.
Hypothesis draws the house, the seats and the wagers; cards and decisions come from a
seed that it draws as well, so that a failure repeats.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from openfelt.cards import FULL_DECK, Card
from openfelt.rules import (
    Banker,
    Beneficiary,
    CloseBets,
    Confirm,
    DealCard,
    Hold,
    House,
    MakeDecision,
    Phase,
    Refusal,
    Round,
    SetWagers,
    Spot,
    TurnCards,
    VoidRound,
    Wager,
    WagerKind,
    apply,
    begin,
    choices,
    decide,
    open_round,
)
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.house import BankKind, DealerWagerRule, WagerRule
from openfelt.rules.round_actions import Action
from openfelt.rules.round_events import Event
from openfelt.table import cards_for_round
from tests.kit.own_houses import OWN_DECKS, Changes, own_house

quick = settings(
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

few = settings(quick, max_examples=50)
"""For properties that look at every state of a round."""

OWN_TABLES = """
version = 1
source = "The tests."
[[paytable]]
name = "OWN-7"
wager = "progressive"
clause = "R.21"
reads = "final_seven"
rows = [
  { hand = "royal flush", share = "100%", envy = 40 },
  { hand = "straight flush", share = "33.333333%", envy = 20 },
  { hand = "four of a kind", share = "10%", envy = 3 },
  { hand = "full house", for_one = 7, envy = 1 },
  { hand = "flush", for_one = 3 },
]
[[paytable]]
name = "OWN-5"
wager = "progressive"
clause = "R.21"
reads = "dealt_five"
rows = [
  { hand = "royal flush", share = "100%", envy = 40 },
  { hand = "straight flush", share = "33.333333%", envy = 20 },
  { hand = "four of a kind", share = "10%", envy = 3 },
  { hand = "full house", share = "0.7%", envy = 1 },
  { hand = "flush", for_one = 3 },
]
"""


def _progressive(paytable: str, cents: int) -> dict[str, Any]:
    """A progressive wager of this amount, paid by one of the tables above."""
    return {
        "wagers.progressive": {
            "min_cents": cents,
            "max_cents": cents,
            "multiple_of_cents": cents,
            "paytable": paytable,
        },
        "progressive": {"contribution": "33.3333%", "seed_cents": 9999, "several_winners": "split"},
    }


PROGRESSIVE = _progressive("OWN-7", 137)
ODD_CENTS: dict[str, Any] = {"wagers.ante.multiple_of_cents": 1, "rounding_unit_cents": 1}
HALF_DOLLARS: dict[str, Any] = {"wagers.ante.multiple_of_cents": 50, "rounding_unit_cents": 50}
BANKED: dict[str, Any] = {
    "bank.kind": "player_dealer",
    "table.settlement_order": "from_bankers_left",
}

TIPS: dict[str, Any] = {
    "dealer_wagers": {"min_cents": 1, "max_cents": 900, "multiple_of_cents": 1},
}

VARIANTS: list[tuple[str, Changes]] = [
    ("washington", {}),
    ("online", {}),
    ("california", {}),
    ("stadium", {}),
    ("draw", {}),
    ("washington", HALF_DOLLARS | {"table.turns": "in_order"}),
    (
        "washington",
        {
            "limits.1.payout_aggregates": {"trips": 25_000, "blind": 50_000},
            "wagers.trips.max_cents": 500,
            "wagers.ante.max_cents": 1000,
        },
    ),
    ("washington", {"wagers.ultimate_pairs.paytable": "UPB-4", "table.refund_antes_first": False}),
    (
        "washington",
        PROGRESSIVE
        | ODD_CENTS
        | OWN_DECKS
        | {
            "table.hands_per_seat": 3,
            "progressive.several_winners": "in_order",
            "limits": [],
        },
    ),
    (
        "stadium",
        {
            "table.deck": "shared",
            "table.procedure": "handheld",
            "table.procedures": ["handheld", "community_first"],
            "table.seats": 7,
            "play.reserve_play": False,
        },
    ),
    ("stadium", PROGRESSIVE | {"table.settlement_order": "left_to_right"}),
    ("california", ODD_CENTS | {"bank.cover": "payouts", "bank.collection": []}),
    ("california", _progressive("OWN-7", 500) | {"rounding_unit_cents": 100}),
    ("draw", BANKED | ODD_CENTS),
    ("draw", BANKED | {"bank.cover": "payouts", "table.turns": "in_order"}),
    ("draw", _progressive("OWN-5", 7) | TIPS),
    ("draw", _progressive("OWN-5", 100) | {"table.deck": "per_terminal", "table.seats": 40}),
]
DAYS = [date(2008, 1, 1), date(2009, 1, 1), date(2023, 8, 18), date(2026, 1, 1)]
"""Days before, at and between the changes of the limits that a house may have."""


def houses() -> st.SearchStrategy[House]:
    """The built-in houses and variants of them that no document describes."""
    return st.sampled_from(range(len(VARIANTS))).map(_variant)


@cache
def _variant(number: int) -> House:
    base, changes = VARIANTS[number]
    return own_house(base, changes, paytables=OWN_TABLES if changes else "")


# Wagers ------------------------------------------------------------------------------


def _amounts(rule: WagerRule | DealerWagerRule) -> st.SearchStrategy[int]:
    """Amounts within the rule's limits, and not so large that no wager can be added."""
    step = rule.multiple_of_cents
    most = min(rule.max_cents, rule.min_cents + 3000)
    return st.integers(rule.min_cents // step, most // step).map(lambda steps: steps * step)


@st.composite
def spot_wagers(draw: st.DrawFn, house: House) -> tuple[Wager, ...]:
    """Wagers that a player might try; the house need not take them."""
    found = []
    for rule in house.wagers:
        if rule.kind is WagerKind.ANTE or (
            rule.kind is not WagerKind.BLIND and draw(st.booleans())
        ):
            found.append(Wager(rule.kind, draw(_amounts(rule))))
        if house.dealer_wagers and draw(st.integers(0, 3)) == 0:
            tip = draw(_amounts(house.dealer_wagers))
            if rule.kind not in (WagerKind.BLIND, WagerKind.PROGRESSIVE):
                found.append(Wager(rule.kind, tip, Beneficiary.DEALER))
    return tuple(found)


# Decks -------------------------------------------------------------------------------


def stacked_cards(state: Round, rng: random.Random) -> Iterator[Card]:
    """The cards of a round. Half of the decks have few suits or ranks on top, so that rare
    hands, ties and jackpots are not rare."""
    if rng.random() < 0.5 or state.house.deck != "shared":
        return iter(cards_for_round(state, rng.randrange))
    low = rng.randrange(2, 11)
    suits = rng.sample(range(4), rng.randrange(1, 5))
    top = [card for card in FULL_DECK if card.suit in suits and low <= card.rank <= low + 5]
    rest = [card for card in FULL_DECK if card not in top]
    rng.shuffle(top)
    rng.shuffle(rest)
    return iter((*top, *rest))


# Stories -----------------------------------------------------------------------------


@dataclass
class Story:
    """A round from its opening to its end."""

    house: House
    events: list[Event]
    states: list[Round] = field(repr=False)
    """The state after each event."""
    meter_cents: int
    rng: random.Random = field(repr=False)

    @property
    def end(self) -> Round:
        """How the round ended."""
        return self.states[-1]

    def take(self, action: Action) -> None:
        """Take an action that the referee allows."""
        for event in decide(self.end, action):
            self.events.append(event)
            self.states.append(apply(self.end, event))


def next_action(state: Round, cards: Iterator[Card], rng: random.Random) -> Action:
    """Something that may be done now, chosen at random where there is a choice."""
    step = state.current_step
    if isinstance(step, Deal):
        return DealCard(next(cards))
    if isinstance(step, Turn):
        return TurnCards()
    spots = [spot for spot in sorted(state.pending) if choices(state, spot)]
    spot = rng.choice(spots)
    found = choices(state, spot)
    if found.may_hold:
        own = state.hands[spot].cards
        return MakeDecision(spot, Hold(tuple(rng.sample(own, rng.randrange(6)))))
    return MakeDecision(spot, rng.choice(found.options).decision)


@st.composite
def stories(draw: st.DrawFn, *, may_void: bool = True) -> Story:
    """A whole round of any house, played to its end or void at any point."""
    house = draw(houses())
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    story = _opened(draw, house, rng)
    seats = draw(st.lists(st.integers(1, min(house.seats, 5)), min_size=1, max_size=3, unique=True))
    for seat in seats:
        for hand in range(1, draw(st.integers(1, house.hands_per_seat)) + 1):
            _try_wagers(draw, story, Spot(seat, hand))
    void_at = draw(st.integers(0, 60)) if may_void and draw(st.integers(0, 3)) == 0 else None
    if not story.end.hands:
        story.take(VoidRound("nobody bet"))
        return story
    _play(story, void_at)
    return story


def _opened(draw: st.DrawFn, house: House, rng: random.Random) -> Story:
    banker = None
    if house.bank.kind is BankKind.PLAYER_DEALER:
        banker = Banker(house.seats, draw(st.integers(1, 30_000)))
    procedure = draw(st.sampled_from(house.procedures))
    days = [day for day in DAYS if not house.limits or house.limits_on(day)]
    day = draw(st.sampled_from(days))
    opened = open_round(house, number=1, day=day, procedure=procedure, banker=banker)
    return Story(house, [opened], [begin(house, opened)], draw(st.integers(0, 10**7)), rng)


def _try_wagers(draw: st.DrawFn, story: Story, spot: Spot) -> None:
    """Set the wagers if the house takes them, otherwise the Ante alone if it takes that."""
    wagers = draw(spot_wagers(story.house))
    for attempt in (wagers, wagers[:1]):
        try:
            story.take(SetWagers(spot, attempt))
        except Refusal:
            continue
        return


def _play(story: Story, void_at: int | None) -> None:
    if void_at is not None and void_at < 2:
        story.take(VoidRound("before the deal"))
        return
    story.take(CloseBets())
    cards = stacked_cards(story.end, story.rng)
    while story.end.phase is Phase.PLAYING:
        if void_at is not None and len(story.events) >= void_at:
            story.take(VoidRound("a card was exposed"))
            return
        story.take(next_action(story.end, cards, story.rng))
    story.take(Confirm(story.meter_cents))
