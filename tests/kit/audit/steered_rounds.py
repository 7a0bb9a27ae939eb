"""Proofs of rounds that an operator has dealt as it liked, each complete and valid in itself."""

from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Final

from openfelt.cards import FULL_DECK, Card
from openfelt.cards.hand import hand_strength
from openfelt.catalog import load_house
from openfelt.rules import (
    Bet,
    CloseBets,
    Confirm,
    Deal,
    DealCard,
    MakeDecision,
    Phase,
    SetWagers,
    Spot,
    Turn,
    TurnCards,
    Wager,
    WagerKind,
    act,
    begin,
    open_round,
)
from openfelt.runtime.rounds.proof import (
    Commitment,
    ProvedSeed,
    ProvedSeeds,
    RoundProof,
    make_round_proof,
    mixture,
)
from openfelt.runtime.shuffle.dealing_order import DealingOrder, permutation
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler
from openfelt.table import next_card
from openfelt.table.seeds import seeds_digest

TABLE: Final = "table-1"
ROUND: Final = f"{TABLE}/1"
PICKED_FROM: Final = 12


def margin(deck: Sequence[Card]) -> int:
    """By how much the player beats the dealer, at a table that deals two, two and five cards."""
    board = deck[4:9]
    return hand_strength([*deck[:2], *board]) - hand_strength([*deck[2:4], *board])


def worst_deck(random: Random) -> SecretDeck:
    """The deck of twelve in which the player loses by most, dealt from the top."""
    shuffler = Shuffler(SeededEntropy(random.getrandbits(64)))
    decks = (shuffler.shuffle(ROUND, "table", FULL_DECK) for _ in range(PICKED_FROM))
    return min(decks, key=lambda deck: margin(deck.cards))


def ground_seed(deck: SecretDeck, known: ProvedSeed, seat: int, random: Random) -> ProvedSeed:
    """A seed for a seat, chosen after the other one is known, with which the player loses."""
    while True:
        seed = ProvedSeed.revealed(ROUND, seat, random.randbytes(32).hex())
        mixed = mixture(ROUND, (known, seed))
        order = permutation(round_id=ROUND, deck="table", root=deck.root, count=52, mixed=mixed)
        if margin([deck.cards[leaf] for leaf in order]) < 0:
            return seed


def dealt_by(deck: SecretDeck, listed: Sequence[ProvedSeed]) -> RoundProof:
    """The proof of a round of the house ``online``, dealt from this deck by these seeds."""
    house, spot = load_house("online"), Spot(1, 1)
    committed = {seed.seat: seed.commitment for seed in listed}
    seeds = ProvedSeeds(
        bound_version=204 if listed else None,
        digest=seeds_digest(ROUND, committed) if listed else None,
        called_version=206 if listed else None,
        fixed_version=208,
        mixed=mixture(ROUND, listed),
        seeds=tuple(listed),
    )
    state = begin(house, open_round(house, number=1, day=date(2026, 1, 1)))
    state = act(state, SetWagers(spot, (Wager(WagerKind.ANTE, 1000),)), CloseBets())
    order = DealingOrder(house, {"table": deck}, seeds.mixed)
    while state.phase is Phase.PLAYING:
        match state.current_step:
            case Deal():
                state = act(state, DealCard(next_card(state, order)))
            case Turn():
                state = act(state, TurnCards())
            case _:
                state = act(state, MakeDecision(spot, Bet(4)))
    return make_round_proof(
        act(state, Confirm()),
        table=TABLE,
        decks=[deck],
        commitments=[Commitment(deck="table", root=deck.root, version=201, wager_version=203)],
        bets_closed_version=205,
        seeds=seeds,
    )
