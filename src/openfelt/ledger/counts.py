"""Counted money: what a count by denomination adds up to, and transfers of a counted container.

A container is what people count, such as a cashier's drawer or a tray of chips. What comes to it is
a debit of its account, as of the house's cash.
"""

from collections.abc import Mapping

from openfelt.ledger.accounts import Account
from openfelt.ledger.transfers import Reason, Transfer, amounts_of

Count = Mapping[int, int]
"""How many pieces of each denomination were counted, by the value of the denomination in cents."""


def counted_cents(count: Count) -> int:
    """The sum of a count.

    >>> counted_cents({10_000: 2, 25: 4})
    20100
    """
    return sum(cents * pieces for cents, pieces in count.items())


def moved(
    debit: Account, credit: Account, cents: int, reason: Reason, note: str = ""
) -> tuple[Transfer, ...]:
    """A transfer, none of nothing, or several of what is too large for one."""
    return tuple(
        Transfer(debit=debit, credit=credit, cents=amount, reason=reason, note=note)
        for amount in amounts_of(cents)
    )


def moved_either_way(
    own: Account, other: Account, cents: int, reason: Reason, note: str = ""
) -> tuple[Transfer, ...]:
    """Move a positive amount to a container, or a negative one out of it."""
    if cents < 0:
        return moved(other, own, -cents, reason, note)
    return moved(own, other, cents, reason, note)
