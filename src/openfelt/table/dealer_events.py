"""The events of a dealer: signing on at a table, and signing off.

A dealer's record is its own stream, written in the transaction that changes the dealer of the
table. So a dealer is signed on at one table at a time, regardless of which processes run the
tables.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DealerSignedOn:
    """The dealer deals at this table from now on."""

    table: str


@dataclass(frozen=True, slots=True)
class DealerSignedOff:
    """The dealer no longer deals at this table."""

    table: str


DealerEvent = DealerSignedOn | DealerSignedOff


def table_after(event: DealerEvent) -> str | None:
    """The table at which the dealer is signed on after an event, None at none.

    >>> table_after(DealerSignedOn("pit-3")), table_after(DealerSignedOff("pit-3"))
    ('pit-3', None)
    """
    return event.table if isinstance(event, DealerSignedOn) else None
