"""A guest has the server compute the returns of many houses of their own, again and again."""

from collections.abc import Iterator
from itertools import product

import pytest

from openfelt.catalog import load_catalog
from openfelt.catalog.practice import practice_house
from openfelt.rules.house import House
from openfelt.rules.paytable import Paytable
from openfelt.rules.wagers import WagerKind
from openfelt.server.tables import house_returns
from openfelt.server.tables.house_returns import exact_returns
from tests.kit.attacks.server_under_attack import ServerUnderAttack, get, post


@pytest.fixture
def priced(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The paytables that are priced, in place of pricing them, which takes a while."""
    names: list[str] = []

    def price(table: Paytable) -> None:
        names.append(f"{table.wager} {table.name}")

    monkeypatch.setattr("openfelt.maths.draw.bonus.price_side_bet", price)
    house_returns._return_of.cache_clear()
    yield names
    house_returns._return_of.cache_clear()


def own_houses() -> list[House]:
    catalog = load_catalog()
    usual, tables = catalog.house("washington"), catalog.paytables
    return [
        practice_house(
            usual,
            paytables={
                WagerKind.BLIND: tables["blind", f"UTH-0{blind}"],
                WagerKind.TRIPS: tables["trips", f"UTH-0{trips}"],
                WagerKind.BAD_BEAT: tables["bad_beat", f"BBB-0{bad_beat}"],
            },
        )
        for blind, trips, bad_beat in product(range(1, 6), range(1, 6), range(1, 4))
    ]


def test_each_paytable_is_priced_once_however_many_houses_have_it(priced: list[str]) -> None:
    houses = own_houses()
    assert len({house.fingerprint for house in houses}) == 75
    for house in (*houses, *houses):
        exact_returns(house)
    assert len(priced) == len(set(priced))
    # Every house has the usual paytable of Ultimate Pairs besides.
    assert {name.partition(" ")[0] for name in priced} == {
        *("blind", "trips", "bad_beat", "ultimate_pairs")
    }


def test_a_guest_has_one_such_table_for_each_house_whatever_its_rules(
    shared_server: ServerUnderAttack,
) -> None:
    guest = shared_server.person("guest")
    for blind, hands in product(range(1, 6), range(1, 4)):
        rules = {"paytables": {"blind": f"UTH-0{blind}"}, "hands": hands}
        post(guest, "/tables/private", {"house": "washington", "rules": rules})
    own = [table for table in get(guest, "/tables") if table["own_rules"]]
    assert [table["house"] for table in own] == ["washington"]
