"""Rows of another copy of a database, or of a time that a restore has ended, are not authentic."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from openfelt.ledger import Account
from openfelt.storage.addresses import open_store
from openfelt.storage.door import EpochRefused, Forged, Store
from openfelt.storage.keyring import Keyring
from tests.kit.storage.store_places import Place, event, move, write

CASH, ANN = Account.parse("cash"), Account.parse("wallet:ann")


def paid(store: Store, expected: int, cents: int = 100, **rest: Any) -> None:
    """Pay in for ann."""
    write(store, "wallet/ann", expected, event(move(CASH, ANN, cents)), **rest)


def test_what_was_written_before_a_restore_is_not_authentic_after_it(
    store: Store, place: Place
) -> None:
    """A deposit was paid out and the older state restored; its rows are put back."""
    paid(store, 0)
    paid(store, 1, 900)
    ((code, last),) = place.run("SELECT code, hash FROM streams WHERE name = 'wallet/ann'")
    # The restored state ends before the deposit.
    (first, _) = store.events("wallet/ann")
    ended = replace(store.head("wallet/ann"), version=1, hash=first.hash)
    place.run(f"UPDATE streams SET version = 1, hash = '{first.hash}' WHERE name = 'wallet/ann'")
    store.authenticate_cut()  # type: ignore[attr-defined]
    store.begin_epoch(2000, "the disk failed")
    store.check_head("wallet/ann", store.head("wallet/ann"))
    assert store.head("wallet/ann").hash == ended.hash
    place.run(
        f"UPDATE streams SET version = 2, hash = '{last}', code = '{code}'"
        " WHERE name = 'wallet/ann'"
    )
    with pytest.raises(Forged):
        store.check_head("wallet/ann", store.head("wallet/ann"))
    with pytest.raises(Forged):
        paid(place.open(), 2)


def test_what_is_not_authentic_stays_so_in_a_new_epoch(store: Store, place: Place) -> None:
    paid(store, 0, snapshot="{}")
    write(store, "wallet/bob", 0, event(), snapshot="{}")
    place.run("UPDATE streams SET code = '' WHERE name = 'wallet/ann'")
    place.run("UPDATE snapshots SET body = '[]' WHERE stream = 'wallet/ann'")
    store.begin_epoch(2000, "a test")
    with pytest.raises(Forged):
        store.check_head("wallet/ann", store.head("wallet/ann"))
    assert store.snapshot("wallet/ann") is None
    store.check_head("wallet/bob", store.head("wallet/bob"))
    assert store.snapshot("wallet/bob") is not None


def test_another_process_follows_into_the_new_epoch(store: Store, place: Place) -> None:
    other = place.open()
    paid(other, 0, snapshot="{}")
    store.begin_epoch(2000, "a test")
    assert other.snapshot("wallet/ann") is not None
    other.check_head("wallet/ann", other.head("wallet/ann"))
    store.begin_epoch(3000, "a test")
    paid(other, 1)
    store.check_head("wallet/ann", store.head("wallet/ann"))


def test_no_epoch_begins_under_a_running_server(store: Store) -> None:
    paid(store, 0)
    lease = store.take_lease("table/a", "one", ttl_ms=5000)
    assert lease is not None
    with pytest.raises(EpochRefused):
        store.begin_epoch(2000, "a test")
    store.release_lease(lease)
    store.begin_epoch(2000, "a test")


def test_a_lease_that_was_taken_while_the_clock_was_ahead_is_of_no_running_server(
    store: Store, place: Place
) -> None:
    """A server was killed then, and its clock is right again; no process must wait for days."""
    paid(store, 0)
    assert store.take_lease("table/a", "one", ttl_ms=5000) is not None
    place.clock.ms -= 10 * 24 * 3_600_000
    store.begin_epoch(2000, "a test")


def test_a_snapshot_belongs_to_its_event(store: Store, place: Place) -> None:
    """A snapshot of a time that has ended fits no other event of the same version."""
    paid(store, 0, snapshot='{"rich":true}')
    ((body, code),) = place.run("SELECT body, code FROM snapshots")
    place.run("DELETE FROM snapshots")
    place.run("DELETE FROM events WHERE stream = 'wallet/ann'")
    place.run("DELETE FROM streams WHERE name = 'wallet/ann'")
    write(store, "wallet/ann", 0, event(body='{"other":1}'))
    place.run(f"INSERT INTO snapshots VALUES ('wallet/ann', 1, 1000, '{body}', '{code}')")
    assert store.snapshot("wallet/ann") is None
    # Nor does it help to give the event the hash of the old one.
    stored = store.stored_snapshot("wallet/ann")
    assert stored is not None
    assert not stored[1]


def test_a_copy_beside_its_original_has_an_epoch_of_its_own(place: Place, tmp_path: Path) -> None:
    """The record beside the keys knows where a database was; a copy is in another place."""
    keyring = Keyring(tmp_path / "felt.keys")
    first = open_store(str(place.address), keyring=keyring)
    paid(first, 0)
    begun = first.authentication()
    assert begun is not None
    known = keyring.databases
    assert known is not None
    (entry,) = known._read()
    assert (entry.database, entry.epoch) == (begun.database, begun.epoch)
    # The original has moved away: what is here now is known from another location.
    known.forget(entry.location)
    known.note(msgspec.structs.replace(entry, location="elsewhere"))
    copy = open_store(str(place.address), keyring=Keyring(tmp_path / "felt.keys"))
    paid(copy, 1)
    again = copy.authentication()
    assert again is not None
    assert again.database == begun.database
    assert again.epoch != begun.epoch
    # In its own place, it stays in that epoch.
    third = open_store(str(place.address), keyring=Keyring(tmp_path / "felt.keys"))
    paid(third, 2)
    assert third.authentication() == again
    for opened in (first, copy, third):
        opened.close()


def test_a_copy_has_another_id(store: Store, place: Place) -> None:
    """Processes of a rehearsal on a copy must not hear those of the original."""
    original = store.copy_id(1000)
    assert place.open().copy_id(2000) == original
    store.begin_epoch(3000, "a restore")
    restored = store.copy_id(4000)
    assert restored != original
    assert place.open().copy_id(5000) == restored
    assert len(restored) == 16
