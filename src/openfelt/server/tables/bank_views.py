"""The bank of a cardroom table as its dealer follows it: turns, offers, cover and collection."""

from collections.abc import Iterable

from openfelt.protocol import table_views
from openfelt.rules.house import Cover
from openfelt.rules.lines import Line, PaidBy, Result, Settlement
from openfelt.rules.round import Phase, Round
from openfelt.rules.settlement import settlement_spots
from openfelt.table.collection import dues
from openfelt.table.state import Table


def bank_view(table: Table, settlement: Settlement | None) -> table_views.BankView | None:
    """The bank of a table whose players bank; None if the house does.

    ``settlement`` is that of the round, or what confirming it would settle now.
    """
    if not table.player_banked:
        return None
    state = table.round
    between = table.playing is None
    banker = state.opened.banker if state is not None else None
    return table_views.BankView(
        seat=banker.seat if banker else None,
        wager_cents=banker.cover_cents if banker else None,
        rounds=table.turn.rounds if table.turn else 0,
        rounds_max=table.house.bank.rounds_in_a_row_max,
        offered_to=table.bank_offered_to if between else None,
        next_seat=table.bank_offered_to,
        declined=[seat for seat in sorted(table.seats) if table.has_declined(seat)],
        order=[str(spot) for spot in settlement_spots(state)] if state is not None else [],
        collection=dict(sorted(_collection(state).items())),
        cover=list(_cover(state, settlement.lines)) if state and settlement else [],
    )


def _collection(state: Round | None) -> dict[int, int]:
    """The collection before the deal; a void round returns it (R.13)."""
    if state is None or state.phase in (Phase.WAGERING, Phase.VOIDED):
        return {}
    return dues(state)


def _cover(state: Round, lines: Iterable[Line]) -> Iterable[table_views.CoverView]:
    """The part of the bank wager that each line uses, in settlement order (R.18)."""
    banker = state.opened.banker
    left_cents = banker.cover_cents if banker else 0
    only_payouts = state.house.bank.cover is Cover.PAYOUTS
    for line in lines:
        if line.paid_by is not PaidBy.BANK or line.result not in (Result.WIN, Result.LOSE):
            continue
        lost_cents = 0 if only_payouts else line.taken_cents
        used_cents = line.payout_cents if line.result is Result.WIN else lost_cents
        left_cents -= used_cents
        yield table_views.CoverView(
            spot=str(line.spot), wager=line.wager, used_cents=used_cents, left_cents=left_cents
        )
