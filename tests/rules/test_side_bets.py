"""The optional wagers, each by its own rule."""

import pytest

from openfelt.rules import Banker
from tests.kit.cases import case
from tests.kit.felt import Felt, played

PASSED = "check, check, fold"
DRY = "2c 7d 9h Js 3c"


def settled(house: str, deal: tuple[str, str, str], wagers: str, decisions: str = PASSED) -> Felt:
    hole, dealer, board = deal
    return played(
        house,
        bets={"1.1": wagers},
        cards={"1.1": hole, "dealer": dealer, "common": board},
        decisions={"1.1": decisions},
        banker=Banker(7, 10**9) if house == "california" else None,
    )


def said(felt: Felt, wager: str) -> str:
    line = felt.line("1.1", wager)
    return f"{line.result} {line.payout_cents} {line.clause}"


TRIPS = [
    case("washington", ("9s 9d", "Ac Ad", DRY), "4x", "win 1500 W.11f", proves="W.11f"),
    case("washington", ("9s 9d", "Ac Ad", DRY), PASSED, "win 1500 W.11f",
         proves="W.note W.11f R.3 W.overview.trips_wins"),
    case("washington", ("9s 7s", "Ac Ad", DRY), "4x", "lose 0 W.11f", proves="W.11f"),
    case("washington", ("9s 9d", "Jc Jd", DRY), "4x", "win 1500 W.11f", proves="W.11f"),
    case("washington", ("9s 9d", "Qc 8d", DRY), "4x", "win 1500 W.11f", proves="W.13"),
    case("washington", ("Ts 8h", "Ac Ad", DRY), "4x", "win 2000 W.11f", proves="W.11f"),
    case("online", ("9s 9d", "Ac Ad", DRY), PASSED, "win 1500 O.11", proves="O.11"),
    case("online", ("9s 7s", "Ac Ad", DRY), "4x", "lose 0 O.11", proves="O.11"),
    case("california", ("9s 9d", "Jc Jd", DRY), "4x", "win 1500 C.18", proves="C.18 C.12.2"),
    case("california", ("9s 9d", "Ac Ad", DRY), "4x", "win 1500 C.18", proves="C.18 C.13.3"),
    case("california", ("4s 5h", "4c 5d", "9c 9d 9h As Kc"), "4x", "win 1500 C.18",
         proves="C.14.1 C.18"),
    case("california", ("9s 9d", "Ac Ad", DRY), PASSED, "win 1500 C.18",
         proves="C.note.trips C.6.1"),
    case("california", ("9s 7s", "Ac Ad", DRY), "4x", "lose 0 C.standards.trips_wins",
         proves="C.standards.trips_wins"),
    case("stadium", ("9s 9d", "Ac Ad", DRY), PASSED, "win 1500 S.13f",
         proves="S.13f S.overview.trips_wins R.3"),
    case("stadium", ("9s 7s", "Ac Ad", DRY), "4x", "lose 0 S.13f", proves="S.13f"),
]  # fmt: skip


@pytest.mark.parametrize(("house", "deal", "decisions", "expected"), TRIPS)
def test_trips(house: str, deal: tuple[str, str, str], decisions: str, expected: str) -> None:
    assert said(settled(house, deal, "ante 10, trips 5", decisions), "trips") == expected


@pytest.mark.clause("W.ace.13f", "W.ace.note")
def test_trips_after_a_fold_when_dealt_community_first() -> None:
    felt = played(
        "washington",
        procedure=Felt("washington").state.house.procedures[1],
        bets={"1.1": "ante 10, trips 5"},
        cards={"1.1": "9s 9d", "dealer": "Ac Ad", "common": DRY},
        decisions={"1.1": PASSED},
    )
    assert said(felt, "trips") == "win 1500 W.ace.13f"


