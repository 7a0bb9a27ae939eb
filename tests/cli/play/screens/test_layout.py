"""The screen: everything that a stadium terminal shows is there, and nothing hidden is."""

import io
import random
import re
from datetime import date
from pathlib import Path

import pytest
from rich.cells import cell_len

from openfelt.cards import Card
from openfelt.catalog import load_catalog, load_house
from openfelt.cli.play.bets import Bets
from openfelt.cli.play.game import Game
from openfelt.cli.play.screens.figures import Figures
from openfelt.cli.play.screens.layout import draw_screen
from openfelt.cli.terminal import make_console
from openfelt.rules import Phase, Spot, Wager, WagerKind
from openfelt.rules.house import BankKind, GameName
from tests.kit.cases import with_variants
from tests.kit.cli.random_game import decide_at_random, game_at, open_and_bet
from tests.kit.cli.scripted_game import play
from tests.kit.docs import FENCE, read
from tests.kit.repository import ROOT

DAY = date(2026, 3, 1)
HOUSES = sorted(load_catalog().houses)
SIZES = [(80, 24), (80, 60), (100, 40), (120, 50), (60, 24), (200, 80)]


def first_screen(house: str = "stadium", *lines: str) -> str:
    """The table before the deal, after some commands."""
    return play(*lines, "look", house=house).text.rpartition("\n\n")[0]


def rendered(game: Game, *, width: int = 80, height: int = 60) -> str:
    """The screen of the player's own seat as text."""
    stream = io.StringIO()
    console = make_console(stream, environment={}, width=width, height=height)
    bets = Bets(game, {}, hands=1)
    figures = Figures(
        house=game.house,
        seat=game.seat,
        day=DAY,
        credit_cents=game.credit_cents,
        bet_cents=0,
        win_cents=0,
        tips_cents=0,
        collection_cents=0,
        meter_cents=game.meter_cents,
        games=(),
        chip_cents=bets.chip_cents,
        picked_hands=(1,),
        names={player.seat: player.display_name for player in game.computer_players},
        note="RNG DEMO",
    )
    console.print(draw_screen(game.seen(), figures, console))
    return stream.getvalue()


# The clauses of the terminal's screen ----------------------------------------


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(
            "STADIUM ULTIMATE TEXAS HOLD'EM", marks=pytest.mark.clause("S.screen.table_name")
        ),
        pytest.param("TABLE STADIUM-1", marks=pytest.mark.clause("S.screen.table_number")),
        pytest.param("MIN-BET $10.00", marks=pytest.mark.clause("S.screen.min_bet")),
        pytest.param("MAX-BET $100.00", marks=pytest.mark.clause("S.screen.max_bet")),
        pytest.param("DENOM $0.01", marks=pytest.mark.clause("S.screen.denomination")),
        pytest.param("GAME #1", marks=pytest.mark.clause("S.screen.game_number")),
        pytest.param("TID #1", marks=pytest.mark.clause("S.screen.terminal_number")),
        pytest.param("PLAYER HAND RESULTS", marks=pytest.mark.clause("S.screen.results")),
        pytest.param("OVER THE LAST 5 GAMES", marks=pytest.mark.clause("S.screen.results.games")),
        pytest.param("PAYTABLES*", marks=pytest.mark.clause("S.screen.paytables")),
        pytest.param(
            "*Refer to HELP for details", marks=pytest.mark.clause("S.screen.paytables.help")
        ),
        pytest.param("DEALER HAND", marks=pytest.mark.clause("S.screen.dealer_hand")),
        pytest.param("DEALER POSITION", marks=pytest.mark.clause("S.screen.dealer_position")),
        pytest.param("DEALER CHIPS (      )", marks=pytest.mark.clause("S.screen.dealer_chips")),
        pytest.param("╭╌╌╌╮ ╭╌╌╌╮   ╭╌╌╌╮", marks=pytest.mark.clause("S.screen.dealer_cards")),
        pytest.param(
            "ANTE PUSHES IF DEALER HAS LESS THAN A PAIR",
            marks=pytest.mark.clause("S.screen.ante_pushes"),
        ),
        pytest.param("HAND 1 ", marks=pytest.mark.clause("S.screen.hand_1")),
        pytest.param("HAND 2 ", marks=pytest.mark.clause("S.screen.hand_2")),
        pytest.param("HAND 3 ", marks=pytest.mark.clause("S.screen.hand_3")),
        pytest.param(
            "MALFUNCTION VOIDS ALL PAYS AND PLAYS",
            marks=pytest.mark.clause("S.screen.malfunction"),
        ),
        pytest.param("BET $0.00", marks=pytest.mark.clause("S.screen.bet")),
        pytest.param("WIN $0.00", marks=pytest.mark.clause("S.screen.win")),
        pytest.param("CREDIT $1,000.00", marks=pytest.mark.clause("S.screen.credit")),
        pytest.param("($10)  ($25)  ($50)  ($100)", marks=pytest.mark.clause("S.screen.chips")),
        pytest.param("$10 CHIP", marks=pytest.mark.clause("S.screen.chip_selected")),
        pytest.param("RNG DEMO", marks=pytest.mark.clause("S.screen.demo")),
        "DEAL · X2 · UNDO · RE-BET · CLEAR BET · COLLECT · PAYTABLES · HELP · QUIT",
    ],
)
def test_the_terminal_shows(shown: str) -> None:
    assert shown in first_screen()


