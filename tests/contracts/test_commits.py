"""What a commit writes, what it refuses, and that it is taken whole or not at all."""

from dataclasses import replace

import pytest

from openfelt.ledger import LedgerRefusal
from openfelt.storage import (
    FIRST_HASH,
    Append,
    Cause,
    Commit,
    Conflict,
    Fenced,
    Head,
    NewEvent,
    NewSecret,
    NotEnough,
    Repeated,
    RuleSet,
    Store,
    StoredAnswer,
    StoreError,
    Unknown,
    event_hash,
)
from openfelt.storage.sql.sql_store import SqlStore
from tests.kit.storage.store_places import (
    ALICE,
    BOB,
    CASH,
    SYSTEM_CAUSE,
    Place,
    caused_by,
    contents,
    event,
    move,
    write,
)

HOUSE_OF_OLD = RuleSet(fingerprint="f" * 64, house="online", body='{"seats": 6}')


def test_a_stream_without_events_ends_at_version_0(store: Store) -> None:
    assert store.head("table-1") == Head(version=0, hash=FIRST_HASH, at_ms=0, fence=0)
    assert list(store.events("table-1")) == []
    assert store.streams() == ()


def test_waiting_for_writers_writes_nothing(place: Place, store: Store) -> None:
    write(store, "old", 0, event(move(CASH, ALICE, 5)))
    before = contents(place)
    for stream in ("old", "new"):
        store.wait_for_writers(stream)
    assert contents(place) == before
    assert store.streams() == ("old",)
    assert store.head("new") == Head(version=0, hash=FIRST_HASH, at_ms=0, fence=0)
    write(store, "new", 0, event())


def test_a_commit_gives_the_heads_that_reading_gives(store: Store) -> None:
    heads = store.commit(
        Commit(
            at_ms=1000,
            appends=(
                Append(stream="a", expected_version=0, events=(event(), event())),
                Append(stream="b", expected_version=0, events=(event(),)),
                Append(stream="c", expected_version=0, secrets=(NewSecret(name="1", body="x"),)),
            ),
        )
    )
    assert {stream: head.version for stream, head in heads.items()} == {"a": 2, "b": 1, "c": 0}
    assert heads == {stream: store.head(stream) for stream in "abc"}


def test_events_come_back_as_they_were_written(store: Store) -> None:
    first = NewEvent(name="wagers_set", schema=3, body='{"ante": 1000}', cause=caused_by("1"))
    write(store, "table-1", 0, first, event(name="bets_closed"), at_ms=1234)
    one, two = store.events("table-1")
    assert (one.stream, one.version, one.name, one.schema) == ("table-1", 1, "wagers_set", 3)
    assert (one.body, one.at_ms) == ('{"ante": 1000}', 1234)
    assert (two.version, two.name) == (2, "bets_closed")
    assert (one.cause, two.cause) == (caused_by("1"), SYSTEM_CAUSE)


def test_an_event_without_an_actor_is_refused(store: Store, place: Place) -> None:
    before = contents(place)
    unnamed = NewEvent(name="bets_closed", schema=1, body="{}", cause=Cause(actor=""))
    with pytest.raises(StoreError, match="bets_closed names no actor"):
        write(store, "a", 0, event(), unnamed)
    assert contents(place) == before


@pytest.mark.parametrize("part", ["actor", "terminal", "command", "digest"])
def test_each_part_of_the_cause_is_in_the_hash(part: str) -> None:
    hashes = {
        event_hash(
            FIRST_HASH,
            stream="a",
            version=1,
            at_ms=1,
            event=NewEvent(name="bets_closed", schema=1, body="{}", cause=cause),
        )
        for cause in (caused_by("1"), replace(caused_by("1"), **{part: "other"}), Cause(actor=""))
    }
    assert len(hashes) == 3


