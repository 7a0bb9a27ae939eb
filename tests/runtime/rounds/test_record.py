"""Rounds read from the store, by number and by version, with their proofs."""

from functools import reduce
from pathlib import Path

import pytest

from openfelt.catalog import load_house
from openfelt.rules import Phase
from openfelt.rules.fingerprints import house_with
from openfelt.rules.house import DealerMode
from openfelt.rules.round import Round, apply
from openfelt.rules.round_events import RoundOpened, WagersSet
from openfelt.runtime.rounds import record_search
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import Unprovable
from openfelt.runtime.rounds.proof_forms import proof_json, read_proof
from openfelt.runtime.rounds.record import NoSuchRound, RoundReader, proof_of_round
from openfelt.runtime.rounds.recorded_round import RecordedRound, seat_players
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.streams import table_stream
from openfelt.storage.codec import CodecError
from tests.kit.audit.audited_floors import Floor, change, five_houses
from tests.kit.audit.forgeries import secret_of, set_secret
from tests.kit.floors import Desk, Shift, steps_of_a_round


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Floor:
    return five_houses(tmp_path_factory.mktemp("rounds") / "floor.db")


@pytest.mark.parametrize("table", ["net-1", "arena-1"])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_every_virtual_round_is_proved(floor: Floor, table: str, number: int) -> None:
    proof = proof_of_round(floor.store, table, number)
    assert proof.ended is (Phase.VOIDED if number == 3 else Phase.SETTLED)
    house = load_house(proof.house)
    checked = check_round_proof(read_proof(proof_json(proof)), house)
    assert checked.decks == (1 if table == "net-1" else 3)


def test_hands_beside_a_live_dealer_are_proved(floor: Floor) -> None:
    proof = proof_of_round(floor.store, "arena-2", 1)
    checked = check_round_proof(read_proof(proof_json(proof)), load_house("stadium"))
    assert proof.dealer is DealerMode.LIVE
    assert len(proof.scanned) == 7
    assert checked.decks == len(proof.commitments) == len({spot.seat for spot in proof.spots})
    assert checked.cards == len(proof.cards) == 2 * len(proof.spots)


def replayed(recorded: RecordedRound) -> Round:
    """A round as its events make it, one by one."""
    return reduce(apply, (event for event, _ in recorded.events), recorded.opened)


def test_a_round_is_read_as_it_was_played(floor: Floor) -> None:
    for table, worker in floor.workers.items():
        last = RoundReader(floor.store).read(table, worker.table.rounds)
        assert replayed(last) == worker.table.round
        if worker.table.playing is not None:
            commitments = {one.deck: one.root for one in last.commitments}
            assert commitments == worker.table.commitments


@pytest.mark.parametrize("chunk", [7, 500])
def test_finished_rounds_are_read_newest_first(
    floor: Floor, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_search, "CHUNK", chunk)
    reader = RoundReader(floor.store)
    for table, worker in floor.workers.items():
        ended = list(reader.ended(table))
        in_progress = worker.table.playing is not None
        newest = worker.table.rounds - in_progress
        assert [each.opened.number for each in ended] == list(range(newest, 0, -1))
        for each in ended:
            recorded = reader.read(table, each.opened.number)
            assert recorded.opened.opened == each.opened
            assert recorded.events[-1] == (each.end, each.ended_ms)
    assert list(reader.ended("nowhere")) == []


def test_the_rounds_of_a_period_are_those_that_ended_in_it(floor: Floor) -> None:
    reader = RoundReader(floor.store)
    for table in floor.workers:
        oldest_first = list(reader.ended(table))[::-1]
        times = sorted({each.ended_ms for each in oldest_first})
        for start_ms, end_ms in [(0, times[-1] + 1), (times[0], times[-1]), (times[-1], 0)]:
            read = list(reader.ended_between(table, start_ms, end_ms, steps=lambda _: None))
            assert read == [each for each in oldest_first if start_ms <= each.ended_ms < end_ms]


def test_a_recorded_round_names_the_player_of_each_hand(floor: Floor) -> None:
    reader = RoundReader(floor.store)
    named: set[str] = set()
    for table in floor.workers:
        for each in reader.ended(table):
            recorded = reader.read(table, each.opened.number)
            seated = seat_players(reader.events_of(table, recorded.number))
            for spot in recorded.opened.hands:
                assert recorded.players[spot] == seated[spot.seat]
            named.update(recorded.players.values())
    assert named


@pytest.mark.parametrize(
    ("table", "number", "words"),
    [
        ("wash-1", 1, "a live dealer dealt it from real cards"),
        ("arena-1", 5, "is not over, and its cards are still secret"),
    ],
)
def test_rounds_without_a_proof(floor: Floor, table: str, number: int, words: str) -> None:
    with pytest.raises(Unprovable, match=words):
        proof_of_round(floor.store, table, number)


