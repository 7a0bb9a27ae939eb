"""Rounds of the rules alone, without a table: quick, with any bank wager and any meter."""

from collections.abc import Iterable
from fractions import Fraction
from random import Random

from openfelt.catalog import load_house
from openfelt.rules import (
    Banker,
    Confirm,
    DealCard,
    MakeDecision,
    Phase,
    Refusal,
    SetWagers,
    Spot,
    TurnCards,
    VoidRound,
    apply,
)
from openfelt.rules.dealing import Deal as DealStep
from openfelt.rules.dealing import Turn, hands_max
from openfelt.rules.house import BankKind
from openfelt.rules.irregularity_rules import About, Effect, Irregularity
from openfelt.rules.round_events import IrregularityDeclared
from openfelt.storage.codec import Codec, snake_case
from tests.kit.felt import Felt
from tests.laboratory.comparison import compare
from tests.laboratory.deals import next_deal
from tests.laboratory.moves import (
    COVERS_CENTS,
    METERS_CENTS,
    Dealer,
    plain_wagers,
    random_decision,
    random_wagers,
)
from tests.laboratory.product_houses import HOUSES, product_house
from tests.laboratory.record import Recorded, rounds_of
from tests.laboratory.referee import settle
from tests.laboratory.referee_link import Link
from tests.laboratory.referee_sheet import House
from tests.laboratory.tally import Tally

VOID_CHANCE = 0.02
IRREGULAR_CHANCE = 0.05
_ENDS = (
    (Irregularity.HAND_TOUCHED, Effect.VOID_HAND),
    (Irregularity.HAND_FOULED, Effect.LOSE_HAND),
)
_CODEC = Codec(lambda _: load_house("online"))


def felt_round(name: str, random: Random, *, irregular: bool = False) -> Recorded:
    """One round of a house, played by the rules and read back from its events.

    In an irregular one, hands are declared void or fouled on the way.
    """
    house = product_house(name)
    banker = None
    if house.bank.kind is BankKind.PLAYER_DEALER:
        cover_cents = random.choice((1, 777, *COVERS_CENTS))
        banker = Banker(random.randint(1, house.seats), cover_cents)
    felt = Felt(house, banker=banker, procedure=random.choice(house.procedures))
    _bet(felt, random)
    void_at = random.randrange(20) if random.random() < VOID_CHANCE else None
    _play(felt, name, random, void_at, irregular=irregular)
    return recorded_round(name, felt.events)


def recorded_round(house: str, events: Iterable[object]) -> Recorded:
    """A round read back from the stored form of its events."""
    plain = [
        (snake_case(type(event).__name__), _CODEC.to_plain(type(event), event)) for event in events
    ]
    (recorded,) = rounds_of(house, plain)
    return recorded


def _bet(felt: Felt, random: Random) -> None:
    house, banker = felt.state.house, felt.state.opened.banker
    free = [
        seat for seat in range(1, min(house.seats, 40) + 1) if not banker or seat != banker.seat
    ]
    seats = random.sample(
        free, min(len(free), random.randint(1, 4 if house.hands_per_seat == 1 else 2))
    )
    spots = [
        Spot(seat, hand)
        for seat in seats
        for hand in range(1, random.randint(1, house.hands_per_seat) + 1)
    ]
    for spot in spots[: hands_max(house)]:
        try:
            felt.do(SetWagers(spot, random_wagers(house, random)))
        except Refusal:
            felt.do(SetWagers(spot, plain_wagers(house, random)))


def _play(felt: Felt, name: str, random: Random, void_at: int | None, *, irregular: bool) -> None:
    felt.close()
    dealer = Dealer(felt.state.house, next_deal(HOUSES[name].game, random), random)
    steps = 0
    while felt.state.phase is Phase.PLAYING:
        steps += 1
        if steps == void_at:
            felt.do(VoidRound("the shuffler failed"))
            return
        if irregular and random.random() < IRREGULAR_CHANCE:
            _end_hand(felt, random)
            continue
        step = felt.state.current_step
        if isinstance(step, DealStep):
            felt.do(DealCard(dealer.card(felt.state, step.place)))
        elif isinstance(step, Turn):
            felt.do(TurnCards())
        else:
            spot = min(felt.state.pending)
            felt.do(MakeDecision(spot, random_decision(felt.state, spot, random)))
    felt.do(Confirm(random.choice(METERS_CENTS) if HOUSES[name].progressive else None))


def _end_hand(felt: Felt, random: Random) -> None:
    """A hand is void or fouled, as staff would declare it; one hand stays at least."""
    left = sorted(felt.state.hands.keys() - felt.state.dead_hands)
    if len(left) > 1:
        kind, effect = random.choice(_ENDS)
        declared = IrregularityDeclared(
            irregularity=kind,
            about=About.HAND,
            effect=effect,
            clause="R.41",
            spot=random.choice(left),
        )
        felt.events.append(declared)
        felt.state = apply(felt.state, declared)


def check_felt_rounds(name: str, seed: int, rounds: int) -> Tally:
    """Play and check rounds of one house; raises Disagreement."""
    random, tally = Random(f"{name}/{seed}"), Tally()
    for _ in range(rounds):
        tally.count(_check_round(name, random))
    return tally


def check_irregular_rounds(name: str, seed: int, rounds: int) -> Tally:
    """The same for rounds in which hands are declared void or fouled."""
    random, tally = Random(f"{name}/irregular/{seed}"), Tally()
    for _ in range(rounds):
        tally.count(_check_round(name, random, irregular=True))
    return tally


def _check_round(name: str, random: Random, *, irregular: bool = False) -> Recorded:
    """Play a round and settle it a second time."""
    recorded = felt_round(name, random, irregular=irregular)
    check_recorded(HOUSES[name], recorded)
    return recorded


def check_recorded(house: House, recorded: Recorded) -> None:
    """Settle a round of the rules a second time; raises Disagreement."""
    sheet, link = recorded.sheet, None
    meter_cents = recorded.meter_cents
    if meter_cents is not None:
        # The meter that settles a round has its contributions already.
        wagered_cents = sum(
            bet.cents
            for hand in sheet.hands
            for bet in hand.bets
            if bet.wager == "progressive" and hand.ended != "void"
        )
        link = Link(Fraction(meter_cents) - wagered_cents * house.contribution)
    compare(settle(house, sheet, link), recorded)
