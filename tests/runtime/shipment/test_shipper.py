"""The shipper: what is new, once, in order, and nothing that is secret."""

import errno
import gzip
import json
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.cards import UNKNOWN_CARD
from openfelt.rules.house import DealerMode
from openfelt.rules.round import Phase
from openfelt.runtime.notary import Notary
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.shipment import shipper
from openfelt.runtime.shipment.segment_file import (
    SegmentError,
    SignedManifest,
    read_manifest,
    records_in,
    remove_unfinished,
    segment_files,
    segment_path,
    signed_manifest,
    write_segment,
)
from openfelt.runtime.shipment.segment_records import ShippedEvent, ShippedRound
from openfelt.runtime.shipment.shipper import ShipmentError
from openfelt.runtime.streams import VOUCHER_KEYS_STREAM, shipment_stream
from openfelt.storage.backup.unfinished_files import UNFINISHED
from openfelt.storage.door import Store
from openfelt.storage.secrecy.envelopes import Envelope, is_enveloped
from tests.kit.audit.audited_cages import worked_cage
from tests.kit.audit.audited_floors import DAY_MS, Floor, five_houses, tamper
from tests.kit.audit.audits import KEY
from tests.kit.audit.old_floors import old_floor
from tests.kit.audit.shipped_floors import audited_copy, ship
from tests.kit.storage.store_places import Place


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    """A small floor."""
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 2)
    return floor


