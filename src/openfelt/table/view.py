"""What one viewer may see of a table. It starts from nothing and adds what is shown."""

from dataclasses import dataclass

from openfelt.rules.house import ClockRule, DealerMode
from openfelt.rules.view import RoundView, view
from openfelt.table.state import GameResult, RunningClock, Table, TablePhase


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """A seat as the viewer sees it."""

    seat: int
    own: bool
    player: str | None
    """Who sits there; other players' names are theirs, so it is None for them."""
    credit_cents: int | None
    """Only the seat's own credit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table as one viewer sees it."""

    table: str
    house: str
    fingerprint: str
    """Of the rules that the next round will be played by."""
    phase: TablePhase
    dealer_mode: DealerMode
    dealer: str | None
    clock_rule: ClockRule | None
    clock: RunningClock | None
    link: str | None
    round_number: int
    commitments: dict[str, str]
    seats: tuple[SeatView, ...]
    """The taken seats; where only own hands are shown, the own seat alone."""
    bank_offered_to: int | None
    """The seat that may bank the next round, None where the house banks or nobody may."""
    round: RoundView | None
    results: tuple[GameResult, ...]


def table_view(table: Table, *, player: str | None, own_hands_only: bool = False) -> TableView:
    """The table as one player sees it, or as anybody in the room does where player is None."""
    own = table.seat_of(player) if player is not None else None
    credit_cents = table.seats[own].credit_cents if own is not None else None
    between = table.playing is None
    # A stadium has thousands of seats, and none of them is anybody else's affair.
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
        clock_rule=table.opened.clock,
        clock=table.clock,
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
