"""Real play beside theory: the same cents as the ledger, however it is read, and no hidden card."""

from itertools import pairwise
from typing import Any

import pytest

from openfelt.rules.house import DealerMode
from openfelt.runtime.shuffle.deck_secrets import stored_decks
from openfelt.server.supervision.real_play import fairness_watch
from openfelt.server.supervision.real_play.fairness_view import fairness_view, series_points
from openfelt.server.supervision.real_play.fairness_watch import HOUSE, FairnessWatch
from openfelt.server.supervision.real_play.round_facts import RoundFacts
from openfelt.server.supervision.real_play.subject_figures import POINTS_MAX
from openfelt.storage.door import Unavailable
from openfelt.table.commands import OpenBets
from tests.kit.floors import Desk, Shift, steps_of_a_round


def watching(shift: Shift) -> FairnessWatch:
    """A watch that knows nothing yet."""
    worker_services = shift.worker_services
    return FairnessWatch(shift.store, worker_services.codec, worker_services.rulebook, shift.clock)


def play(desk: Desk, seed: int) -> None:
    for command, who in steps_of_a_round(desk, seed=seed):
        desk.do(command, who)


@pytest.mark.parametrize("house", ["washington", "stadium", "online", "draw"])
def test_what_the_house_won_is_what_the_settlements_say(
    shift: Shift, house: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    virtual = house in ("stadium", "online")
    mode = DealerMode.VIRTUAL if virtual else DealerMode.LIVE
    desk = shift.open_table(house, mode=mode).sit("ann", 1, 5000)
    running = watching(shift)
    for seed in range(6):
        play(desk, seed)
        running.refresh()
    monkeypatch.setattr(fairness_watch, "AT_ONCE", 7)
    again = watching(shift)
    again.refresh()
    assert again.behind > 0
    while again.behind:
        again.refresh()
    whole = running.subjects[HOUSE]
    assert whole.rounds == 6
    assert running.subjects["table", "table-1"] == whole == again.subjects[HOUSE]
    view = fairness_view(running)
    compared = {row.wager: row for row in view.wagers if row.kind == "table"}
    name = "draw_game" if house == "draw" else "game"
    game = compared[name]
    assert next(iter(compared)) == name
    assert (game.basis, game.unknown, game.left_out) == ("best_play", None, 0)
    assert game.rounds == 6
    assert game.reach_cents > 0
    points = series_points(running, ("table", "table-1"), name)
    assert [point.rounds for point in points] == [1, 2, 3, 4, 5, 6]
    assert points[-1].win_cents == game.win_cents
    assert running.players.players["ann"].rounds == 6
    assert (running.shuffles.decks > 0) is virtual
    if not virtual:
        assert running.subjects["dealer", "dan"] == whole


def test_games_come_first_and_hold_em_before_draw(shift: Shift) -> None:
    for house, mode in (("draw", DealerMode.LIVE), ("stadium", DealerMode.VIRTUAL)):
        play(shift.open_table(house, mode=mode, name=house).sit("ann", 1, 5000), 1)
    watch = watching(shift)
    watch.refresh()
    rows = [row.wager for row in fairness_view(watch).wagers if row.kind == "house"]
    assert rows[:2] == ["game", "draw_game"]
    assert rows[2:] == sorted(rows[2:])


def test_a_store_that_fails_on_the_way_has_no_round_counted_twice_or_left_out(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = shift.open_table("online", mode=DealerMode.VIRTUAL).sit("ann", 1, 5000)
    for seed in range(9_000_001, 9_000_005):
        play(desk, seed)
    undisturbed, disturbed = watching(shift), watching(shift)
    undisturbed.refresh()
    fails = iter([False, False, True, False, True])

    def failing(*places: Any, **options: Any) -> Any:
        if next(fails, False):
            raise Unavailable("The database server cannot be reached.")
        return stored_decks(*places, **options)

    monkeypatch.setattr(fairness_watch, "stored_decks", failing)
    for _ in range(2):
        with pytest.raises(Unavailable):
            disturbed.refresh()
    disturbed.refresh()
    assert disturbed.subjects[HOUSE].rounds == 4
    assert disturbed.subjects == undisturbed.subjects
    assert disturbed.shuffles.decks == undisturbed.shuffles.decks == 4


def test_the_events_of_a_finished_round_are_not_kept(shift: Shift) -> None:
    desk = shift.open_table("online", mode=DealerMode.VIRTUAL).sit("ann", 1, 5000)
    play(desk, 9_000_001)
    watch = watching(shift)
    watch.refresh()
    assert watch.subjects[HOUSE].rounds == 1
    assert [reading.rounds._events for reading in watch._tables.values()] == [[]]


def test_the_own_decks_of_terminals_are_watched_and_in_a_hall_by_turns(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairness_watch, "TERMINALS_MAX", 2)
    desk = shift.open_table("stadium", mode=DealerMode.VIRTUAL)
    for seat in range(1, 6):
        desk.sit(f"player-{seat}", seat, 5000)
    watch = watching(shift)
    asked: list[tuple[str, ...]] = []
    named = fairness_watch.watched_decks

    def spy(facts: RoundFacts) -> tuple[str, ...]:
        asked.append(named(facts))
        return asked[-1]

    monkeypatch.setattr(fairness_watch, "watched_decks", spy)
    for seed in range(3):
        play(desk, seed)
    watch.refresh()
    assert (watch.shuffles.decks, watch.terminal_decks) == (3 + 6, 6)
    assert {deck for decks in asked for deck in decks} == {f"seat-{seat}" for seat in range(1, 6)}
    view = fairness_view(watch)
    assert (view.decks, view.terminal_decks) == (9, 6)


def test_no_card_of_a_round_in_progress_is_read(shift: Shift) -> None:
    desk = shift.open_table("washington", mode=DealerMode.LIVE).sit("ann", 1, 500)
    desk.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10").close().deal("2c 7d Kc Kd")
    watch = watching(shift)
    decoded: list[object] = []
    decode = shift.worker_services.codec.decode

    class Spy:
        def decode(self, stored: Any) -> Any:
            decoded.append(stored)
            return decode(stored)

    watch.codec = Spy()  # type: ignore[assignment]
    watch.refresh()
    assert decoded == []
    assert watch.subjects == {}


def test_points_of_a_chart_stay_few_and_evenly_spaced(shift: Shift) -> None:
    desk = shift.open_table("washington", mode=DealerMode.LIVE).sit("ann", 1, 50_000)
    watch = watching(shift)
    for seed in range(POINTS_MAX + 3):
        play(desk, seed)
    watch.refresh()
    points = series_points(watch, HOUSE, "game")
    assert len(points) <= POINTS_MAX
    gaps = {after.rounds - before.rounds for before, after in pairwise(points[:-1])}
    assert gaps == {2}
    assert points[-1].rounds == watch.subjects[HOUSE].wagers["game"].rounds
