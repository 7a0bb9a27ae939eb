"""What a store finds again: streams, events, checkpoints, and all of it after reopening."""

import pytest

from openfelt.storage import Checkpoint, Conflict, Damaged, NewSecret, Store, Unavailable
from openfelt.storage.sql.rows import PAGE_ROWS
from tests.kit.storage.store_places import (
    ALICE,
    BOB,
    CASH,
    Place,
    contents,
    event,
    move,
    write,
)

NAMES = ["a", "a%", "a%b", "a_", "a_b", "ab", "axb", "b", "ä", "\U0001f0a1", "\U0010ffff", "A"]


def checkpoint(number: int) -> Checkpoint:
    return Checkpoint(
        number=number, at_ms=number * 10, body=f'{{"n": {number}}}', key="k" * 64, signature="s"
    )


def test_streams_come_in_order_and_by_prefix(store: Store) -> None:
    for name in NAMES:
        write(store, name, 0, event())
    assert store.streams() == tuple(sorted(NAMES))
    for prefix in [*NAMES, "", "a%bc", "\ud7ff", "\U0010ffff\U0010ffff", "zz"]:
        wanted = tuple(sorted(name for name in NAMES if name.startswith(prefix)))
        assert store.streams(prefix) == wanted, prefix
        secrets = [NewSecret(name=name, body="x") for name in NAMES]
        if prefix == NAMES[0]:
            write(store, "secrets", 0, secrets=tuple(secrets))
        assert tuple(store.secrets("secrets", prefix)) == wanted, prefix


def test_heads_of_many_streams_come_at_once(store: Store) -> None:
    for number, name in enumerate(NAMES):
        write(store, name, 0, *([event()] * (number + 1)))
    store.take_lease("empty", "east", ttl_ms=1000)
    assert store.heads() == {name: store.head(name) for name in sorted(NAMES)}
    assert list(store.heads("a_")) == ["a_", "a_b"]


def test_all_old_answers_of_a_stream_come_in_order(store: Store, place: Place) -> None:
    commands = [f"{number:06}" for number in range(PAGE_ROWS + 3)]
    rows = ", ".join(f"('a', 'alice', '{command}', 'd', '{{}}')" for command in commands)
    place.run(f"INSERT INTO answers (stream, actor, command, digest, body) VALUES {rows}")
    write(store, "b", 0, event(command="other"))
    answers = list(store.old_answers("a"))
    assert [key[1] for key, _ in answers] == commands
    assert dict(answers) == place.open().answers("a", [key for key, _ in answers])
    assert list(store.old_answers("b")) == []


def test_a_stream_without_events_is_not_listed(store: Store) -> None:
    store.take_lease("leased", "east", ttl_ms=1000)
    write(store, "secret", 0, secrets=(NewSecret(name="1", body="x"),))
    assert store.streams() == ()


def test_events_are_read_between_two_versions(store: Store) -> None:
    write(store, "a", 0, *(event() for _ in range(5)))
    write(store, "b", 0, event())

    def versions(after: int = 0, up_to: int | None = None) -> list[int]:
        return [stored.version for stored in store.events("a", after=after, up_to=up_to)]

    assert versions() == [1, 2, 3, 4, 5]
    assert versions(after=2) == [3, 4, 5]
    assert versions(up_to=2) == [1, 2]
    assert versions(after=1, up_to=3) == [2, 3]
    assert versions(after=5) == []
    assert versions(up_to=0) == []


def test_reading_may_go_on_while_others_write(store: Store, place: Place) -> None:
    write(store, "a", 0, *(event() for _ in range(PAGE_ROWS + 1)))
    reading = store.events("a")
    assert next(reading).version == 1
    write(place.open(), "a", PAGE_ROWS + 1, event())
    write(store, "a", PAGE_ROWS + 2, event())
    assert [stored.version for stored in reading] == list(range(2, PAGE_ROWS + 4))


def test_checkpoints_come_in_order_and_each_number_once(store: Store, place: Place) -> None:
    assert list(store.checkpoints()) == []
    for number in (1, 2, 3):
        store.add_checkpoint(checkpoint(number))
    before = contents(place)
    with pytest.raises(Conflict) as caught:
        store.add_checkpoint(checkpoint(2))
    assert (caught.value.expected, caught.value.found) == (1, 3)
    assert contents(place) == before
    assert list(store.checkpoints()) == [checkpoint(number) for number in (1, 2, 3)]


def test_any_number_of_checkpoints_comes_back(store: Store, place: Place) -> None:
    values = ", ".join(f"({number}, 0, 'b', 'k', 's')" for number in range(PAGE_ROWS + 2))
    place.run(f"INSERT INTO checkpoints VALUES {values}")
    assert [one.number for one in store.checkpoints()] == list(range(PAGE_ROWS + 2))


def test_everything_is_there_after_reopening(store: Store, place: Place) -> None:
    lease = store.take_lease("a", "east", ttl_ms=1000)
    assert lease is not None
    head = write(
        store,
        "a",
        0,
        event(move(CASH, ALICE, 5), move(ALICE, BOB, 2), command="1"),
        fence=lease.fence,
        secrets=(NewSecret(name="1/table", body="deck"),),
        snapshot='{"n": 1}',
    )
    store.add_checkpoint(checkpoint(1))
    seen = (
        *(list(store.events("a")), list(store.transfers()), store.balances()),
        *(store.answers("a", [("alice", "1")]), store.secrets("a"), store.snapshot("a")),
    )
    store.close()
    again = place.open()
    assert again.head("a") == head
    assert seen == (
        *(list(again.events("a")), list(again.transfers()), again.balances()),
        *(again.answers("a", [("alice", "1")]), again.secrets("a"), again.snapshot("a")),
    )
    assert list(again.checkpoints()) == [checkpoint(1)]
    assert again.take_lease("a", "west", ttl_ms=1000) is None
    write(again, "a", 1, event(), fence=lease.fence)


def test_a_closed_store_says_so(store: Store, place: Place) -> None:
    write(store, "a", 0, event())
    store.close()
    store.close()
    for attempt in (
        lambda: write(store, "a", 1, event()),
        lambda: store.head("a"),
        lambda: list(store.events("a")),
        lambda: list(store.transfers()),
        lambda: store.take_lease("a", "east", ttl_ms=1),
        lambda: store.add_checkpoint(checkpoint(1)),
    ):
        with pytest.raises(Unavailable, match="The store is closed"):
            attempt()
    assert place.open().head("a").version == 1


# Rows that Openfelt did not write


@pytest.mark.parametrize(
    ("change", "table", "row"),
    [
        ("UPDATE balances SET account = 'purse:alice'", "balances", "purse:alice"),
        ("UPDATE balances SET account = 'cash:'", "balances", "cash:"),
        ("UPDATE transfers SET debit = 'purse:alice'", "transfers", "1"),
        ("UPDATE transfers SET credit = ''", "transfers", "1"),
        ("UPDATE transfers SET reason = 'theft'", "transfers", "1"),
    ],
)
def test_a_damaged_row_is_named(
    store: Store, place: Place, change: str, table: str, row: str
) -> None:
    write(store, "a", 0, event(move(CASH, ALICE, 5)))
    place.run("DELETE FROM balances WHERE account = 'wallet:alice'")
    place.run(change)
    with pytest.raises(Damaged, match=f"Row {row} of the table {table} is damaged") as caught:
        store.balances() if table == "balances" else list(store.transfers())
    assert (caught.value.table, str(caught.value.row)) == (table, row)
