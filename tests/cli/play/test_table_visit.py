"""Whole visits from scripts: every house, every command, every kind of wrong input."""

import re
from pathlib import Path

import pytest

from openfelt.catalog import load_catalog, load_house
from openfelt.cli.play.visit import PlayOptions
from tests.kit.cases import with_variants
from tests.kit.cli.scripted_game import CTRL_C, TIME_UP, play, saved_table

HOUSES = sorted(load_catalog().houses)
WON = "Ah Kh 2c 7d Qh Jh Th 3s 4d"
"""A royal flush against seven high; the dealer does not qualify."""
BEATEN = "9s 8d Ah Ad As Kc 2c 5h 7d"
"""King high against three aces."""


def decide_everything(house: str) -> list[str]:
    """Enough answers for any round: Enter checks, and a bet or a hold ends each hand."""
    return ["way"] * 3 if house == "draw" else ["", "2", "1", "fold"] * 2


@pytest.mark.parametrize("house", with_variants(HOUSES))
def test_every_house_is_played_through(house: str) -> None:
    bets = ["10", "dealer ante 5"] if house == "stadium" else ["10"]
    start = ["pass"] if house == "california" else []
    script = play(*start, *bets, "deal", *decide_everything(house), house=house, computer_players=2)
    assert "Staked $" in script.text
    assert "Clause" in script.text
    assert "Goodbye." in script.text


@pytest.mark.parametrize("house", with_variants(HOUSES))
@pytest.mark.parametrize("seed", [1, 2026])
def test_the_same_seed_and_keys_give_the_same_visit(house: str, seed: int) -> None:
    lines = ["200", "10", "deal", *decide_everything(house), "", "", "", "history"]
    one, two = (play(*lines, house=house, seed=seed, computer_players=2).text for _ in range(2))
    assert one == two
    assert one != play(*lines, house=house, seed=seed + 1, computer_players=2).text


@pytest.mark.parametrize("house", with_variants(HOUSES))
@pytest.mark.parametrize("end", [[], [CTRL_C], ["quit"]])
def test_leaving_at_every_prompt_is_kind(house: str, end: list[str]) -> None:
    lines = ["pass", "10", "deal", *decide_everything(house), "", ""]
    for count in range(len(lines) + 1):
        script = play(*lines[:count], *end, house=house, computer_players=2)
        assert "Goodbye." in script.text
        assert "Traceback" not in script.text


def test_a_settlement_is_explained_wager_by_wager() -> None:
    script = play("10", "trips 5", "deal", "4", house="online", deck=WON, width=120)
    for row in (
        r"Ante +\$10\.00 +pushes +\$10\.00 +The dealer's queen high does not qualify\. +O\.7",
        r"Play +\$40\.00 +wins +\$80\.00 .*royal flush.* +O\.9b|Play +\$40\.00 +wins +\$80\.00",
        r"Blind +\$10\.00 +wins +\$5,010\.00 +Royal flush pays 500 to 1\. +O\.9c",
        r"Trips +\$5\.00 +wins +\$255\.00 +Royal flush pays 50 to 1\. +O\.11",
    ):
        assert re.search(row, script.text), row
    assert "Staked $65.00, back $5,355.00: you win $5,290.00. Credit $6,290.00." in script.text


def test_a_return_below_the_stake_is_called_a_loss() -> None:
    # Trips would win with three aces on the board only; here everything is lost.
    script = play("10", "deal", "4", house="online", deck=BEATEN)
    assert "Staked $60.00, back $0.00: you lose $60.00." in script.text
    # A winning Trips on a losing hand brings less than the stake.
    deck = "9s 8d Ah Ad As 9c 9d 5h 7d"
    script = play("10", "trips 5", "deal", "4", house="online", deck=deck)
    assert "Staked $65.00, back $20.00: you lose $45.00." in script.text
    assert "WIN $0.00" in script.text.rpartition("Staked")[0].rpartition("BET")[2]
    assert "you win" not in script.text


