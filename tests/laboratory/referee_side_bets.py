"""Side bets that pay by cards alone, as the documents S and W describe them."""

from tests.laboratory.referee_hands import Cards, kind_of, pair_rank, rank_of, value_of
from tests.laboratory.referee_paytables import TABLES, Rows


def trips_pays(table: str, hole: Cards, board: Cards) -> str:
    """Trips: the player's best hand (W.11f, S.13f), by the table or nothing."""
    return TABLES["trips"][table].get(kind_of(value_of(hole, board)), "")


def bad_beat_pays(table: str, hole: Cards, dealer: Cards, board: Cards) -> str:
    """Bad Beat: the losing hand, of either side; a tie is no bad beat (W, bad beat 5)."""
    player, house = value_of(hole, board), value_of(dealer, board)
    if player == house:
        return ""
    # A losing royal flush does not exist, so the table has no row for it.
    return TABLES["bad_beat"][table].get(kind_of(max(player, house)), "")


def play_the_board_pays(table: str, board: Cards) -> str:
    """Play the Board: the five community cards alone, from a pair of tens."""
    kind = kind_of(value_of(board))
    if kind == "pair":
        kind = "pair of tens" if pair_rank(board) >= 10 else "lesser pair"
    return TABLES["play_the_board"][table].get(kind, "")


def ultimate_pairs_pays(table: str, hole: Cards, dealer: Cards) -> str:
    """Ultimate Pairs: the two hole cards, and the dealer's for one award (W, pairs, note)."""
    high, low = sorted((rank_of(card) for card in hole), reverse=True)
    suited = hole[0][1] == hole[1][1]
    if table in TABLES["ultimate_pairs_high"]:
        rows = TABLES["ultimate_pairs_high"][table]
        return rows.get(_row_by_rank(high, low, suited, rows, dealer), "")
    rows = TABLES["ultimate_pairs_face"][table]
    return rows.get(_row_by_face(high, low, suited, rows, hole), "")


def _row_by_rank(high: int, low: int, suited: bool, rows: Rows, dealer: Cards) -> str:
    if high == low == 14:
        top = "A-A against A-A"
        if top in rows and len(dealer) != 2:
            raise ValueError("aces need the dealer's cards")
        if top in rows and [card[0] for card in dealer] == ["A", "A"]:
            return top
        return "A-A"
    if high == low:
        return "K-K or Q-Q or J-J" if high >= 11 else "10-10 thru 2-2"
    if high != 14 or low < 11:
        return ""
    if low == 13:
        return "A-K suited" if suited else "A-K unsuited"
    return "A-Q or A-J suited" if suited else "A-Q or A-J unsuited"


def _row_by_face(high: int, low: int, suited: bool, rows: Rows, hole: Cards) -> str:
    if high == low == 14:
        top = "Ace Hearts / Ace Diamonds"
        if top in rows and set(hole) == {"Ah", "Ad"}:
            return top
        return "pair of aces"
    if high == low:
        return "pair"
    if high == 14 and low in (11, 12, 13):
        return "ace / face suited" if suited else "ace / face"
    return ""