DEALERS_TRIPS = ("Ts 8h", "9c 9d", DRY)  # a straight beats three nines
PLAYERS_TRIPS = ("9s 9d", "Ts 8h", DRY)  # three nines lose to a straight
BOARD_TRIPS = ("As 4h", "Ks 5h", "9c 9d 9h 7s 2c")  # ace beats king, with three nines each
SAME = ("4s 5h", "4c 5d", "9c 9d 9h As Kc")
TWO_PAIR = ("As Ah", "Jd 9d", DRY)  # the dealer's two pair beats a pair of aces
QUADS = ("9s 9d", "8s 8d", "9c 9h 8c 8h 2d")  # four nines beat four eights
ROYAL = ("As Ks", "9s 8s", "Qs Js Ts 2d 3c")  # a royal flush beats a straight flush

BAD_BEATS = [
    case("washington", DEALERS_TRIPS, "win 4500 W.bad_beat.3",
         proves="W.bad_beat.1 W.bad_beat.1b W.bad_beat.3 R.6"),
    case("washington", PLAYERS_TRIPS, "win 4500 W.bad_beat.3",
         proves="W.bad_beat.1a W.bad_beat.3 R.6"),
    case("washington", BOARD_TRIPS, "win 4500 W.bad_beat.3", proves="W.bad_beat.1b"),
    case("washington", SAME, "lose 0 W.bad_beat.5", proves="W.bad_beat.5 R.6"),
    case("washington", TWO_PAIR, "lose 0 W.bad_beat.4", proves="W.bad_beat.4"),
    case("washington", QUADS, "win 250000 W.bad_beat.3", proves="W.bad_beat.3"),
    case("washington", ROYAL, "win 3750000 W.bad_beat.3", proves="W.bad_beat.3"),
    case("stadium", DEALERS_TRIPS, "win 4500 S.overview.bad_beat.wins",
         proves="S.overview.bad_beat S.overview.bad_beat.wins R.6"),
    case("stadium", PLAYERS_TRIPS, "win 4500 S.overview.bad_beat.wins",
         proves="S.overview.bad_beat.wins"),
    case("stadium", TWO_PAIR, "lose 0 S.overview.bad_beat.loses",
         proves="S.overview.bad_beat.loses"),
    case("stadium", SAME, "lose 0 R.6", proves="R.6"),
    case("stadium", ROYAL, "win 5000000 S.overview.bad_beat.wins"),
]  # fmt: skip


@pytest.mark.parametrize("decisions", ["4x", PASSED])
@pytest.mark.parametrize(("house", "deal", "expected"), BAD_BEATS)
def test_bad_beat_is_paid_by_the_hand_that_was_beaten(
    house: str, deal: tuple[str, str, str], decisions: str, expected: str
) -> None:
    felt = settled(house, deal, "ante 10, trips 5, bad_beat 5", decisions)
    assert said(felt, "bad_beat") == expected


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        (DEALERS_TRIPS, "The dealer's three of a kind, nines was beaten and pays 9 to 1."),
        (PLAYERS_TRIPS, "The player's three of a kind, nines was beaten and pays 9 to 1."),
        (SAME, "Both have three of a kind, nines: nobody was beaten."),
        (TWO_PAIR, "The player's losing pair of aces is less than the table pays."),
    ],
)
def test_bad_beat_says_whose_hand_was_beaten(deal: tuple[str, str, str], words: str) -> None:
    felt = settled("washington", deal, "ante 10, trips 5, bad_beat 5")
    assert felt.line("1.1", "bad_beat").because == words