def test_a_refusal_is_shown_as_its_sentence_and_changes_nothing() -> None:
    script = play("10", "deal", "5x", "2", "fold", "check", house="online", seed=1)
    assert "Bet 5x is not possible before the flop. Possible: check, bet 3x, bet 4x." in script.text
    assert "Fold is not possible before the flop." in script.text
    assert "check / 2x $20> " in script.prompts


def test_only_choices_that_the_credit_covers_are_offered() -> None:
    script = play("10", "deal", "4", house="online", credit="55")
    assert script.prompts[2] == "check / 3x $30> "
    assert "Your credit does not cover a bet 4x." in script.text


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("banana", "'banana' is neither an amount nor a command"),
        ("-5", "'-5' is neither an amount nor a command"),
        ("0.5", "Ante is at least $5.00."),
        ("7.25", "steps of $1.00"),
        ("101", "Ante is at most $100.00."),
        ("9" * 60, "more than any table takes"),
        ("1.2.3", "is not an amount"),
        ("trips 5", "Trips needs a wager on Ante"),
        ("board 5", "Play the Board is not offered here."),
        ("bonus 5", "Bonus is not offered here."),
        ("dealer ante 5", "Ante for the dealer is not offered here."),
        ("prog 2", "Progressive is at most $1.00."),
        ("deal", "Make a wager first"),
        ("", "Type an amount for the Ante first"),
        ("x2", "nothing to double"),
        ("undo", "nothing to undo"),
        ("rebet", "no earlier game"),
        ("hand 2", "you can bet on hand 1"),
        ("hand", "you can bet on hand 1"),
        ("chip 3", "There are chips of $1, $5, $25, $100."),
        ("chip x", "is not an amount"),
        ("void", "no game to void"),
        ("buy x", "is not an amount"),
        ("why", "Type why and a clause"),
        ("why W.999", "There is no clause W.999."),
        ("paytables foo", "No paytable here is called foo."),
        ("\x00\x1b[31m", "neither an amount nor a command"),
        ("x" * 5000, "neither an amount nor a command"),
        ("ante 10 trips", "neither an amount nor a command"),
    ],
)
def test_wrong_input_gets_an_answer_and_changes_nothing(typed: str, says: str) -> None:
    script = play(typed, "look", house="washington")
    assert says in " ".join(script.text.split())
    assert "BET $0.00" in script.text.rpartition("GAME #")[2]
    assert "CREDIT $1,000.00" in script.text.rpartition("GAME #")[2]


@pytest.mark.parametrize("typed", ["banana", "7x", "hold", "way", "10", "\x1b", "9" * 300])
def test_wrong_decisions_get_an_answer_and_change_nothing(typed: str) -> None:
    script = play("10", "deal", typed, house="online")
    assert script.prompts[-1] == script.prompts[-2] == "check / 3x $30 / 4x $40> "


@pytest.mark.parametrize("typed", ["", "0", "-1", "foo", "5000", "1.234"])
def test_a_wrong_bank_wager_is_asked_again(typed: str) -> None:
    script = play(typed, "all", house="california")
    assert script.prompts[:2] == ["Bank wager, such as 200, or pass> "] * 2
    assert "bank wager $997" in script.text


@pytest.mark.clause("C.20", "R.19")
def test_the_bank_rotates_and_the_player_is_asked_in_turn() -> None:
    script = play(
        "200", "", "200", "", *["10", "deal", "4"] * 6, house="california", computer_players=2
    )
    assert "PLAYER/DEALER: you, seat 1 · bank wager $200" in script.text
    bankers = re.findall(r"(You bank|Rosa banks|Viktor banks) this round", script.text)
    assert bankers[:5] == ["You bank", "Rosa banks", "Rosa banks", "Viktor banks", "Viktor banks"]


@pytest.mark.clause("R.19", "C.19.house_never_banks")
def test_no_round_is_dealt_when_no_player_banks() -> None:
    lines = ["pass", "10", "deal", "4", "10", "deal", "4", "pass"]
    script = play(*lines, house="california", computer_players=1)
    assert "No player takes the bank, and the house never does: no round is dealt." in script.text


