"""A thief of the database and of its key reads mucked hands of last year; or the operator looks up
what a player folded. Once a round is purged, only the cards that were shown can be read by anybody,
and the record, its proofs and its money still hold."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from openfelt.cards import UNKNOWN_CARD
from openfelt.rules import CloseBets, MakeDecision, SetWagers
from openfelt.rules.decisions import Bet, Check, Fold
from openfelt.rules.round_events import CardDealt
from openfelt.rules.unknown_cards import has_unknown_cards
from openfelt.rules.wagers import Spot, Wager, WagerKind
from openfelt.runtime.audit import audit
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.tables.recovery import snapshots
from openfelt.runtime.tables.recovery.recovery import recover
from openfelt.server.history import recent_rounds
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Damaged, Purged, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook
from tests.kit.floors import StandingClock
from tests.kit.server.open_house import OpenHouse, name_of, open_house
from tests.kit.storage.store_places import Place

KEEP_DAYS = 1
WAGERS = (Wager(WagerKind.ANTE, 500), Wager(WagerKind.BLIND, 500))
"""With a side bet, a hand would be shown although it is folded."""


class Played:
    """A guest's private table: a round with a mucked hand, and one with a hand that was shown."""

    def __init__(self, house: OpenHouse, guest: httpx.AsyncClient, name: str, table: str) -> None:
        self.house = house
        self.guest = guest
        self.name = name
        self.table = table

    @property
    def stream(self) -> str:
        return f"table/{self.table}"

    @property
    def store(self) -> Store:
        return self.house.services.store

    async def round(self, *, fold: bool) -> None:
        """Play a round: fold on the river, or bet before the flop."""
        house, table = self.house, self.table
        await house.do(table, SetWagers(Spot(1, 1), WAGERS), self.name)
        await house.do(table, CloseBets(), self.name)
        while (playing := (await house.state(table)).playing) is not None:
            if not fold and playing.street == "before_flop":
                await house.do(table, MakeDecision(Spot(1, 1), Bet(4)), self.name)
            elif playing.street == "on_river":
                await house.do(table, MakeDecision(Spot(1, 1), Fold()), self.name)
            else:
                await house.do(table, MakeDecision(Spot(1, 1), Check()), self.name)

    def purge(self) -> int:
        floor = self.house.services.floor
        purge = Purge(
            self.store, floor.worker_services.codec, RoundReader(self.store), self.house.clock
        )
        rounds = purge.step(self.table, keep_days=KEEP_DAYS)
        self.store.scrub()
        return rounds

    async def replay(self, number: int) -> dict[str, Any]:
        answer = await self.guest.get(f"/api/v1/tables/{self.table}/rounds/{number}")
        assert answer.status_code == 200, answer.text
        replay = answer.json()
        assert isinstance(replay, dict)
        return replay


async def played(house: OpenHouse) -> Played:
    guest = await house.guest()
    name = await name_of(guest)
    answer = await guest.post("/api/v1/tables/private", json={"house": "washington"})
    assert answer.status_code < 300, answer.text
    at = Played(house, guest, name, answer.json()["table"])
    await house.sit(at.table, name, 1)
    for fold in (True, False):
        await at.round(fold=fold)
    return at


def mucked(store: Store, stream: str) -> list[str]:
    """The events that dealt face-down cards, as the owner of the key reads them."""
    events = [event for event in store.events(stream) if event.decrypt is not None]
    return [event.plain_body for event in events]


async def test_mucked_hands_are_gone_for_the_owner_of_the_key_too(
    place: Place, tmp_path: Path
) -> None:
    clock = StandingClock()
    async with open_house(tmp_path, database=str(place.address), clock=clock) as house:
        at = await played(house)
        before = mucked(at.store, at.stream)
        assert any('"card"' in body for body in before)
        encrypted = [event.body for event in at.store.events(at.stream)]
        clock.pass_ms(KEEP_DAYS * DAY_MS + 1)
        assert at.purge() == 2
        assert not [name for name in at.store.secret_names(at.stream) if name.startswith("key/")]
        # Not a byte of the record has changed, and nothing of what it hides can be read.
        assert [event.body for event in at.store.events(at.stream)] == encrypted
        for event in at.store.events(at.stream):
            if event.decrypt is not None:
                with pytest.raises(Purged):
                    event.plain_body  # noqa: B018 (reading it decrypts it)
        with closing(open_store(str(place.address))) as other, pytest.raises(Purged):
            mucked(other, at.stream)
        kept = json.dumps(at.store.secrets(f"purge/{at.table}"))
        folded, shown = hands(at, 1), hands(at, 2)
        assert UNKNOWN_CARD in folded
        assert UNKNOWN_CARD not in shown
        assert all(str(card) in kept for card in shown)


def hands(at: Played, number: int) -> list[object]:
    """The player's cards in a round, as the record tells them now."""
    recorded = RoundReader(at.store).read(at.table, number)
    return [
        event.card
        for event, _ in recorded.events
        if isinstance(event, CardDealt) and event.place.spot is not None
    ]


