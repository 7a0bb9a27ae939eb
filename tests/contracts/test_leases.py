"""The life of a lease: taken, renewed, ended, released, taken over."""

from collections.abc import Sequence

import pytest

from openfelt.storage import Fenced, Lease, Store
from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.door import Damaged
from tests.kit.storage.store_places import Place, event, write


def taken(store: Store, owner: str, *, ttl_ms: int = 1000) -> Lease:
    lease = store.take_lease("a", owner, ttl_ms=ttl_ms)
    assert lease is not None
    return lease


def test_a_lease_has_the_next_fencing_number_and_an_end(store: Store, place: Place) -> None:
    lease = taken(store, "east", ttl_ms=2500)
    assert lease == Lease(stream="a", owner="east", fence=1, until_ms=place.clock.ms + 2500)
    assert store.head("a").fence == 1
    assert store.head("a").version == 0


def test_no_other_owner_gets_it_before_it_ends(store: Store, place: Place) -> None:
    lease = taken(store, "east")
    place.clock.ms = lease.until_ms - 1
    assert store.take_lease("a", "west", ttl_ms=1000) is None
    assert store.take_lease("b", "west", ttl_ms=1000) is not None
    place.clock.ms = lease.until_ms
    assert taken(store, "west").fence == 2


def test_its_owner_gets_a_new_one_and_the_old_one_is_over(store: Store) -> None:
    old = taken(store, "east")
    new = taken(store, "east")
    assert new.fence == old.fence + 1
    assert store.renew_lease(old, ttl_ms=1000) is None
    with pytest.raises(Fenced):
        write(store, "a", 0, event(), fence=old.fence)
    write(store, "a", 0, event(), fence=new.fence)


def test_renewing_holds_it_longer(store: Store, place: Place) -> None:
    lease = taken(store, "east")
    place.clock.ms += 900
    renewed = store.renew_lease(lease, ttl_ms=1000)
    assert renewed is not None
    assert (renewed.fence, renewed.until_ms) == (lease.fence, place.clock.ms + 1000)
    place.clock.ms += 900
    assert store.take_lease("a", "west", ttl_ms=1000) is None
    write(store, "a", 0, event(), fence=lease.fence)


def test_a_lease_that_ended_can_be_renewed_until_another_follows(
    store: Store, place: Place
) -> None:
    lease = taken(store, "east")
    place.clock.ms += 5000
    write(store, "a", 0, event(), fence=lease.fence)
    renewed = store.renew_lease(lease, ttl_ms=1000)
    assert renewed is not None
    place.clock.ms += 5000
    taken(store, "west")
    assert store.renew_lease(renewed, ttl_ms=1000) is None


def test_the_old_owner_is_shut_out(store: Store, place: Place) -> None:
    old = taken(store, "east")
    write(store, "a", 0, event(), fence=old.fence)
    place.clock.ms += 5000
    new = taken(place.open(), "west")
    with pytest.raises(Fenced) as caught:
        write(store, "a", 1, event(), fence=old.fence)
    assert (caught.value.fence, caught.value.found) == (old.fence, new.fence)
    assert str(caught.value) == "a is held under lease 2 now; lease 1 is over."
    write(store, "a", 1, event(), fence=new.fence)


def test_releasing_lets_another_in_at_once(store: Store) -> None:
    lease = taken(store, "east")
    store.release_lease(lease)
    assert store.renew_lease(lease, ttl_ms=1000) is None
    assert taken(store, "west").fence == 2


def test_releasing_an_old_lease_does_nothing(store: Store, place: Place) -> None:
    old = taken(store, "east")
    place.clock.ms += 5000
    new = taken(store, "west")
    store.release_lease(old)
    store.release_lease(Lease(stream="none", owner="east", fence=1, until_ms=0))
    assert store.take_lease("a", "east", ttl_ms=1000) is None
    assert store.renew_lease(new, ttl_ms=1000) is not None


def test_an_old_lease_does_not_release_the_newer_one_of_its_owner(store: Store) -> None:
    """A process that was started again under its name keeps what it leased."""
    old, new = taken(store, "east"), taken(store, "east")
    store.release_lease(old)
    assert store.take_lease("a", "west", ttl_ms=1000) is None
    assert store.renew_lease(new, ttl_ms=1000) is not None
    write(store, "a", 0, event(), fence=new.fence)
    store.release_lease(new)
    assert store.take_lease("a", "west", ttl_ms=1000) is not None


def test_a_lease_of_a_stream_with_events_keeps_its_head(store: Store) -> None:
    head = write(store, "a", 0, event())
    lease = taken(store, "east")
    after = store.head("a")
    assert (after.version, after.hash, after.at_ms) == (head.version, head.hash, head.at_ms)
    assert write(store, "a", 1, event(), fence=lease.fence).fence == lease.fence


def test_a_leased_stream_refuses_writers_without_a_lease(store: Store) -> None:
    taken(store, "east")
    with pytest.raises(Fenced):
        write(store, "a", 0, event(), fence=0)
    assert store.head("a").version == 0


def test_a_number_in_the_row_of_a_stream_that_is_never_leased_stops_no_writer(
    store: Store, place: Place
) -> None:
    write(store, "link/a", 0, event())
    place.run("UPDATE streams SET fence = 7, owner = 'x' WHERE name = 'link/a'")
    assert write(store, "link/a", 1, event()).version == 2


def test_the_number_goes_on_over_many_owners(store: Store, place: Place) -> None:
    fences = []
    for turn in range(6):
        fences.append(taken(store, f"owner-{turn}").fence)
        place.clock.ms += 1000
    assert fences == [1, 2, 3, 4, 5, 6]


def test_many_leases_are_renewed_in_one_statement(
    store: Store, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases = []
    for number in range(300):
        lease = store.take_lease(f"table/{number}", "east", ttl_ms=1000)
        assert lease is not None
        leases.append(lease)
    store.release_lease(leases[7])
    place.clock.ms += 5000
    assert store.take_lease("table/9", "west", ttl_ms=1000) is not None
    statements: list[str] = []
    write = store._write  # type: ignore[attr-defined]

    def counting(statement: str, values: Sequence[object]) -> object:
        statements.append(statement)
        return write(statement, values)

    monkeypatch.setattr(store, "_write", counting)
    renewed = store.renew_leases(leases, ttl_ms=1000)
    assert len(statements) == 1
    assert {lease.stream for lease in leases} - {lease.stream for lease in renewed} == {
        *("table/7", "table/9")
    }
    assert {lease.until_ms for lease in renewed} == {place.clock.ms + 1000}
    assert store.renew_leases([], ttl_ms=1000) == ()


def test_a_number_that_cannot_grow_is_damage_of_this_stream_alone(
    store: Store, place: Place
) -> None:
    taken(store, "east")
    place.run(f"UPDATE streams SET fence = {LAST_NUMBER}, owner = '', until_ms = 0")
    with pytest.raises(Damaged, match="Row a of the table streams"):
        store.take_lease("a", "east", ttl_ms=1000)
    assert store.take_lease("b", "east", ttl_ms=1000) is not None
