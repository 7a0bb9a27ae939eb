"""The settlement of a round before it is confirmed, for the dealer who is about to confirm it.

It is the settlement that a confirmation at this moment would give, by the same function. It is
made only once every card that is turned has been turned, so it names no card that is face down.
"""

from openfelt.protocol import table_views
from openfelt.rules.lines import PaidBy, Settlement
from openfelt.rules.reasons import Reasons
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Phase
from openfelt.rules.settlement import settle, settlement_spots
from openfelt.server.tables.views import line_views
from openfelt.table.permissions import Outside
from openfelt.table.state import Table


def settlement_ahead(table: Table, outside: Outside) -> Settlement | None:
    """The settlement if the round of a live table were confirmed now, or None."""
    state = table.playing
    if table.virtual or state is None or state.phase is not Phase.READY:
        return None
    try:
        return settle(state, meter_cents=outside.meter_cents, seed_cents=outside.seed_cents)
    except Refusal:
        # Without its meter, a progressive cannot be settled: the link says why.
        return None


def settlement_preview(table: Table, outside: Outside) -> table_views.PreviewView | None:
    """The same as it is sent to staff."""
    state, settlement = table.playing, settlement_ahead(table, outside)
    if state is None or settlement is None:
        return None
    all_hands = state.house.shows_all_hands
    order = settlement_spots(state) if all_hands else ()
    reasons = Reasons(state)
    lines = settlement.lines
    return table_views.PreviewView(
        order=[str(spot) for spot in order],
        lines={str(spot): line_views(settlement.of_hand(spot), reasons) for spot in order},
        taken_cents=sum(line.taken_cents for line in lines if line.paid_by is PaidBy.BANK),
        paid_cents=sum(line.payout_cents for line in lines if line.paid_by is PaidBy.BANK),
        returned_cents=sum(line.returned_cents for line in lines),
        progressive_paid_cents=sum(
            line.payout_cents for line in lines if line.paid_by is PaidBy.LINK
        ),
        cover_left_cents=settlement.cover_left_cents,
    )
