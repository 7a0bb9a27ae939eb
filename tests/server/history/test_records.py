"""The record of one round, cut out of a table's long one."""

import pytest

from openfelt.catalog import load_house
from openfelt.catalog.houses import dealt_by_either
from openfelt.rules.house import DealerMode
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.record import proof_of_round
from openfelt.runtime.rounds.record import read_round as read_slowly
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.server.history import records
from openfelt.server.history.own_rounds import Histories
from openfelt.server.history.records import Recorded, read_round, round_proof, seat_at
from openfelt.storage.codec import CodecError
from tests.kit.floors import Desk, Shift, steps_of_a_round


def played(shift: Shift, house: str, *, rounds: int, mode: DealerMode) -> Desk:
    desk = shift.open_table(dealt_by_either(load_house(house)), mode=mode)
    for seat, player in enumerate(("ann", "bob"), start=1):
        desk.sit(player, seat, 9000)
    for seed in range(rounds):
        for command, by in steps_of_a_round(desk, seed=seed):
            desk.do(command, by)
    return desk


def recorded_round(desk: Desk, player: str, number: int) -> Recorded:
    tools, table = desk.shift.tools, desk.table.id
    own = Histories(tools).round(table, player, number)
    assert own is not None
    assert desk.table.seats[seat_at(tools, table, own.wager_version)].player == player
    found = read_round(tools, table, number=number, version=own.wager_version)
    assert found is not None
    return found


@pytest.mark.parametrize("house", ["draw", "california", "stadium", "washington"])
def test_a_round_is_the_one_that_the_whole_record_tells_of(
    shift: Shift, house: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "CHUNK", 3)
    desk = played(shift, house, rounds=3, mode=DealerMode.VIRTUAL)
    for number in (1, 2, 3):
        found = recorded_round(desk, "ann", number)
        slow = read_slowly(shift.store, desk.table.id, number)
        final = found.final()
        for one, other in zip(final.hands.values(), slow.state.hands.values(), strict=True):
            assert (one.spot, one.cards, one.face_up) == (other.spot, other.cards, other.face_up)
        for part in ("phase", "plan", "dealer", "dealer_face_up", "common", "common_face_up"):
            assert getattr(final, part) == getattr(slow.state, part)
        assert proof_of_round(shift.store, desk.table.id, number, seat=1) == round_proof(
            shift.tools, found, seat=1
        )
        assert found.commitments == slow.commitments
        assert found.bets_closed_version == slow.bets_closed_version


def test_the_proof_of_an_own_round_holds(shift: Shift) -> None:
    desk = played(shift, "washington", rounds=1, mode=DealerMode.VIRTUAL)
    found = recorded_round(desk, "bob", 1)
    proof = round_proof(shift.tools, found, seat=2)
    assert check_round_proof(proof, desk.table.house).cards > 0


def test_a_round_from_real_cards_has_no_proof(shift: Shift) -> None:
    desk = played(shift, "washington", rounds=1, mode=DealerMode.LIVE)
    with pytest.raises(ProofError, match="live dealer"):
        round_proof(shift.tools, recorded_round(desk, "ann", 1), seat=1)


def test_a_round_in_progress_is_not_given_out(shift: Shift) -> None:
    desk = shift.open_table(dealt_by_either(load_house("draw")), mode=DealerMode.VIRTUAL)
    desk.sit("ann", 1, 500).bet("ann", "1.1", "ante 5")
    own = Histories(shift.tools).round(desk.table.id, "ann", 1)
    assert own is not None
    assert read_round(shift.tools, desk.table.id, number=1, version=own.wager_version) is None


def test_events_that_belong_to_no_round_are_refused(shift: Shift) -> None:
    desk = played(shift, "draw", rounds=1, mode=DealerMode.VIRTUAL)
    with pytest.raises(CodecError, match="No round is open"):
        read_round(shift.tools, desk.table.id, number=1, version=1)
    with pytest.raises(CodecError, match="does not belong"):
        read_round(shift.tools, desk.table.id, number=2, version=desk.worker.head.version)
    with pytest.raises(CodecError, match="stakes nothing"):
        seat_at(shift.tools, desk.table.id, 1)
