"""The state of a table: what it remembers, and what a record gives back."""

import pytest

from openfelt.rules.house import DealerMode
from openfelt.table.commands import ChangeRules, CloseTable, OpenBets
from openfelt.table.events import TableReopened
from openfelt.table.results import RESULTS_KEPT, GameResult
from openfelt.table.state import open_table
from openfelt.table.transitions import after
from tests.kit.own_houses import own_house
from tests.kit.tables import Pit, replayed


def won_by_ann() -> Pit:
    """Ann wins with three aces against a pair of kings, and Bob loses."""
    pit = Pit("washington").sit("ann", 1, 500).sit("bob", 2, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10, trips 5").bet("bob", "2.1", "ante 10").close()
    pit.deal("As Ah 9s 8h Kc Kd").choose("ann", "1.1", "4x").choose("bob", "2.1", "4x")
    return pit.deal("Ac 7d 2h Js 3c").turn().confirm()


def test_results_count_the_hands_that_won_and_that_stood_off() -> None:
    assert won_by_ann().table.results == (
        GameResult(
            number=1,
            dealer_hand="Pair of kings",
            void=False,
            wins={"ante": 1, "play": 1, "trips": 1},
            stand_offs={"blind": 1},
        ),
    )


@pytest.mark.clause("R.12")
def test_a_wager_for_the_dealer_does_not_count_as_another_hand() -> None:
    tops = {"seat-1": "As Ah"}
    pit = Pit("stadium", mode=DealerMode.LIVE, tops=tops).sit("ann", 1, 900).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10, tip ante 2").close().deal("Ac 7d 9h Js 3c Kc Kd")
    pit.choose("ann", "1.1", "4x").turn().confirm()
    assert pit.table.results[0].wins == {"ante": 1, "play": 1}


def test_a_void_game_is_remembered_as_void_and_shows_no_dealer_s_hand() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    pit.close().deal("As Ah Kc Kd").void()
    assert pit.table.results == (GameResult(1, None, True, {}, {}),)


def test_the_last_games_are_kept_newest_first() -> None:
    pit = Pit("washington").sit("ann", 1, 500)
    for _ in range(RESULTS_KEPT + 2):
        pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10").void()
    numbers = [result.number for result in pit.table.results]
    assert numbers == list(range(RESULTS_KEPT + 2, 2, -1))


def test_a_record_gives_the_table_back_at_every_moment() -> None:
    pit = won_by_ann().do(CloseTable("It is late"), "eve")
    assert replayed(pit.opened, pit.events) == pit.table
    for length in range(len(pit.events)):
        replayed(pit.opened, pit.events[:length])


def test_a_new_table_is_open_and_empty() -> None:
    pit = Pit("washington", link="link-1")
    table = open_table(pit.opened)
    assert (table.id, table.link, table.rounds, table.playing) == ("table-1", "link-1", 0, None)
    assert not table.virtual
    assert not table.player_banked
    assert not table.wagers_of(1)
    assert after(table, TableReopened(), ()) == table


def test_a_table_is_put_on_the_floor_once() -> None:
    pit = Pit("washington")
    with pytest.raises(ValueError, match="TableOpened does not happen at an open table"):
        after(pit.table, pit.opened, ())


def test_a_round_keeps_its_own_rules_when_the_table_changes_its_own() -> None:
    other = own_house("washington", {"rounding_unit_cents": 5})
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan").do(ChangeRules(other), "eve")
    table = replayed(pit.opened, pit.events)
    assert table.round is not None
    assert (table.round.house, table.house) == (own_house("washington"), other)
