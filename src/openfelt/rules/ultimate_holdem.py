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
from openfelt.rules.lines import Line, Outcome, Result, Why, comparison_words
from openfelt.rules.paytable import EVEN_MONEY, HandPaytable
from openfelt.rules.round import PlayerHand, Round, settled_line
from openfelt.rules.side_bets import (
    settle_bad_beat,
    settle_play_the_board,
    settle_trips,
    settle_ultimate_pairs,
)
from openfelt.rules.wagers import WagerKind


def multiples(house: House, street: Street) -> tuple[int, ...]:
    """The Play wagers of a street, as multiples of the Ante (R.9)."""
    assert house.play is not None
    if street is Street.BEFORE_FLOP:
        return house.play.before_flop
    return house.play.on_flop if street is Street.ON_FLOP else house.play.on_river


def decisions_on(house: House, street: Street) -> tuple[Decision, ...]:
    """Every decision of a street, whatever the credit: check or fold first, then the bets."""
    return _decisions(clock_decision(street), multiples(house, street))


@cache
def _decisions(passing: Decision, multiples: tuple[int, ...]) -> tuple[Decision, ...]:
    """Kept, because a stadium asks for thousands of hands on every street."""
    return (passing, *(Bet(multiple) for multiple in multiples))


def play_cost_cents(hand: PlayerHand, multiple: int) -> int:
    """The cost of a Play wager, including the dealer's in proportion (R.12)."""
    antes_cents = 0
    for wager in hand.wagers:
        if wager.kind is WagerKind.ANTE:
            antes_cents += wager.cents
    return multiple * antes_cents


def decision_cost_cents(hand: PlayerHand, decision: Decision) -> int:
    """What a decision costs: a Play wager, or nothing."""
    return play_cost_cents(hand, decision.multiple) if isinstance(decision, Bet) else 0


def clock_decision(street: Street) -> Decision:
    """The clock's default decision: check, or fold on the river (R.10)."""
    return Fold() if street is Street.ON_RIVER else Check()


# Settlement ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Showdown:
    """A player's hand against the dealer's, ready to be compared."""

    player: Hand
    dealer: Hand
    dealer_qualified: bool
    folded: bool

    @property
    def comparison(self) -> str:
        """``win``, ``lose`` or ``tie`` from the player's side."""
        player, dealer = self.player.strength, self.dealer.strength
        if player == dealer:
            return "tie"
        return "win" if player > dealer else "lose"

    @property
    def words(self) -> str:
        """The comparison in one phrase."""
        return comparison_words(self.player, self.dealer)

    @property
    def why(self) -> Why:
        """The values in that phrase."""
        return Why(hand=self.player.name, dealer_hand=self.dealer.name)


def settle_ante(showdown: Showdown) -> Outcome:
    """Ante: a fold loses; an unqualified dealer pushes; otherwise even money, lost or tied."""
    if showdown.folded:
        return Outcome(Result.LOSE, "ante.fold", "The hand was folded.")
    if not showdown.dealer_qualified:
        name = showdown.dealer.name
        words = f"The dealer's {name.lower()} does not qualify."
        return Outcome(Result.PUSH, "ante.not_qualified", words, why=Why(dealer_hand=name))
    return _even_money("ante", showdown)


def settle_play(showdown: Showdown) -> Outcome:
    """Play: even money, lost or tied, whether or not the dealer qualifies (R.4)."""
    return _even_money("play", showdown)


def settle_blind(showdown: Showdown, table: HandPaytable) -> Outcome:
    """Blind: pays a win with a straight or better, pushes a lesser win and a tie (R.5)."""
    if showdown.folded:
        return Outcome(Result.LOSE, "blind.fold", "The hand was folded.")
    comparison = showdown.comparison
    if comparison == "lose":
        return Outcome(Result.LOSE, "blind.lose", f"{showdown.words}.", why=showdown.why)
    if comparison == "tie":
        return Outcome(Result.PUSH, "blind.tie", f"{showdown.words}.", why=showdown.why)
    odds, name = table.odds_for(showdown.player), showdown.player.name
    if odds is None:
        words = f"{name} wins, but with less than the table pays."
        return Outcome(Result.PUSH, "blind.push", words, why=Why(hand=name))
    why = Why(hand=name, pays=str(odds))
    return Outcome(Result.WIN, "blind.win", f"{name} pays {odds}.", odds, why)


def _even_money(wager: str, showdown: Showdown) -> Outcome:
    comparison = showdown.comparison
    result, odds = _EVEN_MONEY[comparison]
    return Outcome(result, f"{wager}.{comparison}", f"{showdown.words}.", odds, showdown.why)


_EVEN_MONEY: Final = {
    "win": (Result.WIN, EVEN_MONEY),
    "tie": (Result.PUSH, None),
    "lose": (Result.LOSE, None),
}


def settle_hand(state: Round, hand: PlayerHand, dealer: Hand) -> tuple[Line, ...]:
    """Settle every wager of a hand except the progressive, which is settled for the round."""
    qualified = state.house.dealer_qualifies.met_by(dealer)
    player = evaluate((*hand.cards, *state.common))
    showdown = Showdown(player, dealer, qualified, hand.folded)
    return tuple(
        settled_line(state, hand.spot, wager, _settle_wager(state, hand, showdown, wager.kind))
        for wager in hand.wagers
        if wager.kind is not WagerKind.PROGRESSIVE
    )


def _settle_wager(state: Round, hand: PlayerHand, showdown: Showdown, kind: WagerKind) -> Outcome:
    house = state.house
    if kind is WagerKind.ANTE:
        return settle_ante(showdown)
    if kind is WagerKind.PLAY:
        return settle_play(showdown)
    if kind is WagerKind.BLIND:
        return settle_blind(showdown, house.hand_table(kind))
    if kind is WagerKind.TRIPS:
        return settle_trips(showdown.player, house.hand_table(kind))
    if kind is WagerKind.BAD_BEAT:
        return settle_bad_beat(showdown.player, showdown.dealer, house.hand_table(kind))
    if kind is WagerKind.ULTIMATE_PAIRS:
        return settle_ultimate_pairs(hand.cards, state.dealer, house.pairs_table())
    if kind is WagerKind.PLAY_THE_BOARD:
        return settle_play_the_board(evaluate(state.common), house.hand_table(kind))
    raise LookupError(f"{kind} is not a wager of Ultimate Texas Hold'em")


def dealer_hand(state: Round) -> Hand:
    """The dealer's best five of seven cards (R.1)."""
    return evaluate((*state.dealer, *state.common))
