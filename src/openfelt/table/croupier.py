"""The croupier: turns a command at the table into events, or refuses it with a reason.

Permissions, seats, betting windows, the bank and the clock are decided in the modules beside
this one; what belongs to the round is passed to the referee. A refused command changes
nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from openfelt.cards import FULL_DECK, Card
from openfelt.rules.dealing import Deal, Lies, Turn
from openfelt.rules.forms import malformed
from openfelt.rules.house import Deck
from openfelt.rules.referee import (
    Action,
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    MakeDecision,
    SetWagers,
    TurnCards,
    VoidRound,
    check_form,
    decide,
)
from openfelt.rules.round import CardDealt, Phase, Round, RoundOpened, WagersSet
from openfelt.table.bank_commands import decline_bank, take_bank
from openfelt.table.clock import clock_wanted, end_time, expire_round, resume_clock
from openfelt.table.command_roles import check_role
from openfelt.table.commands import (
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
    Person,
    ReopenTable,
    ResumeClock,
    TableCommand,
    TakeBank,
    TakeSeat,
)
from openfelt.table.deck import TABLE_DECK, cards_left, deck_of, next_card, seat_decks
from openfelt.table.events import TableClosed, TableEvent
from openfelt.table.permissions import Events, Outside
from openfelt.table.round_commands import (
    close_bets,
    confirm,
    correct_card,
    deal_or_turn,
    make_decision,
    open_bets,
    set_wagers,
    void_round,
)
from openfelt.table.seating import buy_in, collect, leave_seat, take_seat
from openfelt.table.state import Table, TablePhase
from openfelt.table.supervision import (
    change_dealer,
    change_link,
    change_rules,
    close_table,
    reopen_table,
)
from openfelt.table.voiding import WITHDRAWN

_COMMANDS: Final[dict[type, Callable[..., Events]]] = {
    TakeSeat: take_seat,
    LeaveSeat: leave_seat,
    BuyIn: buy_in,
    Collect: collect,
    OpenBets: open_bets,
    SetWagers: set_wagers,
    CloseBets: close_bets,
    MakeDecision: make_decision,
    DealCard: deal_or_turn,
    TurnCards: deal_or_turn,
    CorrectCard: correct_card,
    Confirm: confirm,
    VoidRound: void_round,
    TakeBank: take_bank,
    DeclineBank: decline_bank,
    EndTime: end_time,
    ResumeClock: resume_clock,
    ExpireRound: expire_round,
    ChangeRules: change_rules,
    ChangeLink: change_link,
    ChangeDealer: change_dealer,
    CloseTable: close_table,
    ReopenTable: reopen_table,
}


def direct(table: Table, command: TableCommand, *, by: Person, outside: Outside) -> Events:
    """The events that follow from a command at the table; raises Refusal."""
    act = _COMMANDS.get(type(command))
    if act is None:
        raise malformed("That is not a command of a table.")
    check_role(table, command, by)
    if isinstance(command, Action):
        check_form(command)
    return act(table, command, by, outside)


def go_on(table: Table, decks: Mapping[str, Sequence[Card]], outside: Outside) -> Events:
    """The events that follow by themselves: virtual cards, clocks, a table that closes.

    The caller applies these events and asks again until there are none.
    """
    state = table.playing
    if state is None:
        if table.phase is TablePhase.CLOSING:
            return (TableClosed("The last round is over."),)
        return clock_wanted(table)
    if table.phase is TablePhase.CLOSING and state.phase is Phase.WAGERING and not state.hands:
        return decide(state, VoidRound(WITHDRAWN))
    if (action := _dealers_next(table, state, decks, outside)) is not None:
        return decide(state, action)
    return clock_wanted(table)


def _dealers_next(
    table: Table, state: Round, decks: Mapping[str, Sequence[Card]], outside: Outside
) -> Action | None:
    """The virtual dealer's next action; hands from a terminal's own deck are always virtual."""
    match state.current_step:
        case Deal(place=place) if deck_of(state.house, place) in decks:
            return DealCard(next_card(state, decks))
        case Turn() if table.virtual:
            return TurnCards()
    if state.phase is Phase.READY and table.virtual:
        return Confirm(outside.meter_cents, outside.seed_cents)
    return None


def decks_wanted(table: Table, event: TableEvent) -> tuple[str, ...]:
    """The decks to be shuffled now that this event has happened.

    Virtual decks are shuffled and committed to before bets close: the table's when the
    round opens, a terminal's own when its first wager is placed. With a live dealer the
    terminals' decks wait for the scanned cards, which they must not contain.
    """
    state = table.playing
    if state is None:
        return ()
    per_terminal = state.house.deck is Deck.PER_TERMINAL
    match event:
        case RoundOpened() if table.virtual:
            return (TABLE_DECK,)
        case WagersSet(spot, wagers) if table.virtual and per_terminal and wagers:
            wanted = seat_decks(state.house, [spot.seat])
            return tuple(deck for deck in wanted if deck not in table.commitments)
        case CardDealt() if per_terminal and not table.virtual and not table.commitments:
            step = state.current_step
            if isinstance(step, Deal) and step.place.lies is Lies.HAND:
                return seat_decks(state.house, sorted({spot.seat for spot in state.hands}))
    return ()


def deck_cards(state: Round, deck: str, table_deck: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that a deck is made of, in order, before it is shuffled (R.11).

    A terminal's deck holds the cards that are neither the dealer's nor common: the scanned
    ones with a live dealer, else the first ones of the table's deck.
    """
    if deck == TABLE_DECK:
        return FULL_DECK
    if table_deck:
        return cards_left(state.house, table_deck)
    scanned = {*state.dealer, *state.common}
    return tuple(card for card in FULL_DECK if card not in scanned)
