"""The session book: every move takes from one holder and gives to another."""

from datetime import date

import pytest

from openfelt.catalog import load_house
from openfelt.cli.play.book import Account, Book, OverdrawnError, after_round
from openfelt.rules import begin, open_round


def test_what_is_bought_in_comes_from_outside() -> None:
    book = Book().move(1000, source=Account.OUTSIDE, target=1)
    assert (book.of(1), book.of(Account.OUTSIDE), book.total) == (1000, -1000, 0)


@pytest.mark.parametrize("holder", [1, Account.FELT, Account.COVER, Account.TIPS, Account.DROP])
def test_nobody_gives_what_they_do_not_have(holder: int | Account) -> None:
    book = Book().move(1000, source=Account.OUTSIDE, target=holder)
    with pytest.raises(OverdrawnError):
        book.move(1001, source=holder, target=Account.HOUSE)
    assert book.move(1000, source=holder, target=Account.HOUSE).of(holder) == 0


@pytest.mark.parametrize("holder", [Account.HOUSE, Account.LINK, Account.OUTSIDE])
def test_the_house_and_the_link_may_owe(holder: Account) -> None:
    assert Book().move(5, source=holder, target=1).of(holder) == -5


@pytest.mark.parametrize("cents", [-1, 1.0, True, "1"])
def test_only_whole_cents_move(cents: int) -> None:
    with pytest.raises(ValueError, match="whole number of cents"):
        Book().move(cents, source=Account.OUTSIDE, target=1)


def test_only_a_round_that_is_over_moves_chips() -> None:
    house = load_house("online")
    state = begin(house, open_round(house, number=1, day=date(2026, 1, 1)))
    with pytest.raises(ValueError, match="is over"):
        after_round(Book(), state, {})
