"""Random whole rounds of any house, played through the rules engine.

Half of the decks have neighbouring cards of a few suits on top, so that straight flushes,
ties, beaten full houses and shared jackpots come up in a few hundred rounds.
"""

from collections.abc import Sequence
from contextlib import suppress
from random import Random

from openfelt.cards import FULL_DECK, Card
from openfelt.cards.card import Suit
from openfelt.rules import (
    Banker,
    Beneficiary,
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
    Wager,
    WagerKind,
    choices,
)
from openfelt.rules.dealing import Deal, Lies, Place, Turn, hands_max
from openfelt.rules.decisions import Decision
from openfelt.rules.house import BankKind, DealerWagerRule, Deck, GameName, WagerRule
from tests.kit.felt import Felt

METERS_CENTS = (0, 1, 99_999, 1_234_567, 10_000_000)


def random_round(house: House, random: Random) -> tuple[Round, int]:
    """A settled round and the meter that it was settled with."""
    banker = None
    if house.bank.kind is BankKind.PLAYER_DEALER:
        banker = Banker(random.randint(1, house.seats), random.choice((1, 777, 4_000, 10**6)))
    felt = Felt(house, banker=banker, procedure=random.choice(house.procedures))
    while not felt.state.hands:
        for spot in _random_spots(house, random):
            _bet_something(felt, spot, random)
    felt.close()
    _play(felt, random)
    meter_cents = random.choice(METERS_CENTS)
    felt.do(Confirm(meter_cents))
    return felt.state, meter_cents


def _random_spots(house: House, random: Random) -> list[Spot]:
    seats = random.sample(range(1, house.seats + 1), min(house.seats, random.randint(1, 4)))
    spots = [
        Spot(seat, hand)
        for seat in seats
        for hand in range(1, random.randint(1, house.hands_per_seat) + 1)
    ]
    return spots[: hands_max(house)]


def _bet_something(felt: Felt, spot: Spot, random: Random) -> None:
    """Set random wagers; where the house refuses them, the spot stays empty."""
    house = felt.state.house
    wagers = []
    for rule in house.wagers:
        if rule.kind is not WagerKind.BLIND and random.random() < 0.75:
            wagers.append(Wager(rule.kind, _amount(rule, random)))
        tip = house.dealer_wagers
        if tip and rule.kind not in _NEVER_FOR_DEALER and random.random() < 0.3:
            wagers.append(Wager(rule.kind, _amount(tip, random), Beneficiary.DEALER))
    with suppress(Refusal):
        felt.do(SetWagers(spot, tuple(wagers)))


_NEVER_FOR_DEALER = {WagerKind.BLIND, WagerKind.PROGRESSIVE}


def _amount(rule: WagerRule | DealerWagerRule, random: Random) -> int:
    step = rule.multiple_of_cents
    most = min(rule.max_cents, rule.min_cents + 40 * step)
    return random.randrange(rule.min_cents, most + 1, step)


def _play(felt: Felt, random: Random) -> None:
    decks = _Decks(felt.state.house, random)
    while felt.state.phase is Phase.PLAYING:
        step = felt.state.current_step
        if isinstance(step, Deal):
            felt.do(DealCard(decks.next_card(step.place)))
        elif isinstance(step, Turn):
            felt.do(TurnCards())
        else:
            spot = next(spot for spot in felt.state.hands if spot in felt.state.pending)
            felt.do(MakeDecision(spot, _random_decision(felt.state, spot, random)))


def _random_decision(state: Round, spot: Spot, random: Random) -> Decision:
    if state.house.game is GameName.ULTIMATE_DRAW:
        cards = state.hands[spot].cards
        return Hold(tuple(random.sample(cards, random.choice((0, 1, 2, 3, 4, 5, 5, 5)))))
    return random.choice(choices(state, spot).options).decision


class _Decks:
    """The shared deck, and where the house deals so, a deck for each seat (R.11)."""

    def __init__(self, house: House, random: Random) -> None:
        self.random = random
        self.shared = house.deck is Deck.SHARED
        self.table = self._shuffled(FULL_DECK)
        at_table = 10 if house.game is GameName.ULTIMATE_DRAW else 7
        self.left = self.table[:-at_table]
        self.seats: dict[int, list[Card]] = {}

    def next_card(self, place: Place) -> Card:
        """The card that goes to this place."""
        if self.shared or place.lies is not Lies.HAND or place.spot is None:
            return self.table.pop()
        seat = place.spot.seat
        if seat not in self.seats:
            self.seats[seat] = self._shuffled(self.left)
        return self.seats[seat].pop()

    def _shuffled(self, cards: Sequence[Card]) -> list[Card]:
        order = self.random.sample(cards, len(cards))
        if self.random.random() < 0.5:
            suits = self.random.sample(list(Suit), self.random.randint(1, 4))
            width = self.random.randint(5, 9)
            lowest = self.random.randint(2, 15 - width)
            ranks = range(lowest, lowest + width)
            order.sort(key=lambda card: card.suit in suits and card.rank in ranks)
        return order