def test_the_hashes_form_one_chain_over_several_commits(store: Store) -> None:
    written = [
        NewEvent(
            name=f"event_{n}", schema=n, body=f'{{"n": {n}}}', cause=Cause(actor=f"player:{n}")
        )
        for n in range(1, 8)
    ]
    for start in (0, 3, 5):
        stop = {0: 3, 3: 5, 5: 7}[start]
        write(store, "table-1", start, *written[start:stop], at_ms=1000 + start)
    previous = FIRST_HASH
    for new, stored in zip(written, store.events("table-1"), strict=True):
        assert stored.previous == previous
        previous = event_hash(
            previous, stream="table-1", version=stored.version, at_ms=stored.at_ms, event=new
        )
        assert stored.hash == previous
    assert store.head("table-1").hash == previous


def test_the_times_of_a_stream_never_go_back(store: Store) -> None:
    write(store, "a", 0, event(), at_ms=5000)
    head = write(store, "a", 1, event(move(CASH, ALICE, 5)), at_ms=3000, snapshot="{}")
    write(store, "b", 0, event(), at_ms=3000)
    assert head.at_ms == 5000
    assert [stored.at_ms for stored in store.events("a")] == [5000, 5000]
    assert [stored.at_ms for stored in store.transfers()] == [5000]
    assert [stored.at_ms for stored in store.events("b")] == [3000]
    snapshot = store.snapshot("a")
    assert snapshot is not None
    assert snapshot.at_ms == 5000


@pytest.mark.parametrize("expected", [0, 1, 3, -1])
def test_another_version_than_expected_is_a_conflict(
    store: Store, place: Place, expected: int
) -> None:
    write(store, "a", 0, event(), event())
    before = contents(place)
    with pytest.raises(Conflict) as caught:
        write(store, "a", expected, event())
    assert (caught.value.stream, caught.value.expected, caught.value.found) == ("a", expected, 2)
    assert str(caught.value) == f"a is at version 2, not at {expected}."
    assert contents(place) == before


def test_a_missing_stream_has_no_later_version(store: Store) -> None:
    with pytest.raises(Conflict):
        write(store, "a", 1, event())


def test_a_command_needs_the_version_and_the_lease(store: Store, place: Place) -> None:
    lease = store.take_lease("a", "east", ttl_ms=1000)
    assert lease is not None
    write(store, "a", 0, event(), fence=lease.fence)
    before = contents(place)
    with pytest.raises(Conflict):
        write(store, "a", 0, event(command="1"), fence=lease.fence)
    with pytest.raises(Fenced):
        write(store, "a", 1, event(command="1"), fence=lease.fence - 1)
    assert contents(place) == before
    head = write(store, "a", 1, event(command="1"), fence=lease.fence)
    assert head.version == 2
    assert store.answers("a", [("alice", "1")]) != {}


def test_the_lease_is_asked_before_the_version(store: Store) -> None:
    with pytest.raises(Fenced) as caught:
        write(store, "a", 7, event(), fence=3)
    assert (caught.value.stream, caught.value.fence, caught.value.found) == ("a", 3, 0)


def test_one_failing_append_leaves_nothing_of_the_others(store: Store, place: Place) -> None:
    write(store, "b", 0, event())
    before = contents(place)
    good = Append(
        stream="a",
        expected_version=0,
        events=(event(move(CASH, ALICE, 500), command="1"),),
        secrets=(NewSecret(name="1/table", body="deck"),),
        snapshot="{}",
    )
    stale = Append(stream="b", expected_version=0, events=(event(),))
    fenced = Append(stream="b", expected_version=1, fence=9, events=(event(),))
    poor = Append(stream="b", expected_version=1, events=(event(move(BOB, CASH, 1)),))
    for bad, error in ((stale, Conflict), (fenced, Fenced), (poor, NotEnough)):
        for appends in ((good, bad), (bad, good)):
            with pytest.raises(error):
                store.commit(Commit(at_ms=1, appends=appends, rule_sets=(HOUSE_OF_OLD,)))
            assert contents(place) == before
    store.commit(Commit(at_ms=1, appends=(good,), rule_sets=(HOUSE_OF_OLD,)))


