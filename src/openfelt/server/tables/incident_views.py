"""Incidents at a table, as messages for staff: a hold, chips, mispayments, exposed cards."""

import math
from typing import Final, TypeVar

from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.holdem.usual_values import usual_flashed_values
from openfelt.protocol import table_views
from openfelt.rules.irregularity_rules import About, Irregularity, Moment
from openfelt.rules.round import Round
from openfelt.rules.wagers import WagerKind
from openfelt.table.adjustments import Adjustment
from openfelt.table.commands import Actor
from openfelt.table.croupier.irregularity_commands import Ruling, moment_of
from openfelt.table.incidents import FeltCounted, FloorCalled, Mispayment
from openfelt.table.state import Table

_WITH_BOARD: Final = ("dealer_and_flop_card", "dealer_and_turn_card")
_FLASHED: Final = {
    About.DEALER: ("dealer_card", "both_dealer_cards", *_WITH_BOARD),
    About.COMMON: _WITH_BOARD,
}
"""The cards whose value is kept, by what was exposed. A card of the board alone is not among them.
"""


def hold_view(hold: FloorCalled) -> table_views.HoldView:
    """A table on hold as every viewer sees it, without what staff wrote about it."""
    gives = hold.gives_time_for
    return table_views.HoldView(
        gives_time_for=gives.value if gives is not None else None, left_ms=hold.left_ms
    )


def felt_view(felt: FeltCounted) -> table_views.FeltView:
    """The chips that were counted, for staff."""
    return table_views.FeltView(
        counted_cents=felt.counted_cents,
        booked_cents=felt.booked_cents,
        matches=felt.matches,
        spots=[
            table_views.SpotCountView(
                spot=str(spot_count.spot),
                counted_cents=spot_count.counted_cents,
                booked_cents=spot_count.booked_cents,
            )
            for spot_count in felt.spots
        ],
    )


def adjustment_views(table: Table) -> list[table_views.AdjustmentView]:
    """The adjustments of payouts that wait for a supervisor, for staff."""
    return [
        _payout_view(table_views.AdjustmentView, number, adjustment)
        for number, adjustment in table.adjustments.items()
    ]


def mispayment_views(table: Table) -> list[table_views.MispaymentView]:
    """The mispayments that wait for the floor, for staff."""
    return [
        _payout_view(table_views.MispaymentView, number, mispayment)
        for number, mispayment in table.incidents.mispayments.items()
    ]


_PayoutView = TypeVar("_PayoutView", table_views.AdjustmentView, table_views.MispaymentView)


def _payout_view(
    view: type[_PayoutView], number: int, payout: Adjustment | Mispayment
) -> _PayoutView:
    """A wrong payout that is to be put right."""
    return view(
        number=number,
        round=payout.round,
        seat=payout.seat,
        cents=payout.cents,
        reason=payout.reason,
        by=Actor.parse(payout.by).name,
    )


def ruling_view(state: Round, ruling: Ruling) -> table_views.RulingView:
    """An irregularity that staff may declare now, with the value of a card that was exposed."""
    return table_views.RulingView(
        irregularity=ruling.irregularity.value,
        about=ruling.about.value,
        effect=ruling.effect.value,
        clause=ruling.clause,
        supervisor=ruling.supervisor,
        flashed=_flashed(state, ruling),
    )


def _flashed(state: Round, ruling: Ruling) -> list[table_views.FlashedView]:
    """The exact value of exposed cards; none after a decision, or if it is not kept."""
    names = _FLASHED.get(ruling.about, ())
    if ruling.irregularity is not Irregularity.CARD_EXPOSED or not names:
        return []
    if moment_of(state) is not Moment.DEALING or not _usual_terms(state):
        return []
    out = {*state.void_hands, *state.fouled_hands}
    hands = [hand for spot, hand in state.hands.items() if spot not in out]
    ante_cents = sum(hand.stake_cents(WagerKind.ANTE) for hand in hands)
    values = usual_flashed_values()
    return [
        table_views.FlashedView(
            seen=name,
            percent=f"{float(100 * values[name]):.4f}",
            ante_cents=ante_cents,
            cents=math.ceil(ante_cents * values[name]),
        )
        for name in names
    ]


def _usual_terms(state: Round) -> bool:
    try:
        return terms_of(state.house) == HoldemTerms.of()
    except ValueError:
        return False
