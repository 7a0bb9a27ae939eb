"""A process joins under its name, lives on, and leaves."""

from dataclasses import replace

import pytest

from openfelt.runtime.cluster.identity import NameRefused
from openfelt.runtime.cluster.membership import Membership
from openfelt.storage.cluster.cluster_door import NewMember
from tests.kit.floors import until
from tests.kit.storage.store_places import Place

EAST = NewMember(name="east", home="e", run="1", role="both", version="1")


async def test_a_process_is_a_member_until_it_leaves(place: Place) -> None:
    store = place.open()
    membership = Membership(store, EAST, ttl_ms=60)
    async with membership.joined():
        assert membership.active
        place.clock.ms += 50
        await until(lambda: store.members()[0].silent_ms == 0)
    assert store.members() == ()


async def test_a_name_is_free_once_its_process_has_died(place: Place) -> None:
    store = place.open()
    store.join(EAST, ttl_ms=100)
    joined = Membership(store, replace(EAST, home="w", run="2"), ttl_ms=1000)

    def later() -> int:
        place.clock.ms += 60
        return place.clock.ms

    joined._store = place.open(now_ms=later)
    async with joined.joined():
        assert store.members()[0].home == "w"


async def test_a_living_process_keeps_its_name(place: Place) -> None:
    store = place.open()
    async with Membership(store, EAST, ttl_ms=300).joined():
        other = Membership(place.open(), replace(EAST, home="w", run="2"), ttl_ms=300)
        with pytest.raises(NameRefused, match="Another server runs under the name east"):
            async with other.joined():
                raise AssertionError("it must not join")
        assert store.members()[0].home == "e"


async def test_a_process_whose_row_was_lost_joins_again(place: Place) -> None:
    store = place.open()
    membership = Membership(store, EAST, ttl_ms=60_000)
    async with membership.joined():
        place.run("DELETE FROM members")
        await membership.renew()
        assert [member.name for member in store.members()] == ["east"]
        assert membership.active


async def test_a_copy_of_the_folder_takes_the_name_once(place: Place) -> None:
    first = Membership(place.open(), EAST, ttl_ms=60_000)
    async with first.joined():
        copy = Membership(place.open(), replace(EAST, run="2"), ttl_ms=60_000)
        async with copy.joined():
            await first.renew()
            assert not first.active
            assert place.open().members()[0].run == "2"
        await first.renew()
        assert first.active
