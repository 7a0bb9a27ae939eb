"""Texts that all processes share for a short time."""

from openfelt.storage import Store
from tests.kit.storage.store_places import Place


def test_a_note_is_there_until_its_time_is_over(store: Store, place: Place) -> None:
    store.put_note("approval", "a", "first", ttl_ms=1000)
    other = place.open()
    assert other.note("approval", "a") == "first"
    assert other.note("challenge", "a") is None
    store.put_note("approval", "a", "second", ttl_ms=2000)
    place.clock.ms += 1999
    assert other.note("approval", "a") == "second"
    place.clock.ms += 1
    assert other.note("approval", "a") is None
    assert other.take_note("approval", "a") is None
    assert not other.swap_note("approval", "a", before="second", after="third")
    assert place.run("SELECT count(*) FROM notes") == [(1,)]
    store.purge_notes()
    assert place.run("SELECT count(*) FROM notes") == [(0,)]


def test_a_note_is_taken_once(store: Store, place: Place) -> None:
    store.put_note("challenge", "a", "value", ttl_ms=1000)
    assert place.open().take_note("challenge", "a") == "value"
    assert store.take_note("challenge", "a") is None


def test_a_note_is_replaced_only_as_it_was_read(store: Store, place: Place) -> None:
    store.put_note("approval", "a", "given", ttl_ms=1000)
    assert store.swap_note("approval", "a", before="given", after="used")
    assert not place.open().swap_note("approval", "a", before="given", after="used by another")
    assert store.note("approval", "a") == "used"
