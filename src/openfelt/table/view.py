"""A viewer's view of a table. A view starts empty and adds what is shown."""

from dataclasses import dataclass

from openfelt.rules.house import ClockRule, DealerMode
from openfelt.rules.view import RoundView, view
from openfelt.table.incidents import FloorCalled
from openfelt.table.phases import TablePhase
from openfelt.table.results import GameResult
from openfelt.table.state import RunningClock, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """A seat as the viewer sees it."""

    seat: int
    own: bool
    player: str | None
    """The player at the viewer's own seat; None for other seats, whose names are private."""
    credit_cents: int | None
    """The credit of the viewer's own seat; None for other seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table as one viewer sees it."""

    table: str
    house: str
    fingerprint: str
    """The fingerprint of the rules of the next round."""
    phase: TablePhase
    dealer_mode: DealerMode
    dealer: str | None
    clock_rule: ClockRule | None
    clock: RunningClock | None
    hold: FloorCalled | None
    """Why the table is on hold, None if it is not."""
    link: str | None
    round_number: int
    commitments: dict[str, str]
    seats: tuple[SeatView, ...]
    """The taken seats, or only the viewer's own if only own hands are shown."""
    bank_offered_to: int | None
    """The seat that may bank the next round, None if the house banks or no player may."""
    round: RoundView | None
    results: tuple[GameResult, ...]


def table_view(table: Table, *, player: str | None, own_hands_only: bool = False) -> TableView:
    """The table as one player sees it, or as any spectator does if ``player`` is None."""
    own = table.seat_of(player) if player is not None else None
    credit_cents = table.seats[own].credit_cents if own is not None else None
    between = table.playing is None
    # A stadium has thousands of seats, which other players need not see.
    seats = sorted(table.seats) if not own_hands_only else [own] if own is not None else []
    # Cards of the last round stay with the player who held them, not with the seat.
    had = own if own not in table.vacated else None
    return TableView(
        table=table.id,
        house=table.house.id,
        fingerprint=table.house.fingerprint,
        phase=table.phase,
        dealer_mode=table.opened.dealer_mode,
        dealer=table.dealer,
        clock_rule=table.clock_rule,
        clock=table.clock,
        hold=table.incidents.hold,
        link=table.link,
        round_number=table.rounds,
        commitments=dict(table.commitments),
        seats=tuple(_seat_view(table, seat, own) for seat in seats),
        bank_offered_to=table.bank_offered_to if table.player_banked and between else None,
        round=view(table.round, seat=had, credit_cents=credit_cents, own_hands_only=own_hands_only)
        if table.round
        else None,
        results=table.results,
    )


def _seat_view(table: Table, seat: int, own: int | None) -> SeatView:
    taken = table.seats[seat]
    return SeatView(
        seat=seat,
        own=seat == own,
        player=taken.player if seat == own else None,
        credit_cents=taken.credit_cents if seat == own else None,
    )
