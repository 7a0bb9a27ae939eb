"""A player's own rounds, found by the transfers of the player's credit."""

from pathlib import Path
from typing import Any

import pytest

from openfelt.catalog import load_house
from openfelt.rules import CloseBets, MakeDecision, clock_decision
from openfelt.rules.fingerprints import dealt_by_either
from openfelt.rules.house import DealerMode
from openfelt.server.history import player_rounds
from openfelt.server.history.player_rounds import PlayerRound, PlayerRounds
from openfelt.storage.door import Unavailable
from openfelt.table.collection import dues
from openfelt.table.commands import CloseTable, LeaveSeat, TakeSeat
from tests.kit.audit.audited_floors import Floor
from tests.kit.floors import Desk, Shift, steps_of_a_round
from tests.kit.storage.counted_reads import counted_reads
from tests.kit.storage.store_places import Place
from tests.kit.tables import FLOOR


def table_of(shift: Shift, house: str = "draw") -> Desk:
    return shift.open_table(dealt_by_either(load_house(house)), mode=DealerMode.VIRTUAL)


def play(desk: Desk) -> None:
    for command, by in steps_of_a_round(desk):
        desk.do(command, by)


def numbers(rounds: list[PlayerRound]) -> list[int]:
    return [own.number for own in rounds]


def test_rounds_come_newest_first_page_by_page(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 5000)
    for _ in range(5):
        play(desk)
    history = PlayerRounds(shift.store)
    table = desk.table.id
    assert numbers(history.rounds(table, "ann", below=None, limit=3)) == [5, 4, 3]
    assert numbers(history.rounds(table, "ann", below=3, limit=3)) == [2, 1]
    assert history.rounds(table, "bob", below=None, limit=3) == []
    assert history.rounds("elsewhere", "ann", below=None, limit=3) == []


def visit_of(history: PlayerRounds, desk: Desk) -> tuple[int, int]:
    """How many rounds the last visit has, and what they have brought."""
    visit = history.visit(desk.table.id, "ann", below=desk.table.rounds + 1)
    assert [own.number for own in visit.rounds] == sorted(own.number for own in visit.rounds)
    return len(visit.rounds), visit.credit_change_cents


@pytest.mark.parametrize("kept", [True, False], ids=["read on", "read anew"])
def test_a_visit_is_what_was_played_since_the_player_collected(shift: Shift, kept: bool) -> None:
    """Over more rounds than are read at once, in what was read before and in what is new."""
    desk = table_of(shift).sit("ann", 1, 5000)
    histories = PlayerRounds(shift.store)

    def history() -> PlayerRounds:
        return histories if kept else PlayerRounds(shift.store)

    for _ in range(3):
        play(desk)
    brought = desk.credit("ann") - 500_000
    assert visit_of(history(), desk) == (3, brought)
    desk.do(LeaveSeat(1), "ann")
    assert visit_of(history(), desk) == (3, brought), "until the next round is played"
    desk.sit("ann", 1, 4000)
    for _ in range(player_rounds.ROUNDS_AT_ONCE + 2):
        play(desk)
    visit = (player_rounds.ROUNDS_AT_ONCE + 2, desk.credit("ann") - 400_000)
    assert visit_of(history(), desk) == visit
    assert history().visit(desk.table.id, "bob", below=99).rounds == ()


def test_a_long_pause_begins_a_new_visit(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 5000)
    play(desk)
    shift.clock.pass_ms(player_rounds.VISIT_PAUSE_MS)
    before = desk.credit("ann")
    play(desk)
    assert visit_of(PlayerRounds(shift.store), desk) == (1, desk.credit("ann") - before)


def test_what_was_staked_and_what_it_brought(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 5000)
    before = desk.credit("ann")
    play(desk)
    own = PlayerRounds(shift.store).round(desk.table.id, "ann", 1)
    assert own is not None
    assert own.credit_change_cents == desk.credit("ann") - before
    settlement = desk.round.settlement
    assert settlement is not None
    assert own.staked_cents == sum(line.stake_cents for line in settlement.lines)
    assert not own.void
    assert not own.banked


def test_later_rounds_are_added_to_what_was_read(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 5000)
    history = PlayerRounds(shift.store)
    for number in range(1, 4):
        play(desk)
        assert numbers(history.rounds(desk.table.id, "ann", below=None, limit=9))[0] == number


def test_wagers_taken_back_do_not_count_as_a_round(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 500).sit("bob", 2, 500)
    desk.bet("ann", "1.1", "ante 5").bet("bob", "2.1", "ante 5")
    desk.bet("ann", "1.1", "")
    desk.do(LeaveSeat(1), "ann")
    desk.sit("cyd", 1, 500).bet("cyd", "1.1", "ante 5")
    play_on(desk)
    history = PlayerRounds(shift.store)
    assert history.round(desk.table.id, "ann", 1) is None
    assert history.round(desk.table.id, "cyd", 1) is not None


def play_on(desk: Desk) -> None:
    """Play the round in progress to its end."""
    desk.do(CloseBets(), FLOOR)
    while (state := desk.table.playing) is not None:
        spot = min(state.pending)
        player = desk.table.seats[spot.seat].player
        desk.do(MakeDecision(spot, clock_decision(state, spot)), player)


def test_a_void_round_is_marked(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 500).bet("ann", "1.1", "ante 5")
    desk.void()
    own = PlayerRounds(shift.store).round(desk.table.id, "ann", 1)
    assert own is not None
    assert (own.void, own.credit_change_cents) == (True, 0)


