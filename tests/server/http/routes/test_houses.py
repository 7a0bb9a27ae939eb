"""Endpoints of houses, which show the numbers that the rules go by."""

from datetime import date
from pathlib import Path

import pytest

from openfelt.catalog import load_catalog
from openfelt.rules.fingerprints import dealt_by_either
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.wager_rules import complete_wagers
from openfelt.rules.wagers import Wager, WagerKind
from openfelt.server.http.routes.houses import house_view
from openfelt.server.tables.house_returns import claimed_returns
from tests.kit.own_houses import own_house
from tests.kit.server.open_house import OpenHouse, open_house

HOUSES = load_catalog().houses
DAY = date(2026, 1, 1)


async def test_the_houses_are_listed(house: OpenHouse) -> None:
    client = await house.client()
    lines = (await client.get("/api/v1/houses")).json()
    assert [line["id"] for line in lines] == list(HOUSES)
    for line in lines:
        view = (await client.get(f"/api/v1/houses/{line['id']}")).json()
        assert {key: view[key] for key in line} == line
    assert (await client.get("/api/v1/houses/nowhere")).status_code == 404


@pytest.mark.parametrize("name", HOUSES)
def test_a_house_has_every_wager_award_and_notice(name: str) -> None:
    house = HOUSES[name]
    view = house_view(house, DAY, claimed_returns(house))
    assert view.notices == list(house.notices)
    assert [wager.kind for wager in view.wagers] == [rule.kind.value for rule in house.wagers]
    for wager, rule in zip(view.wagers, house.wagers, strict=True):
        assert (wager.paytable is None) == (rule.paytable is None)
        if wager.paytable is not None and rule.paytable is not None:
            assert wager.paytable.name == rule.paytable.name
            assert [row.label for row in wager.paytable.rows] == [
                row.label for row in rule.paytable.rows
            ]
    assert (view.play is None) == (house.play is None)
    assert (view.ante_bonus is None) == (house.ante_bonus is None)
    assert {line.label for line in view.returns} >= set(house.claimed_returns)
    assert view.bank == ("player" if name == "california" else "house")
    assert bool(view.collection) == (name == "california")


@pytest.mark.clause("W.additional.3", "R.36")
def test_the_aggregates_of_the_day_are_shown() -> None:
    limits = {"table_aggregate_max_cents": 90_000, "payout_aggregates": {"trips": 500_000}}
    changes = {f"limits.1.{key}": value for key, value in limits.items()}
    house = own_house("washington", changes)
    view = house_view(house, DAY, [])
    assert view.table_aggregate_max_cents == 90_000
    shown = {wager.kind: wager.payout_aggregate_cents for wager in view.wagers}
    assert shown.pop("trips") == 500_000
    assert set(shown.values()) == {None}
    earlier = house_view(house, date(2023, 8, 18), [])
    assert earlier.table_aggregate_max_cents is None
    assert {wager.payout_aggregate_cents for wager in earlier.wagers} == {None}


@pytest.mark.parametrize("name", HOUSES)
def test_wagers_at_the_shown_limits_are_accepted_and_one_step_more_is_not(name: str) -> None:
    house = HOUSES[name]
    limits = house.limits_on(DAY)
    for wager in house_view(house, DAY, claimed_returns(house)).wagers:
        kind = WagerKind(wager.kind)
        if kind is WagerKind.BLIND:
            continue
        needed = [
            Wager(need, rule.min_cents)
            for need in wager.requires
            for rule in house.wagers
            if rule.kind.value == need and need != "blind"
            for need in [rule.kind]
        ]
        for cents, taken in (
            (wager.min_cents, True),
            (wager.max_cents, True),
            (wager.max_cents + wager.multiple_of_cents, False),
            (wager.min_cents - wager.multiple_of_cents, wager.min_cents == wager.multiple_of_cents),
        ):
            wagers = [*needed, Wager(kind, cents)]
            if taken:
                complete_wagers(house, limits, wagers)
            else:
                with pytest.raises(Exception, match=r"is at (most|least)"):
                    complete_wagers(house, limits, wagers)


def test_the_shown_number_of_wagers_is_accepted_on_a_hand_and_one_more_is_not() -> None:
    """In Washington a hand carries six, and one of them is the Play wager to come."""
    house = HOUSES["washington"]
    most = house_view(house, DAY, []).wagers_per_hand_max
    assert most == 6
    optional = [rule for rule in house.wagers if rule.kind not in (WagerKind.ANTE, WagerKind.BLIND)]
    wagers = [Wager(WagerKind.ANTE, 1000)]
    wagers += [Wager(rule.kind, rule.min_cents) for rule in optional[: most - 3]]
    complete_wagers(house, house.limits_on(DAY), wagers)
    extra = optional[most - 3]
    with pytest.raises(Refusal) as refused:
        complete_wagers(house, house.limits_on(DAY), [*wagers, Wager(extra.kind, extra.min_cents)])
    assert refused.value.code is RefusalCode.TOO_MANY_WAGERS
    assert house_view(HOUSES["online"], DAY, []).wagers_per_hand_max is None


async def test_a_clause_can_be_read_by_its_number(house: OpenHouse) -> None:
    client = await house.client()
    ante = next(one for one in house_view(HOUSES["online"], DAY, []).terms if one.wager == "ante")
    for ending in ante.endings:
        clause = (await client.get(f"/api/v1/clauses/{ending.clause}")).json()
        assert clause["id"] == ending.clause
        assert clause["text"]
        assert clause["document"]
    for unknown in ("O.nothing", "X.1", "O"):
        assert (await client.get(f"/api/v1/clauses/{unknown}")).status_code == 404


async def test_an_old_rule_set_is_found_by_its_fingerprint(house: OpenHouse) -> None:
    client = await house.client()
    path = "/api/v1/houses/washington"
    now = (await client.get(path)).json()
    stored = dealt_by_either(HOUSES["washington"])
    assert now["fingerprint"] == stored.fingerprint
    params = {"fingerprint": stored.fingerprint}
    assert (await client.get(path, params=params)).json() == now
    params = {"fingerprint": "0" * 64}
    assert (await client.get(path, params=params)).status_code == 404
    params = {"fingerprint": stored.fingerprint}
    assert (await client.get("/api/v1/houses/draw", params=params)).status_code == 404


async def test_a_fingerprint_of_another_catalog_is_found_in_the_store(
    tmp_path: Path,
) -> None:
    async with open_house(tmp_path):
        """The starter floor stores its own copies of the houses."""
    async with open_house(tmp_path, starter=False) as house:
        client = await house.client()
        params = {"fingerprint": dealt_by_either(HOUSES["draw"]).fingerprint}
        view = (await client.get("/api/v1/houses/draw", params=params)).json()
        assert view["dealer_mode"] == "either"
        assert (await client.get("/api/v1/houses/draw")).json()["dealer_mode"] == "live"