@pytest.mark.parametrize(
    "spot",
    [
        pytest.param("TRIPS (", marks=pytest.mark.clause("S.screen.spot.trips")),
        pytest.param("ANTE ( ) = BLIND (", marks=pytest.mark.clause("S.screen.spot.ante_blind")),
        pytest.param("ULTIMATE PAIRS (", marks=pytest.mark.clause("S.screen.spot.ultimate_pairs")),
        pytest.param("PLAY (", marks=pytest.mark.clause("S.screen.spot.play")),
        pytest.param("BAD BEAT (", marks=pytest.mark.clause("S.screen.spot.bad_beat")),
        "PLAY THE BOARD (",
    ],
)
@pytest.mark.parametrize("hand", [1, 2, 3])
def test_each_hand_has_its_own_spots(spot: str, hand: int) -> None:
    own = first_screen().rpartition(f"─ HAND {hand}")[2].partition("─ HAND")[0]
    assert spot in own


@pytest.mark.clause("S.screen.spot.ante_blind", "S.screen.chips", "S.screen.chip_selected")
def test_chips_are_picked_and_put_on_spots() -> None:
    shown = first_screen("stadium", "chip 25", "ante", "trips", "ante")
    last = shown.rpartition("GAME #1")[2]
    assert "▸($25)" in last
    assert "$25 CHIP" in last
    assert "TRIPS ( $25  )" in last
    assert "ANTE  ( $50  )  = BLIND ( $50  )" in last


@pytest.mark.clause("S.screen.results", "S.screen.results.games")
def test_results_count_wins_and_stand_offs_over_the_last_five_games() -> None:
    # The dealer does not qualify: the Ante stands off, Play and Blind win with the royal flush.
    table, own = "2c 7d Qh Jh Th 3s 4d", "Ah Kh"
    lines = ["10", "deal", "4", *["", "4"] * 6]
    script = play(*lines, "look", house="stadium", deck=table, own_deck=own)
    last = script.text.rpartition("PLAYER HAND RESULTS")[2]
    assert re.search(r"0 +ANTE +5\b", last)
    assert re.search(r"5 +BLIND +0\b", last)
    assert re.search(r"5 +PLAY +0\b", last)


@pytest.mark.clause("S.screen.paytables", "S.overview.odds", "W.overview.odds", "C.standards.odds")
@pytest.mark.clause("D.13.felt")
@pytest.mark.parametrize(
    ("house", "row"),
    [
        ("stadium", "Three of a kind     3 to 1"),
        ("washington", "Full house          9 to 1"),
        ("california", "Full house          8 to 1"),
        ("draw", "Two pair            1 to 1"),
    ],
)
def test_odds_are_read_where_players_bet(house: str, row: str) -> None:
    shown = play(*(["pass"] if house == "california" else []), "look", house=house, height=40).text
    assert row in shown


@pytest.mark.clause("C.table.inscription")
def test_the_standing_notice_of_the_cardroom() -> None:
    assert "PLAYER/DEALER ONLY PLAYS WITH A PAIR OR HIGHER" in play("pass", house="california").text


@pytest.mark.clause("C.table.areas.1", "C.table.areas.2", "C.table.areas.3", "C.table.areas.4")
def test_the_cardroom_marks_its_four_spots() -> None:
    shown = play("pass", house="california").text
    for spot in ("ANTE  (", "BLIND (", "TRIPS (", "PLAY  ("):
        assert spot in shown


@pytest.mark.clause("O.malfunction", "O.9c", "O.11")
def test_the_online_game_posts_its_tables_and_its_notices() -> None:
    shown = play(house="online").text
    assert "MALFUNCTIONS VOID ALL PAYS AND PLAYS" in shown
    assert "TRIPS · UTH-03" in shown
    assert "BLIND · UTH-03" in shown


@pytest.mark.clause("S.screen.void_game", "R.13")
def test_a_voided_game_is_marked_as_void() -> None:
    lines = ["10", "deal", "void", "the shuffler jammed", "look"]
    script = play(*lines, house="stadium", width=120, floor=True)
    assert "═ VOID GAME · declared by the floor: the shuffler jammed ═" in script.text
    assert "Staked $20.00, back $20.00: the game is void. Credit $1,000.00." in script.text
    assert "The round is void: the wager goes back." in " ".join(script.text.split())