def test_a_void_round_is_marked_for_its_banker_too(shift: Shift) -> None:
    desk = table_of(shift, "california").sit("ann", 1, 5000).sit("bob", 2, 5000)
    for command, by in steps_of_a_round(desk):
        if isinstance(command, CloseBets):
            break
        desk.do(command, by)
    desk.void()
    history = PlayerRounds(shift.store)
    rounds = [history.round(desk.table.id, player, 1) for player in ("ann", "bob")]
    marks = sorted((own.banked, own.void, own.credit_change_cents) for own in rounds if own)
    assert marks == [(False, True, 0), (True, True, 0)]


def test_a_round_that_brings_nothing_is_not_void(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 5000)
    history = PlayerRounds(shift.store)
    for number in range(1, 100):
        desk.bet("ann", "1.1", "ante 5")
        play_on(desk)
        own = history.round(desk.table.id, "ann", number)
        assert own is not None
        assert not own.void
        if own.return_version is not None and own.credit_change_cents == 0:
            return
    raise AssertionError("every round won or lost")


def test_the_banker_was_in_the_round_too(shift: Shift) -> None:
    desk = table_of(shift, "california").sit("ann", 1, 5000).sit("bob", 2, 5000)
    before = {player: desk.credit(player) for player in ("ann", "bob")}
    play(desk)
    history = PlayerRounds(shift.store)
    found = {player: history.round(desk.table.id, player, 1) for player in ("ann", "bob")}
    assert sorted(own.banked for own in found.values() if own) == [False, True]
    for player, own in found.items():
        assert own is not None
        assert own.credit_change_cents == desk.credit(player) - before[player]


@pytest.mark.parametrize("house", ["washington", "california", "stadium", "draw"])
def test_the_credit_changes_by_the_net_result_less_the_collection(shift: Shift, house: str) -> None:
    """The ledger and the rules are added up separately, and agree on every round."""
    desk = table_of(shift, house).sit("ann", 1, 5000).sit("bob", 2, 5000)
    history, collected_cents = PlayerRounds(shift.store), 0
    for number in range(1, 6):
        play(desk)
        for seat, player in ((1, "ann"), (2, "bob")):
            own = history.round(desk.table.id, player, number)
            change_cents = own.credit_change_cents if own is not None else 0
            due_cents = dues(desk.round).get(seat, 0)
            assert change_cents == desk.round.net_cents(seat) - due_cents
            collected_cents += due_cents
    assert (collected_cents > 0) == (house == "california")


def test_memory_is_bounded(shift: Shift, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_rounds, "ROUNDS_KEPT", 3)
    monkeypatch.setattr(player_rounds, "INDEXES_MAX", 2)
    desk = table_of(shift).sit("ann", 1, 5000)
    for _ in range(5):
        play(desk)
    history = PlayerRounds(shift.store)
    assert numbers(history.rounds(desk.table.id, "ann", below=None, limit=9)) == [5, 4, 3]
    for player in ("bob", "cyd", "dee"):
        history.rounds(desk.table.id, player, below=None, limit=9)
    assert len(history._indexes) == 2


def test_older_rounds_are_found_after_the_store_has_failed(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_rounds, "ROUNDS_AT_ONCE", 2)
    desk = table_of(shift).sit("ann", 1, 5000)
    for _ in range(5):
        play(desk)
    history, table = PlayerRounds(shift.store), desk.table.id
    assert numbers(history.rounds(table, "ann", below=None, limit=2)) == [5, 4]

    def failing(*_: Any, **__: Any) -> None:
        raise Unavailable("The database server cannot be reached.")

    with monkeypatch.context() as patch:
        patch.setattr(shift.store, "latest_transfers", failing)
        with pytest.raises(Unavailable):
            history.rounds(table, "ann", below=4, limit=3)
    assert numbers(history.rounds(table, "ann", below=4, limit=3)) == [3, 2, 1]


def test_a_seat_that_changed_hands_belongs_to_another_player(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 5000)
    play(desk)
    desk.do(LeaveSeat(1), "ann").do(TakeSeat(1), "bob")
    desk.do(CloseTable("late"), FLOOR)
    history = PlayerRounds(shift.store)
    assert history.round(desk.table.id, "bob", 1) is None
    assert history.round(desk.table.id, "ann", 1) is not None


# From the newest end ---------------------------------------------------------

PLAYER = "net-1-p1"


def first_page_rows(floor: Floor) -> int:
    with counted_reads(floor.store) as reads:
        page = PlayerRounds(floor.store).rounds("net-1", PLAYER, below=None, limit=5)
    assert len(page) == 5
    return reads.rows


def test_the_first_page_is_read_from_the_newest_end(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = Floor(tmp_path / "unused.db", store=place.open())
    floor.open("net-1", "online")
    floor.play("net-1", 30)
    monkeypatch.setattr(player_rounds, "ROUNDS_AT_ONCE", 5)
    monkeypatch.setattr("openfelt.storage.balances.balance_queries.PAGE_ROWS", 40)
    short = first_page_rows(floor)
    floor.play("net-1", 60)
    assert first_page_rows(floor) <= short * 2 + 20


def test_all_pages_together_are_all_rounds(place: Place, tmp_path: Path) -> None:
    floor = Floor(tmp_path / "unused.db", store=place.open())
    floor.open("net-1", "online")
    floor.play("net-1", 47)
    history = PlayerRounds(floor.store)
    numbers: list[int] = []
    below: int | None = None
    while page := history.rounds("net-1", PLAYER, below=below, limit=7):
        numbers += [own.number for own in page]
        below = page[-1].number
    assert numbers == list(range(47, 0, -1))
    by_number = PlayerRounds(floor.store)
    for number in (47, 30, 1):
        assert by_number.round("net-1", PLAYER, number) == history.round("net-1", PLAYER, number)
    floor.play("net-1", 2)
    assert [own.number for own in by_number.rounds("net-1", PLAYER, below=None, limit=3)] == [
        *(49, 48, 47)
    ]
