"""The session book: who holds which chips. Every move takes from one holder and gives to another.

The sum over all holders is always zero, because what players buy in comes from
``OUTSIDE``. A seat can never hold less than nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from openfelt.rules import Banker, Beneficiary, Line, Phase, Round
from openfelt.rules.lines import PaidBy
from openfelt.rules.wagers import total_cents


class Account(StrEnum):
    """Holders of chips that are no seat."""

    OUTSIDE = "outside"
    """The world: chips are bought from it and cashed out to it."""
    HOUSE = "house"
    LINK = "link"
    """The progressive link."""
    DROP = "drop"
    """Collections of a table that its players bank."""
    TIPS = "tips"
    """What wagers for the dealer have won (S.5)."""
    FELT = "felt"
    """Wagers in play."""
    COVER = "cover"
    """The player/dealer's bank wager while a round runs."""


Holder = int | Account
"""A seat by its number, or an account."""

_MAY_OWE = {Account.OUTSIDE, Account.HOUSE, Account.LINK}


class OverdrawnError(Exception):
    """A move would take chips that are not there."""


@dataclass(frozen=True, slots=True)
class Book:
    """What every holder has, in cents.

    >>> book = Book().move(1000, source=Account.OUTSIDE, target=1)
    >>> book.of(1), book.of(Account.OUTSIDE), book.total
    (1000, -1000, 0)
    """

    balances: Mapping[Holder, int] = field(default_factory=dict)

    def of(self, holder: Holder) -> int:
        """What a holder has."""
        return self.balances.get(holder, 0)

    @property
    def total(self) -> int:
        """The sum over all holders: zero, or chips were lost or made."""
        return sum(self.balances.values())

    def move(self, cents: int, *, source: Holder, target: Holder) -> "Book":
        """Give chips from one holder to another; OverdrawnError where they are not there."""
        if type(cents) is not int or cents < 0:
            raise ValueError(f"{cents!r} is not a whole number of cents from 0 up")
        if source not in _MAY_OWE and self.of(source) < cents:
            raise OverdrawnError(f"{source} holds {self.of(source)} cents, not {cents}")
        after = dict(self.balances)
        after[source] = after.get(source, 0) - cents
        after[target] = after.get(target, 0) + cents
        return Book(after)


def seats_of(state: Round) -> set[int]:
    """The seats with wagers in a round."""
    return {spot.seat for spot in state.hands}


def staked_cents(state: Round, seat: int) -> int:
    """What a seat has wagered in a round, Play wagers included."""
    return sum(total_cents(hand.wagers) for spot, hand in state.hands.items() if spot.seat == seat)


def after_wagers(book: Book, before: Round, after: Round) -> Book:
    """The book after wagers were placed, changed or taken back."""
    for seat in sorted(seats_of(before) | seats_of(after)):
        more_cents = staked_cents(after, seat) - staked_cents(before, seat)
        if more_cents > 0:
            book = book.move(more_cents, source=seat, target=Account.FELT)
        else:
            book = book.move(-more_cents, source=Account.FELT, target=seat)
    return book


def after_cover(book: Book, banker: Banker) -> Book:
    """The book after the player/dealer has put the bank wager up."""
    return book.move(banker.cover_cents, source=banker.seat, target=Account.COVER)


def after_collection(book: Book, dues: Mapping[int, int]) -> Book:
    """The book after the flat collection of each seat went into the drop."""
    for seat, cents in dues.items():
        book = book.move(cents, source=seat, target=Account.DROP)
    return book


def after_round(book: Book, state: Round, dues: Mapping[int, int]) -> Book:
    """The book after a round was settled or voided, moved by its settlement lines alone.

    A void also gives the collections back, for nothing was played.
    """
    if state.settlement is None:
        raise ValueError("only a round that is over moves chips")
    banker = state.opened.banker
    bank: Holder = Account.HOUSE if banker is None else Account.COVER
    for line in state.settlement.lines:
        book = _after_line(book, line, bank)
    if banker is not None:
        book = book.move(book.of(Account.COVER), source=Account.COVER, target=banker.seat)
    if state.phase is Phase.VOIDED:
        for seat, cents in dues.items():
            book = book.move(cents, source=Account.DROP, target=seat)
    return book


def _after_line(book: Book, line: Line, bank: Holder) -> Book:
    seat = line.spot.seat
    payer: Holder = Account.LINK if line.paid_by is PaidBy.LINK else bank
    winner: Holder = Account.TIPS if line.beneficiary is Beneficiary.DEALER else seat
    book = book.move(line.returned_cents, source=Account.FELT, target=seat)
    book = book.move(line.taken_cents, source=Account.FELT, target=payer)
    return book.move(line.payout_cents, source=payer, target=winner)
