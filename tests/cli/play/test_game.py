"""The table without a keyboard: rounds resume, money stays in the ledger, wagers go all or none."""

import random
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from openfelt.catalog import load_catalog, load_house
from openfelt.cli.complaint import Complaint
from openfelt.cli.play.game import Game
from openfelt.cli.play.saved_game import SavedGame
from openfelt.ledger import Account, Book, trial_balance
from openfelt.rules import (
    Banker,
    Bet,
    Check,
    House,
    Phase,
    Refusal,
    RefusalCode,
    Spot,
    Wager,
    WagerKind,
    choices,
)
from openfelt.rules.fingerprints import house_with
from tests.kit.cases import with_variants
from tests.kit.cli.random_game import decide_at_random, game_at, open_and_bet, play_round
from tests.kit.cli.scripted_game import DAY, StackedEntropy, check_audit

HOUSES = sorted(load_catalog().houses)
OWN = Spot(1, 1)
ANTE = (Wager(WagerKind.ANTE, 1000),)


def few_or_many(few: int, many: int) -> pytest.MarkDecorator:
    """So many rounds in every test run, and so many in a sweep."""
    return pytest.mark.parametrize(
        "rounds", [few, pytest.param(many, marks=pytest.mark.sweep)], ids=["few", "many"]
    )


def cents(saved: SavedGame, account: str) -> int:
    """What an account holds, such as ``"wallet:player"``."""
    return saved.store.balance(Account.parse(account))


def decide_first(game: Game) -> None:
    """Check or fold to the end of the round."""
    while (spot := game.advance()) is not None:
        game.decide(spot, choices(game.round, spot).options[0].decision)


def top_up(game: Game) -> None:
    """See to it that the credit is enough for any round."""
    if game.credit_cents < 100_000:
        game.saved.deposit(500_000)


# Money -----------------------------------------------------------------------


@pytest.mark.clause("R.12", "R.13", "R.20", "R.23")
@few_or_many(30, 500)
@pytest.mark.parametrize("house", with_variants(HOUSES))
def test_every_cent_of_many_rounds_passes_the_audit(
    house: str, rounds: int, tmp_path: Path
) -> None:
    rng = random.Random(f"chips of {house}")
    with game_at(house, tmp_path) as game:
        for number in range(1, rounds + 1):
            top_up(game)
            play_round(game, rng)
            assert game.table.rounds == number
        balances = game.saved.store.balances()
        assert trial_balance(Book(balances)).balanced
        assert not any(balances[account] for account in balances if account.kind == "wagers")
        assert not any(balances[account] for account in balances if account.kind == "banker")
    check_audit(tmp_path)


@few_or_many(20, 300)
@pytest.mark.clause("R.23")
def test_the_meter_on_the_screen_is_the_links_account(rounds: int, tmp_path: Path) -> None:
    rng = random.Random("meter")
    with game_at("washington", tmp_path) as game:
        for _ in range(rounds):
            play_round(game, rng)
            assert game.meter_cents == cents(game.saved, "meter:washington-1")
        assert game.saved.link("washington-1").meter.contributed > 0


def test_only_what_the_round_may_ask_for_lies_at_the_table(tmp_path: Path) -> None:
    with game_at("online", tmp_path, credit_cents=100_000) as game:
        game.prepare()
        game.open_bets()
        game.place({OWN: ANTE})
        # Ante and Blind are on the felt, four times the Ante waits for the Play wager.
        assert game.table.seats[1].credit_cents == 4000
        assert game.saved.wallet_cents == 100_000 - 2000 - 4000
        assert game.credit_cents == game.saved.credit_cents == 98_000
        game.deal()
        game.advance()
        game.decide(OWN, Bet(4))
        assert game.advance() is None
        assert game.table.seats[1].credit_cents == 0
        assert game.credit_cents == game.saved.wallet_cents


