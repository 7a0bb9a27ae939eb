"""The optional wagers of Ultimate Texas Hold'em, each settled by one small function.

They depend on cards and not on the player's decisions, so they stay in action after a
fold (R.3).
"""

from openfelt.cards import Card, Hand
from openfelt.rules.lines import Outcome, Result
from openfelt.rules.paytable import HandPaytable, PairsPaytable


def settle_trips(hand: Hand, table: HandPaytable) -> Outcome:
    """Trips: three of a kind or better in the player's best five of seven wins (W.11f)."""
    odds = table.odds_for(hand)
    if odds is None:
        return Outcome(Result.LOSE, "trips.lose", f"{hand.name} is less than the table pays.")
    return Outcome(Result.WIN, "trips.win", f"{hand.name} pays {odds}.", odds)


def settle_bad_beat(player: Hand, dealer: Hand, table: HandPaytable) -> Outcome:
    """Bad Beat: paid by the losing hand, the player's or the dealer's; a tie loses (R.6)."""
    if player == dealer:
        return Outcome(
            Result.LOSE, "bad_beat.tie", f"Both have {player.name.lower()}: nobody was beaten."
        )
    whose, beaten = ("The dealer's", dealer) if player > dealer else ("The player's", player)
    odds = table.odds_for(beaten)
    if odds is None:
        return Outcome(
            Result.LOSE,
            "bad_beat.lose",
            f"{whose} losing {beaten.name.lower()} is less than the table pays.",
        )
    return Outcome(
        Result.WIN,
        "bad_beat.win",
        f"{whose} {beaten.name.lower()} was beaten and pays {odds}.",
        odds,
    )


def settle_ultimate_pairs(
    hole: tuple[Card, ...], dealer_hole: tuple[Card, ...], table: PairsPaytable
) -> Outcome:
    """Ultimate Pairs: the two hole cards, and for one award the dealer's two (R.7)."""
    row = table.row_for(hole, dealer_hole)
    if row is None:
        return Outcome(Result.LOSE, "ultimate_pairs.lose", "The two cards are not on the paytable.")
    return Outcome(Result.WIN, "ultimate_pairs.win", f"{row.label} pays {row.odds}.", row.odds)


def settle_play_the_board(board: Hand, table: HandPaytable) -> Outcome:
    """Play the Board: only the five community cards (R.8)."""
    odds = table.odds_for(board)
    if odds is None:
        return Outcome(
            Result.LOSE,
            "play_the_board.lose",
            f"The board's {board.name.lower()} is less than the table pays.",
        )
    return Outcome(
        Result.WIN, "play_the_board.win", f"The board's {board.name.lower()} pays {odds}.", odds
    )
