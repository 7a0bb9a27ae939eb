"""What else happens in a pit: irregular deals, wrong payouts, counted stubs, bets that were closed
too early, and dealers who hand over. Each function gives a command, or none."""

from random import Random

from openfelt.cards import FULL_DECK
from openfelt.rules.irregularity_rules import About, Effect
from openfelt.rules.round import Phase, Round
from openfelt.table.commands import (
    ApproveAdjustment,
    CountStub,
    DeclareIrregularity,
    HandOver,
    ProposeAdjustment,
    RejectAdjustment,
    ReopenBets,
    TableCommand,
)
from openfelt.table.croupier.irregularity_commands import Ruling, rulings
from openfelt.table.state import Table


def irregularity(table: Table, random: Random, *, supervisor: bool) -> TableCommand | None:
    """Something that has gone wrong in the deal, and that this member of staff may declare."""
    state = table.playing
    possible = [one for one in rulings(table) if supervisor or not one.supervisor]
    # Most of them void the round, which the simulation must not do all the time.
    milder = [one for one in possible if one.effect is not Effect.VOID_ROUND]
    if milder and random.random() < 0.9:
        possible = milder
    if state is None or not possible:
        return None
    return _declared(state, random.choice(possible), random)


def _declared(state: Round, ruling: Ruling, random: Random) -> DeclareIrregularity:
    spot = random.choice(list(state.hands)) if ruling.about is About.HAND else None
    card = random.choice(FULL_DECK) if ruling.effect is Effect.REPLACE_CARD else None
    return DeclareIrregularity(
        ruling.irregularity,
        ruling.about,
        spot=spot,
        card=card,
        round=random.choice((None, state.opened.number)),
    )


def closed_too_early(table: Table) -> TableCommand | None:
    """Bets that are closed, in a round of which no card has been dealt."""
    state = table.playing
    if state is None or state.phase is not Phase.PLAYING or state.dealer or state.common:
        return None
    return None if any(hand.cards for hand in state.hands.values()) else ReopenBets()


def between_rounds(table: Table, random: Random, *, relief: str) -> TableCommand | None:
    """What a dealer does after a round: count the stub, find a wrong payout, hand over."""
    chance = random.random()
    if chance < 0.3 and table.rounds:
        return CountStub(random.randint(20, 45), round=random.choice((None, table.rounds)))
    if chance < 0.65 and table.played:
        played = random.choice(table.played)
        seat = random.choice((1, *played.players))
        cents = random.choice((-1, 1)) * random.choice((1, 500, 20_000))
        return ProposeAdjustment(played.number, seat, cents, "The dealer paid it wrong.")
    return HandOver(relief) if chance < 0.67 else None


def decided_adjustment(table: Table, random: Random) -> TableCommand | None:
    """An adjustment that waits is approved or rejected."""
    if not table.adjustments:
        return None
    number = random.choice(list(table.adjustments))
    if random.random() < 0.7:
        return ApproveAdjustment(number)
    return RejectAdjustment(number, "The payout was right.")
