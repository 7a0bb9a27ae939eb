"""What the players, the bank and the dealer of a laboratory's round do, as chance will have it."""

from random import Random

from openfelt.cards import Card
from openfelt.rules import (
    Beneficiary,
    Hold,
    Round,
    Spot,
    Wager,
    WagerKind,
    choices,
    clock_decision,
)
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import Bet, Check, Decision, Fold
from openfelt.rules.house import DealerWagerRule, Deck, GameName, House, WagerRule
from tests.laboratory.deals import DECK, Deal

COVERS_CENTS = (3_000, 3_001, 4_550, 7_777, 12_500, 30_000, 100_000, 1_000_000)
"""Bank wagers from the smallest of California up, so that many of them run out."""
METERS_CENTS = (0, 1, 99_999, 1_234_567, 10_000_000)


def random_wagers(house: House, random: Random) -> tuple[Wager, ...]:
    """Wagers of one hand. A house may refuse them, for some hands have no Ante."""
    wagers = []
    tips = random.random() < 0.4
    for rule in house.wagers:
        chance = 0.93 if rule.kind is WagerKind.ANTE else 0.6
        if rule.kind is not WagerKind.BLIND and random.random() < chance:
            wagers.append(Wager(rule.kind, _amount(rule, random)))
        tip = house.dealer_wagers
        not_for_dealer = rule.kind in (WagerKind.BLIND, WagerKind.PROGRESSIVE)
        if tip and tips and not not_for_dealer and random.random() < 0.5:
            wagers.append(Wager(rule.kind, _amount(tip, random), Beneficiary.DEALER))
    return tuple(wagers) or plain_wagers(house, random)


def plain_wagers(house: House, random: Random) -> tuple[Wager, ...]:
    """An Ante alone, which every house accepts."""
    ante = next(rule for rule in house.wagers if rule.kind is WagerKind.ANTE)
    return (Wager(WagerKind.ANTE, _amount(ante, random)),)


def _amount(rule: WagerRule | DealerWagerRule, random: Random) -> int:
    step = rule.multiple_of_cents
    most = rule.max_cents if random.random() < 0.3 else min(rule.max_cents, 4 * rule.min_cents)
    return random.randrange(rule.min_cents, most + 1, step)


def random_decision(state: Round, spot: Spot, random: Random) -> Decision:
    """A legal decision; hands check often, so that many reach the river and fold."""
    if state.house.game is GameName.ULTIMATE_DRAW:
        return _random_hold(state, spot, random)
    options = [option.decision for option in choices(state, spot).options]
    passing = [one for one in options if isinstance(one, Check | Fold)]
    bets = [one for one in options if isinstance(one, Bet)]
    if passing and (not bets or random.random() < 0.55):
        return passing[0]
    return random.choice(bets)


def _random_hold(state: Round, spot: Spot, random: Random) -> Decision:
    cards = state.hands[spot].cards
    how = random.random()
    if how < 0.4:
        return clock_decision(state, spot)
    return Hold(tuple(random.sample(cards, random.choice((0, 0, 1, 2, 3, 4, 5, 5, 5)))))


class Dealer:
    """Puts the cards of a deal into the places of a round."""

    def __init__(self, house: House, deal: Deal, random: Random) -> None:
        self.own_decks = house.deck is Deck.PER_TERMINAL
        self.deal = deal
        self.random = random
        self.hands: list[Spot] = []

    def card(self, state: Round, place: Place, dealt: list[Card] | None = None) -> Card:
        """The next card for a place. Cards that are dealt with it are in ``dealt``."""
        if place.lies is not Lies.HAND or place.spot is None:
            return Card.parse(self.deal.card(place.lies.value, place.position))
        spots = sorted(state.hands)
        at = spots.index(place.spot)
        if not self.own_decks or at < len(self.deal.stack.hands):
            return Card.parse(self.deal.card("hand", place.position, at))
        seen = {str(card) for card in (*state.common, *state.dealer, *(dealt or ()))}
        for spot, hand in state.hands.items():
            if spot.seat == place.spot.seat:
                seen |= {str(card) for card in hand.cards}
        stacked = {card for hand in self.deal.stack.hands for card in hand}
        left = [card for card in DECK if card not in seen and card not in stacked]
        return Card.parse(self.random.choice(left))
