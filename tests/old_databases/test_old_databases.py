"""Databases of earlier versions open, pass their audit, prove their rounds and are played on."""

import itertools
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from openfelt.rules import CloseBets, MakeDecision, clock_decision
from openfelt.rules.wagers import Spot
from openfelt.runtime.audit.database import audit
from openfelt.runtime.audit.report import AuditReport
from openfelt.runtime.notary.keys import read_public_key
from openfelt.storage.sqlite import SqliteStore
from tests.kit.floors import Shift, check_books
from tests.kit.repository import ROOT
from tests.kit.server.open_house import PASSWORD, OpenHouse, open_house
from tests.kit.tables import FLOOR

FOLDER = ROOT / "tests" / "old_databases"
OWNER_ONLY = 0o600


@pytest.fixture(params=sorted(path.name for path in FOLDER.glob("v*")))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of an old database, with its notary's files beside it."""
    copy = tmp_path / "old"
    shutil.copytree(FOLDER / request.param, copy)
    for path in copy.glob("felt.db*"):
        path.chmod(OWNER_ONLY)
    return copy / "felt.db"


def audited(database: Path) -> AuditReport:
    """The audit of a database against its notary's key and published checkpoints."""
    key = database.with_name(f"{database.name}.notary.key")
    with closing(SqliteStore(database)) as store:
        return audit(
            store,
            public_keys=[read_public_key(key.with_name(f"{key.name}.pub"))],
            published=key.with_name(f"{key.name}.checkpoints"),
        )


def events_of(database: Path) -> set[tuple[object, ...]]:
    """Every stored event, as the row of the version that wrote it."""
    columns = "stream, version, name, schema, body, at_ms, previous, hash"
    with closing(sqlite3.connect(database)) as connection:
        return set(connection.execute(f"SELECT {columns} FROM events"))


def private_table(database: Path) -> tuple[str, str]:
    """The private table with a hand in play, and its player."""
    with closing(SqliteStore(database)) as store:
        (stream,) = store.streams("table/private.")
    table = stream.removeprefix("table/")
    return table, table.rpartition(".")[2]


def test_an_old_database_passes_its_audit(old: Path) -> None:
    report = audited(old)
    assert report.findings == ()
    counts = report.counts
    assert (counts.rounds_settled, counts.rounds_voided, counts.rounds_in_progress) == (39, 1, 1)
    assert counts.published > 0
    # Snapshots only save time; those without seeds are made again.
    assert counts.snapshots == 0
    assert [note for note in report.notes if note.endswith("has an older form.")]
    # No round of that version had its deck committed to before its wagers.
    assert counts.rounds_sealed_late > 39
    assert counts.seeds == 0


async def test_old_proofs_are_served_byte_for_byte_and_verify(old: Path) -> None:
    async with open_house(old.parent, database=str(old)) as house:
        ann = await signed_in_as(house, "ann")
        table, _ = private_table(old)
        proofs = {path.stem: path.read_bytes() for path in (old.parent / "proofs").iterdir()}
        for name, number in {"stadium-1": 2, "draw-1": 3, "private": 30}.items():
            url = f"/api/v1/tables/{table if name == 'private' else name}/rounds/{number}/proof"
            assert (await ann.get(url)).content == proofs[name]
        for proof in proofs.values():
            verdict = (await ann.post("/api/v1/verify", content=proof)).json()
            assert verdict["ok"], verdict


async def test_accounts_of_an_old_database_are_as_they_were(old: Path) -> None:
    async with open_house(old.parent, database=str(old)) as house:
        ann = await signed_in_as(house, "ann")
        me = (await ann.get("/api/v1/me")).json()
        assert (me["player"], me["role"]) == (private_table(old)[1], "player")
        await signed_in_as(house, "dora")
        supervisor = await house.supervisor()
        assert (await supervisor.get("/api/v1/me")).json()["role"] == "supervisor"


async def test_an_old_database_is_played_on_and_its_record_only_grows(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The same helper wrote the database, and its store still remembers those command ids.
    monkeypatch.setattr("tests.kit.server.open_house._IDS", itertools.count(1_000_000))
    before = events_of(old)
    table, player = private_table(old)
    async with open_house(old.parent, database=str(old)) as house:
        waiting = (await house.state(table)).playing
        assert waiting is not None
        hole_cards = waiting.hands[Spot(1, 1)].cards
        while (playing := (await house.state(table)).playing) is not None:
            decision = MakeDecision(Spot(1, 1), clock_decision(playing, Spot(1, 1)))
            await house.do(table, decision, player)
        assert (await house.state(table)).rounds == 31
        await house.bet(table, 1)
        await house.play(table)
        await house.bet("stadium-1", 1, 2)
        await house.play("stadium-1")
        ann = await signed_in_as(house, "ann")
        replay = (await ann.get(f"/api/v1/tables/{table}/rounds/31")).json()
        hand = replay["steps"][-1]["public"]["hands"]["1.1"]
        assert hand["cards"] == [str(card) for card in hole_cards]
    after = events_of(old)
    assert before < after
    report = audited(old)
    assert report.findings == ()
    assert report.counts.rounds_settled == 39 + 3


async def signed_in_as(house: OpenHouse, name: str) -> httpx.AsyncClient:
    """A browser in which an account of the old database has signed in."""
    client = await house.client()
    answer = await client.post("/api/v1/sign-in", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return client


def test_a_link_of_an_old_database_counts_on_by_feeds(old: Path) -> None:
    """Its old rounds stay booked as they were, and new ones come by the feed of their table."""
    with closing(Shift(old)) as shift:
        shift.clock.wall = int(time.time() * 1000)
        links = shift.worker_services.links
        before = links.reload("house-link")
        assert before.link is not None
        assert (before.link.rounds, before.link.folded, before.waiting) == (1, {}, ())
        desk = shift.work_at("washington-1", lease=shift.lease("washington-1"))
        if desk.table.playing is not None:
            desk.void()
        seat = next(number for number in range(1, 7) if number not in desk.table.seats)
        desk.sit("newcomer", seat, 500).bet("newcomer", f"{seat}.1", "ante 10, progressive 1")
        desk.do(CloseBets(), FLOOR).choose("newcomer", f"{seat}.1", "4x")
        assert desk.table.playing is None
        assert shift.names("feed/house-link/washington-1") == ["link_round_fed"]
        shown = links.shown("house-link")
        assert links.fold("house-link") == 1
        after = links.reload("house-link").link
        assert after == shown
        assert after is not None
        assert (after.rounds, after.folded) == (2, {"washington-1": 1})
        assert after.meter.amount == before.link.meter.amount + 25
        check_books(shift, desk)
        assert audit(shift.store).findings == ()
