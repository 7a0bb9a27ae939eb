"""The life of a member: joined, renewed, replaced, drained, gone; and leases that wait for one."""

from dataclasses import replace

from openfelt.storage import Store
from openfelt.storage.cluster.cluster_door import (
    UNREPORTED,
    WANTED,
    BusReport,
    BusState,
    HeldLease,
    NewMember,
)
from openfelt.storage.cluster.cluster_queries import GONE_MS
from tests.kit.storage.store_places import Place, event, write

EAST = NewMember(name="east", home="e", run="1", role="both", version="0.2")


def test_a_member_lives_as_long_as_it_is_renewed(store: Store, place: Place) -> None:
    assert store.join(EAST, ttl_ms=1000) is None
    (member,) = store.members()
    assert (member.name, member.home, member.run, member.role, member.version) == (
        *("east", "e", "1", "both", "0.2"),
    )
    assert (member.started_ms, member.silent_ms, member.left_ms) == (place.clock.ms, 0, 1000)
    assert not member.drained
    place.clock.ms += 900
    assert store.renew_member(EAST, ttl_ms=1000)
    place.clock.ms += 900
    (member,) = store.members()
    assert member.living
    assert (member.silent_ms, member.left_ms) == (900, 100)
    place.clock.ms += 100
    assert not store.members()[0].living


def test_a_living_member_keeps_its_name(store: Store, place: Place) -> None:
    store.join(EAST, ttl_ms=1000)
    twin = replace(EAST, home="w", run="2")
    holder = store.join(twin, ttl_ms=1000)
    assert holder is not None
    assert (holder.home, holder.left_ms) == ("e", 1000)
    assert not store.renew_member(twin, ttl_ms=1000)
    place.clock.ms += 1000
    assert store.join(twin, ttl_ms=1000) is None
    assert not store.renew_member(EAST, ttl_ms=1000), "the first one has lost its name"


def test_a_restarted_member_replaces_its_dead_self_at_once(store: Store) -> None:
    store.join(EAST, ttl_ms=1000)
    store.drain_member("east", drained=True)
    restarted = replace(EAST, run="2")
    assert store.join(restarted, ttl_ms=1000) is None
    assert store.renew_member(restarted, ttl_ms=1000)
    assert not store.renew_member(EAST, ttl_ms=1000)
    assert [member.drained for member in store.members()] == [False]


def test_a_process_that_is_alone_replaces_any(store: Store) -> None:
    store.join(EAST, ttl_ms=1000)
    assert store.join(replace(EAST, home="w", run="2"), ttl_ms=1000, alone=True) is None


def test_a_member_leaves_for_itself_only(store: Store) -> None:
    store.join(EAST, ttl_ms=1000)
    store.leave(replace(EAST, run="0"))
    assert len(store.members()) == 1
    store.leave(EAST)
    assert store.members() == ()


def test_a_member_is_drained_and_called_back(store: Store) -> None:
    store.join(EAST, ttl_ms=1000)
    assert store.drain_member("east", drained=True)
    assert [member.drained for member in store.members()] == [True]
    assert store.renew_member(EAST, ttl_ms=1000)
    assert [member.drained for member in store.members()] == [True]
    assert store.drain_member("east", drained=False)
    assert [member.drained for member in store.members()] == [False]
    assert not store.drain_member("west", drained=True)


def test_members_that_are_long_gone_are_forgotten(store: Store, place: Place) -> None:
    store.join(EAST, ttl_ms=1000)
    place.clock.ms += 1001 + GONE_MS
    west = NewMember(name="west", home="w", run="1", role="tables", version="0.2")
    store.join(west, ttl_ms=1000)
    assert [member.name for member in store.members()] == ["west"]


def test_leases_that_were_not_given_back_are_listed(store: Store, place: Place) -> None:
    for table in ("a", "b", "c", "d"):
        write(store, f"table/{table}", 0, event())
    leases = {
        table: store.take_lease(f"table/{table}", owner, ttl_ms=1000)
        for table, owner in (("a", "east"), ("b", "east"), ("c", "west"))
    }
    write(store, "link/x", 0, event())
    assert leases["b"] is not None
    assert leases["c"] is not None
    store.release_lease(leases["b"])
    store.release_lease(leases["c"], wanted=True)
    place.clock.ms += 400
    assert store.held_leases("table/") == (
        HeldLease("table/a", "east", 1, 600),
        HeldLease("table/c", WANTED, 1, 0),
    )
    place.clock.ms += 601
    assert store.held_leases("table/")[0] == HeldLease("table/a", "east", 1, 0)
    taken = store.take_lease("table/c", "east", ttl_ms=1000)
    assert taken is not None
    assert taken.fence == 2


def test_an_owner_is_wanted_for_a_stream_that_has_none(store: Store) -> None:
    write(store, "table/a", 0, event())
    store.want_owner("table/a")
    store.want_owner("table/none")
    assert store.held_leases("table/") == (HeldLease("table/a", WANTED, 0, 0),)
    assert store.take_lease("table/a", "east", ttl_ms=1000) is not None
    store.want_owner("table/a")
    assert [lease.owner for lease in store.held_leases("table/")] == ["east"]


def test_a_member_says_how_far_it_is_behind(store: Store) -> None:
    store.join(EAST, ttl_ms=1000)
    assert store.renew_member(EAST, ttl_ms=1000, lag_ms=1200)
    assert [member.lag_ms for member in store.members()] == [1200]
    assert store.renew_member(EAST, ttl_ms=1000)
    assert [member.lag_ms for member in store.members()] == [0]


def test_a_member_says_how_it_reaches_the_bus(store: Store) -> None:
    store.join(EAST, ttl_ms=1000)
    assert [member.bus for member in store.members()] == [UNREPORTED]
    lost = BusReport(BusState.LOST, 700)
    assert store.renew_member(EAST, ttl_ms=1000, bus=lost)
    assert [member.bus for member in store.members()] == [lost]
    store.join(replace(EAST, run="2"), ttl_ms=1000)
    assert [member.bus for member in store.members()] == [UNREPORTED]
