"""The most that a round can cost a player, by the wagers made so far."""

from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.round import Phase, Round
from openfelt.rules.wagers import WagerKind
from openfelt.table.collection import banker_due_max_cents, player_due_cents
from openfelt.table.state import Table


def most_at_risk_cents(table: Table, player: str) -> int:
    """The most that the round in progress can cost a player.

    Until a hand has played or folded, the largest Play wager counts that may follow its Ante: a
    hand that was accepted is never kept from playing on. A bank wager counts in full, and the
    collection too.
    """
    state, seat = table.playing, table.seat_of(player)
    if state is None or seat is None:
        return 0
    banker = state.opened.banker
    if banker is not None and banker.seat == seat:
        return banker.cover_cents + banker_due_max_cents(state.house)
    hands = [hand for spot, hand in state.hands.items() if spot.seat == seat]
    cents = sum(wager.cents for hand in hands for wager in hand.wagers)
    cents += sum(player_due_cents(state.house, hand.stake_cents(WagerKind.ANTE)) for hand in hands)
    if state.phase in (Phase.WAGERING, Phase.PLAYING):
        # A Play wager follows the Ante for the dealer too, if there is one (S.5).
        wagers = (wager for hand in hands if _may_play(hand) for wager in hand.wagers)
        antes = sum(wager.cents for wager in wagers if wager.kind is WagerKind.ANTE)
        cents += _largest_play(state) * antes
    return cents


def _may_play(hand: PlayerHand) -> bool:
    """Whether a Play wager may still follow."""
    return not hand.folded and all(wager.kind is not WagerKind.PLAY for wager in hand.wagers)


def _largest_play(state: Round) -> int:
    play = state.house.play
    return max((*play.before_flop, *play.on_flop, *play.on_river), default=0) if play else 0
