"""The notary: what it signs, what it refuses to sign, and what it publishes."""

import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.notary.checkpoints import (
    checkpoint_hash,
    read_published_line,
    read_statement,
    signature_holds,
)
from openfelt.runtime.notary.notary import Notary, NotaryError
from openfelt.storage.door import FIRST_HASH, Checkpoint
from tests.kit.audit.audited_floors import Floor, HandClock, tamper

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    return floor


def notary(floor: Floor, published: Path | None = None) -> Notary:
    return Notary(floor.store, KEY, floor.clock, published=published)


def published_numbers(path: Path) -> list[int]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [read_published_line(line).number for line in lines]


def test_it_names_what_has_changed_and_nothing_else(floor: Floor) -> None:
    signing = notary(floor)
    first = signing.sign()
    assert first is not None
    assert (first.number, first.key) == (1, signing.public_key)
    assert signature_holds(first)
    said = read_statement(first)
    assert said.previous == FIRST_HASH
    assert set(said.heads) == {"appends", "table/net-1", "wallet/net-1-p1"}
    assert said.heads["table/net-1"].hash == floor.store.head("table/net-1").hash
    assert signing.sign() is None
    floor.play("net-1")
    second = signing.sign()
    assert second is not None
    assert set(read_statement(second).heads) == {"table/net-1"}
    assert read_statement(second).previous == checkpoint_hash(first)
    assert list(floor.store.checkpoints()) == [first, second]


def test_an_empty_store_has_nothing_to_sign(tmp_path: Path) -> None:
    assert notary(Floor(tmp_path / "empty.db")).sign() is None


def test_another_process_continues_where_the_first_one_ended(floor: Floor) -> None:
    notary(floor).sign()
    assert notary(floor).sign() is None
    floor.play("net-1")
    second = notary(floor).sign()
    assert second is not None
    assert second.number == 2


def test_two_processes_that_race_sign_one_after_the_other(floor: Floor) -> None:
    one, other = notary(floor), notary(floor)
    one.sign()
    other.sign()
    for number in range(2, 6):
        floor.cashier.deposit("ann", 100, id=f"{number}")
        signed = (one if number % 2 else other).sign()
        assert signed is not None
        assert signed.number == number
        # The other one finds its number taken, reads again, and has nothing more to say.
        assert (other if number % 2 else one).sign() is None
    assert [checkpoint.number for checkpoint in floor.store.checkpoints()] == [1, 2, 3, 4, 5]


def test_its_time_never_goes_back(floor: Floor) -> None:
    first = notary(floor).sign()
    assert first is not None
    floor.play("net-1")
    second = Notary(floor.store, KEY, HandClock(5)).sign()
    assert second is not None
    assert second.at_ms == first.at_ms


# What it refuses ---------------------------------------------------------------------

CUT = "DELETE FROM events WHERE stream = 'table/net-1' AND version > 3"
HEAD_BACK = (
    "UPDATE streams SET version = 3, hash = (SELECT hash FROM events"
    " WHERE stream = 'table/net-1' AND version = 3) WHERE name = 'table/net-1'"
)


@pytest.mark.parametrize(
    ("statements", "stream"),
    [
        ([CUT, HEAD_BACK], "table/net-1"),
        (["UPDATE events SET hash = 'x' WHERE stream = 'table/net-1' AND version = 4"], None),
        (["DELETE FROM streams WHERE name = 'table/net-1'"], "table/net-1"),
        (["UPDATE streams SET hash = 'x' WHERE name = 'table/net-1'"], "table/net-1"),
    ],
    ids=["cut", "changed", "gone", "head"],
)
def test_it_signs_no_stream_that_does_not_continue_what_was_signed(
    floor: Floor, statements: list[str], stream: str | None
) -> None:
    signing = notary(floor)
    signing.sign()
    if stream is None:
        floor.play("net-1")
    tamper(floor.path, *statements)
    for one in (signing, notary(floor)):
        with pytest.raises(NotaryError, match="table/net-1 had the signed event 4"):
            one.sign()


# Publishing --------------------------------------------------------------------------