def test_each_segment_has_what_is_new(floor: Floor, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    first = ship(floor, copy)
    assert first is not None
    assert ship(floor, copy) is None
    floor.play("net-1")
    second = ship(floor, copy)
    assert second is not None
    assert (second.manifest.number, second.manifest.previous) == (2, first.hash)
    assert (first.manifest.rounds, second.manifest.rounds) == (2, 1)
    events = [
        (record.stream, record.version)
        for path in segment_files(copy).values()
        for record in records_in(path)
        if isinstance(record, ShippedEvent)
    ]
    heads = floor.store.heads()
    own = shipment_stream(first.manifest.copy)
    # The record of the second segment itself is part of the third.
    assert heads[own].version == 2
    assert len(events) == len(set(events)) == sum(head.version for head in heads.values()) - 1 + 1
    assert audited_copy(copy).clean


def test_a_file_system_without_hard_links_takes_segments_too(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("os.link", no_links)
    copy = tmp_path / "copy"
    shipped = ship(floor, copy)
    assert shipped is not None
    assert sorted(path.name for path in copy.glob("*.segment*")) == ["00000001.segment"]
    assert audited_copy(copy).clean
    with pytest.raises(FileExistsError):
        write_segment(copy, 1, (), lambda *_: shipped)
    assert read_manifest(segment_path(copy, 1)) == shipped


def test_a_checkpoint_alone_is_shipped_once(floor: Floor, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    ship(floor, copy)
    notary = Notary(floor.store, KEY, floor.clock)
    notary.sign()
    signed = ship(floor, copy)
    assert signed is not None
    assert signed.manifest.checkpoint == 1
    # The next checkpoint only signs that this was shipped.
    assert notary.sign() is not None
    assert ship(floor, copy) is None


def test_no_hidden_card_leaves_the_house(shipped: Path) -> None:
    """Cards that were not shown are encrypted in a copy, and no key is in it."""
    floor = Floor(shipped / "floor.db")
    reader = RoundReader(floor.store)
    kept: dict[tuple[str, int], str] = {}
    for path in segment_files(shipped / "copy").values():
        for record in records_in(path):
            if isinstance(record, ShippedRound):
                kept[record.table, record.number] = record.kept
            elif isinstance(record, ShippedEvent) and is_enveloped(record.body):
                envelope = Envelope.parse(record.body)
                assert envelope is not None
                assert "card" not in envelope.open_json
    hidden = 0
    for (table, number), body in kept.items():
        recorded = reader.read(table, number)
        final = recorded.final()
        parts = json.loads(json.loads(body).get("shown", "{}"))
        told = [part for part in map(json.loads, parts.values()) if "card" in part]
        mucked = [card for hand in final.hands.values() if not hand.face_up for card in hand.cards]
        if not final.dealer_face_up:
            mucked += final.dealer
        mucked += final.common[final.common_face_up :]
        hidden += len(mucked)
        shown = sum(len(hand.cards) for hand in final.hands.values() if hand.face_up)
        shown += len(final.dealer) if final.dealer_face_up else 0
        assert len(told) <= shown + final.common_face_up
        for card in mucked:
            # Terminals of a hall have decks of their own, so another hand may hold the same card.
            places = [hand for hand in final.hands.values() if hand.face_up]
            held = [*(card for hand in places for card in hand.cards)]
            held += [*final.common[: final.common_face_up]]
            held += final.dealer if final.dealer_face_up else ()
            if card not in held:
                assert {"card": str(card)} not in told
                assert f'"{card}"' not in body.replace("\\", "")
        assert final.phase in (Phase.SETTLED, Phase.VOIDED)
    assert hidden > 5
    floor.store.close()


def test_a_round_in_progress_is_shipped_sealed(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.open("arena-1", "stadium", mode=DealerMode.VIRTUAL)
    floor.bet("arena-1")
    floor.close("arena-1")
    ship(floor, tmp_path / "copy")
    path = segment_path(tmp_path / "copy", 1)
    state = floor.state("arena-1")
    assert not state.dealer_face_up
    cards = (*state.dealer, *state.common[state.common_face_up :])
    assert len(cards) >= 5
    assert UNKNOWN_CARD not in cards
    bodies = [record.body for record in records_in(path) if isinstance(record, ShippedEvent)]
    assert not any(f'"{card}"' in body for card in cards for body in bodies)
    secrets = floor.store.secrets("table/arena-1")
    plain = gzip.decompress(path.read_bytes().partition(b"\n")[2]).decode()
    assert len(secrets) > 1
    assert not any(body in plain for body in secrets.values())
    assert audited_copy(tmp_path / "copy").counts.rounds_in_progress == 1


def test_a_removed_segment_is_noticed_where_it_is_shipped(floor: Floor, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    ship(floor, copy)
    floor.play("net-1")
    ship(floor, copy)
    content = segment_path(copy, 2).read_bytes()
    segment_path(copy, 2).unlink()
    floor.play("net-1")
    with pytest.raises(ShipmentError, match="Segment 2 was shipped to this folder"):
        ship(floor, copy)
    segment_path(copy, 2).write_bytes(content[:-1])
    with pytest.raises(SegmentError, match="bytes of records"):
        ship(floor, copy)
    segment_path(copy, 2).write_bytes(content)
    assert ship(floor, copy) is not None
    assert audited_copy(copy).clean


def test_what_was_written_and_not_recorded_is_recorded_later(floor: Floor, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    before = tmp_path / "before.db"
    floor.store.close()
    before.write_bytes(floor.path.read_bytes())
    floor = Floor(floor.path)
    signed = ship(floor, copy)
    assert signed is not None
    floor.store.close()
    floor.path.write_bytes(before.read_bytes())
    for ending in ("-wal", "-shm"):
        floor.path.with_name(floor.path.name + ending).unlink(missing_ok=True)
    again = Floor(floor.path)
    assert ship(again, copy) is None
    assert again.store.head(shipment_stream(signed.manifest.copy)).version == 1
    again.store.close()


def test_a_segment_by_another_hand_is_not_taken_for_one_of_the_house(
    floor: Floor, tmp_path: Path
) -> None:
    """Those who hold the copy cannot write the next segment, and leave out what happened."""
    copy, forged = tmp_path / "copy", Ed25519PrivateKey.generate()
    true = ship(floor, tmp_path / "other")
    assert true is not None

    def sign(size: int, sha256: str) -> SignedManifest:
        manifest = msgspec.structs.replace(
            true.manifest, copy="a" * 16, size=size, sha256=sha256, events=0
        )
        return signed_manifest(manifest, forged)

    copy.mkdir()
    write_segment(copy, 1, (), sign)
    with pytest.raises(ShipmentError, match="Segment 1 of this folder is not in the record"):
        ship(floor, copy)
    assert floor.store.head(shipment_stream("a" * 16)).version == 0


@pytest.mark.parametrize("part", [".body", ""])
def test_a_link_of_those_who_keep_the_copy_is_not_followed(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """They lay it where the shipper is about to write, onto a file of the house."""
    copy, keys = tmp_path / "copy", tmp_path / "secrets.keys"
    copy.mkdir()
    keys.write_text("the keys of the house")
    keys.chmod(0o600)
    link = copy / f"00000001.segment{part}{UNFINISHED}"

    def laid(folder: Path) -> None:
        remove_unfinished(folder)
        link.symlink_to(keys)

    monkeypatch.setattr(shipper, "remove_unfinished", laid)
    with pytest.raises(FileExistsError):
        ship(floor, copy)
    assert keys.read_text() == "the keys of the house"
    assert keys.stat().st_mode & 0o777 == 0o600
    monkeypatch.undo()
    assert ship(floor, copy) is not None


def test_an_older_state_is_not_shipped_over_a_newer_one(floor: Floor, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    floor.store.close()
    before = floor.path.read_bytes()
    floor = Floor(floor.path)
    floor.cashier.deposit("ann", 100, id="later")
    ship(floor, copy)
    floor.store.close()
    floor.path.write_bytes(before)
    again = Floor(floor.path)
    with pytest.raises(ShipmentError, match="does not continue what was shipped of"):
        ship(again, copy)
    again.store.close()


def test_what_was_appended_without_a_key_is_not_signed(floor: Floor, tmp_path: Path) -> None:
    floor.store.close()
    tamper(floor.path, "UPDATE events SET body = replace(body, '5000', '6000')")
    again = Floor(floor.path)
    with pytest.raises(ShipmentError, match="Run an audit"):
        ship(again, tmp_path / "copy")
    assert not segment_files(tmp_path / "copy")
    again.store.close()


def test_rounds_that_were_purged_before_and_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = old_floor(tmp_path / "floor.db", monkeypatch)
    ship(floor, tmp_path / "copy")
    assert audited_copy(tmp_path / "copy").clean
    floor.clock.now_ms += 60 * DAY_MS
    purge = Purge(floor.store, floor.worker_services.codec, RoundReader(floor.store), floor.clock)
    for table in purge.tables():
        while purge.step(table, keep_days=20):
            pass
        while purge.drop_proofs(table, keep_days=30):
            pass
    Notary(floor.store, KEY, floor.clock).sign()
    ship(floor, tmp_path / "copy")
    ship(floor, tmp_path / "other")
    for copy in ("copy", "other"):
        report = audited_copy(tmp_path / copy)
        assert report.clean, report.findings
        assert report.counts.rounds_settled == 18
        assert report.counts.purges == 2
    floor.store.close()


def test_a_whole_floor_of_either_kind_of_database(place: Place, tmp_path: Path) -> None:
    store: Store = place.open()
    floor = five_houses(tmp_path / "unused", store=store)
    ship(floor, tmp_path / "copy")
    floor.play("net-1")
    assert ship(floor, tmp_path / "copy") is not None
    report = audited_copy(tmp_path / "copy")
    assert report.clean, report.findings
    assert report.counts.rounds_settled == 23
    assert read_manifest(segment_path(tmp_path / "copy", 2)).manifest.rounds == 1


def test_the_work_of_a_cage(tmp_path: Path) -> None:
    """Vouchers and drawers are checked in a copy, and the keys of their codes are not in it."""
    worked_cage(tmp_path / "floor.db")
    floor = Floor(tmp_path / "floor.db")
    ship(floor, tmp_path / "copy")
    report = audited_copy(tmp_path / "copy")
    assert report.clean, report.findings
    assert (report.counts.vouchers, report.counts.drawers) == (4, 1)
    packed = segment_path(tmp_path / "copy", 1).read_bytes().partition(b"\n")[2]
    plain = gzip.decompress(packed).decode()
    keys = floor.store.secrets(VOUCHER_KEYS_STREAM)
    assert keys
    assert not any(key in plain for key in keys.values())
    floor.store.close()
