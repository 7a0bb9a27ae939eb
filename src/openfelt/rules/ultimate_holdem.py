"""Ultimate Texas Hold'em: the choices of each street, and the settlement of its wagers.

Each settlement function can be compared with the clause it follows.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from openfelt.cards import Hand, evaluate
from openfelt.rules.dealing import Street
from openfelt.rules.decisions import Bet, Check, Decision, Fold
from openfelt.rules.house import House
from openfelt.rules.lines import (
    HandComparison,
    Line,
    Outcome,
    Result,
    Why,
    hand_why,
    strengths_compared,
)
from openfelt.rules.paytable import EVEN_MONEY, HandPaytable
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.quick_replace import maker, quickly_made
from openfelt.rules.round import Round, is_face_down, settled_line
from openfelt.rules.shown_hands import READ_FROM_HAND, lost_face_down
from openfelt.rules.side_bets import (
    settle_bad_beat,
    settle_play_the_board,
    settle_trips,
    settle_ultimate_pairs,
)
from openfelt.rules.wagers import WagerKind, antes_cents

# Looking a member up in an enumeration takes as long as a call, and a stadium settles thousands
# of wagers at once.
_ANTE: Final = WagerKind.ANTE
_PLAY: Final = WagerKind.PLAY
_BLIND: Final = WagerKind.BLIND
_TRIPS: Final = WagerKind.TRIPS
_BAD_BEAT: Final = WagerKind.BAD_BEAT
_ULTIMATE_PAIRS: Final = WagerKind.ULTIMATE_PAIRS
_PLAY_THE_BOARD: Final = WagerKind.PLAY_THE_BOARD
_PROGRESSIVE: Final = WagerKind.PROGRESSIVE
_WIN: Final = Result.WIN
_LOSE: Final = Result.LOSE
_PUSH: Final = Result.PUSH
_BEFORE_FLOP: Final = Street.BEFORE_FLOP
_ON_FLOP: Final = Street.ON_FLOP
_ON_RIVER: Final = Street.ON_RIVER


def multiples(house: House, street: Street) -> tuple[int, ...]:
    """The Play wagers of a street, as multiples of the Ante (R.9)."""
    assert house.play is not None
    if street is _BEFORE_FLOP:
        return house.play.before_flop
    return house.play.on_flop if street is _ON_FLOP else house.play.on_river


def decisions_on(house: House, street: Street) -> tuple[Decision, ...]:
    """Every decision of a street, whatever the credit: check or fold first, then the bets."""
    return _decisions(street, multiples(house, street))


@cache
def _decisions(street: Street, multiples: tuple[int, ...]) -> tuple[Decision, ...]:
    """Kept, because a stadium asks for thousands of hands on every street."""
    return (clock_decision(street), *(Bet(multiple) for multiple in multiples))


def may_decide(house: House, street: Street, decision: Decision) -> bool:
    """Whether a decision is one of its street, whatever the credit."""
    if isinstance(decision, Bet):
        return decision.multiple in multiples(house, street)
    return decision == clock_decision(street)


def play_cost_cents(hand: PlayerHand, multiple: int) -> int:
    """The cost of a Play wager, including the dealer's in proportion (R.12)."""
    return multiple * antes_cents(hand.wagers)


def decision_cost_cents(hand: PlayerHand, decision: Decision) -> int:
    """The cost of a decision: a Play wager, or nothing."""
    return play_cost_cents(hand, decision.multiple) if isinstance(decision, Bet) else 0


_FOLD: Final = Fold()
_CHECK: Final = Check()


def clock_decision(street: Street) -> Decision:
    """The clock's default decision: check, or fold on the river (R.10)."""
    return _FOLD if street is _ON_RIVER else _CHECK


# Settlement ------------------------------------------------------------------


@quickly_made
@dataclass(frozen=True, slots=True)
class Showdown:
    """A player's hand against the dealer's, ready to be compared."""

    player: Hand
    dealer: Hand
    dealer_qualified: bool
    folded: bool

    @property
    def comparison(self) -> HandComparison:
        """The two hands, compared."""
        return strengths_compared(self.player.strength, self.dealer.strength)


_FOLDED: Final = "The hand was folded."
_outcome: Final = maker(Outcome)
_showdown: Final = maker(Showdown)