def test_each_checkpoint_is_published_as_one_line(floor: Floor, tmp_path: Path) -> None:
    published = tmp_path / "checkpoints.jsonl"
    signing = notary(floor, published)
    signing.sign()
    signing.sign()
    floor.play("net-1")
    signing.sign()
    lines = published.read_text(encoding="utf-8").splitlines()
    assert [read_published_line(line) for line in lines] == list(floor.store.checkpoints())


def test_checkpoints_that_an_outage_delayed_are_published_later(
    floor: Floor, tmp_path: Path
) -> None:
    published = tmp_path / "checkpoints.jsonl"
    signing = notary(floor, published)
    signing.sign()
    whole = published.read_bytes()
    floor.play("net-1")
    notary(floor).sign()
    # The machine failed within the line of the second checkpoint.
    published.write_bytes(whole + b'{"number":2,"at_')
    assert notary(floor, published).sign() is None
    floor.play("net-1")
    last = notary(floor, published).sign()
    assert last is not None
    lines = published.read_text(encoding="utf-8").splitlines()
    assert lines[1] == '{"number":2,"at_'
    assert [read_published_line(line).number for line in (lines[0], *lines[2:])] == [1, 2, 3]


def test_two_processes_publish_each_checkpoint_once(floor: Floor, tmp_path: Path) -> None:
    published = tmp_path / "checkpoints.jsonl"
    one, other = notary(floor, published), notary(floor, published)
    for number in range(6):
        floor.cashier.deposit("ann", 100, id=f"{number}")
        (one if number % 3 else other).sign()
        (other if number % 3 else one).sign()
    assert published_numbers(published) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DELETE FROM checkpoints WHERE number = 2", "is not in the database"),
        (
            "UPDATE checkpoints SET at_ms = at_ms + 1 WHERE number = 2",
            "differs from that in the database",
        ),
    ],
)
def test_it_signs_nothing_if_a_published_checkpoint_is_gone(
    floor: Floor, tmp_path: Path, statement: str, words: str
) -> None:
    published = tmp_path / "checkpoints.jsonl"
    signing = notary(floor, published)
    signing.sign()
    floor.play("net-1")
    signing.sign()
    tamper(floor.path, statement)
    with pytest.raises(NotaryError, match=f"Checkpoint 2 was published and {words}"):
        notary(floor, published).sign()


def test_an_unwritable_published_file_is_reported_and_written_later(
    floor: Floor, tmp_path: Path
) -> None:
    published = tmp_path / "elsewhere" / "checkpoints.jsonl"
    signing = notary(floor, published)
    with pytest.raises(FileNotFoundError):
        signing.sign()
    published.parent.mkdir()
    assert signing.sign() is None
    assert published_numbers(published) == [1]


def test_a_checkpoint_by_another_key_is_continued(floor: Floor) -> None:
    """Keys are changed from time to time; auditors are given both."""
    notary(floor).sign()
    floor.play("net-1")
    second: Checkpoint | None = Notary(
        floor.store, Ed25519PrivateKey.generate(), floor.clock
    ).sign()
    assert second is not None
    assert second.number == 2


def test_damaged_checkpoints_and_lines_stop_it(floor: Floor, tmp_path: Path) -> None:
    notary(floor).sign()
    published = tmp_path / "checkpoints.jsonl"
    published.write_text("nothing\n", encoding="utf-8")
    with pytest.raises(NotaryError, match="is wrong"):
        notary(floor, published).sign()
    tamper(floor.path, "UPDATE checkpoints SET body = '{}'")
    with pytest.raises(NotaryError, match="Checkpoint 1 is invalid"):
        notary(floor).sign()


def test_what_is_published_is_on_the_disk_before_the_notary_goes_on(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loss of power must not take back a checkpoint that the notary takes for published."""
    published = tmp_path / "checkpoints.jsonl"
    synced: dict[int, int] = {}
    sync = os.fsync

    def recorded(descriptor: int) -> None:
        sync(descriptor)
        status = os.fstat(descriptor)
        synced[status.st_ino] = status.st_size

    monkeypatch.setattr(os, "fsync", recorded)
    signing = notary(floor, published)
    for _ in range(3):
        synced.clear()
        floor.play("net-1")
        signing.sign()
        assert synced.get(published.stat().st_ino) == published.stat().st_size
        if len(published_numbers(published)) == 1:
            # A new file is lost with its entry in the folder.
            assert tmp_path.stat().st_ino in synced