async def test_proofs_money_and_audit_hold_after_a_purge(place: Place, tmp_path: Path) -> None:
    clock = StandingClock()
    async with open_house(tmp_path, database=str(place.address), clock=clock) as house:
        at = await played(house)
        clock.pass_ms(KEEP_DAYS * DAY_MS + 1)
        assert audit(at.store).counts.rounds_purged == 0
        assert at.purge() == 2
        report = audit(at.store)
        assert report.findings == ()
        assert report.counts.rounds_purged == 2
        assert report.counts.rounds_settled == 2
        reader = RoundReader(at.store)
        for number in (1, 2):
            recorded = reader.read(at.table, number)
            assert recorded.purged
            check_round_proof(reader.proof(recorded, seat=1), recorded.opened.house)


async def test_a_replay_shows_what_was_public_and_says_that_the_rest_is_purged(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Rounds are kept in memory for some minutes, which a day of the test's clock does not take.
    monkeypatch.setattr(recent_rounds, "SECONDS_MAX", 0)
    clock = StandingClock()
    async with open_house(tmp_path, database=str(place.address), clock=clock) as house:
        at = await played(house)
        before = [await at.replay(number) for number in (1, 2)]
        assert not any(replay["purged"] for replay in before)
        clock.pass_ms(KEEP_DAYS * DAY_MS + 1)
        assert at.purge() == 2
        folded, shown = [await at.replay(number) for number in (1, 2)]
        assert folded["purged"]
        assert shown["purged"]
        assert folded["steps"][-1]["own"]["1.1"]["cards"] == [None, None]
        assert None not in before[0]["steps"][-1]["own"]["1.1"]["cards"]
        assert folded["steps"][-1]["public"]["common"] == before[0]["steps"][-1]["public"]["common"]
        assert folded["lines"] == before[0]["lines"]
        # Where every card of the player was shown, the end of the replay is the same.
        assert shown["steps"][-1] == before[1]["steps"][-1]
        assert shown["lines"] == before[1]["lines"]


@pytest.mark.parametrize("kept", [True, False], ids=["snapshot", "events"])
async def test_a_table_goes_on_after_a_purge(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 5)
    clock = StandingClock()
    async with open_house(tmp_path, database=str(place.address), clock=clock) as house:
        at = await played(house)
        table, stream = at.table, at.stream
        before = await house.state(table)
        snapshot = at.store.snapshot(stream)
        assert snapshot is not None
        assert "round" in json.loads(snapshot.body)["table"]
        clock.pass_ms(KEEP_DAYS * DAY_MS + 1)
        assert at.purge() == 2
        stripped = at.store.snapshot(stream)
        assert stripped is not None
        assert stripped.version == snapshot.version
        assert "round" not in json.loads(stripped.body)["table"]
        report = audit(at.store)
        assert report.findings == ()
        assert report.counts.snapshots > 0
    if not kept:
        place.run("DELETE FROM snapshots")
    with closing(open_store(str(place.address))) as store:
        recovered = recover(store, EventCodec(Rulebook(store).codec), table)
        assert recovered is not None
        assert recovered.table.seats == before.seats
        assert recovered.table.round is None
        assert recovered.table.rounds == 2
    async with open_house(tmp_path, database=str(place.address), clock=clock) as house:
        again = Played(house, await house.guest(), at.name, table)
        await again.round(fold=True)
        assert audit(again.store).findings == ()


async def test_deleting_a_rounds_key_is_no_purge_and_putting_it_back_is_found(
    place: Place, tmp_path: Path
) -> None:
    clock = StandingClock()
    async with open_house(tmp_path, database=str(place.address), clock=clock) as house:
        at = await played(house)
    where = f"FROM secrets WHERE stream = '{at.stream}' AND name = 'key/1'"
    ((key, body),) = place.run(f"SELECT key, body {where}")
    values = f"('{at.stream}', 'key/1', '{body}', '{key}')"
    put_back = f"INSERT INTO secrets (stream, name, body, key) VALUES {values}"
    place.run(f"DELETE {where}")
    with closing(open_store(str(place.address))) as store:
        sentences = [str(finding) for finding in audit(store).findings]
    assert any("The key of the hidden cards of round 1 is missing." in text for text in sentences)
    place.run(put_back)
    with closing(open_store(str(place.address))) as store:
        assert audit(store).findings == ()
        clock.pass_ms(KEEP_DAYS * DAY_MS + 1)
        codec = EventCodec(Rulebook(store).codec)
        assert (
            Purge(store, codec, RoundReader(store), clock).step(at.table, keep_days=KEEP_DAYS) == 2
        )
        assert audit(store).findings == ()
        place.run(put_back)
        (finding,) = audit(store).findings
        assert "is still there, although the round has been purged" in str(finding)


async def test_a_round_in_progress_whose_key_is_deleted_does_not_go_on(
    place: Place, tmp_path: Path
) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        at = await played(house)
        await house.bet(at.table, 1)
        await house.do(at.table, CloseBets(), at.name)
        state = (await house.state(at.table)).playing
        assert state is not None
        assert not has_unknown_cards(state)
    place.run(f"DELETE FROM secrets WHERE stream = '{at.stream}' AND name = 'key/3'")
    with closing(open_store(str(place.address))) as store:
        codec = EventCodec(Rulebook(store).codec)
        with pytest.raises(Damaged, match="the cards of a round in progress, and is gone"):
            recover(store, codec, at.table)