def test_a_long_reason_stands_below_the_mark() -> None:
    reason = "the shuffler jammed and dealt two cards at once to the second terminal"
    script = play("10", "deal", "void", reason, house="stadium", floor=True)
    assert "═ VOID GAME ═" in script.text
    assert f"declared by the floor: {reason}" in " ".join(script.text.split())
    assert max(len(line) for line in script.shown[-1].splitlines()) <= 80


@pytest.mark.clause("S.screen.x2")
def test_x2_doubles_all_wagers_or_refuses_as_a_whole() -> None:
    script = play("10", "trips 40", "x2", "x2", "x2", house="stadium")
    assert "Ante $20, Blind $20, Trips $80 · BET $120.00 · CREDIT $880.00" in script.text
    assert "Trips is at most $100.00." in script.text
    assert "Ante $40" not in script.text


@pytest.mark.clause("S.screen.undo")
def test_undo_takes_the_last_wager_back() -> None:
    script = play("10", "trips 5", "undo", "undo", "undo", house="stadium")
    statuses = re.findall(r"^.*· BET .*$", script.text, re.MULTILINE)
    assert [status.partition(" ·")[0] for status in statuses] == [
        "Hand 1: Ante $10, Blind $10",
        "Hand 1: Ante $10, Blind $10, Trips $5",
        "Hand 1: Ante $10, Blind $10",
        "No bets",
    ]
    assert "There is nothing to undo." in script.text


@pytest.mark.clause("S.screen.rebet")
def test_rebet_repeats_the_wagers_of_the_last_game() -> None:
    script = play("10", "trips 5", "deal", "4", "rebet", house="stadium")
    assert (
        script.text.rpartition("rebet")[2]
        .strip()
        .startswith("Hand 1: Ante $10, Blind $10, Trips $5 · BET $25.00")
    )


@pytest.mark.clause("S.screen.clear_bet")
def test_clear_bet_takes_every_wager_back() -> None:
    script = play("hand all", "10", "trips 5", "clear", "undo", house="stadium")
    assert "No bets · BET $0.00 · CREDIT $1,000.00" in script.text
    assert script.text.count("BET $75.00") == 2


@pytest.mark.clause("S.screen.collect")
def test_collect_cashes_the_credit_out() -> None:
    script = play("10", "collect", house="stadium")
    assert "COLLECT: $1,000.00 cashed out." in script.text


@pytest.mark.clause("S.screen.help")
def test_help_opens_the_rules_and_the_odds() -> None:
    script = play("help", "paytables", house="stadium")
    assert "Bet Ante and Blind, get two cards" in script.text
    assert "The dealer qualifies with a pair or better." in script.text
    for table in (
        "Trips · UTH-01",
        "Blind · UTH-01",
        "Bad Beat · BBB-01",
        "Ultimate Pairs · UPB-2",
    ):
        assert table in script.text


@pytest.mark.clause("S.screen.dealer_hand", "S.screen.dealer_cards", "S.11")
def test_the_dealers_cards_are_backs_until_they_are_shown() -> None:
    script = play("10", "deal", "4", house="stadium")
    decided, settled = script.text.split("4x $40> 4")
    assert "│░░░│ │░░░│" in decided
    assert "│░░░│" not in settled
    assert "Dealer: " in settled


# Sizes and secrets -----------------------------------------------------------


@pytest.mark.parametrize("house_id", with_variants(HOUSES))
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_no_line_is_wider_than_the_terminal(
    house_id: str, width: int, height: int, tmp_path: Path
) -> None:
    rng = random.Random(f"{house_id} {width}")
    shown = []
    with game_at(house_id, tmp_path) as game:
        for _ in range(4):
            open_and_bet(game, rng)
            shown.append(rendered(game, width=width, height=height))
            game.deal()
            while (spot := game.advance()) is not None:
                shown.append(rendered(game, width=width, height=height))
                decide_at_random(game, spot, rng)
            shown.append(rendered(game, width=width, height=height))
    for screen in shown:
        assert max(cell_len(line) for line in screen.splitlines()) <= width
        if width >= 80:
            # Nothing was folded either: the frame and each row keep to one line.
            assert screen.count("\n") < 62