def test_a_round_that_waits_leaves_the_rest_for_another_table(tmp_path: Path) -> None:
    with game_at("online", tmp_path, credit_cents=100_000) as game:
        game.prepare()
        game.open_bets()
        game.place({OWN: ANTE})
        game.deal()
        game.leave()
    with game_at("draw", tmp_path, computer_players=0) as game:
        assert game.credit_cents == 94_000
        assert game.saved.credit_cents == 98_000
        assert [table.id for table in game.saved.waiting_tables()] == ["online-1"]
        game.prepare()
        game.open_bets()
        game.place({OWN: ANTE})
        game.deal()
        decide_all = game.advance()
        assert decide_all is not None
    with game_at("online", tmp_path) as game:
        assert game.advance() == OWN
        # What was won or is left elsewhere may be staked here too.
        assert game.credit_cents == 4000 + game.saved.wallet_cents


def test_a_void_gives_everything_back_and_books_no_contribution(tmp_path: Path) -> None:
    with game_at("washington", tmp_path) as game:
        before, meter = game.credit_cents, game.meter_cents
        open_and_bet(game, random.Random(5))
        game.place({OWN: (*ANTE, Wager(WagerKind.PROGRESSIVE, 100))})
        game.deal()
        game.advance()
        game.void("the shuffler jammed")
        assert game.advance() is None
        assert game.credit_cents == before
        assert game.meter_cents == meter
        assert game.round.phase is Phase.VOIDED


@pytest.mark.clause("R.20")
@pytest.mark.parametrize(("ante", "player", "banker"), [(1000, 100, 200), (10_000, 200, 300)])
def test_the_collection_is_flat_goes_to_the_drop_and_comes_back_with_a_void(
    ante: int, player: int, banker: int, tmp_path: Path
) -> None:
    with game_at("california", tmp_path, computer_players=1) as game:
        rosa_banks(game)
        game.place({OWN: (Wager(WagerKind.ANTE, ante),)})
        assert game.collection_cents == 0
        game.deal()
        assert game.table.dues == {1: player, 2: banker}
        assert game.collection_cents == player
        assert cents(game.saved, "drop:california-1") == player + banker
        game.void("tested")
        assert cents(game.saved, "drop:california-1") == 0
        assert game.collection_cents == 0


def rosa_banks(game: Game) -> None:
    game.prepare()
    game.decline_bank()
    assert game.let_computer_player_bank()
    game.open_bets()
    assert game.banker is not None
    assert game.banker.seat == 2


def test_credit_for_the_collection_is_not_there_to_be_wagered(tmp_path: Path) -> None:
    with game_at("california", tmp_path, computer_players=1, credit_cents=1500) as game:
        rosa_banks(game)
        ante = (Wager(WagerKind.ANTE, 500),)
        with pytest.raises(Refusal) as refused:
            game.place({OWN: ante})
        assert refused.value.code is RefusalCode.CREDIT_SHORT
        assert game.saved.wallet_cents == 1500
        game.saved.deposit(100)
        game.place({OWN: ante})
        game.deal()
        assert game.credit_cents == 500


# Before the deal -------------------------------------------------------------


def test_wagers_on_several_hands_are_placed_all_or_none(tmp_path: Path) -> None:
    with game_at("stadium", tmp_path, computer_players=0, credit_cents=7000) as game:
        game.prepare()
        game.open_bets()
        with pytest.raises(Refusal):
            game.place({Spot(1, 1): ANTE, Spot(1, 2): ANTE, Spot(1, 3): ANTE})
        assert game.own_wagers() == {}
        assert game.table.playing is None
        assert game.credit_cents == 7000
        game.place({Spot(1, 1): ANTE, Spot(1, 2): ANTE})
        assert game.credit_cents == 3000
        # A refused change leaves what lies there, though half of it would be fine.
        with pytest.raises(Refusal):
            game.place({Spot(1, 1): (), Spot(1, 2): (Wager(WagerKind.ANTE, 100_000),)})
        assert set(game.own_wagers()) == {Spot(1, 1), Spot(1, 2)}


