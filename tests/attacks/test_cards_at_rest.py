"""A thief of the database, or its administrator, looks for cards that were never shown: the order
of decks, the hole cards of a round in progress, and mucked hands. Without the key there is none in
any byte; and once a deck is purged, its undealt cards are gone even for the owner of the key."""

import base64
import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof_forms import proof_json
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.tables.recovery.store_preparation import prepare_store
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Damaged, KeyMissing, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.keyring import Keyring
from openfelt.storage.rulebook import Rulebook
from tests.kit.floors import StandingClock
from tests.kit.repository import ROOT
from tests.kit.server.open_house import OpenHouse, open_house
from tests.kit.storage.store_places import Place

OLD = ROOT / "tests" / "old_databases" / "v0.1.0" / "felt.db"
CARD = re.compile(r'(?<=[" ])[2-9TJQKA][cdhs](?=[" ])')
"""A card in JSON, alone or in a row. Encrypted texts contain neither quotes nor spaces."""
ROUNDS = 3
KEEP_DAYS = 90


async def played(house: OpenHouse) -> None:
    """Some rounds at a table, and one in which the hand is still hidden."""
    cashier = house.services.floor.cashier
    await house.services.floor.in_thread(lambda: cashier.deposit("ann", 1_000_000, id="1"))
    await house.sit("draw-1", "ann", 1)
    for _ in range(ROUNDS):
        await house.bet("draw-1", 1)
        await house.play("draw-1")
    await house.sit("washington-1", "ann", 1)
    await house.bet("washington-1", 1)
    await house.deal("washington-1")


def texts(place: Place) -> str:
    """Every text of the database, as SQL gives it."""
    queries = (
        "SELECT body FROM secrets",
        "SELECT body FROM snapshots",
        """SELECT body FROM events WHERE name NOT IN ('round_settled', 'table_opened')
        AND body NOT LIKE '%"face_up":true%'""",
    )
    return "\n".join(str(body) for query in queries for (body,) in place.run(query))


def bytes_of(place: Place) -> bytes:
    """Every byte of a SQLite database, with its log."""
    assert isinstance(place.address, Path)
    return b"".join(path.read_bytes() for path in place.address.parent.glob("felt.db*"))


def decks_of(store: Store) -> list[str]:
    """The secret decks of both tables, opened with the key."""
    streams = ("table/draw-1", "table/washington-1")
    secrets = [secret for stream in streams for secret in store.secrets(stream).items()]
    return [json.loads(body)["cards"] for name, body in secrets if not name.startswith("key/")]


async def test_no_hidden_card_is_in_the_database(place: Place, tmp_path: Path) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await played(house)
        store = house.services.store
        decks = decks_of(store)
        assert len(decks) > ROUNDS
        assert not CARD.findall(texts(place))
        if isinstance(place.address, Path):
            raw = bytes_of(place)
            for cards in decks:
                assert cards.encode() not in raw
                assert cards[:20].encode() not in raw


async def test_an_encrypted_deck_cannot_be_moved_changed_or_opened(
    place: Place, tmp_path: Path
) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await played(house)
    thief = Keyring(tmp_path / "thief.keys")
    with closing(open_store(str(place.address), keyring=thief)) as store:
        with pytest.raises(KeyMissing):
            store.secrets("table/draw-1", "1/")
        report = audit(store)
        assert report.findings == ()
        assert any("encrypted with the key 00c0ffee" in note for note in report.notes)
    place.run(
        "UPDATE secrets SET body = (SELECT body FROM secrets WHERE stream = 'table/draw-1'"
        " AND name = '2/table') WHERE stream = 'table/draw-1' AND name = '1/table'"
    )
    with closing(open_store(str(place.address))) as store:
        with pytest.raises(Damaged):
            store.secrets("table/draw-1", "1/")
        assert any("cannot be opened" in str(finding) for finding in audit(store).findings)


