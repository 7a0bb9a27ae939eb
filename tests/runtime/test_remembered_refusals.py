"""The refusals that a process remembers."""

from openfelt.runtime.remembered_refusals import GivenAnswer, RememberedRefusals
from openfelt.runtime.requests import Answer
from tests.kit.floors import StandingClock

REFUSED = GivenAnswer("digest", Answer(version=1, refused="seat_taken", sentence="It is taken."))


def test_a_refusal_is_found_by_stream_actor_and_id() -> None:
    refusals = RememberedRefusals(StandingClock())
    refusals.add("table/a", ("player:ann", "1"), REFUSED)
    assert refusals.get("table/a", ("player:ann", "1")) == REFUSED
    for stream, key in (
        ("table/b", ("player:ann", "1")),
        ("table/a", ("player:bob", "1")),
        ("table/a", ("player:ann", "2")),
    ):
        assert refusals.get(stream, key) is None


def test_a_refusal_is_forgotten_after_a_while() -> None:
    clock = StandingClock()
    refusals = RememberedRefusals(clock, kept_ms=1000)
    refusals.add("table/a", ("player:ann", "1"), REFUSED)
    clock.pass_ms(999)
    assert refusals.get("table/a", ("player:ann", "1")) == REFUSED
    clock.pass_ms(1)
    assert refusals.get("table/a", ("player:ann", "1")) is None


def test_an_actor_who_floods_pushes_out_only_own_refusals() -> None:
    refusals = RememberedRefusals(StandingClock(), per_actor_max=3)
    refusals.add("table/a", ("player:bob", "1"), REFUSED)
    for number in range(100):
        refusals.add("table/a", ("player:ann", str(number)), REFUSED)
    assert len(refusals) == 4
    assert refusals.get("table/a", ("player:bob", "1")) == REFUSED
    assert refusals.get("table/a", ("player:ann", "96")) is None
    assert refusals.get("table/a", ("player:ann", "97")) == REFUSED


def test_many_actors_push_out_the_one_who_was_refused_longest_ago() -> None:
    refusals = RememberedRefusals(StandingClock(), refusals_max=10)
    for number in range(12):
        for command in "ab":
            refusals.add("table/a", (f"player:{number}", command), REFUSED)
    assert len(refusals) == 10
    assert refusals.get("table/a", ("player:6", "b")) is None
    assert refusals.get("table/a", ("player:7", "a")) == REFUSED


def test_the_same_command_counts_once() -> None:
    refusals = RememberedRefusals(StandingClock())
    for _ in range(5):
        refusals.add("table/a", ("player:ann", "1"), REFUSED)
    assert len(refusals) == 1
