"""Tables in any hands: random commands by random people at tables of every house.

Most commands are what a person would sensibly do next, so that rounds get played; the others are
any command by any person. The pit checks after each event that the book balances, that no player
owes, that each seat's credit is what the ledger says, and that nothing is left of a round that is
over.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from random import Random

from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st

from openfelt.cards import FULL_DECK, Card
from openfelt.rules import (
    Check,
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    Fold,
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
    choices,
)
from openfelt.rules.dealing import Deal, Lies, Place, Turn
from openfelt.rules.decisions import Bet, Decision
from openfelt.rules.house import DealerMode, DealerWagerRule, Deck, WagerRule
from openfelt.rules.round_events import RoundSettled
from openfelt.rules.wagers import Beneficiary
from openfelt.table.commands import (
    SYSTEM,
    BuyIn,
    ChangeDealer,
    ChangeLink,
    ChangeRules,
    CloseTable,
    Collect,
    DeclineBank,
    EndTime,
    ExpireRound,
    LeaveSeat,
    OpenBets,
    PauseTable,
    Person,
    ReopenTable,
    ResumeClock,
    Role,
    TableCommand,
    TakeBank,
    TakeSeat,
)
from tests.kit.own_houses import own_house
from tests.kit.strategies import OWN_TABLES, VARIANTS, few
from tests.kit.tables import DEALER, FLOOR, SECONDS, Pit, replayed

PLAYERS = [Person(Role.PLAYER, name) for name in ("ann", "bob", "cat")]
PEOPLE = [*PLAYERS, DEALER, Person(Role.DEALER, "dot"), FLOOR, SYSTEM]
Move = tuple[TableCommand, Person]


@st.composite
def pits(draw: st.DrawFn) -> Pit:
    """A table of any house, live or virtual, with or without a clock, with funded players."""
    mode = draw(st.sampled_from((DealerMode.LIVE, DealerMode.VIRTUAL)))
    house = _variant(draw(st.sampled_from(range(len(VARIANTS)))), mode)
    pit = Pit(
        house,
        clock=draw(st.sampled_from((None, SECONDS))),
        link="link-1" if house.progressive and draw(st.booleans()) else None,
        seed=draw(st.integers(0, 2**32 - 1)),
    ).told(meter_cents=draw(st.integers(0, 10**7)))
    for player in PLAYERS:
        pit.fund(player.name, 100_000)
    for seat, player in enumerate(PLAYERS[: draw(st.integers(1, 3))], start=1):
        if seat <= house.seats:
            pit.sit(player.name, seat)
    return pit


@cache
def _variant(number: int, mode: DealerMode) -> House:
    base, changes = VARIANTS[number]
    return own_house(base, {**changes, "table.dealer": mode.value}, paytables=OWN_TABLES)


# What people do ---------------------------------------------------------------------


def sensible(pit: Pit) -> Move:
    """A move that a person would sensibly make now."""
    table, rng = pit.table, pit.rng
    poor = [at for at, seat in table.seats.items() if seat.credit_cents < 20_000]
    if len(table.seats) < min(2, table.house.seats):
        return TakeSeat(rng.randint(1, min(table.house.seats, 4))), rng.choice(PLAYERS)
    if poor and rng.random() < 0.8:
        return BuyIn(poor[0], rng.choice((100_000, 2_000_000))), sitting(pit, poor[0])
    if table.playing is None:
        return _between_rounds(pit)
    if pit.phase is Phase.WAGERING:
        return _while_betting(pit)
    return _while_playing(pit)


def sitting(pit: Pit, seat: int) -> Person:
    return Person(Role.PLAYER, pit.table.seats[seat].player)


def _between_rounds(pit: Pit) -> Move:
    if pit.table.player_banked:
        seat = pit.table.bank_offered_to or pit.rng.choice(list(pit.table.seats))
        if pit.rng.random() < 0.2:
            return DeclineBank(seat), sitting(pit, seat)
        return TakeBank(seat, pit.rng.choice((100, 777, 4_000, 50_000))), sitting(pit, seat)
    return _a_bet(pit) if pit.table.virtual else (OpenBets(), DEALER)


def _while_betting(pit: Pit) -> Move:
    if not pit.round.hands or pit.rng.random() < 0.6:
        return _a_bet(pit)
    if pit.table.clock and pit.rng.random() < 0.5:
        return EndTime(pit.table.clock.number), SYSTEM
    return CloseBets(), DEALER


def _a_bet(pit: Pit) -> Move:
    seat = pit.rng.choice(list(pit.table.seats))
    spot = Spot(seat, pit.rng.randint(1, pit.table.house.hands_per_seat))
    return SetWagers(spot, random_wagers(pit.table.house, pit.rng)), sitting(pit, seat)


def _while_playing(pit: Pit) -> Move:
    state, rng = pit.round, pit.rng
    step = state.current_step
    if isinstance(step, Deal):
        return DealCard(rng.choice(FULL_DECK)), DEALER
    if isinstance(step, Turn):
        return TurnCards(), DEALER
    if state.phase is Phase.READY:
        return Confirm(), DEALER
    if pit.table.clock and rng.random() < 0.2:
        return EndTime(pit.table.clock.number), SYSTEM
    spot = next(spot for spot in state.hands if spot in state.pending)
    return MakeDecision(spot, _decision(state, spot, rng)), sitting(pit, spot.seat)


def _decision(state: Round, spot: Spot, rng: Random) -> Decision:
    found = choices(state, spot)
    if found.may_hold:
        return Hold(tuple(rng.sample(state.hands[spot].cards, rng.randrange(6))))
    return rng.choice(found.options).decision


def random_wagers(house: House, rng: Random) -> tuple[Wager, ...]:
    """Wagers that a player might try; none, now and then."""
    if rng.random() < 0.1:
        return ()
    wagers = []
    for rule in house.wagers:
        if rule.kind is WagerKind.ANTE or (rule.kind is not WagerKind.BLIND and rng.random() < 0.3):
            wagers.append(Wager(rule.kind, _amount(rule, rng)))
        if house.dealer_wagers and rule.kind is not WagerKind.BLIND and rng.random() < 0.2:
            wagers.append(Wager(rule.kind, _amount(house.dealer_wagers, rng), Beneficiary.DEALER))
    return tuple(wagers)


def _amount(rule: WagerRule | DealerWagerRule, rng: Random) -> int:
    step = rule.multiple_of_cents
    return rng.randrange(rule.min_cents, min(rule.max_cents, rule.min_cents + 9 * step) + 1, step)


def anything(pit: Pit) -> Move:
    """Any command at all, from anybody."""
    table, rng = pit.table, pit.rng
    seat = rng.randint(0, min(table.house.seats, 4))
    spot = Spot(seat, rng.randint(1, table.house.hands_per_seat))
    place = Place(rng.choice(list(Lies)), rng.choice((None, spot)), rng.randint(0, 6))
    card = rng.choice(FULL_DECK)
    cards = tuple(rng.sample(FULL_DECK, 2))
    decision: Decision = rng.choice((Check(), Fold(), Bet(rng.randint(1, 4)), Hold(cards)))
    commands: list[TableCommand] = [
        TakeSeat(seat),
        LeaveSeat(seat),
        BuyIn(seat, rng.choice((0, 1, 50_000))),
        Collect(seat),
        OpenBets(),
        SetWagers(spot, random_wagers(table.house, rng)),
        CloseBets(),
        DealCard(card),
        CorrectCard(place, card),
        TurnCards(),
        MakeDecision(spot, decision),
        Confirm(rng.choice((None, 10**9))),
        VoidRound("the shuffler failed"),
        TakeBank(seat, 5_000),
        DeclineBank(seat),
        EndTime(table.clocks - rng.randint(0, 1)),
        ResumeClock(rng.choice((0, 9_000, 10**6))),
        ExpireRound(table.rounds, rng.choice((1, 30))),
        ChangeRules(table.house),
        ChangeLink(rng.choice((None, "link-1", "link-2"))),
        ChangeDealer(rng.choice((None, "dan", "dot"))),
        CloseTable("It is late"),
        PauseTable("A spill"),
        ReopenTable(),
        ReopenTable(),
        ReopenTable(),
    ]
    return rng.choice(commands), rng.choice(PEOPLE)


def play(pit: Pit, moves: int) -> None:
    """Let people act; what is refused changes nothing."""
    for _ in range(moves):
        command, by = (
            sensible(pit) if pit.table.seats and pit.rng.random() < 0.85 else anything(pit)
        )
        before = pit.table
        events = len(pit.events)
        try:
            pit.do(command, by)
        except Refusal:
            assert (pit.table, len(pit.events)) == (before, events)


# What holds -----------------------------------------------------------------------------


@few
@given(pits(), st.integers(50, 250))
def test_money_is_conserved_and_replay_equals_live(pit: Pit, moves: int) -> None:
    play(pit, moves)
    over = sum(isinstance(one, RoundSettled) for one in pit.events)
    note(f"{pit.table.house.id}, {pit.opened.dealer_mode}, {min(over, 2)} rounds settled or more")
    assert replayed(pit.opened, pit.events) == pit.table


def decks_of(state: Round) -> Iterator[list[Card]]:
    """The cards that have left each deck; those of the table stand beside each terminal's."""
    at_table = [*state.dealer, *state.common]
    if state.house.deck is Deck.SHARED:
        yield at_table + [card for hand in state.hands.values() for card in hand.cards]
        return
    for seat in {spot.seat for spot in state.hands}:
        hands = [hand.cards for spot, hand in state.hands.items() if spot.seat == seat]
        yield at_table + [card for cards in hands for card in cards]


@few
@given(pits(), st.integers(20, 60))
def test_no_deck_deals_a_card_twice(pit: Pit, times: int) -> None:
    for _ in range(times):
        play(pit, 3)
        if pit.table.round is not None:
            for cards in decks_of(pit.table.round):
                assert len(set(cards)) == len(cards)


@few
@given(pits(), st.integers(30, 200))
def test_a_supervisor_can_always_bring_a_table_to_its_end(pit: Pit, moves: int) -> None:
    """Whatever has happened, the floor closes the table and every chip goes home."""
    play(pit, moves)
    with suppress(Refusal):
        pit.do(CloseTable("It is late"), FLOOR)
    if pit.table.playing is not None:
        pit.void()
    assert pit.table.phase == "closed"
    for seat in list(pit.table.seats):
        pit.do(LeaveSeat(seat), FLOOR)
    left = {account: cents for account, cents in pit.book.balances.items() if cents}
    assert not [account for account in left if account.kind in ("credit", "wagers", "banker")]