@pytest.mark.parametrize("house_id", with_variants(HOUSES))
@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 24), (80, 30), (100, 40)])
def test_a_hand_decides_with_the_whole_table_in_view(
    house_id: str, width: int, height: int
) -> None:
    """The prompt takes the last line, and no line above it is lost."""
    house = load_house(house_id)
    start = ["pass"] if house.bank.kind is BankKind.PLAYER_DEALER else []
    extras = {WagerKind.TRIPS: "trips 5", WagerKind.ULTIMATE_PAIRS: "pairs 5"}
    bets = ["10", *(typed for kind, typed in extras.items() if house.wager(kind))]
    answers = ["none"] if house.game is GameName.ULTIMATE_DRAW else [""] * 7
    script = play(
        *start, *bets, "deal", *answers,
        house=house_id, hands=3, width=width, height=height, interactive=True,
    )  # fmt: skip
    screens = [text for text in script.shown if "MIN-BET" in text and "Clause" not in text]
    assert len(screens) > len(bets)
    for screen in screens:
        assert screen.count("\n") + 1 <= height, screen
        assert "BOARD" in screen or "DRAW CARDS" in screen


def test_a_short_screen_shows_every_hand_on_few_lines() -> None:
    script = play("10, trips 5, deal", house="stadium", hands=3, height=24)
    last = script.text.rpartition("GAME #1")[2]
    assert "DEALER HAND   BOARD" in last
    assert last.count("TRIPS ($5)  ANTE ($10) = BLIND ($10)  PLAY ( )") == 3
    assert len(re.findall(r"─ HAND [123] · \S+[♣♦♥♠] \S+[♣♦♥♠] ─", last)) == 3


@pytest.mark.parametrize("house_id", with_variants(HOUSES))
def test_no_hidden_card_reaches_a_short_screen(house_id: str, tmp_path: Path) -> None:
    rng = random.Random(f"short {house_id}")
    with game_at(house_id, tmp_path) as game:
        for _ in range(10):
            open_and_bet(game, rng)
            game.deal()
            while (spot := game.advance()) is not None:
                assert symbols(rendered(game, height=12)) == symbols(rendered(game))
                decide_at_random(game, spot, rng)


@pytest.mark.parametrize("house_id", with_variants(HOUSES))
def test_no_hidden_card_reaches_the_screen(house_id: str, tmp_path: Path) -> None:
    rng = random.Random(f"secrets of {house_id}")
    with game_at(house_id, tmp_path) as game:
        for _ in range(30):
            open_and_bet(game, rng)
            game.deal()
            while (spot := game.advance()) is not None:
                assert symbols(rendered(game)) == {card.symbol for card in visible_cards(game)}
                assert game.round.phase is Phase.PLAYING
                decide_at_random(game, spot, rng)


def visible_cards(game: Game) -> set[Card]:
    """The cards that the player may see while a hand decides."""
    state = game.round
    own = {card for at, hand in state.hands.items() if at.seat == 1 for card in hand.cards}
    visible = own | set(state.common[: state.common_face_up])
    if game.house.player_cards_face_up:
        visible |= {card for hand in state.hands.values() for card in hand.cards}
    return visible


def symbols(screen: str) -> set[str]:
    """Every card that can be read on a screen."""
    return set(re.findall(r"(?:10|[2-9JQKA])[♣♦♥♠]", screen))


def test_a_folded_hand_of_another_player_stays_hidden_to_the_end(tmp_path: Path) -> None:
    rng = random.Random(3)
    hidden = 0
    with game_at("washington", tmp_path) as game:
        for _ in range(40):
            game.prepare()
            game.open_bets()
            game.place({Spot(1, 1): (Wager(WagerKind.ANTE, 500),)})
            game.deal()
            while (spot := game.advance()) is not None:
                decide_at_random(game, spot, rng)
            for hand in game.round.hands.values():
                if hand.spot.seat != 1 and hand.folded and not hand.face_up:
                    hidden += 1
                    assert not {card.symbol for card in hand.cards} & symbols(rendered(game))
    assert hidden


def test_a_long_clause_leaves_room_for_the_reason() -> None:
    lines = ["10, trips 5, pairs 5", "deal", "4", "4", "4"]
    narrow = play(*lines, house="stadium", hands=3).shown[-1].splitlines()
    heading = next(line for line in narrow if line.startswith("Wager "))
    assert heading.index("Clause") - heading.index("Why") >= 22
    column = "".join(line[heading.index("Clause") :].strip() for line in narrow)
    assert "S.overview.ultimate_pairs.loses" in column
    wide = play(*lines, house="stadium", hands=3, width=120).shown[-1]
    assert " S.overview.ultimate_pairs.loses" in wide


def test_the_guide_shows_true_screens() -> None:
    guide = ROOT / "docs" / "guides" / "terminal-game.md"
    pictures = [text for _, text in FENCE.findall(read(guide)) if "CREDIT" in text]
    lines = ["10, trips 5, prog", "", "check", "check", "bet"]
    shown = play(*lines, house="washington", seed=2, height=30).text
    plain = "\n".join(line.rstrip() for line in shown.splitlines())
    assert len(pictures) == 2
    for picture in pictures:
        assert picture.rstrip() in plain
