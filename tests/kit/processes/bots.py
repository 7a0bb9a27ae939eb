"""Players and dealers that play by themselves: what each would do next at a table as it stands."""

from random import Random

from openfelt.cards import FULL_DECK, Card
from openfelt.rules import (
    CloseBets,
    Confirm,
    DealCard,
    MakeDecision,
    Phase,
    Round,
    SetWagers,
    Spot,
    TurnCards,
    Wager,
    WagerKind,
    choices,
)
from openfelt.rules.dealing import Deal, Turn
from openfelt.table.commands import Collect, TableCommand, TakeBank
from openfelt.table.state import Table

LOW_CENTS = 30_000
"""Who has less credit than this tops it up before the next round."""
COVER_CENTS = 100_000
"""A player/dealer's bank wager."""

_OPTIONAL = (WagerKind.TRIPS, WagerKind.ULTIMATE_PAIRS, WagerKind.PROGRESSIVE)


def player_wants(table: Table, player: str, rng: Random, *, opens: bool) -> TableCommand | None:
    """What a player would do now, None to wait; who may not open a round only finishes one."""
    seat = table.seat_of(player)
    if seat is None:
        return None
    state = table.playing
    if state is None:
        return _between_rounds(table, seat, rng) if opens else None
    spot = Spot(seat, 1)
    if state.phase is Phase.WAGERING:
        return _while_wagering(table, state, spot, rng)
    credit_cents = table.seats[seat].credit_cents
    options = choices(state, spot, credit_cents=credit_cents).options
    return MakeDecision(spot, rng.choice(options).decision) if options else None


def needs_money(table: Table, player: str) -> bool:
    """Whether a player should top up, which is done between rounds."""
    seat = table.seat_of(player)
    if seat is None or table.wagers_of(seat):
        return False
    return table.seats[seat].credit_cents < LOW_CENTS


def _between_rounds(table: Table, seat: int, rng: Random) -> TableCommand | None:
    if rng.random() < 0.02 and table.seats[seat].credit_cents:
        return Collect(seat)
    if not table.player_banked:
        return _wagers(table, Spot(seat, 1), rng)
    if table.bank_offered_to in (seat, None):
        return TakeBank(seat, COVER_CENTS)
    return None


def _while_wagering(table: Table, state: Round, spot: Spot, rng: Random) -> TableCommand | None:
    banker = state.opened.banker
    if banker is not None and banker.seat == spot.seat:
        return None
    if spot not in state.hands or rng.random() < 0.1:
        return _wagers(table, spot, rng)
    return CloseBets() if table.opened.private_to else None


def _wagers(table: Table, spot: Spot, rng: Random) -> SetWagers:
    """An Ante, and some of the bets beside it that the house offers."""
    wagers = [Wager(WagerKind.ANTE, 100 * rng.randint(10, 20))]
    for kind in _OPTIONAL:
        rule = table.house.wager(kind)
        linked = kind is not WagerKind.PROGRESSIVE or table.link is not None
        if rule is not None and linked and rng.random() < 0.5:
            wagers.append(Wager(kind, rule.min_cents))
    return SetWagers(spot, tuple(wagers))


def dealer_wants(table: Table, rng: Random) -> TableCommand | None:
    """What the dealer would do now: close bets, scan and turn cards, confirm."""
    state = table.playing
    if state is None:
        return None
    if state.phase is Phase.WAGERING:
        bankers = 1 if state.opened.banker else 0
        complete = len(state.hands) + bankers == len(table.seats)
        return CloseBets() if complete else None
    if table.virtual:
        return None
    if state.phase is Phase.READY:
        return Confirm()
    match state.current_step:
        case Deal():
            return DealCard(_card_from_the_shoe(state, rng))
        case Turn():
            return TurnCards()
    return None


def _card_from_the_shoe(state: Round, rng: Random) -> Card:
    """Any card that does not lie on the felt, as if it had been shuffled by hand."""
    lying = {*state.dealer, *state.common}
    lying.update(card for hand in state.hands.values() for card in hand.cards)
    return rng.choice([card for card in FULL_DECK if card not in lying])