async def test_a_server_without_the_key_of_a_round_in_progress_does_not_start(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await played(house)
    monkeypatch.setenv("OPENFELT_KEYS", f"00000001:{'1' * 64}")
    with pytest.raises(KeyMissing, match="encrypted with the key 00c0ffee, which is not in"):
        async with open_house(tmp_path, database=str(place.address)):
            pass


async def test_purged_decks_are_gone_and_shown_cards_stay_provable(
    place: Place, tmp_path: Path
) -> None:
    clock = StandingClock()
    async with open_house(tmp_path, database=str(place.address), clock=clock) as house:
        await played(house)
        store, floor = house.services.store, house.services.floor
        reader = RoundReader(store)
        purge = Purge(store, floor.worker_services.codec, reader, clock)
        rounds = [reader.read("draw-1", number) for number in range(1, ROUNDS + 1)]
        before = [
            proof_json(reader.proof(recorded, seat=seat))
            for recorded in rounds
            for seat in (None, 1)
        ]
        encrypted = [str(body) for (body,) in place.run("SELECT body FROM secrets")]
        assert purge.step("draw-1", keep_days=KEEP_DAYS) == 0
        clock.pass_ms(KEEP_DAYS * DAY_MS + 1)
        assert purge.step("draw-1", keep_days=KEEP_DAYS) == ROUNDS
        assert purge.step("draw-1", keep_days=KEEP_DAYS) == 0
        # A round in progress keeps its deck, however old it is.
        assert purge.step("washington-1", keep_days=KEEP_DAYS) == 0
        assert store.secret_names("table/washington-1")
        # The deck of the next round has been committed to, and is not old.
        assert store.secret_names("table/draw-1") == (f"{ROUNDS + 1}/table",)
        store.scrub()
        after = [
            proof_json(reader.proof(recorded, seat=seat))
            for recorded in rounds
            for seat in (None, 1)
        ]
        assert after == before
        for recorded in rounds:
            check_round_proof(reader.proof(recorded), recorded.opened.house)
        report = audit(store)
        assert report.findings == ()
        assert report.counts.decks_purged == ROUNDS
        if isinstance(place.address, Path):
            raw = bytes_of(place)
            left = {str(body) for (body,) in place.run("SELECT body FROM secrets")}
            for body in set(encrypted) - left:
                # Not even with the key: the encrypted text itself is gone.
                assert body.encode() not in raw
                assert base64.b64decode(body) not in raw


async def test_deleting_a_deck_or_a_proof_is_no_purge(place: Place, tmp_path: Path) -> None:
    clock = StandingClock()
    async with open_house(tmp_path, database=str(place.address), clock=clock) as house:
        await played(house)
        store, floor = house.services.store, house.services.floor
        clock.pass_ms(KEEP_DAYS * DAY_MS + 1)
        Purge(store, floor.worker_services.codec, RoundReader(store), clock).step(
            "draw-1", keep_days=90
        )
        assert audit(store).findings == ()
        place.run("DELETE FROM secrets WHERE stream = 'purge/draw-1' AND name = '2/proofs'")
        (finding,) = audit(store).findings
        assert "The proofs that it kept are missing or changed" in str(finding)
        place.run("DELETE FROM events WHERE stream = 'purge/draw-1'")
        place.run("DELETE FROM streams WHERE name = 'purge/draw-1'")
        sentences = [str(finding) for finding in audit(store).findings]
        assert sum("deck table of draw-1/" in sentence for sentence in sentences) == ROUNDS


def test_decks_of_earlier_versions_are_encrypted_and_their_plain_text_is_gone(
    tmp_path: Path,
) -> None:
    path = tmp_path / "felt.db"
    shutil.copyfile(OLD, path)
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT body FROM secrets WHERE stream LIKE 'table/%'"
        decks = [json.loads(body) for (body,) in connection.execute(query)]
    assert decks
    with closing(open_store(str(path))) as store:
        prepare_store(store, EventCodec(Rulebook(store).codec))
        assert audit(store).findings == ()
        raw = bytes_of(Place(path))
        for deck in decks:
            assert deck["cards"].encode() not in raw
            assert deck["key"].encode() not in raw