def test_the_table_can_be_looked_at_before_the_first_bank() -> None:
    script = play("look", "history", "200", house="california")
    assert "GAME #1" in script.shown[1]
    assert script.prompts[:3] == ["Bank wager, such as 200, or pass> "] * 3
    assert "bank wager $200" in script.text


@pytest.mark.clause("C.betting.4", "R.18")
def test_the_cover_left_is_shown() -> None:
    script = play("30", "", house="california", seed=3, width=120)
    assert re.search(r"bank wager \$30, cover left \$\d", script.text)
    assert "Your bank: Staked $30.00" in script.text


@pytest.mark.parametrize("typed", [" ", "foo", "1.2.3"])
def test_the_bank_question_says_what_to_type(typed: str) -> None:
    says = "Type a bank wager such as 200, or pass." if typed == " " else "is not an amount"
    shown = play(typed, house="california").text
    assert says in shown
    assert "''" not in shown


def test_nobody_with_the_credit_to_bank_is_waited_for(tmp_path: Path) -> None:
    # Rosa has banked twice in a row, and the player cannot pay a banker's collection.
    options = {"house": "california", "computer_players": 1, "data": tmp_path}
    play("pass", *["10", "deal", "4"] * 2, **options)  # type: ignore[arg-type]
    play("collect", house="online", data=tmp_path)
    script = play("", "buy 100", "50", credit="2", **options)  # type: ignore[arg-type]
    assert script.prompts[:3] == [
        "Enter asks around again; or buy, or quit> ",
        "Enter asks around again; or buy, or quit> ",
        "Bank wager, such as 200, or pass> ",
    ]
    assert "PLAYER/DEALER: you, seat 1 · bank wager $50" in script.text


def test_two_commands_fit_in_one_line() -> None:
    script = play("10, trips 5; pairs 5, deal", house="washington")
    assert script.prompts[1] == "check / 3x $30 / 4x $40> "


@pytest.mark.parametrize(
    ("typed", "left_out", "bet"),
    [
        ("25, trips 5000, deal", "Not done: deal.", "$50.00"),
        ("25, banana, trips 5, deal", "Not done: trips 5, deal.", "$50.00"),
        ("25, undo, undo, 10, deal", "Not done: 10, deal.", "$0.00"),
        ("trips 5, 25", "Not done: 25.", "$0.00"),
        ("deal, 25", "Not done: 25.", "$0.00"),
    ],
)
def test_a_refusal_ends_the_line_and_says_what_was_not_done(
    typed: str, left_out: str, bet: str
) -> None:
    script = play(typed, "look", house="washington")
    assert left_out in script.text
    assert script.prompts[1].startswith(("Enter deals", "Your bet"))
    assert f"BET {bet}" in script.text.rpartition("GAME #1")[2]


def test_what_follows_the_deal_in_a_line_is_named_too() -> None:
    script = play("10, deal, 4", house="online")
    assert "Not done: 4." in script.text
    assert script.prompts[1] == "check / 3x $30 / 4x $40> "


def test_a_comma_at_the_end_does_not_deal() -> None:
    assert play("10,", house="online").prompts[1] == "Enter deals; or change your bet> "


@pytest.mark.parametrize("typed", ["25, quit", "quit, 25", "25; q"])
def test_a_line_of_commands_may_quit(typed: str) -> None:
    script = play(typed, "look", house="online")
    assert len(script.prompts) == 1
    assert "neither an amount nor a command" not in script.text
    assert "Goodbye." in script.text


# Void ------------------------------------------------------------------------


@pytest.mark.clause("S.screen.void_game")
@pytest.mark.parametrize("typed", ["void", "void game", "VOID"])
def test_a_player_cannot_void_a_game(typed: str) -> None:
    script = play("help", "10", "deal", typed, "fold", house="stadium")
    assert "Only the floor can void a game." in script.text
    assert script.prompts[-1] == script.prompts[-3] == "Hand 1: check / 3x $30 / 4x $40> "
    assert "VOID GAME" not in script.text
    assert "BET $20.00   WIN $0.00   CREDIT $980.00" in script.text


