"""Tables spread over processes evenly, and move as little as possible."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from openfelt.runtime.cluster.placement import placed

MEMBERS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6)
OWNERS = st.dictionaries(
    st.integers(0, 60).map("table-{}".format), st.none() | st.sampled_from("abcdefgh"), max_size=40
)


@given(OWNERS, MEMBERS)
def test_every_table_has_a_place_and_no_process_has_two_more_than_another(
    owners: dict[str, str | None], members: list[str]
) -> None:
    places = placed(owners, members)
    assert set(places) == (set(owners) if members else set())
    loads = Counter(places.values())
    counts = [loads[member] for member in members]
    assert sum(counts) == len(places)
    assert not counts or max(counts) - min(counts) <= 1


@given(OWNERS, MEMBERS)
def test_a_floor_that_is_placed_stays_as_it_is(
    owners: dict[str, str | None], members: list[str]
) -> None:
    places = placed(owners, members)
    assert placed(dict(places), list(reversed(members))) == places


@given(OWNERS, MEMBERS.filter(bool))
def test_only_the_tables_above_a_share_move(
    owners: dict[str, str | None], members: list[str]
) -> None:
    places = placed(owners, members)
    held = Counter(owner for owner in owners.values() if owner in members)
    moved = sum(owner in members and places[table] != owner for table, owner in owners.items())
    share, left_over = divmod(len(owners), len(members))
    room = sorted((share + (place < left_over) for place in range(len(members))), reverse=True)
    counts = sorted((held[member] for member in members), reverse=True)
    assert moved == sum(max(0, count - most) for count, most in zip(counts, room, strict=True))


def test_a_process_that_joins_gets_its_share_and_one_that_dies_leaves_it() -> None:
    tables = [f"table-{number}" for number in range(30)]
    alone = placed(dict.fromkeys(tables), ["a"])
    assert set(alone.values()) == {"a"}
    three = placed(dict(alone), ["a", "b", "c"])
    assert Counter(three.values()) == {"a": 10, "b": 10, "c": 10}
    assert all(three[table] == "a" for table in tables if three[table] == alone[table])
    two = placed(dict(three), ["a", "c"])
    assert Counter(two.values()) == {"a": 15, "c": 15}
    assert all(two[table] == three[table] for table in tables if three[table] != "b")