def test_a_stream_has_one_append_in_a_commit(store: Store, place: Place) -> None:
    before = contents(place)
    append = Append(stream="a", expected_version=0, events=(event(),))
    with pytest.raises(StoreError, match="each stream once"):
        store.commit(Commit(at_ms=1, appends=(append, append)))
    assert contents(place) == before


def test_an_invalid_transfer_is_refused(store: Store, place: Place) -> None:
    before = contents(place)
    for bad in (move(CASH, ALICE, 0), move(CASH, ALICE, -5), move(ALICE, ALICE, 5)):
        with pytest.raises(LedgerRefusal):
            write(store, "a", 0, event(), event(bad))
    assert contents(place) == before


# Answers


def test_answers_are_found_by_actor_and_command(store: Store) -> None:
    write(store, "a", 0, event(), event(command="1"), event(command="1", actor="bob"))
    write(store, "b", 0, event(command="1"))
    asked = [("alice", "1"), ("alice", "2"), ("carol", "1")]
    assert store.answers("a", asked) == {
        ("alice", "1"): StoredAnswer(digest="digest of 1", body='{"version":2}')
    }
    assert store.answers("a", []) == {}
    assert store.answers("c", asked) == {}


def test_any_number_of_commands_may_be_asked_for(store: Store) -> None:
    write(store, "a", 0, *(event(command=str(n)) for n in range(350)))
    asked = [("alice", str(n)) for n in range(0, 700, 2)]
    assert set(store.answers("a", asked)) == {("alice", str(n)) for n in range(0, 350, 2)}


def test_a_command_is_answered_once(store: Store, place: Place) -> None:
    write(store, "a", 0, event(command="1"))
    before = contents(place)
    with pytest.raises(Repeated, match="a already has an answer to alice's command 1") as caught:
        write(store, "a", 1, event(move(CASH, ALICE, 1), command="2"), event(command="1"))
    assert isinstance(caught.value, Conflict)
    with pytest.raises(Repeated):
        write(store, "a", 1, event(command="3"), event(command="3"))
    assert contents(place) == before


def test_only_the_last_event_of_a_command_answers_it(store: Store) -> None:
    first, last = replace(caused_by("1"), digest=""), caused_by("1")
    events = (replace(event(), cause=cause) for cause in (first, first, last))
    write(store, "a", 0, *events)
    assert store.answers("a", [("alice", "1")])["alice", "1"].body == '{"version":3}'


def test_a_command_answered_before_events_named_their_commands(store: Store, place: Place) -> None:
    place.run(
        "INSERT INTO answers (stream, actor, command, digest, body)"
        """ VALUES ('a', 'alice', '1', 'old digest', '{"version":1}')"""
    )
    write(store, "a", 0, event())
    # An answer that was added since is not believed.
    place.run(
        "INSERT INTO answers (stream, actor, command, digest, body)"
        """ VALUES ('a', 'alice', '3', 'old digest', '{"version":1,"refused":"x"}')"""
    )
    later = place.open()
    assert later.answers("a", [("alice", "3")]) == {}
    assert later.answers("a", [("alice", "1")]) == {
        ("alice", "1"): StoredAnswer(digest="old digest", body='{"version":1}')
    }
    with pytest.raises(Repeated, match="a already has an answer to alice's command 1"):
        write(later, "a", 1, event(command="1"))
    write(later, "a", 1, event(command="2"))


# Secrets, snapshots, rule sets


def test_secrets_are_kept_by_name(store: Store, place: Place) -> None:
    write(store, "a", 0, secrets=(NewSecret(name="1/table", body="x"),))
    write(store, "a", 0, secrets=(NewSecret(name="2/table", body="y"),))
    write(store, "b", 0, secrets=(NewSecret(name="1/table", body="z"),))
    assert store.secrets("a") == {"1/table": "x", "2/table": "y"}
    assert store.secrets("a", "2/") == {"2/table": "y"}
    assert store.secrets("a", "3/") == {}
    before = contents(place)
    with pytest.raises(Repeated, match="a already has a secret 1/table"):
        write(store, "a", 0, secrets=(NewSecret(name="1/table", body="other"),))
    with pytest.raises(Repeated):
        write(store, "a", 0, secrets=(NewSecret(name="3", body=""), NewSecret(name="3", body="")))
    assert contents(place) == before