@pytest.mark.clause("S.screen.void_game", "R.13")
def test_the_floor_voids_a_game_with_a_reason_that_is_recorded(tmp_path: Path) -> None:
    lines = ["10", "deal", "", "void", "Screen went dark", "history"]
    script = play(*lines, house="stadium", floor=True, width=120, data=tmp_path)
    assert "FLOOR: VOID GAME · PAYTABLES" in script.text
    assert "Floor: why is this game void? Enter goes back> " in script.prompts
    assert " VOID GAME · declared by the floor: screen went dark " in script.text
    assert "VOID GAME (declared by the floor: screen went dark)" in script.text
    assert "the game is void. Credit $1,000.00." in script.text
    state = saved_table(tmp_path, "stadium").round
    assert state is not None
    assert (state.phase.value, state.void_reason) == (
        "voided",
        "declared by the floor: screen went dark",
    )


def test_a_reason_that_is_too_long_is_refused_and_the_game_goes_on() -> None:
    script = play("10", "deal", "void", "x" * 200, "4", house="online", floor=True)
    assert "A reason must be one line of at most 200 printable characters." in script.text
    assert script.prompts[2] == script.prompts[4] == "check / 3x $30 / 4x $40> "
    assert "Staked $" in script.text


def test_the_floor_may_think_again_or_leave(tmp_path: Path) -> None:
    script = play("10", "deal", "void", "", "void", "quit", house="online", floor=True)
    assert script.prompts[2] == script.prompts[4] == "check / 3x $30 / 4x $40> "
    assert " VOID GAME · " not in script.text.replace("FLOOR: VOID GAME · ", "")
    assert "Goodbye." in script.text


def test_help_names_void_to_floor_staff_only() -> None:
    assert "As floor staff" in play("help", house="online", floor=True).text
    plain = play("help", house="online").text
    assert "At any moment" in plain
    assert "As floor staff" not in plain
    assert "VOID GAME" not in plain


def test_the_clock_goes_on_while_the_floor_thinks() -> None:
    options = PlayOptions(house="stadium", with_clock=True, floor=True, seed=7)
    script = play("10", "deal", "void", TIME_UP, options=options, interactive=True)
    assert "The time is up: the clock decides to check." in script.text


@pytest.mark.clause("S.3")
def test_three_hands_are_bet_and_decided_each_for_itself() -> None:
    script = play("10", "deal", "4", "", "3", house="stadium", hands=3)
    assert [prompt[:7] for prompt in script.prompts[2:5]] == ["Hand 1:", "Hand 2:", "Hand 3:"]
    one = play("hand 2", "20", "deal", "4", house="stadium")
    assert "HAND 2 · bets go here" not in one.text.rpartition("GAME #1")[2]
    assert one.prompts[3] == "Hand 2: check / 3x $60 / 4x $80> "


@pytest.mark.clause("S.5", "S.5.ante", "S.5.bonus", "R.12")
def test_wagers_for_the_dealer_pay_tips() -> None:
    refused = play("dealer ante 10", house="stadium")
    assert "Ante for the dealer needs a wager on Ante" in refused.text
    script = play(
        "10", "dealer ante 5", "dealer trips 5", "deal", "4",
        house="stadium", deck="2c 7d Qh Jh Th 3s 4d", own_deck="Ah Kh", width=120,
    )  # fmt: skip
    assert "For the dealer: Ante $5, Blind $5, Trips $5" in script.text
    assert re.search(r"Trips for the dealer +\$5\.00 +wins +\$255\.00", script.text)
    # 4 x 5 on Play, 500 x 5 on Blind, 50 x 5 on Trips; the Ante pushes.
    assert "TIPS $2,770" in script.text
    assert "The dealer thanks you for $2,770.00." in script.text