ACES = ("As Ah", "Kc Qd", DRY)
PAIRS = [
    case("washington", ACES, "win 15000 W.pairs.3", proves="W.pairs.2 W.pairs.3 W.pairs.4 R.3"),
    case("washington", ("As Ah", "Ac Ad", DRY), "win 500000 W.pairs.3", proves="W.pairs.note R.7"),
    case("washington", ("Ks Kh", "Ac Ad", DRY), "win 5000 W.pairs.3", proves="W.pairs.note"),
    case("washington", ("8s 4h", "Ac Ad", DRY), "lose 0 W.pairs.3", proves="W.pairs.3"),
    case("stadium", ACES, "win 15000 S.overview.ultimate_pairs.wins",
         proves="S.overview.ultimate_pairs S.overview.ultimate_pairs.wins"),
    case("stadium", ("As Ah", "Ac Ad", DRY), "win 500000 S.overview.ultimate_pairs.wins",
         proves="S.overview.ultimate_pairs"),
    case("stadium", ("8s 4h", "Ac Ad", DRY), "lose 0 S.overview.ultimate_pairs.loses",
         proves="S.overview.ultimate_pairs.loses"),
    # A pair that only the board makes belongs to no player.
    case("stadium", ("8s 4h", "Kc Qd", "Ac Ad Jh 9s 2d"),
         "lose 0 S.overview.ultimate_pairs.loses", proves="R.7"),
    case("stadium", ("9s 4h", "Kc Qd", "9c Ad Jh 9d 2d"),
         "lose 0 S.overview.ultimate_pairs.loses", proves="R.7"),
]  # fmt: skip


@pytest.mark.parametrize("decisions", ["4x", PASSED])
@pytest.mark.parametrize(("house", "deal", "expected"), PAIRS)
def test_ultimate_pairs_reads_the_hole_cards_alone(
    house: str, deal: tuple[str, str, str], decisions: str, expected: str
) -> None:
    felt = settled(house, deal, "ante 10, ultimate_pairs 5", decisions)
    assert said(felt, "ultimate_pairs") == expected


HOLE, DEALER = "As Ah", "Ks Kh"
WINS, LOSES = "S.overview.play_the_board.wins", "S.overview.play_the_board.loses"
BOARDS = [
    case("Tc Td 2h 3s 5c", f"win 500 {WINS}", proves=f"{WINS} R.8"),
    case("9c 9d 2h 3s 5c", f"lose 0 {LOSES}", proves=f"{LOSES} R.8"),
    case("2c 2d 3h 3s 5c", f"win 1500 {WINS}", proves="R.8"),
    case("2c 2d 2h 3s 5c", f"win 3500 {WINS}"),
    case("2c 3d 4h 5s 6c", f"win 12500 {WINS}"),
    case("2c 4c 6c 8c Tc", f"win 20000 {WINS}"),
    case("2c 2d 2h 3s 3c", f"win 25000 {WINS}"),
    case("2c 2d 2h 2s 3c", f"win 50000 {WINS}"),
    case("2c 3c 4c 5c 6c", f"win 100000 {WINS}"),
    case("Ac Kc Qc Jc Tc", f"win 500000 {WINS}"),
    # The player's aces make nothing of the board's ace, nor of its three to a straight.
    case("Ac 2d 3h 4s 9c", f"lose 0 {LOSES}", proves="R.8 S.overview.play_the_board"),
]


@pytest.mark.parametrize("decisions", ["4x", PASSED])
@pytest.mark.parametrize(("board", "expected"), BOARDS)
def test_play_the_board_reads_the_board_alone(board: str, decisions: str, expected: str) -> None:
    felt = settled("stadium", (HOLE, DEALER, board), "ante 10, play_the_board 5", decisions)
    assert said(felt, "play_the_board") == expected


@pytest.mark.clause("R.12", "S.5.bonus")
def test_bonus_wagers_for_the_dealer_alone_are_settled() -> None:
    wagers = "tip trips 5, tip bad_beat 5, tip ultimate_pairs 5, tip play_the_board 5"
    felt = settled("stadium", ("9s 9d", "Ts 8h", DRY), wagers)
    nets = {line.wager: line.net_cents for line in felt.settlement.lines}
    assert nets == {
        "trips": 1500,
        "bad_beat": 4500,
        "ultimate_pairs": 1500,
        "play_the_board": -500,
    }
