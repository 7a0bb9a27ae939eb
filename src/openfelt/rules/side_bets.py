"""The optional wagers of Ultimate Texas Hold'em, each settled by one small function.

They depend on cards and not on the player's decisions, so they stay in action after a
fold (R.3).
"""

from typing import Final

from openfelt.cards import Card, Hand
from openfelt.rules.lines import Outcome, Result, Why, hand_why, table_outcome
from openfelt.rules.paytable import HandPaytable, PairsPaytable
from openfelt.rules.quick_replace import maker

# Looking a member up in an enumeration takes as long as a call.
_WIN: Final = Result.WIN
_LOSE: Final = Result.LOSE
_outcome: Final = maker(Outcome)


def settle_trips(hand: Hand, table: HandPaytable) -> Outcome:
    """Trips: three of a kind or better in the player's best five of seven wins (W.11f)."""
    return table_outcome("trips", hand, table)


def settle_bad_beat(player: Hand, dealer: Hand, table: HandPaytable) -> Outcome:
    """Bad Beat: paid by the losing hand, the player's or the dealer's; a tie loses (R.6)."""
    if player == dealer:
        words = f"Both have {player.name.lower()}: nobody was beaten."
        return _outcome(_LOSE, "bad_beat.tie", words, None, hand_why(player.name))
    whose, beaten = ("The dealer's", dealer) if player > dealer else ("The player's", player)
    name = beaten.name
    why = Why(dealer_hand=name) if beaten is dealer else hand_why(name)
    odds = table.odds_for(beaten)
    if odds is None:
        words = f"{whose} losing {name.lower()} is less than the table pays."
        return _outcome(_LOSE, "bad_beat.lose", words, None, why)
    words = f"{whose} {name.lower()} was beaten and pays {odds}."
    return _outcome(_WIN, "bad_beat.win", words, odds, why._replace(pays=str(odds)))


def settle_ultimate_pairs(
    hole: tuple[Card, ...], dealer_hole: tuple[Card, ...], table: PairsPaytable
) -> Outcome:
    """Ultimate Pairs: the two hole cards, and for one award the dealer's two (R.7)."""
    row = table.row_for(hole, dealer_hole)
    if row is None:
        return _outcome(_LOSE, "ultimate_pairs.lose", "The two cards are not on the paytable.")
    why = Why(award=row.label, pays=str(row.odds))
    return _outcome(_WIN, "ultimate_pairs.win", f"{row.label} pays {row.odds}.", row.odds, why)


def settle_play_the_board(board: Hand, table: HandPaytable) -> Outcome:
    """Play the Board: only the five community cards (R.8)."""
    odds, name = table.odds_for(board), board.name
    if odds is None:
        words = f"The board's {name.lower()} is less than the table pays."
        return _outcome(_LOSE, "play_the_board.lose", words, None, hand_why(name))
    pays = str(odds)
    words = f"The board's {name.lower()} pays {pays}."
    return _outcome(_WIN, "play_the_board.win", words, odds, hand_why(name, pays))
