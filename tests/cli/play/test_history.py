"""The player's last games, from the record of the table."""

import random
from pathlib import Path

import pytest

from openfelt.cli.play.game import Game
from openfelt.cli.play.history import GAMES_SHOWN, PlayedGame, game_of_round, last_games
from openfelt.rules import Beneficiary, Spot, Wager, WagerKind
from tests.kit.cases import with_variants
from tests.kit.cli.random_game import decide_at_random, game_at, open_and_bet, play_round


def read(game: Game) -> list[PlayedGame]:
    return last_games(game.saved.rounds, game.table.id, seat=game.seat)


@pytest.mark.parametrize("house", with_variants(["stadium", "california", "washington"]))
def test_what_is_read_back_is_what_was_shown(house: str, tmp_path: Path) -> None:
    rng = random.Random(house)
    shown = []
    with game_at(house, tmp_path, credit_cents=10**8) as game:
        for _ in range(GAMES_SHOWN + 3):
            play_round(game, rng)
            shown.append(game_of_round(game.round, seat=1))
            assert read(game) == shown[-GAMES_SHOWN:]
        # A round that is not over is not a game yet.
        open_and_bet(game, rng)
        assert read(game) == shown[-GAMES_SHOWN:]


def test_a_table_without_a_game_has_no_history(tmp_path: Path) -> None:
    with game_at("online", tmp_path) as game:
        assert read(game) == []


def test_a_round_without_the_player_is_not_a_game_of_the_player(tmp_path: Path) -> None:
    with game_at("washington", tmp_path) as game:
        play_round(game, random.Random(1))
        state = game.round
        assert game_of_round(state, seat=1) is not None
        assert game_of_round(state, seat=6) is None


def test_the_wagers_of_a_game_are_those_before_the_deal(tmp_path: Path) -> None:
    placed = (
        Wager(WagerKind.ANTE, 1000),
        Wager(WagerKind.BLIND, 1000),
        Wager(WagerKind.TRIPS, 500),
        Wager(WagerKind.TRIPS, 300, Beneficiary.DEALER),
    )
    rng = random.Random(1)
    with game_at("stadium", tmp_path, computer_players=0) as game:
        game.prepare()
        game.open_bets()
        game.place({Spot(1, 2): placed})
        game.deal()
        while (spot := game.advance()) is not None:
            decide_at_random(game, spot, rng)
        (played,) = read(game)
        assert set(played.wagers) == {Spot(1, 2)}
        assert sorted(played.wagers[Spot(1, 2)], key=str) == sorted(placed, key=str)
