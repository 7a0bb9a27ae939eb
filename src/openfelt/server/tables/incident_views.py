"""Incidents noted by staff at a table, as messages: a hold, counted chips, mispayments."""

from openfelt.protocol import table_views
from openfelt.table.incidents import FeltCounted, FloorCalled
from openfelt.table.state import Table


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
                spot=str(one.spot),
                counted_cents=one.counted_cents,
                booked_cents=one.booked_cents,
            )
            for one in felt.spots
        ],
    )


def mispayment_views(table: Table) -> list[table_views.MispaymentView]:
    """The mispayments that wait for the floor, for staff."""
    return [
        table_views.MispaymentView(
            number=number,
            round=waiting.round,
            seat=waiting.seat,
            cents=waiting.cents,
            reason=waiting.reason,
            by=waiting.by.partition(":")[2],
        )
        for number, waiting in table.incidents.mispayments.items()
    ]
