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
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.house import BankKind
from openfelt.rules.round import card_at
from openfelt.runtime.rounds.proof import (
    Commitment,
    ProvedSeed,
    ProvedSeeds,
    RoundProof,
    make_round_proof,
    mixture,
)
from openfelt.runtime.shuffle.dealing_order import DealingOrder
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler
from openfelt.table import next_card
from openfelt.table.deck import TABLE_DECK, cards_left, deck_places, seat_decks
from openfelt.table.seeds import seed_commitment, seeds_digest
from tests.kit.felt import Felt
from tests.kit.random_rounds import _bet_something, _random_decision, _random_spots

TABLE = "table-1"
ROUND = f"{TABLE}/1"
Decks = Mapping[str, SecretDeck]


def dealt_round(house: House, random: Random) -> tuple[Round, Decks]:
    """A round over, as tables dealt before there were seeds; one in five is voided on its way."""
    felt = _bets(house, random)
    shuffler = Shuffler(SeededEntropy(random.getrandbits(64)))
    table = shuffler.shuffle(ROUND, TABLE_DECK, FULL_DECK)
    left = cards_left(house, table.cards)
    seats = sorted({spot.seat for spot in felt.state.hands})
    decks = {name: shuffler.shuffle(ROUND, name, left) for name in seat_decks(house, seats)}
    decks = {TABLE_DECK: table, **decks}
    return _dealt(felt, DealingOrder(house, decks), random), decks


def seeded_round(house: House, random: Random) -> tuple[Round, Decks, ProvedSeeds]:
    """A round over whose players gave seeds, and withheld some of them."""
    felt = _bets(house, random)
    shuffler = Shuffler(SeededEntropy(random.getrandbits(64)))
    seats = sorted({spot.seat for spot in felt.state.hands})
    names = (TABLE_DECK, *seat_decks(house, seats))
    decks = {name: shuffler.shuffle(ROUND, name, FULL_DECK) for name in names}
    bound = [seat for seat in seats if random.random() < 0.8]
    seeds = proved_seeds(
        {seat: random.randbytes(32).hex() for seat in bound},
        withheld=[seat for seat in bound if random.random() < 0.2],
    )
    return _dealt(felt, DealingOrder(house, decks, seeds.mixed), random), decks, seeds


def proved_seeds(seeds: Mapping[int, str], *, withheld: Iterable[int] = ()) -> ProvedSeeds:
    """Seeds that were called and fixed soon after the event 5000, which closed bets."""
    committed = {seat: seed_commitment(ROUND, seat, seed) for seat, seed in seeds.items()}
    listed = tuple(
        ProvedSeed(
            seat=seat,
            commitment=committed[seat],
            seed=None if seat in withheld else seed,
        )
        for seat, seed in sorted(seeds.items())
    )
    return ProvedSeeds(
        bound_version=4000 if committed else None,
        digest=seeds_digest(ROUND, committed) if committed else None,
        called_version=5101 if committed else None,
        fixed_version=6000,
        mixed=mixture(ROUND, listed),
        seeds=listed,
    )


def _bets(house: House, random: Random) -> Felt:
    """A round with some wagers."""
    banker = None
    if house.bank.kind is BankKind.PLAYER_DEALER:
        banker = Banker(random.randint(1, house.seats), 10**6)
    felt = Felt(house, banker=banker, procedure=random.choice(house.procedures))
    while not felt.state.hands:
        for spot in _random_spots(house, random):
            _bet_something(felt, spot, random)
    return felt


def _dealt(felt: Felt, cards: Mapping[str, tuple[Card, ...]], random: Random) -> Round:
    felt.do(CloseBets())
    steps = random.randint(0, 20) if random.random() < 0.2 else 10**6
    while felt.state.phase is Phase.PLAYING and steps:
        steps -= 1
        _step(felt, cards, random)
    felt.do(Confirm(0) if felt.state.phase is Phase.READY else VoidRound("the lights went out"))
    return felt.state


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
        card = card_at(state, place)
        lay.setdefault(deck, {}).update({} if card is None else {index: card})
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


def commitments_to(decks: Decks, wager_version: int | None = None) -> tuple[Commitment, ...]:
    """Commitments published as the events 11, 12 and so on."""
    return tuple(
        Commitment(deck=name, root=deck.root, version=version, wager_version=wager_version)
        for version, (name, deck) in enumerate(decks.items(), start=11)
    )


def prove(
    state: Round, decks: Decks, seeds: ProvedSeeds | None = None, *, seat: int | None = None
) -> RoundProof:
    """The proof of a round whose bets closed long after its commitments."""
    return make_round_proof(
        state,
        table=TABLE,
        decks=decks.values(),
        commitments=commitments_to(decks, 2500 if seeds is not None else None),
        bets_closed_version=5000,
        seeds=seeds,
        seat=seat,
    )