def test_wagers_before_the_deal_are_taken_back_whole(tmp_path: Path) -> None:
    with game_at("washington", tmp_path, credit_cents=100_000) as game:
        game.prepare()
        game.open_bets()
        game.place({OWN: ANTE})
        assert game.saved.wallet_cents < 98_000
        game.leave()
        assert game.saved.wallet_cents == 100_000
        # The others' wagers lie there, and the same round goes on with the next visit.
        assert game.table.rounds == 1
    with game_at("washington", tmp_path) as game:
        game.prepare()
        game.open_bets()
        assert game.round.opened.number == 1
        assert {spot.seat for spot in game.round.hands} == {2, 3}


def test_a_bank_wager_stays_on_the_table_until_its_round_is_dealt(tmp_path: Path) -> None:
    with game_at("california", tmp_path) as game:
        game.prepare()
        game.take_bank(10_000)
        game.open_bets()
        assert game.credit_cents == 490_000
        game.leave()
    with game_at("california", tmp_path) as game:
        assert not game.needs_bank
        game.prepare()
        game.open_bets()
        assert game.banker == Banker(1, 10_000)
        game.deal()
        assert game.advance() is None
        assert game.table.turn is not None
        assert (game.table.turn.seat, game.table.turn.rounds) == (1, 1)


def test_bets_of_another_day_go_back(tmp_path: Path) -> None:
    with game_at("washington", tmp_path, credit_cents=100_000) as game:
        game.prepare()
        game.open_bets()
        game.place({OWN: ANTE})
    with game_at("washington", tmp_path, day=DAY) as game:
        assert game.own_wagers()
    with game_at("washington", tmp_path, day=DAY + timedelta(days=1)) as game:
        assert game.table.playing is None
        assert game.saved.wallet_cents == 100_000


def test_nothing_is_dealt_without_a_wager_of_the_player(tmp_path: Path) -> None:
    with game_at("washington", tmp_path) as game:
        game.prepare()
        game.open_bets()
        with pytest.raises(Refusal, match="Make a wager first"):
            game.deal()
        assert game.round.phase is Phase.WAGERING


def test_computer_players_come_and_go_between_rounds(tmp_path: Path) -> None:
    def seats(count: int) -> list[int]:
        with game_at("washington", tmp_path, computer_players=count) as game:
            game.prepare()
            game.open_bets()
            assert {spot.seat for spot in game.round.hands} == {
                player.seat for player in game.computer_players
            }
            return [player.seat for player in game.computer_players]

    assert seats(2) == [2, 3]
    assert seats(5) == [2, 3, 4, 5, 6]
    assert seats(1) == [2]
    with game_at("washington", tmp_path, computer_players=1) as game:
        game.prepare()
        game.open_bets()
        game.place({OWN: ANTE})
        game.deal()
    with game_at("washington", tmp_path, computer_players=4) as game:
        # No player sits down in the middle of a round that is dealt.
        assert [player.seat for player in game.computer_players] == [2]
    check_audit(tmp_path)


# Rounds that wait ------------------------------------------------------------


@few_or_many(4, 25)
@pytest.mark.parametrize("house", with_variants(HOUSES))
def test_a_round_resumes_at_exactly_the_moment_it_was_left(
    house: str, rounds: int, tmp_path: Path
) -> None:
    rng = random.Random(f"resume {house}")
    for _ in range(rounds):
        with game_at(house, tmp_path) as game:
            top_up(game)
            open_and_bet(game, rng)
            game.deal()
        while True:
            with ExitStack() as visits:
                game = visits.enter_context(game_at(house, tmp_path))
                spot = game.advance()
                if spot is None:
                    break
                # Another process opens the file, as after a crash.
                again = visits.enter_context(game_at(house, tmp_path))
                assert again.round == game.round
                assert again.worker._decks == game.worker._decks
                assert again.credit_cents == game.credit_cents
                decide_at_random(again, spot, rng)
    check_audit(tmp_path)


def at_higher_limits(house: House) -> House:
    """The house with an Ante of $20 to $50, and the Blind with it."""
    kinds = (WagerKind.ANTE, WagerKind.BLIND)
    return house_with(
        house,
        wagers=tuple(
            replace(rule, min_cents=2000, max_cents=5000) if rule.kind in kinds else rule
            for rule in house.wagers
        ),
    )