def settle_ante(showdown: Showdown) -> Outcome:
    """Ante: a fold loses; an unqualified dealer pushes; otherwise even money, lost or tied."""
    if showdown.folded:
        return _outcome(_LOSE, "ante.fold", _FOLDED)
    if not showdown.dealer_qualified:
        name = showdown.dealer.name
        words = f"The dealer's {name.lower()} does not qualify."
        return _outcome(_PUSH, "ante.not_qualified", words, None, Why(dealer_hand=name))
    return _even_money("ante", showdown)


def settle_play(showdown: Showdown) -> Outcome:
    """Play: even money, lost or tied, whether or not the dealer qualifies (R.4)."""
    return _even_money("play", showdown)


def settle_blind(showdown: Showdown, table: HandPaytable) -> Outcome:
    """Blind: pays a win with a straight or better, pushes a lesser win and a tie (R.5)."""
    if showdown.folded:
        return _outcome(_LOSE, "blind.fold", _FOLDED)
    verdict, words, why = showdown.comparison
    if verdict == "lose":
        return _outcome(_LOSE, "blind.lose", f"{words}.", None, why)
    if verdict == "tie":
        return _outcome(_PUSH, "blind.tie", f"{words}.", None, why)
    odds, name = table.odds_for(showdown.player), showdown.player.name
    if odds is None:
        words = f"{name} wins, but with less than the table pays."
        return _outcome(_PUSH, "blind.push", words, None, hand_why(name))
    pays = str(odds)
    return _outcome(_WIN, "blind.win", f"{name} pays {pays}.", odds, hand_why(name, pays))


def _even_money(wager: str, showdown: Showdown) -> Outcome:
    verdict, words, why = showdown.comparison
    result, odds = _EVEN_MONEY[verdict]
    return _outcome(result, f"{wager}.{verdict}", f"{words}.", odds, why)


_EVEN_MONEY: Final = {
    "win": (_WIN, EVEN_MONEY),
    "tie": (_PUSH, None),
    "lose": (_LOSE, None),
}


def settle_hand(state: Round, hand: PlayerHand, dealer: Hand) -> tuple[Line, ...]:
    """Settle every wager of a hand except the progressive, which is settled for the round."""
    if hand.folded and is_face_down(state, hand):
        return _settle_face_down(state, hand)
    qualified = state.house.dealer_qualifies.met_by(dealer)
    player = evaluate((*hand.cards, *state.common))
    showdown = _showdown(player, dealer, qualified, hand.folded)
    return tuple(
        [
            settled_line(state, hand.spot, wager, _settle_wager(state, hand, showdown, wager.kind))
            for wager in hand.wagers
            if wager.kind is not _PROGRESSIVE
        ]
    )


def _settle_face_down(state: Round, hand: PlayerHand) -> tuple[Line, ...]:
    """Settle a folded hand that is never shown (C.6): no line names its cards or its hand."""
    return tuple(
        [
            settled_line(state, hand.spot, wager, _lost_with_fold(state, wager.kind))
            for wager in hand.wagers
            if wager.kind is not _PROGRESSIVE
        ]
    )


def _lost_with_fold(state: Round, kind: WagerKind) -> Outcome:
    if kind is _PLAY_THE_BOARD:
        # It depends on the board alone, so it may win with a hand that is not shown.
        return settle_play_the_board(evaluate(state.common), state.house.hand_table(kind))
    if kind in READ_FROM_HAND:
        return lost_face_down(kind)
    return _outcome(_LOSE, f"{kind}.fold", _FOLDED)


def _settle_wager(state: Round, hand: PlayerHand, showdown: Showdown, kind: WagerKind) -> Outcome:
    house = state.house
    if kind is _ANTE:
        return settle_ante(showdown)
    if kind is _PLAY:
        return settle_play(showdown)
    if kind is _BLIND:
        return settle_blind(showdown, house.hand_table(kind))
    if kind is _TRIPS:
        return settle_trips(showdown.player, house.hand_table(kind))
    if kind is _BAD_BEAT:
        return settle_bad_beat(showdown.player, showdown.dealer, house.hand_table(kind))
    if kind is _ULTIMATE_PAIRS:
        return settle_ultimate_pairs(hand.cards, state.dealer, house.pairs_table())
    if kind is _PLAY_THE_BOARD:
        return settle_play_the_board(evaluate(state.common), house.hand_table(kind))
    raise LookupError(f"{kind} is not a wager of Ultimate Texas Hold'em")


def dealer_hand(state: Round) -> Hand:
    """The dealer's best five of seven cards (R.1)."""
    return evaluate((*state.dealer, *state.common))