def test_a_snapshot_replaces_the_older_one(store: Store) -> None:
    assert store.snapshot("a") is None
    write(store, "a", 0, event(), event(), snapshot='{"n": 2}', at_ms=7000)
    write(store, "a", 2, event(), at_ms=8000)
    older = store.snapshot("a")
    assert older is not None
    assert (older.version, older.at_ms, older.body) == (2, 7000, '{"n": 2}')
    write(store, "a", 3, snapshot='{"n": 3}', at_ms=9000)
    newer = store.snapshot("a")
    assert newer is not None
    # Its time is that of its event, also when it is written later.
    assert (newer.version, newer.at_ms, newer.body) == (3, 8000, '{"n": 3}')
    assert store.head("a").at_ms == 8000


def test_a_rule_set_is_written_once_and_may_be_given_again(store: Store) -> None:
    assert store.rule_set("f" * 64) is None
    for _ in range(2):
        assert store.commit(Commit(at_ms=1, appends=(), rule_sets=(HOUSE_OF_OLD,) * 2)) == {}
        assert store.rule_set("f" * 64) == HOUSE_OF_OLD
    many = tuple(
        RuleSet(fingerprint=str(n), house="online", body=str(n)) for n in reversed(range(5))
    )
    store.commit(Commit(at_ms=1, appends=(), rule_sets=many))
    assert [store.rule_set(str(n)) for n in reversed(range(5))] == list(many)


# Text


def test_any_text_comes_back_as_it_was(store: Store) -> None:
    name = "tisch-ä/\U0001f0a1'\"\\%s?\n{}"
    body = '{"note": "ñ ♠ \U0001f0cf \\u0000 \\\\ \' %s ? {} $1"}'
    heads = [write(store, name, 0, event(body=body), event(body=body, command=name))]
    heads.append(
        write(store, name, 2, event(body=body), secrets=(NewSecret(name=name, body=body),))
    )
    assert [stored.body for stored in store.events(name)] == [body] * 3
    assert store.streams() == (name,)
    assert store.secrets(name) == {name: body}
    assert set(store.answers(name, [("alice", name)])) == {("alice", name)}
    assert store.head(name) == heads[-1]


def test_a_large_body_comes_back_as_it_was(store: Store) -> None:
    body = '"' + "♠" * 1_500_000 + '"'
    write(store, "a", 0, event(body=body), event(body=body), snapshot=body)
    assert [stored.body for stored in store.events("a")] == [body, body]


@pytest.mark.parametrize("bad", ["a\0b", "a\ud800b"], ids=["nul", "half a pair"])
def test_text_that_a_database_cannot_hold_is_refused(store: Store, place: Place, bad: str) -> None:
    before = contents(place)
    for attempt in (
        lambda: write(store, bad, 0, event()),
        lambda: write(store, "a", 0, event(body=bad), event()),
        lambda: write(store, "a", 0, event(command=bad)),
        lambda: write(store, "a", 0, snapshot=bad),
        lambda: store.commit(
            Commit(at_ms=1, appends=(), rule_sets=(RuleSet(fingerprint="f", house="h", body=bad),))
        ),
    ):
        with pytest.raises(StoreError):
            attempt()
    assert contents(place) == before
    write(store, "a", 0, event())


def test_an_unexpected_error_leaves_the_outcome_of_a_commit_unknown(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the next card is As")

    write(store, "a", 0, event())
    assert isinstance(store, SqlStore)
    monkeypatch.setattr(store._data_keys, "keep", broken)
    with pytest.raises(Unknown, match="RuntimeError") as caught:
        write(store, "a", 1, event(command="1"))
    assert "As" not in str(caught.value)
    monkeypatch.undo()
    assert list(store.answers("a", [("alice", "1")])) == [("alice", "1")]
    write(store, "a", 2, event())
