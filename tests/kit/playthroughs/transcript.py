"""Writes what happened in a golden round, as people would read it."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from openfelt.cards import format_cards
from openfelt.money import format_cents
from openfelt.rules import Beneficiary, Bet, DecidedBy, Line, Round, Settlement, Wager, WagerKind
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.house import GameName
from openfelt.rules.round import (
    AntesReturned,
    BetsClosed,
    CardDealt,
    CardsTurned,
    DecisionMade,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from tests.kit.playthroughs.driver import Happening, Table


def transcript(table: Table) -> str:
    """Everything that happened, then every wager's settlement and the totals."""
    state = table.state
    settlement = state.settlement
    assert settlement is not None
    lines = [*_opening(state), *_story(table.happenings), "", "settlement"]
    lines += _dealer_lines(settlement)
    lines += _columns(_settlement_row(line) for line in settlement.lines)
    lines += ["", "totals", *_columns(_totals(state, settlement))]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _opening(state: Round) -> Iterator[str]:
    opened = state.opened
    yield f"{state.house.name}, {opened.day}, dealt by {opened.procedure}."
    if opened.banker:
        cover = format_cents(opened.banker.cover_cents)
        yield f"Seat {opened.banker.seat} is the player/dealer with a bank wager of {cover}."


# The story -------------------------------------------------------------------


def _story(happenings: list[Happening]) -> Iterator[str]:
    for _, group in groupby(happenings, key=_run):
        run = list(group)
        first = run[0].event
        if isinstance(first, CardDealt):
            cards = [one.event.card for one in run if isinstance(one.event, CardDealt)]
            side = "face up" if first.face_up else "face down"
            yield f"  {_place_words(run[0].state, first.place)}: {format_cards(cards)}, {side}"
        else:
            yield from (line for one in run for line in _told(one))


def _run(happening: Happening) -> object:
    """Cards that go to one place one after another are told together."""
    event = happening.event
    if isinstance(event, CardDealt):
        return event.place.lies, event.place.spot, event.face_up
    return id(happening)


def _told(happening: Happening) -> Iterator[str]:
    event, state = happening.event, happening.state
    if happening.refusal is not None:
        yield f"  {happening.attempt}. Refused: {happening.refusal.sentence}"
    match event:
        case WagersSet(spot, wagers):
            yield f"  {spot}: {', '.join(map(_wager_words, wagers)) or 'nothing'}"
        case BetsClosed():
            yield "No more bets."
        case CardsTurned(lies, up_to, spots):
            yield f"  turned up: {_turned_words(state, lies, up_to, spots)}"
        case AntesReturned(spots):
            yield f"  the dealer does not qualify: Antes back to {', '.join(map(str, spots))}"
        case DecisionMade(spot, decision, by):
            clock = " (decided by the clock)" if by is DecidedBy.CLOCK else ""
            cost = _play_words(state.hands[spot].wagers) if isinstance(decision, Bet) else ""
            yield f"  {spot}: {decision}{cost}{clock}"
        case RoundSettled():
            yield "The round is confirmed."
        case RoundVoided(reason):
            yield f"The round is void: {reason}"


def _wager_words(wager: Wager) -> str:
    return f"{_named(wager.kind.value, wager.beneficiary)} {format_cents(wager.cents)}"


def _play_words(wagers: tuple[Wager, ...]) -> str:
    plays = [_wager_words(wager) for wager in wagers if wager.kind is WagerKind.PLAY]
    return f", {', '.join(plays)}"


def _turned_words(state: Round, lies: Lies, up_to: int, spots: tuple[object, ...]) -> str:
    if lies is Lies.HAND:
        return f"{'hand' if len(spots) == 1 else 'hands'} {', '.join(map(str, spots))}"
    cards = state.dealer if lies is Lies.DEALER else state.common[:up_to]
    return f"{_common_words(state) if lies is Lies.COMMON else 'dealer'} {format_cards(cards)}"


def _place_words(state: Round, place: Place) -> str:
    if place.lies is Lies.HAND:
        return str(place.spot)
    return "dealer" if place.lies is Lies.DEALER else _common_words(state)


def _common_words(state: Round) -> str:
    return "draw cards" if state.house.game is GameName.ULTIMATE_DRAW else "board"


# The settlement --------------------------------------------------------------


def _dealer_lines(settlement: Settlement) -> Iterator[str]:
    if settlement.dealer_hand is None:
        yield "  The dealer's cards stay hidden."
        return
    verdict = "qualifies" if settlement.dealer_qualified else "does not qualify"
    yield f"  The dealer {verdict}: {settlement.dealer_hand}."


def _settlement_row(line: Line) -> tuple[str, ...]:
    return (
        str(line.spot),
        _named(line.wager, line.beneficiary),
        format_cents(line.stake_cents),
        line.result.value,
        f"back {format_cents(line.returned_cents)}",
        f"paid {format_cents(line.payout_cents)}",
        f"[{line.clause}]",
        line.because,
    )


def _named(wager: str, beneficiary: Beneficiary) -> str:
    words = wager.replace("_", " ")
    return f"dealer {words}" if beneficiary is Beneficiary.DEALER else words


def _totals(state: Round, settlement: Settlement) -> Iterator[tuple[str, ...]]:
    seats = sorted({spot.seat for spot in state.hands})
    for seat in seats:
        yield f"seat {seat}", signed(seat_net_cents(settlement, seat, Beneficiary.PLAYER))
    if any(line.beneficiary is Beneficiary.DEALER for line in settlement.lines):
        net = sum(seat_net_cents(settlement, seat, Beneficiary.DEALER) for seat in seats)
        yield "wagers for the dealer", signed(net)
    yield "bank", signed(settlement.bank_net_cents)
    if any(hand.stake_cents(WagerKind.PROGRESSIVE) for hand in state.hands.values()):
        yield "link", signed(settlement.link_net_cents)
        yield "paid by the meter", format_cents(settlement.meter_paid_cents)
    if settlement.cover_left_cents is not None:
        yield "cover left", format_cents(settlement.cover_left_cents)


def seat_net_cents(settlement: Settlement, seat: int, beneficiary: Beneficiary) -> int:
    """What a seat's wagers for one beneficiary have brought, less their stakes."""
    return sum(
        line.net_cents for line in settlement.of_seat(seat) if line.beneficiary is beneficiary
    )


def signed(amount_cents: int) -> str:
    """An amount with its sign, and none for nothing."""
    return ("+" if amount_cents > 0 else "") + format_cents(amount_cents)


def _columns(rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Rows as aligned columns; the last column is as long as it likes."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in table
    ]
