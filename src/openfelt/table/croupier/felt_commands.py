"""Chips that are not the wagers, before the first card: counted, compared, put right (R.40)."""

from typing import Final

from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.action_checks import check_spot, malformed
from openfelt.rules.house import Deck
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import Phase, Round
from openfelt.rules.round_actions import CloseBets
from openfelt.rules.wagers import Spot
from openfelt.table.commands import CountFelt, Person
from openfelt.table.incidents import (
    FeltCounted,
    FeltMatched,
    SpotCount,
    booked_cents,
    how_matched,
)
from openfelt.table.permissions import Events, Outside, in_progress
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table

_PAIR: Final = 2


def count_felt(table: Table, command: CountFelt, _: Person, __: Outside) -> Events:
    """Enter what really lies on the felt; the record keeps it beside what was booked."""
    _check_form(command)
    if table.virtual:
        raise Refusal(TableCode.CARDS_ARE_VIRTUAL, "No chips lie at this table.")
    state = in_progress(table)
    if command.round not in (None, state.opened.number):
        raise Refusal(
            RefusalCode.TOO_LATE,
            f"That was for another round; this is round {state.opened.number}.",
        )
    if not countable(state):
        raise Refusal(TableCode.NO_FELT, "Chips must be counted before the first card is dealt.")
    counted = _counted(state, command)
    before = table.incidents.felt_differs
    if before is None or not counted.matches:
        return (counted,)
    return counted, FeltMatched(counted.round, how_matched(before, booked_cents(state)))


def countable(state: Round) -> bool:
    """Whether chips lie on the felt, and no card of the round is dealt."""
    dealt = state.dealer or state.common or any(hand.cards for hand in state.hands.values())
    open_phase = state.phase in (Phase.WAGERING, Phase.PLAYING)
    return state.house.deck is Deck.SHARED and open_phase and bool(state.hands) and not dealt


def felt_matched(table: Table, state: Round, command: CloseBets) -> Events:
    """The end of a difference: closing the bets confirms that the chips are the wagers now."""
    before = table.incidents.felt_differs
    if before is None:
        return ()
    if command.checked_cents is None:
        check_felt(table)
    return (FeltMatched(state.opened.number, how_matched(before, booked_cents(state))),)


def check_felt(table: Table) -> None:
    """Refuse to go on while the chips are known to differ from the wagers."""
    before = table.incidents.felt_differs
    if before is not None:
        raise Refusal(
            RefusalCode.FELT_DIFFERS,
            f"There was {format_cents(before.counted_cents)} on the felt, but "
            f"{format_cents(before.booked_cents)} was booked: correct it and count again.",
        )


def _check_form(command: CountFelt) -> None:
    if (command.cents is None) == (command.spots is None):
        raise malformed("Chips must be counted in sum, or spot by spot.")
    if command.cents is not None:
        _check_cents(command.cents)
        return
    spots = command.spots
    if not isinstance(spots, tuple) or not all(
        isinstance(entry, tuple) and len(entry) == _PAIR for entry in spots
    ):
        raise malformed("Chips must be counted by spot, each with its amount.")
    for spot, cents in spots:
        check_spot(spot)
        _check_cents(cents)
    if len(dict(spots)) != len(spots):
        raise malformed("Each spot may be counted only once.")


def _check_cents(cents: object) -> None:
    if type(cents) is not int or not 0 <= cents <= AMOUNT_MAX_CENTS:
        raise malformed("Chips must be a whole number of cents, 0 or more.")


def _counted(state: Round, command: CountFelt) -> FeltCounted:
    booked = booked_cents(state)
    total_cents, number = sum(booked.values()), state.opened.number
    if command.spots is None:
        assert command.cents is not None
        return FeltCounted(number, command.cents, total_cents)
    counts = dict(command.spots)
    if not booked.keys() <= counts.keys():
        raise malformed("Count the chips of every hand.")
    for spot in counts:
        _check_on_felt(state, spot)
    differ = tuple(
        SpotCount(spot, counts[spot], booked.get(spot, 0))
        for spot in sorted(counts)
        if counts[spot] != booked.get(spot, 0)
    )
    return FeltCounted(number, sum(counts.values()), total_cents, differ)


def _check_on_felt(state: Round, spot: Spot) -> None:
    if not (1 <= spot.seat <= state.house.seats and 1 <= spot.hand <= state.house.hands_per_seat):
        raise Refusal(RefusalCode.NO_SUCH_SPOT, f"There is no hand {spot} at this table.")
