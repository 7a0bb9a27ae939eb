"""Ultimate Texas Hold'em settled by the documents W, O, C and S: one hand at a time."""

from collections.abc import Iterator

from tests.laboratory.referee_hands import Cards, kind_of, value_of
from tests.laboratory.referee_paytables import TABLES, payout
from tests.laboratory.referee_sheet import Bet, Hand, House, Result, Sheet
from tests.laboratory.referee_side_bets import (
    bad_beat_pays,
    play_the_board_pays,
    trips_pays,
    ultimate_pairs_pays,
)

# Within a hand: the wagers of the game, then the bonus wagers; the player's before the dealer's.
ORDER = ("ante", "play", "blind", "trips", "bad_beat", "ultimate_pairs", "play_the_board")


def check_decisions(hand: Hand) -> None:
    """Raise if the hand decided what the documents do not allow, or the clock what R.10 does not.

    Before the flop 3x or 4x, on it 2x, on the river 1x or a fold (W.4 to W.8); once bet, no more.
    """
    if not any(bet.wager == "ante" for bet in hand.bets):
        if hand.decisions:
            raise ValueError(f"hand {hand.seat}.{hand.number} decides without an Ante")
        return
    bets = ((3, 4), (2,), (1,))
    for street, decision in enumerate(hand.decisions):
        last = street == len(hand.decisions) - 1
        legal = (
            (decision.word == "check" and street < 2 and not last)
            or (decision.word == "bet" and decision.times in bets[street] and last)
            or (decision.word == "fold" and street == 2 and last)
        )
        if not legal or (decision.by_clock and decision.word == "bet"):
            raise ValueError(f"hand {hand.seat}.{hand.number} may not decide {decision}")
    if not hand.decisions:
        raise ValueError(f"hand {hand.seat}.{hand.number} has an Ante and decided nothing")


def placed(hand: Hand) -> Iterator[Bet]:
    """Every wager of a hand at the showdown: with its Blinds and Play wagers, in order.

    A wager for the dealer follows the decisions of the player in proportion (ruling 12).
    """
    for for_dealer in (False, True):
        bets = {bet.wager: bet.cents for bet in hand.bets if bet.for_dealer is for_dealer}
        if "ante" in bets:
            bets["blind"] = bets["ante"]
            if hand.times:
                bets["play"] = bets["ante"] * hand.times
        for wager in ORDER:
            if wager in bets:
                yield Bet(wager, bets[wager], for_dealer)


def dealer_value(sheet: Sheet) -> int:
    """The strength of the dealer's hand."""
    return value_of(sheet.dealer, sheet.common)


def settle_hand(house: House, hand: Hand, sheet: Sheet) -> list[Result]:
    """Every wager of one hand but the progressive, as if the bank had money without end."""
    return [_settle(house, hand, bet, sheet) for bet in placed(hand)]


def _settle(house: House, hand: Hand, bet: Bet, sheet: Sheet) -> Result:
    if bet.wager in ("ante", "play", "blind"):
        result, paid_cents = _main_wager(house, hand, bet, sheet)
    else:
        pays = _side_bet_pays(house, bet.wager, hand.cards, sheet.dealer, sheet.common)
        result = "win" if pays else "lose"
        paid_cents = payout(bet.cents, pays, house.rounding_unit_cents) if pays else 0
    return Result(
        seat=hand.seat,
        number=hand.number,
        wager=bet.wager,
        for_dealer=bet.for_dealer,
        stake_cents=bet.cents,
        result=result,
        returned_cents=0 if result == "lose" else bet.cents,
        paid_cents=paid_cents,
    )


def _main_wager(house: House, hand: Hand, bet: Bet, sheet: Sheet) -> tuple[str, int]:
    if hand.folded:
        return "lose", 0  # Whatever the dealer has (ruling 2).
    player = value_of(hand.cards, sheet.common)
    dealer = dealer_value(sheet)
    if bet.wager == "ante" and kind_of(dealer) == "high card":
        return "push", 0  # W.12, O.7, C.9.1, S.14
    if player > dealer:
        return "lose", 0
    if player == dealer:
        return "push", 0
    if bet.wager != "blind":
        return "win", bet.cents
    pays = TABLES["blind"][house.blind].get(kind_of(player))
    if pays is None:
        return "push", 0  # A win with less than a straight.
    return "win", payout(bet.cents, pays, house.rounding_unit_cents)


def _side_bet_pays(house: House, wager: str, hole: Cards, dealer: Cards, board: Cards) -> str:
    match wager:
        case "trips":
            return trips_pays(house.trips, hole, board)
        case "bad_beat":
            return bad_beat_pays(house.bad_beat, hole, dealer, board)
        case "ultimate_pairs":
            return ultimate_pairs_pays(house.ultimate_pairs, hole, dealer)
        case "play_the_board":
            return play_the_board_pays(house.play_the_board, board)
    raise ValueError(f"hold'em has no wager {wager}")