def test_draw_shows_numbers_holds_and_the_house_way_in_words() -> None:
    deck = "Ks Kd 9s 5h 2c  Qh Jd 3c 4d 8s  Kh 7c 6d Ac Ts"
    script = play("10", "bonus 5", "deal", "1 2", house="draw", deck=deck)
    assert "  1     2     3     4     5" in script.text
    assert "The dealer's house way, the first that fits" in script.text
    assert "HELD  HELD" in script.text
    assert "Dealer: holds Q♥ J♦, takes draw cards 1 to 3" in script.text
    assert "HAND 1 · Three of a kind, kings · held 2" in script.text
    assert "you win" in script.text


def test_holding_a_card_twice_is_refused_by_the_rules() -> None:
    script = play("10", "deal", "1 1", "none", house="draw")
    assert "Hold only cards of your own hand, each of them once." in script.text
    assert "held nothing" in script.text


def test_help_pages_and_history_never_disturb_a_round() -> None:
    pages = ["help", "?", "paytables", "paytables trips", "why o.7", "history", "look"]
    plain = play("10", "deal", "", "", "1", house="online", seed=5)
    paged = play(*pages, "10", *pages, "deal", *pages, "", "", *pages, "1", house="online", seed=5)
    assert paged.text.rpartition("Staked")[2] == plain.text.rpartition("Staked")[2]
    assert "O.7 · Ultimate Texas Hold'em, the online game" in paged.text


def test_rebet_and_enter_repeat_the_last_wagers() -> None:
    script = play("10", "trips 5", "deal", "4", "", "4", "rebet x2", house="online", seed=3)
    assert "Enter re-bets $25 and deals; or bet> " in script.prompts
    assert "Hand 1: Ante $20, Blind $20, Trips $10 · BET $50.00" in script.text


def test_history_counts_the_last_games() -> None:
    script = play("10", "deal", "4", "", "4", "history", house="online", deck=BEATEN)
    assert re.search(r"#2 +\$60\.00 +\$0\.00 +you lose \$60\.00\.", script.text)


@pytest.mark.clause("S.1", "R.10")
def test_the_countdown_ends_betting_and_decides() -> None:
    options = PlayOptions(house="stadium", with_clock=True, seed=7)
    script = play(
        TIME_UP, "10", TIME_UP, TIME_UP, TIME_UP, TIME_UP, options=options, interactive=True
    )
    assert script.prompts[0].startswith("25 s to bet. ")
    assert "You have no wager, so another countdown begins." in script.text
    # The screen says beforehand what the clock will decide.
    assert [prompt[:21] for prompt in script.prompts[3:6]] == [
        "15 s, then check. Han",
        "15 s, then check. Han",
        "15 s, then fold. Hand",
    ]
    assert "The time is up: the clock decides to fold." in script.text
    assert "The hand was folded." in script.text


def test_a_house_without_a_clock_says_so() -> None:
    options = PlayOptions(house="online", with_clock=True)
    assert "This house runs no clock." in play(options=options, interactive=True).text
    options = PlayOptions(house="stadium", with_clock=True)
    assert "only at a keyboard" in play(options=options).text


def test_the_house_data_say_which_tables_are_played_from_afar() -> None:
    assert load_house("online").remote_play
    assert not load_house("california").remote_play


def test_running_out_of_credit_is_met_with_an_offer() -> None:
    script = play("10", "deal", "3", "10", "buy 50", "10", house="online", credit="50", deck=BEATEN)
    assert "more than your credit" in script.text
    assert "You buy $50.00 of play money." in script.text
    assert "Type buy" in script.text


@pytest.mark.clause("R.21", "R.23")
def test_a_royal_flush_takes_the_meter_which_starts_again_from_its_seed() -> None:
    lines = ["10", "prog", "deal", "4"]
    script = play(*lines, house="washington", computer_players=0, deck=WON, width=120)
    assert re.search(
        r"Progressive +\$1\.00 +wins +\$10,000\.25 +Royal flush wins 100% of the meter.* +R\.21",
        script.text,
    )
    assert re.findall(r"PROGRESSIVE (\$\S+)", script.text)[-1] == "$10,000.00"