def test_a_round_that_was_voided_before_bets_closed(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.bet("net-1")
    floor.void_now("net-1")
    with pytest.raises(Unprovable, match="no card was dealt"):
        proof_of_round(floor.store, "net-1", 1)


@pytest.mark.parametrize(("table", "number"), [("nowhere", 1), ("net-1", 99), ("net-1", 0)])
def test_missing_rounds(floor: Floor, table: str, number: int) -> None:
    with pytest.raises(NoSuchRound):
        proof_of_round(floor.store, table, number)


def test_an_exchanged_deck_gives_no_proof(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 2)
    change(
        floor.path,
        lambda db: set_secret(
            db, "table/net-1", "1/table", secret_of(db, "table/net-1", "2/table")
        ),
    )
    with pytest.raises(ProofError, match="not the one that round net-1/1 committed to"):
        proof_of_round(floor.store, "net-1", 1)


# By version --------------------------------------------------------------------------


def table_of(shift: Shift, house: str, mode: DealerMode = DealerMode.VIRTUAL) -> Desk:
    return shift.open_table(house_with(load_house(house), dealer_mode=DealerMode.EITHER), mode=mode)


def played(shift: Shift, house: str, *, rounds: int, mode: DealerMode) -> Desk:
    desk = table_of(shift, house, mode)
    for seat, player in enumerate(("ann", "bob"), start=1):
        desk.sit(player, seat, 9000)
    for seed in range(rounds):
        for command, by in steps_of_a_round(desk, seed=seed):
            desk.do(command, by)
    return desk


def version_of_wager(desk: Desk, seat: int, number: int) -> int:
    """The version of the event by which a seat staked its wagers, or its bank, in a round."""
    versions, playing = [], 0
    for stored in desk.shift.store.events(table_stream(desk.table.id)):
        event = desk.shift.worker_services.codec.decode(stored)
        if isinstance(event, RoundOpened):
            playing = event.number
            staked = event.banker is not None and event.banker.seat == seat
        else:
            staked = isinstance(event, WagersSet) and event.spot.seat == seat
        if staked and playing == number:
            versions.append(stored.version)
    return versions[-1]


def recorded_round(desk: Desk, seat: int, number: int) -> RecordedRound:
    reader, version = RoundReader(desk.shift.store), version_of_wager(desk, seat, number)
    assert reader.seat_of_wager(desk.table.id, version) == seat
    return reader.read(desk.table.id, number, version=version)


@pytest.mark.parametrize("house", ["draw", "california", "stadium", "washington"])
def test_a_round_is_found_by_any_of_its_events(
    shift: Shift, house: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_search, "CHUNK", 3)
    desk = played(shift, house, rounds=3, mode=DealerMode.VIRTUAL)
    for number in (1, 2, 3):
        found = recorded_round(desk, 1, number)
        assert found == RoundReader(shift.store).read(desk.table.id, number)
        final, state = found.final(), replayed(found)
        for hand, other in zip(final.hands.values(), state.hands.values(), strict=True):
            assert (hand.spot, hand.cards, hand.face_up) == (other.spot, other.cards, other.face_up)
        for part in ("phase", "plan", "dealer", "dealer_face_up", "common", "common_face_up"):
            assert getattr(final, part) == getattr(state, part)
        assert proof_of_round(shift.store, desk.table.id, number, seat=1) == RoundReader(
            shift.store
        ).proof(found, seat=1)


def test_the_proof_for_one_seat_holds(shift: Shift) -> None:
    desk = played(shift, "washington", rounds=1, mode=DealerMode.VIRTUAL)
    proof = RoundReader(shift.store).proof(recorded_round(desk, 2, 1), seat=2)
    assert check_round_proof(proof, desk.table.house).cards > 0


def test_a_round_from_real_cards_has_no_proof(shift: Shift) -> None:
    desk = played(shift, "washington", rounds=1, mode=DealerMode.LIVE)
    with pytest.raises(ProofError, match="live dealer"):
        RoundReader(shift.store).proof(recorded_round(desk, 1, 1), seat=1)


def test_a_round_in_progress_has_no_end(shift: Shift) -> None:
    desk = table_of(shift, "draw")
    desk.sit("ann", 1, 500).bet("ann", "1.1", "ante 5")
    recorded = recorded_round(desk, 1, 1)
    assert (recorded.ended, recorded.void) == (None, False)
    with pytest.raises(ValueError, match="in progress"):
        recorded.final()


def test_events_that_belong_to_no_round_are_refused(shift: Shift) -> None:
    desk = played(shift, "draw", rounds=1, mode=DealerMode.VIRTUAL)
    reader, table = RoundReader(shift.store), desk.table.id
    with pytest.raises(CodecError, match="No round is open"):
        reader.read(table, 1, version=1)
    with pytest.raises(CodecError, match="does not belong"):
        reader.read(table, 2, version=desk.worker.head.version)
    with pytest.raises(CodecError, match="stakes nothing"):
        reader.seat_of_wager(table, 1)
