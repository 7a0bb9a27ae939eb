"""The state of a table after each event. Applying an event never refuses."""

from collections.abc import Iterable, Mapping
from typing import Final

from openfelt.ledger import AccountKind, Transfer
from openfelt.rules.persistent_map import SMALL, with_item, without_item
from openfelt.rules.quick_replace import copier, maker, replace
from openfelt.rules.round import Phase, Round, apply, begin, reopened
from openfelt.rules.round_events import (
    AntesReturned,
    BetsClosed,
    CardCorrected,
    CardDealt,
    CardsTurned,
    DecisionMade,
    Event,
    IrregularityDeclared,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from openfelt.table.adjustments import with_adjusted, with_played
from openfelt.table.banking import BankTurn
from openfelt.table.changes import (
    ChangeEvent,
    LinkChanged,
    RulesChanged,
    terms_after,
)
from openfelt.table.collection import dues
from openfelt.table.events import (
    AbsenceNoted,
    ActApproved,
    AdjustmentMade,
    AdjustmentProposed,
    AdjustmentRejected,
    BankDeclined,
    BetsReopened,
    BoughtIn,
    ClockStarted,
    ClockStopped,
    Collected,
    DealerChanged,
    DeckCommitted,
    SeatLeft,
    SeatTaken,
    SeedCommitted,
    SeedRevealed,
    SeedsCalled,
    SeedsFixed,
    StubCounted,
    TableEvent,
)
from openfelt.table.incidents import (
    ClockFor,
    FloorCalled,
    IncidentEvent,
    PlayResumed,
)
from openfelt.table.phases import PhaseEvent, pause_reason, phase_after
from openfelt.table.results import RESULTS_KEPT, result_of
from openfelt.table.seeds import SeedEvent, Seeds, seeds_after
from openfelt.table.state import RunningClock, Seat, Table

# Looking a member up in an enumeration takes as long as a call.
_CREDIT: Final = AccountKind.CREDIT
_BANK: Final = ClockFor.BANK
_ENDS: Final = (RoundSettled, RoundVoided)


def after(table: Table, event: TableEvent, transfers: Iterable[Transfer]) -> Table:
    """The state after an event and the transfers that it causes. It never refuses.

    ``openfelt.table.chips.transfers_of`` gives the transfers. Only they change a seat's
    credit, so the table and the ledger cannot disagree.
    """
    match event:
        case (
            DecisionMade()
            | WagersSet()
            | CardDealt()
            | BetsClosed()
            | CardCorrected()
            | CardsTurned()
            | AntesReturned()
            | IrregularityDeclared()
            | RoundSettled()
            | RoundVoided()
            | RoundOpened()
        ):
            changed = _round_event(table, event)
        case _ if isinstance(event, IncidentEvent):
            changed = _incident(table, event)
        case _:
            changed = _floor_event(table, event)
    return _with_credits(_without_old_offer(table, changed), transfers, table.sitting)


def _without_old_offer(before: Table, table: Table) -> Table:
    """Stop the clock of a bank offer as soon as the offer changes."""
    clock = table.clock
    if clock is None or clock.gives_time_for is not _BANK:
        return table
    return table if table.awaited_banker == before.awaited_banker else replace(table, clock=None)


def _with_credits(table: Table, transfers: Iterable[Transfer], sitting: Mapping[str, int]) -> Table:
    """Change the credits of seats by transfers from and to their accounts."""
    change: dict[str, int] = {}
    for transfer in transfers:
        debit, credit, cents = transfer.debit, transfer.credit, transfer.cents
        if credit.kind is _CREDIT:
            change[credit.owner] = change.get(credit.owner, 0) + cents
        if debit.kind is _CREDIT:
            change[debit.owner] = change.get(debit.owner, 0) - cents
    if not change:
        return table
    own, seats = f"{table.id}/", table.seats
    if len(change) > SMALL:
        # A settlement changes most of them: one copy is less work than many small ones.
        all_seats = dict(seats)
        for owner, cents in change.items():
            number = sitting[owner.removeprefix(own)]
            seat = all_seats[number]
            all_seats[number] = _seat(seat.player, seat.credit_cents + cents)
        return _with_seats(table, all_seats)
    for owner, cents in change.items():
        number = sitting[owner.removeprefix(own)]
        seat = seats[number]
        seats = with_item(seats, number, _seat(seat.player, seat.credit_cents + cents))
    return _with_seats(table, seats)


_seat: Final = maker(Seat)


def _round_event(table: Table, event: Event) -> Table:
    if isinstance(event, RoundOpened):
        return _round_opened(table, event)
    assert table.round is not None
    before, state = table.round, apply(table.round, event)
    table = _with_round(table, state)
    if isinstance(event, BetsClosed):
        table = replace(
            table,
            dues=dues(state),
            tips_to=table.dealer,
            seeds=_seeds_in_play(table, state),
        )
    elif isinstance(event, _ENDS):
        table = replace(
            table,
            results=(result_of(state, event.settlement), *table.results)[:RESULTS_KEPT],
            played=table.played
            if table.virtual
            else with_played(table.played, state, _names(table)),
            dues={},
            tips_to=None,
            commitments={},
            fairness=table.fairness.with_round(state),
        )
    # When the moment changes for which a clock gives time, the clock stops.
    if before.phase is not state.phase or before.street is not state.street:
        table = replace(table, clock=None, incidents=replace(table.incidents, hold=None))
    return table


_with_round: Final = copier(Table, "round")
_with_seats: Final = copier(Table, "seats")


def _names(table: Table) -> dict[int, str]:
    return {number: seat.player for number, seat in table.seats.items()}


def _seeds_in_play(table: Table, state: Round) -> Seeds | None:
    """The seeds of the seats that play: those with hands, and the bank's."""
    if table.seeds is None:
        return None
    banker = state.opened.banker
    seats = {spot.seat for spot in state.hands} | ({banker.seat} if banker else set())
    return table.seeds.of_seats(seats)


def _round_opened(table: Table, event: RoundOpened) -> Table:
    turn, banked_by = table.turn, table.banked_by
    if event.banker is not None:
        banked_by = table.seats[event.banker.seat].player
        again = banked_by == table.banked_by
        turn = BankTurn(event.banker.seat, turn.rounds + 1 if turn and again else 1)
    return replace(
        table,
        round=begin(table.house, event),
        rounds=event.number,
        seeds=Seeds() if table.commitments else None,
        clock=None,
        turn=turn,
        banked_by=banked_by,
        declined=frozenset(),
        vacated=frozenset(),
        stub=None,
        incidents=table.incidents.in_new_round(),
    )


def _floor_event(table: Table, event: TableEvent) -> Table:
    match event:
        case _ if isinstance(event, ChangeEvent):
            return _changed(table, event)
        case DealerChanged(dealer, tips_stay):
            moves = table.playing is not None and not tips_stay
            return replace(table, dealer=dealer, tips_to=dealer if moves else table.tips_to)
        case AbsenceNoted() | ActApproved():
            return table
        case BetsReopened():
            assert table.round is not None
            state = reopened(table.round)
            return replace(
                table,
                round=state,
                dues={},
                tips_to=None,
                clock=None,
                incidents=replace(table.incidents, hold=None),
                seeds=table.seeds.reopened() if table.seeds is not None else None,
            )
        case _ if isinstance(event, PhaseEvent):
            return replace(table, phase=phase_after(event), paused_for=pause_reason(event))
        case StubCounted():
            return replace(table, stub=event)
        case AdjustmentProposed(number, adjustment):
            adjustments = {**table.adjustments, number: adjustment}
            return replace(table, adjustments=adjustments, adjustments_proposed=number)
        case AdjustmentMade(number) | AdjustmentRejected(number):
            made = isinstance(event, AdjustmentMade)
            played = with_adjusted(table.played, table.adjustments[number], made=made)
            waiting = {
                open_number: table.adjustments[open_number]
                for open_number in table.adjustments
                if open_number != number
            }
            return replace(table, adjustments=waiting, played=played)
        case _:
            return _seat_event(table, event)


def _changed(table: Table, event: ChangeEvent) -> Table:
    terms = terms_after(table.terms, event, rounds=table.rounds)
    house = event.house if isinstance(event, RulesChanged) else table.house
    link = event.link if isinstance(event, LinkChanged) else table.link
    return replace(table, house=house, link=link, changed_terms=terms)


def _incident(table: Table, event: IncidentEvent) -> Table:
    """An incident noted by staff; a table on hold, or resumed, has no other clock any more."""
    moved = isinstance(event, FloorCalled | PlayResumed)
    clock = None if moved else table.clock
    return replace(table, incidents=table.incidents.after(event), clock=clock)


def _seat_event(table: Table, event: TableEvent) -> Table:
    match event:
        case SeatTaken(seat, player):
            return replace(
                table,
                seats=with_item(table.seats, seat, Seat(player)),
                sitting=with_item(table.sitting, player, seat),
            )
        case SeatLeft(seat):
            return _seat_left(table, seat)
        case BoughtIn() | Collected():
            return table
        case BankDeclined(seat):
            return replace(table, declined=table.declined | {table.seats[seat].player})
        case DeckCommitted(deck, root):
            commitments = with_item(table.commitments, deck, root)
            return replace(table, commitments=commitments, seeds=_seeds_sealed(table))
        case SeedCommitted() | SeedsCalled() | SeedRevealed() | SeedsFixed():
            return _seed_event(table, event)
        case ClockStarted(gives_time_for, ms):
            clock = RunningClock(table.clocks + 1, gives_time_for, ms)
            return replace(table, clock=clock, clocks=clock.number)
        case ClockStopped():
            return replace(table, clock=None)
        case _:
            raise ValueError(f"{type(event).__name__} does not happen at an open table")


def _seeds_sealed(table: Table) -> Seeds | None:
    """The seeds once a deck is committed to.

    Beside a live dealer, the first player may sit down after the round has opened. Only there was
    no deck committed to while bets were open in rounds of earlier versions of Openfelt.
    """
    state = table.playing
    if table.virtual or state is None or state.phase is not Phase.WAGERING:
        return table.seeds
    return table.seeds or Seeds()


def _seed_event(table: Table, event: SeedEvent) -> Table:
    seeds, fairness = seeds_after(table.seeds or Seeds(), table.fairness, event)
    clock = None if isinstance(event, SeedsFixed) else table.clock
    return replace(table, seeds=seeds, fairness=fairness, clock=clock)


def _seat_left(table: Table, seat: int) -> Table:
    taken = table.seats.get(seat)
    seats = without_item(table.seats, seat)
    sitting = without_item(table.sitting, taken.player) if taken else table.sitting
    vacated = table.vacated | {seat} if table.playing is None else table.vacated
    declined = table.declined
    if table.awaited_banker == seat:
        declined |= {table.seats[seat].player}
    bound, seeds = table.seeds, table.seeds
    if bound is not None and seat in bound.committed and table.playing is not None:
        # The next player at this seat is not bound to the seed of the one before.
        seeds = bound.of_seats(bound.committed.keys() - {seat})
    return replace(
        table, seats=seats, sitting=sitting, declined=declined, vacated=vacated, seeds=seeds
    )
