"""Rounds whose cards come from secret decks, so that they can be proved."""

from collections.abc import Iterable, Mapping
from random import Random

from openfelt.cards import FULL_DECK, Card
from openfelt.rules import (
    Banker,
    CloseBets,
    Confirm,
    DealCard,
    House,
    MakeDecision,
    Phase,
    Round,
    TurnCards,
    VoidRound,
)
from openfelt.rules.dealing import Deal, Lies, Place, Turn
from openfelt.rules.house import BankKind
from openfelt.runtime.rounds.proof import Commitment, RoundProof, make_round_proof
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler
from openfelt.table import next_card
from openfelt.table.deck import TABLE_DECK, cards_left, deck_places
from tests.kit.felt import Felt
from tests.kit.random_rounds import _bet_something, _random_decision, _random_spots

TABLE = "table-1"
ROUND = f"{TABLE}/1"
Decks = Mapping[str, SecretDeck]


def dealt_round(house: House, random: Random) -> tuple[Round, Decks]:
    """A round over, dealt from shuffled decks; one in five is voided on its way."""
    banker = None
    if house.bank.kind is BankKind.PLAYER_DEALER:
        banker = Banker(random.randint(1, house.seats), 10**6)
    felt = Felt(house, banker=banker, procedure=random.choice(house.procedures))
    while not felt.state.hands:
        for spot in _random_spots(house, random):
            _bet_something(felt, spot, random)
    seats = {spot.seat for spot in felt.state.hands}
    decks = Shuffler(SeededEntropy(random.getrandbits(64))).decks_for(ROUND, house, seats)
    cards = {name: deck.cards for name, deck in decks.items()}
    felt.do(CloseBets())
    steps = random.randint(0, 20) if random.random() < 0.2 else 10**6
    while felt.state.phase is Phase.PLAYING and steps:
        steps -= 1
        _step(felt, cards, random)
    felt.do(Confirm(0) if felt.state.phase is Phase.READY else VoidRound("the lights went out"))
    return felt.state, decks


def _step(felt: Felt, cards: Mapping[str, tuple[Card, ...]], random: Random) -> None:
    step = felt.state.current_step
    if isinstance(step, Deal):
        felt.do(DealCard(next_card(felt.state, cards)))
    elif isinstance(step, Turn):
        felt.do(TurnCards())
    else:
        spot = next(spot for spot in felt.state.hands if spot in felt.state.pending)
        felt.do(MakeDecision(spot, _random_decision(felt.state, spot, random)))


def decks_that_dealt(state: Round) -> Decks:
    """Secret decks in which the cards of a played round lay where its plan takes them."""
    lay: dict[str, dict[int, Card]] = {}
    for place, (deck, index) in deck_places(state.house, state.plan).items():
        cards = cards_at(state, place)
        lay.setdefault(deck, {}).update(
            {index: cards[place.position - 1]} if place.position <= len(cards) else {}
        )
    entropy = SeededEntropy(1)
    decks: dict[str, SecretDeck] = {}
    rest: tuple[Card, ...] = FULL_DECK
    for deck in sorted(lay, key=lambda name: name != TABLE_DECK):
        order = _filled(lay[deck], rest)
        decks[deck] = SecretDeck.of(ROUND, deck, order, entropy.token(32))
        if deck == TABLE_DECK:
            rest = cards_left(state.house, order)
    return decks


def _filled(known: Mapping[int, Card], cards: Iterable[Card]) -> tuple[Card, ...]:
    """The known cards at their indexes, the others around them."""
    pool = list(cards)
    others = iter([card for card in pool if card not in known.values()])
    return tuple(known[index] if index in known else next(others) for index in range(len(pool)))


def cards_at(state: Round, place: Place) -> tuple[Card, ...]:
    """The cards that lie where a place is."""
    if place.spot:
        return state.hands[place.spot].cards
    return state.dealer if place.lies is Lies.DEALER else state.common


def commitments_to(decks: Decks) -> tuple[Commitment, ...]:
    """Commitments published as the events 11, 12 and so on."""
    return tuple(
        Commitment(deck=name, root=deck.root, version=version)
        for version, (name, deck) in enumerate(decks.items(), start=11)
    )


def prove(state: Round, decks: Decks, *, seat: int | None = None) -> RoundProof:
    """The proof of a round whose bets closed long after its commitments."""
    return make_round_proof(
        state,
        table=TABLE,
        decks=decks.values(),
        commitments=commitments_to(decks),
        bets_closed_version=5000,
        seat=seat,
    )