def test_a_round_goes_on_by_the_rules_that_it_was_dealt_by(tmp_path: Path) -> None:
    house = load_house("washington")
    changed = at_higher_limits(house)
    with game_at(house, tmp_path) as game:
        game.prepare()
        game.open_bets()
        game.place({OWN: ANTE})
        game.deal()
    with game_at(changed, tmp_path) as game:
        assert game.house.wager(WagerKind.ANTE) == house.wager(WagerKind.ANTE)
        decide_first(game)
        game.prepare()
        game.open_bets()
        with pytest.raises(Refusal, match=r"at least \$20"):
            game.place({OWN: ANTE})
        game.place({OWN: (Wager(WagerKind.ANTE, 2000),)})
    check_audit(tmp_path)


def test_open_bets_under_other_rules_go_back(tmp_path: Path) -> None:
    house = load_house("online")
    changed = at_higher_limits(house)
    with game_at(house, tmp_path) as game:
        game.prepare()
        game.open_bets()
        game.place({OWN: ANTE})
    with game_at(changed, tmp_path) as game:
        assert game.table.playing is None
        assert game.saved.wallet_cents == 500_000


def test_a_table_whose_bank_has_changed_is_a_complaint(tmp_path: Path) -> None:
    with game_at("online", tmp_path):
        pass
    other = house_with(load_house("online"), bank=load_house("california").bank)
    with (
        game_at(other, tmp_path) as game,
        pytest.raises(Complaint, match=r"changed too much for its saved table: .*--data"),
    ):
        game.prepare()


def test_a_table_gets_and_loses_its_progressive_with_its_rules(tmp_path: Path) -> None:
    house = load_house("washington")
    kinds = tuple(rule for rule in house.wagers if rule.kind is not WagerKind.PROGRESSIVE)
    plain = house_with(house, wagers=kinds, progressive=None)
    for rules, link in ((plain, None), (house, "washington-1"), (plain, None)):
        with game_at(rules, tmp_path) as game:
            play_round(game, random.Random(1))
            assert game.table.link == link
            assert (game.meter_cents is None) is (link is None)
    check_audit(tmp_path)


# The progressive -------------------------------------------------------------


@pytest.mark.clause("R.22")
def test_envy_pays_the_player_for_another_players_hand(tmp_path: Path) -> None:
    entropy = StackedEntropy("2c 7d Ah Kh 3c 8d Qh Jh Th 4s 5s")
    with game_at("washington", tmp_path, computer_players=1, entropy=entropy) as game:
        wagers = (Wager(WagerKind.ANTE, 500), Wager(WagerKind.PROGRESSIVE, 100))
        while True:
            game.prepare()
            game.open_bets()
            rosas = game.round.hands[Spot(2, 1)]
            if rosas.stake_cents(WagerKind.PROGRESSIVE):
                break
            game.place({OWN: wagers})
            game.deal()
            decide_first(game)
        game.place({OWN: wagers})
        game.deal()
        before = game.credit_cents
        decide_first(game)
        assert game.round.settlement is not None
        envy = [line for line in game.round.settlement.of_seat(1) if line.wager == "envy"]
        assert [line.payout_cents for line in envy] == [40_000]
        assert game.credit_cents == before + 40_000


# The clock -------------------------------------------------------------------


@pytest.mark.clause("S.1", "R.10")
def test_the_end_of_time_decides_for_the_players_hands_alone(tmp_path: Path) -> None:
    with game_at("stadium", tmp_path, computer_players=3) as game:
        game.prepare()
        game.open_bets()
        game.place({Spot(1, 1): ANTE, Spot(1, 2): ANTE})
        assert game.seconds_left == 25
        game.end_time()
        assert game.dealt
        game.advance()
        assert game.seconds_left == 15
        game.end_time()
        hands = game.round.hands
        assert [hands[Spot(1, hand)].decisions[-1].by for hand in (1, 2)] == ["clock", "clock"]
        assert hands[Spot(1, 1)].decisions[-1].decision == Check()
        others = [hand for spot, hand in hands.items() if spot.seat != 1 and hand.decisions]
        assert {hand.decisions[0].by for hand in others} == {"player"}
